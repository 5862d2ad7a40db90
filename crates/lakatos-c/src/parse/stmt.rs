//! Statements (C11 6.8).

use lakatos_ir::{Diagnostic, Span};

use super::Parser;
use super::attribute::Attributes;
use crate::ast::{ExprId, StmtId, StmtKind, Target};
use crate::sema::{Current, Res, Switch, error};
use crate::symbol::Symbol;
use crate::syntax::token::{Kw, Tok};

impl Parser<'_> {
    /// `{ … }` as the body of a function, whose scope is open already.
    pub fn block_in_scope(&mut self) -> Res<StmtId> {
        let start = self.start();
        if !self.at(Tok::LBrace) {
            return self.unexpected("`{`");
        }
        let list = self.nested(Self::statement_list)?;
        let span = self.since(start);
        Ok(self.sema.stmt(StmtKind::Block(list), span))
    }

    fn block(&mut self) -> Res<StmtId> {
        self.sema.enter_scope();
        let block = self.block_in_scope();
        self.sema.leave_scope();
        block
    }

    /// `{ … }`: the statements. Errors are recorded here and parsing goes on behind them.
    pub fn statement_list(&mut self) -> Res<Vec<StmtId>> {
        self.expect(Tok::LBrace, "before the block")?;
        let mut list = Vec::new();
        let (depth, braces, level) = (self.depth, self.braces, self.sema.names.level());
        while !self.at(Tok::RBrace) {
            if self.at(Tok::Eof) {
                return self.unexpected("`}`");
            }
            if let Err(e) = self.statement(&mut list) {
                if self.stop() {
                    return Err(e);
                }
                self.sema.report(*e);
                self.depth = depth;
                while self.sema.names.level() > level {
                    self.sema.leave_scope();
                }
                self.skip_statement(braces);
            }
        }
        self.final_annotations(&mut list);
        self.advance()?;
        Ok(list)
    }

    /// Annotations before a closing brace stand before an empty statement.
    fn final_annotations(&mut self, list: &mut Vec<StmtId>) {
        let annotations = self.annotations_here();
        if !annotations.is_empty() {
            let at = Span::new(self.start(), self.start());
            let empty = self.sema.stmt(StmtKind::Empty, at);
            list.push(empty);
            self.annotate(annotations, Target::Stmt(empty));
        }
    }

    /// One statement or declaration with the labels before it, appended to the list.
    fn statement(&mut self, out: &mut Vec<StmtId>) -> Res<()> {
        let annotations = self.annotations_here();
        let first = out.len();
        while self.label(out)? {
            // C23, and GNU C: a label may stand at the end of a block.
            if self.at(Tok::RBrace) {
                self.annotate_stmt(annotations, first, out);
                return Ok(());
            }
        }
        let behind_labels = self.annotations_here();
        let labelled = out.len();
        // `__attribute__((fallthrough));`, or the attributes of a declaration.
        let mut attributes = Attributes::default();
        if self.at_attribute() {
            self.attributes(&mut attributes)?;
            self.require_known(&attributes)?;
        }
        if self.at_declaration() {
            self.block_declaration(attributes, out)?;
        } else {
            let stmt = self.nested(Self::unlabelled)?;
            out.push(stmt);
        }
        self.annotate_stmt(annotations, first, out);
        self.annotate_stmt(behind_labels, labelled, out);
        Ok(())
    }

    /// Annotations of the statement at an index of the list; without one, of an empty statement.
    fn annotate_stmt(&mut self, annotations: Vec<Span>, index: usize, out: &mut Vec<StmtId>) {
        if annotations.is_empty() {
            return;
        }
        let target = match out.get(index) {
            Some(&stmt) => stmt,
            None => {
                let at = Span::new(self.prev_end, self.prev_end);
                let empty = self.sema.stmt(StmtKind::Empty, at);
                out.push(empty);
                empty
            }
        };
        self.annotate(annotations, Target::Stmt(target));
    }

    fn at_declaration(&self) -> bool {
        match self.tok.kind {
            Tok::Kw(Kw::StaticAssert) => true,
            // `__extension__ ({ … });` is a statement.
            Tok::Kw(Kw::Extension) => self.starts_type(self.next.kind),
            _ => self.at_type_name(),
        }
    }

    /// A label, `case` or `default`, if one is here.
    fn label(&mut self, out: &mut Vec<StmtId>) -> Res<bool> {
        let start = self.start();
        let kind = match self.tok.kind {
            Tok::Ident(name) if self.next.kind == Tok::Colon => {
                let span = self.advance()?.span;
                self.define_label(name, span)?;
                StmtKind::Label(name)
            }
            Tok::Kw(Kw::Case) => self.case()?,
            Tok::Kw(Kw::Default) => {
                let span = self.advance()?.span;
                self.default(span)?;
                StmtKind::Default
            }
            _ => return Ok(false),
        };
        self.expect(Tok::Colon, "after the label")?;
        let span = self.since(start);
        out.push(self.sema.stmt(kind, span));
        self.plain_attributes()?;
        Ok(true)
    }

    pub(super) fn current(&mut self) -> &mut Current {
        self.sema.current.as_mut().expect("statements are in functions")
    }

    fn define_label(&mut self, name: Symbol, span: Span) -> Res<()> {
        let label = self.current().labels.entry(name).or_default();
        if let Some(previous) = label.defined {
            let message = format!("a second label `{}`", self.sema.name(name));
            return Err(Diagnostic::error(span, message)
                .note(previous, "the first is here")
                .into());
        }
        label.defined = Some(span);
        Ok(())
    }

    fn case(&mut self) -> Res<StmtKind> {
        let start = self.start();
        self.advance()?;
        let low = self.case_value()?;
        let high = match self.eat(Tok::Ellipsis)? {
            true => self.case_value()?,
            false => low,
        };
        let span = self.since(start);
        let Some(switch) = self.current().switches.last_mut() else {
            return error(span, "`case` outside a `switch`");
        };
        switch.cases.push((low, high, span));
        if low > high {
            self.sema.warn(span, "this range of cases is empty");
        }
        Ok(StmtKind::Case { low, high })
    }

    /// A case value, converted to the promoted type of the `switch`.
    fn case_value(&mut self) -> Res<i128> {
        let e = self.conditional()?;
        let e = self.sema.rvalue(e);
        let value = self.sema.require_int(e, "a case")?;
        let ty = self.current().switches.last().map(|s| s.ty);
        let int = ty.and_then(|ty| self.sema.types.int_type(ty));
        Ok(int.map_or(value, |int| int.wrap(value)))
    }

    fn default(&mut self, span: Span) -> Res<()> {
        match self.current().switches.last_mut() {
            None => error(span, "`default` outside a `switch`"),
            Some(switch) if switch.has_default => error(span, "a second `default`"),
            Some(switch) => {
                switch.has_default = true;
                Ok(())
            }
        }
    }

    fn unlabelled(&mut self) -> Res<StmtId> {
        let start = self.start();
        let kind = match self.tok.kind {
            Tok::LBrace => return self.block(),
            Tok::Semi => {
                self.advance()?;
                StmtKind::Empty
            }
            Tok::Kw(kw) => match kw {
                Kw::If => self.if_chain()?,
                Kw::While => self.in_scope(Self::while_loop)?,
                Kw::Do => self.in_scope(Self::do_loop)?,
                Kw::For => self.in_scope(Self::for_loop)?,
                Kw::Switch => self.in_scope(Self::switch)?,
                Kw::Goto => self.goto()?,
                Kw::Break | Kw::Continue => self.jump(kw == Kw::Break)?,
                Kw::Return => self.return_statement()?,
                Kw::Asm => self.asm_statement()?,
                Kw::Label => {
                    let braces = self.braces;
                    self.skip_statement(braces);
                    StmtKind::Empty
                }
                _ => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        let span = self.since(start);
        Ok(self.sema.stmt(kind, span))
    }

    fn expression_statement(&mut self) -> Res<StmtKind> {
        let e = self.expression()?;
        let e = self.sema.rvalue(e);
        self.expect(Tok::Semi, "after the expression")?;
        Ok(StmtKind::Expr(e))
    }

    /// A statement that is a block of its own (6.8.4p3, 6.8.5p5). After an error the scopes are
    /// closed by the list that goes on behind it.
    fn in_scope(&mut self, parse: fn(&mut Self) -> Res<StmtKind>) -> Res<StmtKind> {
        self.sema.enter_scope();
        let kind = parse(self)?;
        self.sema.leave_scope();
        Ok(kind)
    }

    /// The body of an `if` or a loop: a scope of its own.
    fn sub_statement(&mut self) -> Res<StmtId> {
        let start = self.start();
        self.sema.enter_scope();
        let mut list = Vec::new();
        let parsed = self.nested(|p| p.statement(&mut list));
        self.sema.leave_scope();
        parsed?;
        if let [only] = list[..] {
            return Ok(only);
        }
        let span = self.since(start);
        Ok(self.sema.stmt(StmtKind::Block(list), span))
    }

    /// `( condition )`
    fn condition(&mut self, after: &str) -> Res<ExprId> {
        self.expect(Tok::LParen, after)?;
        let e = self.expression()?;
        let e = self.sema.condition(e)?;
        self.expect(Tok::RParen, "after the condition")?;
        Ok(e)
    }

    fn if_chain(&mut self) -> Res<StmtKind> {
        let mut arms = Vec::new();
        let els = loop {
            // What a condition declares is known in the rest of the chain.
            self.sema.enter_scope();
            self.advance()?;
            let cond = self.condition("after `if`")?;
            arms.push((cond, self.sub_statement()?));
            if !self.eat_kw(Kw::Else)? {
                break None;
            }
            // An `else if` with annotations of its own is not merged, so that they keep a statement.
            let annotated = !self.lexer.peek_annotations(self.start()).is_empty();
            if !self.at_kw(Kw::If) || annotated {
                break Some(self.sub_statement()?);
            }
        };
        arms.iter().for_each(|_| self.sema.leave_scope());
        Ok(StmtKind::If { arms, els })
    }

    fn loop_body(&mut self) -> Res<StmtId> {
        self.current().loops += 1;
        let body = self.sub_statement();
        self.current().loops -= 1;
        body
    }

    fn while_loop(&mut self) -> Res<StmtKind> {
        self.advance()?;
        let cond = self.condition("after `while`")?;
        let body = self.loop_body()?;
        Ok(StmtKind::While { cond, body })
    }

    fn do_loop(&mut self) -> Res<StmtKind> {
        self.advance()?;
        let body = self.loop_body()?;
        if !self.eat_kw(Kw::While)? {
            return self.unexpected("`while` after the body of `do`");
        }
        let cond = self.condition("after `while`")?;
        self.expect(Tok::Semi, "after `do … while`")?;
        Ok(StmtKind::DoWhile { body, cond })
    }

    fn for_loop(&mut self) -> Res<StmtKind> {
        self.advance()?;
        self.expect(Tok::LParen, "after `for`")?;
        let mut init = Vec::new();
        if self.at_declaration() {
            self.block_declaration(Attributes::default(), &mut init)?;
        } else if !self.eat(Tok::Semi)? {
            let start = self.start();
            let kind = self.expression_statement()?;
            let span = self.since(start);
            init.push(self.sema.stmt(kind, span));
        }
        let cond = match self.at(Tok::Semi) {
            true => None,
            false => {
                let e = self.expression()?;
                Some(self.sema.condition(e)?)
            }
        };
        self.expect(Tok::Semi, "after the condition of `for`")?;
        let step = match self.at(Tok::RParen) {
            true => None,
            false => {
                let e = self.expression()?;
                Some(self.sema.rvalue(e))
            }
        };
        self.expect(Tok::RParen, "after the head of `for`")?;
        let body = self.loop_body()?;
        Ok(StmtKind::For { init, cond, step, body })
    }

    fn switch(&mut self) -> Res<StmtKind> {
        self.advance()?;
        self.expect(Tok::LParen, "after `switch`")?;
        let e = self.expression()?;
        let e = self.sema.rvalue(e);
        if !self.sema.types.is_integer(self.sema.ty(e)) {
            return error(self.sema.exprs[e].span, "`switch` needs an integer");
        }
        let cond = self.sema.promote(e);
        self.expect(Tok::RParen, "after the condition")?;
        let ty = self.sema.ty(cond);
        let outer_loops = std::mem::take(&mut self.current().loops);
        let switch = Switch { ty, has_default: false, cases: Vec::new(), outer_loops };
        self.current().switches.push(switch);
        let body = self.sub_statement();
        let switch = self.current().switches.pop();
        self.current().loops = outer_loops;
        if let Some(switch) = switch {
            check_cases(switch.cases)?;
        }
        Ok(StmtKind::Switch { cond, body: body? })
    }

    fn goto(&mut self) -> Res<StmtKind> {
        self.advance()?;
        if self.eat(Tok::Star)? {
            let e = self.expression()?;
            let e = self.sema.rvalue(e);
            self.expect(Tok::Semi, "after `goto`")?;
            return Ok(StmtKind::GotoComputed(e));
        }
        let (name, span) = self.expect_ident("the name of a label")?;
        self.current().labels.entry(name).or_default().used.get_or_insert(span);
        self.expect(Tok::Semi, "after `goto`")?;
        Ok(StmtKind::Goto(name))
    }

    fn jump(&mut self, is_break: bool) -> Res<StmtKind> {
        let span = self.advance()?.span;
        let current = self.current();
        let in_loop = current.loops > 0;
        let ok = match is_break {
            true => in_loop || !current.switches.is_empty(),
            false => in_loop || current.switches.iter().any(|s| s.outer_loops > 0),
        };
        if !ok {
            return error(
                span,
                if is_break { "`break` outside a loop" } else { "`continue` outside a loop" },
            );
        }
        self.expect(Tok::Semi, "after the jump")?;
        Ok(if is_break { StmtKind::Break } else { StmtKind::Continue })
    }

    fn return_statement(&mut self) -> Res<StmtKind> {
        let span = self.advance()?.span;
        let result = self.current().result;
        let void = self.sema.types.is_void(result);
        if self.eat(Tok::Semi)? {
            if !void {
                self.sema.warn(span, "this function should return a value");
            }
            return Ok(StmtKind::Return(None));
        }
        let e = self.expression()?;
        let value = if void {
            let e = self.sema.rvalue(e);
            if !self.sema.types.is_void(self.sema.ty(e)) {
                self.sema.warn(span, "a value is returned by a function without result");
            }
            let void = self.sema.types.void;
            self.sema.convert(e, void, false)
        } else {
            self.sema.assign_convert(e, result, "`return`")?
        };
        self.expect(Tok::Semi, "after `return`")?;
        Ok(StmtKind::Return(Some(value)))
    }
}

/// No value may have two cases.
fn check_cases(mut cases: Vec<(i128, i128, Span)>) -> Res<()> {
    cases.retain(|&(low, high, _)| low <= high);
    cases.sort();
    for pair in cases.windows(2) {
        let [(_, high, first), (low, _, second)] = pair else { continue };
        if low <= high {
            let d = Diagnostic::error(*second, format!("a second case for {low}"));
            return Err(d.note(*first, "the first is here").into());
        }
    }
    Ok(())
}
