//! Contracts, annotations and declarations as text: a clause a line, without comment markers.

use std::fmt;

use super::{list, types, write_labels, write_variables};
use crate::spec::{Assigns, Clause, ForBehaviors};
use crate::syntax::{
    Annotation, Assertion, Behavior, Contract, Expr, Global, Lemma, Logic, LogicBody,
    LoopAnnotation, Name, Spanned,
};

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Annotation::Globals(all) => lines(f, all),
            Annotation::Contract(contract) => write!(f, "{contract}"),
            Annotation::Loop(annotation) => write!(f, "{annotation}"),
            Annotation::Code(all) => all.iter().try_for_each(|a| write_assertion(f, a)),
        }
    }
}

fn lines<T: fmt::Display>(f: &mut fmt::Formatter<'_>, all: &[T]) -> fmt::Result {
    all.iter().try_for_each(|item| writeln!(f, "{item}"))
}

fn clause(
    f: &mut fmt::Formatter<'_>,
    indent: &str,
    word: &str,
    clause: &Clause<Expr>,
) -> fmt::Result {
    writeln!(f, "{indent}{}{word} {};", clause.mode.prefix(), clause.body)
}

/// A clause for those that depend on the same, as far as they stand together.
fn assigns(
    f: &mut fmt::Formatter<'_>,
    begin: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result,
    assigns: &Assigns<Expr>,
) -> fmt::Result {
    if assigns.targets.is_empty() {
        begin(f)?;
        return f.write_str(" \\nothing;\n");
    }
    for group in assigns.targets.chunk_by(|a, b| a.from == b.from) {
        begin(f)?;
        f.write_str(" ")?;
        list(f, group, |f, target| write!(f, "{}", target.place))?;
        match group[0].from.as_deref() {
            None => {}
            Some([]) => f.write_str(" \\from \\nothing")?,
            Some(from) => {
                f.write_str(" \\from ")?;
                list(f, from, |f, e| write!(f, "{e}"))?;
            }
        }
        f.write_str(";\n")?;
    }
    Ok(())
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.requires.iter().try_for_each(|c| clause(f, "", "requires", c))?;
        self.terminates.iter().try_for_each(|c| clause(f, "", "terminates", c))?;
        self.decreases.iter().try_for_each(|m| writeln!(f, "decreases {};", m.node))?;
        self.assigns.iter().try_for_each(|a| assigns(f, |f| f.write_str("assigns"), a))?;
        self.ensures.iter().try_for_each(|c| clause(f, "", "ensures", c))?;
        self.behaviors.iter().try_for_each(|b| write_behavior(f, b))?;
        self.complete.iter().try_for_each(|names| write_names(f, "complete", names))?;
        self.disjoint.iter().try_for_each(|names| write_names(f, "disjoint", names))
    }
}

fn write_behavior(f: &mut fmt::Formatter<'_>, behavior: &Behavior) -> fmt::Result {
    writeln!(f, "behavior {}:", behavior.name.node)?;
    behavior.assumes.iter().try_for_each(|c| clause(f, "  ", "assumes", c))?;
    behavior.requires.iter().try_for_each(|c| clause(f, "  ", "requires", c))?;
    behavior.assigns.iter().try_for_each(|a| assigns(f, |f| f.write_str("  assigns"), a))?;
    behavior.ensures.iter().try_for_each(|c| clause(f, "  ", "ensures", c))
}

fn write_names(f: &mut fmt::Formatter<'_>, word: &str, names: &Spanned<Vec<Name>>) -> fmt::Result {
    write!(f, "{word} behaviors")?;
    if !names.node.is_empty() {
        f.write_str(" ")?;
        list(f, &names.node, |f, name| f.write_str(&name.node))?;
    }
    f.write_str(";\n")
}

fn for_behaviors<T>(f: &mut fmt::Formatter<'_>, item: &ForBehaviors<T>) -> fmt::Result {
    if item.behaviors.is_empty() {
        return Ok(());
    }
    f.write_str("for ")?;
    list(f, &item.behaviors, |f, name| f.write_str(&name.node))?;
    f.write_str(": ")
}

impl fmt::Display for LoopAnnotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for invariant in &self.invariants {
            for_behaviors(f, invariant)?;
            clause(f, "", "loop invariant", &invariant.body)?;
        }
        for item in &self.assigns {
            let begin = |f: &mut fmt::Formatter<'_>| {
                for_behaviors(f, item)?;
                f.write_str("loop assigns")
            };
            assigns(f, begin, &item.body)?;
        }
        self.variant.iter().try_for_each(|v| writeln!(f, "loop variant {};", v.node))
    }
}

fn write_assertion(f: &mut fmt::Formatter<'_>, assertion: &Assertion) -> fmt::Result {
    for_behaviors(f, assertion)?;
    let word = match assertion.body.mode.prefix().trim_end() {
        "" => "assert",
        word => word,
    };
    writeln!(f, "{word} {};", assertion.body.body)
}

impl fmt::Display for Spanned<Global> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node {
            Global::Logic(logic) => write!(f, "{logic}"),
            Global::Lemma(lemma) => write!(f, "{lemma}"),
            Global::Axiomatic { name, items } => {
                writeln!(f, "axiomatic {} {{", name.node)?;
                for item in items {
                    for line in item.to_string().lines() {
                        writeln!(f, "  {line}")?;
                    }
                }
                f.write_str("}")
            }
        }
    }
}

impl fmt::Display for Logic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.result, &self.body) {
            (Some(result), _) => {
                f.write_str("logic ")?;
                types::write_declaration(f, &result.node, &self.name.node)?;
            }
            (None, LogicBody::Inductive(_)) => write!(f, "inductive {}", self.name.node)?,
            (None, _) => write!(f, "predicate {}", self.name.node)?,
        }
        write_labels(f, &self.labels)?;
        if !self.params.is_empty() {
            f.write_str("(")?;
            write_variables(f, &self.params)?;
            f.write_str(")")?;
        }
        match &self.body {
            LogicBody::Declared => f.write_str(";"),
            LogicBody::Reads(places) if places.is_empty() => f.write_str(" reads \\nothing;"),
            LogicBody::Reads(places) => {
                f.write_str(" reads ")?;
                list(f, places, |f, e| write!(f, "{e}"))?;
                f.write_str(";")
            }
            LogicBody::Defined(body) => write!(f, " = {body};"),
            LogicBody::Inductive(cases) => {
                f.write_str(" {\n")?;
                for case in cases {
                    write!(f, "  case {}", case.name.node)?;
                    write_labels(f, &case.labels)?;
                    writeln!(f, ": {};", case.body)?;
                }
                f.write_str("}")
            }
        }
    }
}

impl fmt::Display for Lemma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.text(), self.name.node)?;
        write_labels(f, &self.labels)?;
        write!(f, ": {};", self.body)
    }
}
