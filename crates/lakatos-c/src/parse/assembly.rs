//! Assembly: `asm` statements (GNU C), and `asm` at file scope.

use lakatos_ir::Diagnostic;

use super::Parser;
use crate::ast::{AsmEffect, ExprId, StmtKind};
use crate::sema::{Res, error};
use crate::symbol::Symbol;
use crate::syntax::literal;
use crate::syntax::token::{Kw, Tok};

/// Instructions that do nothing but compute their operands (and registers that the statement has to
/// name as outputs or clobbered), without the letter for the operand size. They do not trap, jump or
/// use the stack.
const HARMLESS: &[&str] = &[
    "adc", "add", "and", "bsf", "bsr", "bswap", "cmp", "cmpxchg", "cpuid", "dec", "imul", "inc",
    "lfence", "mfence", "mov", "mul", "neg", "nop", "not", "or", "pause", "popcnt", "rdtsc",
    "rdtscp", "rol", "ror", "sal", "sar", "sbb", "sete", "setne", "sfence", "shl", "shr", "sub",
    "test", "xadd", "xchg", "xor",
];

/// Directives that neither define nor change anything in a program of one file.
const HARMLESS_DIRECTIVES: &[&str] = &[".globl ", ".global ", ".ident "];

impl Parser<'_> {
    /// `asm volatile goto ("…" : outputs : inputs : clobbers : labels);`
    pub fn asm_statement(&mut self) -> Res<StmtKind> {
        self.advance()?;
        while matches!(self.tok.kind, Tok::Kw(Kw::Volatile | Kw::Inline | Kw::Goto | Kw::Const)) {
            self.advance()?;
        }
        self.expect(Tok::LParen, "after `asm`")?;
        let template = self.asm_text("the assembly")?;
        let (mut outputs, mut inputs, mut clobbers) = (Vec::new(), Vec::new(), Vec::new());
        let (mut constraints, mut labels) = (Vec::new(), Vec::new());
        if self.eat(Tok::Colon)? {
            (constraints, outputs) = self.asm_operands()?.into_iter().unzip();
            if self.eat(Tok::Colon)? {
                inputs = self.asm_operands()?.into_iter().map(|(_, input)| input).collect();
                if self.eat(Tok::Colon)? {
                    clobbers = self.clobbers()?;
                    if self.eat(Tok::Colon)? {
                        labels = self.asm_labels()?;
                    }
                }
            }
        }
        inputs.iter_mut().for_each(|input| *input = self.sema.rvalue(*input));
        self.expect(Tok::RParen, "after the assembly")?;
        self.expect(Tok::Semi, "after the assembly")?;
        for &output in &outputs {
            if !self.sema.is_lvalue(output) {
                return error(self.sema.exprs[output].span, "an output must be assignable");
            }
        }
        let effect = effect(&template, &clobbers);
        if effect == AsmEffect::Nothing {
            // What is read and written stays what it is where there are no instructions.
            let mut constraints = constraints.iter();
            outputs.retain(|&output| {
                let is_kept = constraints.next().is_some_and(|c: &String| c.starts_with('+'));
                !is_kept || self.sema.may_act(output)
            });
        }
        if effect == AsmEffect::Nothing {
            labels.clear();
        }
        Ok(StmtKind::Asm { outputs, inputs, labels, effect })
    }

    /// The labels that assembly may jump to.
    fn asm_labels(&mut self) -> Res<Vec<Symbol>> {
        let mut labels = Vec::new();
        loop {
            let (name, span) = self.expect_ident("the name of a label")?;
            self.current().labels.entry(name).or_default().used.get_or_insert(span);
            labels.push(name);
            if !self.eat(Tok::Comma)? {
                return Ok(labels);
            }
        }
    }

    /// `asm("…");` at file scope may define and change anything, so it is unsupported unless there is
    /// nothing in it that does.
    pub fn file_assembly(&mut self) -> Res<()> {
        let start = self.start();
        self.advance()?;
        self.expect(Tok::LParen, "after `asm`")?;
        let template = self.asm_text("the assembly")?;
        self.expect(Tok::RParen, "after the assembly")?;
        self.expect(Tok::Semi, "after the assembly")?;
        let text = without_comments(&template);
        let mut lines = text.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty());
        if !lines.all(|line| HARMLESS_DIRECTIVES.iter().any(|d| line.starts_with(d))) {
            // What comes after it is read all the same.
            let problem = Diagnostic::unsupported(self.since(start), "assembly at file scope");
            self.sema.report(problem);
        }
        Ok(())
    }

    /// Adjacent strings as text.
    fn asm_text(&mut self, what: &str) -> Res<String> {
        if !self.at(Tok::Str) {
            return self.unexpected(what);
        }
        let mut text = String::new();
        while self.at(Tok::Str) {
            let span = self.advance()?.span;
            match literal::string(self.lexer.text(span)) {
                Ok((_, units)) => text.extend(units.into_iter().filter_map(char::from_u32)),
                Err(message) => return error(span, message),
            }
        }
        Ok(text)
    }

    fn clobbers(&mut self) -> Res<Vec<String>> {
        let mut clobbers = Vec::new();
        while self.at(Tok::Str) {
            clobbers.push(self.asm_text("a register")?);
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        Ok(clobbers)
    }

    /// `[name] "constraint" (expression), …`
    fn asm_operands(&mut self) -> Res<Vec<(String, ExprId)>> {
        let mut operands = Vec::new();
        while matches!(self.tok.kind, Tok::Str | Tok::LBracket) {
            if self.eat(Tok::LBracket)? {
                self.advance()?;
                self.expect(Tok::RBracket, "after the operand's name")?;
            }
            let constraint = self.asm_text("the constraint")?;
            self.expect(Tok::LParen, "before the operand")?;
            operands.push((constraint, self.expression()?));
            self.expect(Tok::RParen, "after the operand")?;
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        Ok(operands)
    }
}

/// What a statement of this text does.
fn effect(template: &str, clobbers: &[String]) -> AsmEffect {
    let text = without_comments(template);
    let instructions: Vec<&str> =
        text.split([';', '\n']).map(str::trim).filter(|i| !i.is_empty()).collect();
    if instructions.is_empty() {
        AsmEffect::Nothing
    } else if instructions.iter().enumerate().all(|(index, instruction)| {
        is_harmless(instruction, instructions.get(index + 1).copied(), clobbers)
    }) {
        AsmEffect::Outputs
    } else if clobbers.iter().any(|clobber| clobber == "memory") {
        AsmEffect::Memory
    } else {
        AsmEffect::Unknown
    }
}

/// As the assembler of GNU reads it on x86: `#` to the end of the line, `/* … */`.
fn without_comments(template: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['#', '/']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (skip, end) = match rest.strip_prefix("/*") {
            Some(comment) => (2, comment.find("*/").map(|end| end + 2)),
            None if rest.starts_with('#') => (0, rest.find('\n')),
            None => {
                text.push('/');
                rest = &rest[1..];
                continue;
            }
        };
        rest = end.map_or("", |end| &rest[skip + end..]);
        text.push(' ');
    }
    text + rest
}

fn is_harmless(instruction: &str, next: Option<&str>, clobbers: &[String]) -> bool {
    let (mnemonic, operands) =
        instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
    match mnemonic {
        // A prefix, of an instruction that follows here or as the next one.
        "lock" if operands.is_empty() => return next.is_some(),
        "lock" => return is_harmless(operands.trim(), None, clobbers),
        "rep" if operands.is_empty() => return next == Some("nop"),
        "rep" => return operands.trim() == "nop",
        _ => {}
    }
    let sized = mnemonic.strip_suffix(['b', 'w', 'l', 'q']);
    let known = HARMLESS.contains(&mnemonic) || sized.is_some_and(|m| HARMLESS.contains(&m));
    let mut operands = operands.split(',').map(str::trim).filter(|o| !o.is_empty());
    known && operands.all(|operand| is_plain_operand(operand, clobbers))
}

/// An operand of the statement, a number, or a register that it says to change.
fn is_plain_operand(operand: &str, clobbers: &[String]) -> bool {
    if let Some(register) = operand.strip_prefix("%%") {
        return clobbers.iter().any(|c| same_register(register, c.trim_start_matches('%')));
    }
    if let Some(number) = operand.strip_prefix('$') {
        let number = number.strip_prefix('-').unwrap_or(number);
        return number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_alphanumeric());
    }
    let Some(name) = operand.strip_prefix('%') else { return false };
    let name = name.strip_prefix(['b', 'w', 'k', 'q', 'h']).unwrap_or(name);
    let named = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match named {
        Some(name) => name.chars().all(is_word),
        None => !name.is_empty() && name.chars().all(|c| c.is_ascii_digit()),
    }
}

/// Two names for parts of one register, neither the stack nor the frame pointer.
fn same_register(a: &str, b: &str) -> bool {
    let whole = |name: &str| -> Option<String> {
        let body = match name
            .strip_prefix('r')
            .filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        {
            Some(number) => return Some(number.trim_end_matches(['b', 'w', 'd', 'l']).to_owned()),
            None => name.strip_prefix(['r', 'e']).unwrap_or(name),
        };
        Some(match body {
            "ax" | "al" | "ah" => "a".to_owned(),
            "bx" | "bl" | "bh" => "b".to_owned(),
            "cx" | "cl" | "ch" => "c".to_owned(),
            "dx" | "dl" | "dh" => "d".to_owned(),
            "si" | "sil" => "si".to_owned(),
            "di" | "dil" => "di".to_owned(),
            _ => return None,
        })
    };
    whole(a).is_some() && whole(a) == whole(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects() {
        use AsmEffect::*;
        for (template, clobbers, expected) in [
            ("", &[][..], Nothing),
            (" \n\t# a comment\n/* another\none */ ", &["memory"], Nothing),
            ("nop", &["memory"], Outputs),
            ("rep; nop", &["memory"], Outputs),
            ("lock; incl %0", &["memory"], Outputs),
            ("lock addl $1, %[word]", &["cc"], Outputs),
            ("movl %1, %0\n\taddl $0x10, %k0", &[], Outputs),
            ("movl $6, %%eax", &["rax"], Outputs),
            ("movq $6, %%r12", &["r12"], Outputs),
            ("movq $6, %%r12", &[], Unknown),
            ("movq $6, %%rsp", &["rsp"], Unknown),
            ("rep; movsb", &["memory"], Memory),
            ("lock", &[], Unknown),
            ("movl $1, (%0)", &[], Unknown),
            ("movl $1, g", &[], Unknown),
            ("movl $g, %0", &[], Unknown),
            ("divl %0", &[], Unknown),
            ("syscall", &["rax"], Unknown),
            ("syscall", &["memory"], Memory),
            ("nop; jmp 1f", &[], Unknown),
            ("nop\nret", &[], Unknown),
        ] {
            let clobbers: Vec<String> = clobbers.iter().map(|&c| c.to_owned()).collect();
            assert_eq!(effect(template, &clobbers), expected, "{template:?}");
        }
    }
}
