//! Declarations of the logic: functions, predicates, lemmas, axiomatic blocks.

use lakatos_ir::Severity;

use super::{Parser, Res, error, error_help, unsupported};
use crate::lexer::Tok;
use crate::spec::LemmaKind;
use crate::syntax::{Case, Global, Lemma, Logic, LogicBody, Spanned, TypeExpr, TypeKind, Variable};

const GLOBAL: [&str; 6] = ["logic", "predicate", "inductive", "axiomatic", "lemma", "axiom"];

/// Declarations of ACSL that Lakatos has no meaning for.
const FOREIGN: [&str; 9] =
    ["type", "global", "strong", "weak", "volatile", "model", "dependent", "import", "module"];

impl Parser<'_> {
    pub(super) fn at_global(&self) -> bool {
        match self.word() {
            Some("check" | "admit") => self.word_ahead(1) == Some("lemma"),
            Some(word) => GLOBAL.contains(&word) || FOREIGN.contains(&word),
            None => false,
        }
    }

    /// All declarations up to the end of the text, or of the block.
    pub(super) fn globals(&mut self) -> Vec<Spanned<Global>> {
        let mut globals = Vec::new();
        loop {
            self.items(Self::at_global, |p| {
                globals.push(p.global(true)?);
                Ok(())
            });
            if self.at_end() {
                return globals;
            }
            let found: Res<()> = error(self.tok().span, "a `}` that closes nothing");
            self.diagnostics.extend(found.err().map(|e| *e));
            self.advance();
        }
    }

    fn global(&mut self, outside: bool) -> Res<Spanned<Global>> {
        let first = self.next;
        let global = self.declaration(outside);
        if let Err(error) = &global
            && error.severity == Severity::Unsupported
        {
            self.left_out.extend(self.declared_name(first));
        }
        global
    }

    /// The name that a declaration gives, as far as it can be told without reading it.
    fn declared_name(&self, first: usize) -> Option<String> {
        let tokens = &self.tokens[(first + 1).min(self.tokens.len())..];
        tokens.windows(2).find_map(|pair| match (&pair[0].kind, &pair[1].kind) {
            (Tok::Word(word), Tok::Sign("(" | "{" | "=" | ";" | "<")) => Some(word.clone()),
            _ => None,
        })
    }

    fn declaration(&mut self, outside: bool) -> Res<Spanned<Global>> {
        let start = self.start();
        let span = self.tok().span;
        let word = self.word().unwrap_or_default().to_owned();
        let global = match word.as_str() {
            "logic" => self.logic()?,
            "predicate" => self.predicate()?,
            "inductive" => self.inductive()?,
            "axiomatic" if outside => self.axiomatic()?,
            "axiomatic" => return error(span, "an `axiomatic` block in another one"),
            "axiom" if outside => {
                return error_help(
                    span,
                    "`axiom` outside of an `axiomatic` block",
                    "put it into `axiomatic Name { … }`, or state a `lemma`",
                );
            }
            "lemma" => self.lemma(LemmaKind::Lemma)?,
            "axiom" => self.lemma(LemmaKind::Axiom)?,
            "check" => self.moded_lemma(LemmaKind::Check)?,
            "admit" => self.moded_lemma(LemmaKind::Admit)?,
            _ if FOREIGN.contains(&word.as_str()) => {
                return unsupported(span, format!("`{word}` declarations"));
            }
            "requires" | "ensures" | "assigns" | "behavior" | "loop" | "assert" => {
                let help = "contracts and assertions stand in comments of a C file";
                return error_help(span, format!("`{word}` is no declaration"), help);
            }
            _ => return self.unexpected("a declaration (`logic`, `predicate`, `lemma`, …)"),
        };
        Ok(Spanned::new(global, self.since(start)))
    }

    fn logic(&mut self) -> Res<Global> {
        self.advance();
        if matches!((self.ahead(1), self.ahead(2)), (Tok::Word(_), Tok::Sign("<"))) {
            return unsupported(self.tok().span, "functions with types as parameters");
        }
        let result = self.type_name_before_name()?;
        let logic = self.signature(Some(result))?;
        self.finish(logic)
    }

    fn predicate(&mut self) -> Res<Global> {
        self.advance();
        let logic = self.signature(None)?;
        self.finish(logic)
    }

    /// The type of a result: stars belong to it, the name behind them does not.
    fn type_name_before_name(&mut self) -> Res<TypeExpr> {
        let start = self.start();
        let mut ty = self.base_type()?;
        while self.eat("*") {
            while self.eat_word("const") {}
            let span = self.since(start);
            ty = Spanned::new(TypeKind::Pointer(ty.into()), span);
        }
        Ok(ty)
    }

    /// Name, labels and parameters.
    fn signature(&mut self, result: Option<TypeExpr>) -> Res<Logic> {
        let name = self.name("the name of what is declared")?;
        if self.at("<") {
            return unsupported(self.tok().span, "functions with types as parameters");
        }
        let labels = self.labels()?;
        let params = self.params()?;
        Ok(Logic { name, labels, params, result, body: LogicBody::Declared })
    }

    fn params(&mut self) -> Res<Vec<Variable>> {
        if !self.eat("(") {
            return Ok(Vec::new());
        }
        if self.at(")") {
            return error_help(
                self.tok().span,
                "an empty list of parameters",
                "without parameters there are no parentheses",
            );
        }
        let mut params = vec![self.variable()?];
        while self.eat(",") {
            params.push(self.variable()?);
        }
        self.expect(")", "after the parameters")?;
        Ok(params)
    }

    /// `= e;`, `reads …;` or nothing.
    fn finish(&mut self, mut logic: Logic) -> Res<Global> {
        logic.body = if self.eat("=") {
            LogicBody::Defined(self.expr()?)
        } else if self.eat_word("reads") {
            match matches!(&self.tok().kind, Tok::Keyword(k) if k == "\\nothing") {
                true => {
                    self.advance();
                    LogicBody::Reads(Vec::new())
                }
                false => LogicBody::Reads(self.locations()?),
            }
        } else {
            LogicBody::Declared
        };
        self.expect(";", "after the declaration")?;
        Ok(Global::Logic(logic))
    }

    fn inductive(&mut self) -> Res<Global> {
        self.advance();
        let mut logic = self.signature(None)?;
        self.expect("{", "before the cases")?;
        let mut cases = Vec::new();
        while !self.eat("}") {
            self.expect_word("case", "or `}`")?;
            let name = self.name("the name of the case")?;
            let labels = self.labels()?;
            self.expect(":", "after the name of the case")?;
            let body = self.expr()?;
            self.expect(";", "after the case")?;
            cases.push(Case { name, labels, body });
        }
        logic.body = LogicBody::Inductive(cases);
        Ok(Global::Logic(logic))
    }

    fn moded_lemma(&mut self, kind: LemmaKind) -> Res<Global> {
        self.advance();
        match self.at_word("lemma") {
            true => self.lemma(kind),
            false => self.unexpected("`lemma`"),
        }
    }

    fn lemma(&mut self, kind: LemmaKind) -> Res<Global> {
        self.advance();
        let name = self.name("the name of the lemma")?;
        if self.at("<") {
            return unsupported(self.tok().span, "lemmas with types as parameters");
        }
        let labels = self.labels()?;
        self.expect(":", "after the name of the lemma")?;
        let body = self.expr()?;
        self.expect(";", "after the lemma")?;
        Ok(Global::Lemma(Lemma { kind, name, labels, body }))
    }

    fn axiomatic(&mut self) -> Res<Global> {
        self.advance();
        let name = self.name("the name of the block")?;
        self.expect("{", "after the name of the block")?;
        let mut items = Vec::new();
        self.items(Self::at_global, |p| {
            items.push(p.global(false)?);
            Ok(())
        });
        self.expect("}", "to close the block")?;
        Ok(Global::Axiomatic { name, items })
    }
}
