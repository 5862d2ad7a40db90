//! Contracts, annotations of loops, assertions.

use lakatos_ir::Span;

use super::{Parser, Res, Site, error, error_help, unsupported};
use crate::lexer::Tok;
use crate::spec::{Assigns, Behavior, Clause, ForBehaviors, Mode, Target};
use crate::syntax::{self, Annotation, Assertion, Contract, Expr, LoopAnnotation, Name, Spanned};

/// Words with which a clause of a contract begins.
const CONTRACT: [&str; 14] = [
    "requires",
    "terminates",
    "decreases",
    "assigns",
    "ensures",
    "behavior",
    "complete",
    "disjoint",
    "assumes",
    "allocates",
    "frees",
    "exits",
    "returns",
    "breaks",
];

/// ACSL about statements, and extensions of it, that Lakatos has no meaning for.
const FOREIGN: [&str; 6] = ["ghost", "slice", "impact", "calls", "invariant", "continues"];

/// A behaviour is open, or none is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Function,
    Behavior,
}

impl Parser<'_> {
    /// An annotation comment; what it begins with says what it is.
    pub(super) fn annotation(&mut self, site: Site) -> Res<Annotation> {
        if self.at_global() {
            if site == Site::Body {
                let help = "put it before the function";
                let word = self.word().unwrap_or_default();
                return error_help(
                    self.tok().span,
                    format!("`{word}` cannot stand in the body of a function"),
                    help,
                );
            }
            let globals = self.globals();
            self.expect_end()?;
            return Ok(Annotation::Globals(globals));
        }
        if self.at_word("ghost") {
            return unsupported(self.tok().span, "ghost code");
        }
        match site {
            Site::File if self.at_contract() => {
                self.contract().map(Box::new).map(Annotation::Contract)
            }
            Site::Body if self.at_contract() => {
                unsupported(self.tok().span, "contracts of statements")
            }
            Site::File => self
                .unexpected("a clause of a contract (`requires`, …) or a declaration (`logic`, …)"),
            Site::Body => self.body_annotation(),
        }
    }

    fn body_annotation(&mut self) -> Res<Annotation> {
        let mut at = 0;
        if self.at_word("for") {
            while !matches!(self.ahead(at), Tok::Sign(":") | Tok::Eof) {
                at += 1;
            }
            at += 1;
        }
        if matches!(self.word_ahead(at), Some("check" | "admit")) {
            at += usize::from(self.word_ahead(at + 1) == Some("loop"));
        }
        match self.word_ahead(at) {
            Some("loop") => self.loop_annotation().map(Annotation::Loop),
            Some("assert" | "check" | "admit") => self.assertions().map(Annotation::Code),
            Some(word) if CONTRACT.contains(&word) => {
                unsupported(self.tok().span, "contracts of statements")
            }
            Some(word) if FOREIGN.contains(&word) => {
                let construct = format!("`{word}`");
                unsupported(self.tok().span, construct)
            }
            _ => self.unexpected("`loop`, `assert`, `check` or `admit`"),
        }
    }

    fn at_contract(&self) -> bool {
        let second = |words: &[&str]| self.word_ahead(1).is_some_and(|w| words.contains(&w));
        match self.word() {
            Some("check" | "admit") => second(&["requires", "ensures"]),
            Some(word) => CONTRACT.contains(&word),
            None => false,
        }
    }

    fn at_loop_clause(&self) -> bool {
        matches!(self.word(), Some("loop" | "for" | "check" | "admit" | "assert"))
    }

    fn contract(&mut self) -> Res<Contract> {
        let mut contract = Contract::default();
        let mut part = Part::Function;
        self.items(Self::at_contract, |p| p.contract_clause(&mut contract, &mut part));
        self.expect_end()?;
        Ok(contract)
    }

    /// `check` or `admit` before a clause.
    fn mode(&mut self) -> Mode {
        match self.word() {
            Some("check") => {
                self.advance();
                Mode::Check
            }
            Some("admit") => {
                self.advance();
                Mode::Admit
            }
            _ => Mode::Assert,
        }
    }

    fn contract_clause(&mut self, contract: &mut Contract, part: &mut Part) -> Res<()> {
        let (start, span) = (self.start(), self.tok().span);
        let mode = self.mode();
        let word = self.word().unwrap_or_default().to_owned();
        if mode != Mode::Assert && !matches!(word.as_str(), "requires" | "ensures") {
            return self.unexpected("`requires` or `ensures`");
        }
        match word.as_str() {
            "behavior" => {
                self.advance();
                let name = self.name("the name of a behaviour")?;
                self.expect(":", "after the name of the behaviour")?;
                contract.behaviors.push(Behavior::new(name));
                *part = Part::Behavior;
                Ok(())
            }
            "complete" | "disjoint" => {
                self.advance();
                let names = self.behavior_list(start)?;
                match word.as_str() {
                    "complete" => contract.complete.push(names),
                    _ => contract.disjoint.push(names),
                }
                Ok(())
            }
            "terminates" => {
                let clause = self.clause(mode, start)?;
                once(&mut contract.terminates, clause, span, "terminates")
            }
            "decreases" => {
                let measure = self.measure(start)?;
                once(&mut contract.decreases, measure, span, "decreases")
            }
            "allocates" | "frees" | "exits" | "returns" | "breaks" => {
                unsupported(span, format!("`{word}`"))
            }
            _ if !self.at_contract() => self.unexpected("a clause of a contract (`requires`, …)"),
            _ => match (*part, contract.behaviors.last_mut()) {
                (Part::Behavior, Some(behavior)) => {
                    self.behavior_clause(&word, mode, start, behavior)
                }
                _ => self.function_clause(&word, mode, start, contract),
            },
        }
    }

    fn function_clause(
        &mut self,
        word: &str,
        mode: Mode,
        start: u32,
        contract: &mut Contract,
    ) -> Res<()> {
        match word {
            "assumes" => {
                return error_help(
                    self.tok().span,
                    "`assumes` belongs to a behaviour",
                    "a condition for the whole contract is `requires`",
                );
            }
            "assigns" => join(&mut contract.assigns, self.assigns(start)?),
            "requires" => contract.requires.push(self.clause(mode, start)?),
            _ => contract.ensures.push(self.clause(mode, start)?),
        }
        Ok(())
    }

    fn behavior_clause(
        &mut self,
        word: &str,
        mode: Mode,
        start: u32,
        behavior: &mut syntax::Behavior,
    ) -> Res<()> {
        match word {
            "assumes" => behavior.assumes.push(self.clause(mode, start)?),
            "assigns" => join(&mut behavior.assigns, self.assigns(start)?),
            "requires" => behavior.requires.push(self.clause(mode, start)?),
            _ => behavior.ensures.push(self.clause(mode, start)?),
        }
        Ok(())
    }

    /// `behaviors a, b;`
    fn behavior_list(&mut self, start: u32) -> Res<Spanned<Vec<Name>>> {
        self.expect_word("behaviors", "here")?;
        let names = match self.at(";") {
            true => Vec::new(),
            false => self.names("the name of a behaviour")?,
        };
        self.expect(";", "after the behaviours")?;
        Ok(Spanned::new(names, self.since(start)))
    }

    /// The word of a clause, its predicate and its semicolon.
    fn clause(&mut self, mode: Mode, start: u32) -> Res<Clause<Expr>> {
        self.advance();
        let body = self.expr()?;
        self.expect(";", "after the clause")?;
        Ok(Clause { mode, body, span: self.since(start) })
    }

    /// What `decreases` or `loop variant` is about.
    fn measure(&mut self, start: u32) -> Res<Spanned<Expr>> {
        self.advance();
        let body = self.expr()?;
        if self.at_word("for") {
            return unsupported(self.tok().span, "measures with an order of their own (`for`)");
        }
        self.expect(";", "after the measure")?;
        Ok(Spanned::new(body, self.since(start)))
    }

    /// From the word `assigns` on. What stands behind `\from` is about all that is assigned.
    fn assigns(&mut self, start: u32) -> Res<Assigns<Expr>> {
        self.advance();
        let places = match self.eat_nothing() {
            true => Vec::new(),
            false => self.locations()?,
        };
        let mut from = None;
        if matches!(&self.tok().kind, Tok::Keyword(word) if word == "\\from") {
            self.advance();
            from = Some(match self.eat_nothing() {
                true => Vec::new(),
                false => self.locations()?,
            });
        }
        self.expect(";", "after what is assigned")?;
        let targets = places.into_iter().map(|place| Target { place, from: from.clone() });
        Ok(Assigns { targets: targets.collect(), span: self.since(start) })
    }

    fn eat_nothing(&mut self) -> bool {
        let here = matches!(&self.tok().kind, Tok::Keyword(word) if word == "\\nothing");
        if here {
            self.advance();
        }
        here
    }

    /// One or more places in memory.
    pub(super) fn locations(&mut self) -> Res<Vec<Expr>> {
        let mut locations = vec![self.expr()?];
        while self.eat(",") {
            locations.push(self.expr()?);
        }
        Ok(locations)
    }

    /// `for a, b:`, if it is there.
    fn for_behaviors(&mut self) -> Res<Vec<Name>> {
        if !self.eat_word("for") {
            return Ok(Vec::new());
        }
        let names = self.names("the name of a behaviour")?;
        self.expect(":", "after the behaviours")?;
        Ok(names)
    }

    fn loop_annotation(&mut self) -> Res<LoopAnnotation> {
        let mut annotation = LoopAnnotation::default();
        self.items(Self::at_loop_clause, |p| p.loop_clause(&mut annotation));
        self.expect_end()?;
        Ok(annotation)
    }

    fn loop_clause(&mut self, annotation: &mut LoopAnnotation) -> Res<()> {
        let (start, span) = (self.start(), self.tok().span);
        let behaviors = self.for_behaviors()?;
        if self.at_word("assert") {
            let help = "put it into a comment of its own";
            return error_help(span, "`assert` is no part of what is said about a loop", help);
        }
        let mode = self.mode();
        self.expect_word("loop", "before a clause about a loop")?;
        if mode != Mode::Assert && !self.at_word("invariant") {
            return self.unexpected("`invariant`");
        }
        match self.word() {
            Some("invariant") => {
                let body = self.clause(mode, start)?;
                annotation.invariants.push(ForBehaviors { behaviors, body });
                Ok(())
            }
            Some("assigns") => {
                let body = self.assigns(start)?;
                let same = annotation.assigns.iter_mut().find(|a| a.behaviors == behaviors);
                match same {
                    Some(other) => other.body.targets.extend(body.targets),
                    None => annotation.assigns.push(ForBehaviors { behaviors, body }),
                }
                Ok(())
            }
            Some("variant") if !behaviors.is_empty() => {
                error(span, "a variant holds for all behaviours")
            }
            Some("variant") => {
                let measure = self.measure(start)?;
                once(&mut annotation.variant, measure, span, "loop variant")
            }
            Some(word) => {
                let construct = format!("`loop {word}`");
                unsupported(self.tok().span, construct)
            }
            None => self.unexpected("`invariant`, `assigns` or `variant`"),
        }
    }

    fn assertions(&mut self) -> Res<Vec<Assertion>> {
        let mut all = Vec::new();
        self.items(Self::at_loop_clause, |p| {
            let start = p.start();
            let behaviors = p.for_behaviors()?;
            let mode = match p.word() {
                Some("assert") => Mode::Assert,
                Some("check") => Mode::Check,
                Some("admit") => Mode::Admit,
                Some("loop") => {
                    let help = "put it into a comment of its own";
                    return error_help(p.tok().span, "`loop` among assertions", help);
                }
                _ => return p.unexpected("`assert`, `check` or `admit`"),
            };
            let body = p.clause(mode, start)?;
            all.push(ForBehaviors { behaviors, body });
            Ok(())
        });
        self.expect_end()?;
        Ok(all)
    }
}

fn once<T>(slot: &mut Option<T>, value: T, span: Span, word: &str) -> Res<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => error(span, format!("a second `{word}`")),
    }
}

fn join(slot: &mut Option<Assigns<Expr>>, more: Assigns<Expr>) {
    match slot {
        Some(assigns) => assigns.targets.extend(more.targets),
        None => *slot = Some(more),
    }
}
