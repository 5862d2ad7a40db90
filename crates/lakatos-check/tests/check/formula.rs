//! Formulas as text: linear comparisons with `&&`, `||`, `!`, `%`, `old(x)` and `result`.

use lakatos_evidence::{Draft, Meaning};
use lakatos_ir::{IntType, ProcId, Program, VarId};
use lakatos_logic::term::{Sort, Term};

pub fn parse(program: &Program, draft: &mut Draft<'_>, proc: ProcId, text: &str) -> Term {
    let mut spaced = text.to_owned();
    for sign in ["(", ")", "+", "-", "*", "%"] {
        spaced = spaced.replace(sign, &format!(" {sign} "));
    }
    let words = spaced.split_whitespace().map(str::to_owned).rev().collect();
    let mut parser = Parser { program, draft, proc, words };
    let formula = parser.or();
    assert!(parser.words.is_empty(), "{text}: {:?}", parser.words);
    formula
}

struct Parser<'a, 'p> {
    program: &'a Program,
    draft: &'a mut Draft<'p>,
    proc: ProcId,
    /// The next one last.
    words: Vec<String>,
}

impl Parser<'_, '_> {
    fn accept(&mut self, word: &str) -> bool {
        let found = self.words.last().is_some_and(|next| next == word);
        if found {
            self.words.pop();
        }
        found
    }

    fn or(&mut self) -> Term {
        let mut all = vec![self.and()];
        while self.accept("||") {
            all.push(self.and());
        }
        self.draft.terms().or(all)
    }

    fn and(&mut self) -> Term {
        let mut all = vec![self.comparison()];
        while self.accept("&&") {
            all.push(self.comparison());
        }
        self.draft.terms().and(all)
    }

    fn comparison(&mut self) -> Term {
        let left = self.sum();
        let Some(op) = self.words.last().cloned() else { return left };
        if !["==", "!=", "<", "<=", ">", ">="].contains(&op.as_str()) {
            return left;
        }
        self.words.pop();
        let right = self.sum();
        let terms = self.draft.terms();
        match op.as_str() {
            "==" => terms.eq(left, right),
            "!=" => terms.ne(left, right),
            "<" => terms.lt(left, right),
            "<=" => terms.le(left, right),
            ">" => terms.gt(left, right),
            _ => terms.ge(left, right),
        }
    }

    fn sum(&mut self) -> Term {
        let mut value = self.product();
        loop {
            if self.accept("+") {
                let more = self.product();
                value = self.draft.terms().add(value, more);
            } else if self.accept("-") {
                let less = self.product();
                value = self.draft.terms().sub(value, less);
            } else {
                return value;
            }
        }
    }

    fn product(&mut self) -> Term {
        let mut value = self.atom();
        loop {
            if self.accept("*") {
                let by = self.atom();
                value = self.draft.terms().mul(value, by);
            } else if self.accept("%") {
                let by = self.atom();
                value = self.draft.terms().modulo(value, by);
            } else {
                return value;
            }
        }
    }

    fn atom(&mut self) -> Term {
        let word = self.words.pop().expect("an operand");
        match word.as_str() {
            "(" => {
                let inner = self.or();
                assert!(self.accept(")"));
                inner
            }
            "-" => {
                let value = self.atom();
                self.draft.terms().neg(value)
            }
            "!" => {
                let inner = self.atom();
                self.draft.terms().not(inner)
            }
            "true" => Term::TRUE,
            "false" => Term::FALSE,
            "old" => {
                assert!(self.accept("("));
                let var = self.words.pop().map(|name| self.var(&name)).unwrap();
                assert!(self.accept(")"));
                self.symbol(Meaning::entry(var))
            }
            "result" => {
                let result = self.program.procs[self.proc].result.unwrap();
                self.symbol(Meaning::now(result))
            }
            number if number.as_bytes()[0].is_ascii_digit() => {
                let value: i64 = number.parse().unwrap();
                self.draft.terms().int(value)
            }
            name => {
                let var = self.var(name);
                self.symbol(Meaning::now(var))
            }
        }
    }

    fn symbol(&mut self, meaning: Meaning) -> Term {
        let boolean = self.program.vars[meaning.var].ty.as_int() == Some(IntType::BOOL);
        self.draft.symbol(meaning, if boolean { Sort::Bool } else { Sort::Int })
    }

    fn var(&self, name: &str) -> VarId {
        let visible = self.program.vars.iter().find(|(_, var)| {
            var.name == name && var.kind.frame().is_none_or(|frame| frame == self.proc)
        });
        visible.unwrap_or_else(|| panic!("no variable {name}")).0
    }
}
