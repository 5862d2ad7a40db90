//! One space for the contracts that several files give a function, and its formulas as ACSL.

use std::collections::BTreeMap;

use lakatos_evidence::show::{Dialect, Named, Printer};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Symbol, Term};

use crate::signature::{Form, Key, Signature, Unreadable};
use crate::space::{Fails, Judgement, Space, Variable, When};

/// Why contracts cannot be put side by side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    #[error("{0}")]
    Unreadable(#[from] Unreadable),
    #[error(
        "`{function}` has another signature here than in {first}: {what}; contracts can be \
         combined for one function only"
    )]
    Signature { first: String, function: String, what: String },
}

/// Everything that the contracts of a function speak of, whatever files they are in. Parameters
/// are known by their number, with the names of the first signature.
#[derive(Debug)]
pub(crate) struct Words {
    pub space: Space,
    /// Reads clauses in the names that are printed.
    pub form: Form,
    pub signature: Signature,
    numbers: BTreeMap<(Key, When), usize>,
}

impl Words {
    /// From signatures with the names of their files; there is at least one.
    pub fn new(signatures: &[(&str, &Signature)]) -> Result<Words, Mismatch> {
        let (first_file, first) = signatures[0];
        let mut signature = first.clone();
        for (_, other) in &signatures[1..] {
            if let Some(what) = difference(&signature, other) {
                return Err(Mismatch::Signature {
                    first: first_file.to_owned(),
                    function: first.name.clone(),
                    what,
                });
            }
            for global in &other.globals {
                if !signature.globals.contains(global) {
                    signature.globals.push(global.clone());
                }
            }
        }
        let form = signature.form()?;
        let (mut variables, mut numbers) = (Vec::new(), BTreeMap::new());
        for (key, ty) in form.keys() {
            let (name, whens) = match &key {
                Key::Parameter(number) => {
                    (signature.parameters[*number].name.clone(), vec![When::Entry])
                }
                Key::Global(name) => (name.clone(), vec![When::Entry, When::Exit]),
                Key::Result => ("\\result".to_owned(), vec![When::Exit]),
            };
            for when in whens {
                numbers.insert((key.clone(), when), variables.len());
                variables.push(Variable { name: name.clone(), ty, when });
            }
        }
        Ok(Words { space: Space::new(variables), form, signature, numbers })
    }

    /// What a clause of a file with its own names says.
    pub fn read(&mut self, form: &Form, text: &str, when: When) -> Result<Term, Unreadable> {
        read(&mut self.space, &self.numbers, form, text, when)
    }

    /// The integer globals.
    pub fn globals(&self) -> Vec<String> {
        let global = |key: &(Key, When)| match key {
            (Key::Global(name), When::Entry) => Some(name.clone()),
            _ => None,
        };
        self.numbers.keys().filter_map(global).collect()
    }

    /// A global is what it was.
    pub fn unchanged(&mut self, global: &str) -> Term {
        let number = |when| self.numbers.get(&(Key::Global(global.to_owned()), when)).copied();
        match (number(When::Entry), number(When::Exit)) {
            (Some(entry), Some(exit)) => {
                let (entry, exit) = (self.space.symbol(entry), self.space.symbol(exit));
                self.space.terms().eq(entry, exit)
            }
            _ => Term::TRUE,
        }
    }

    /// A formula as ACSL; `None` where the text, read again, would not mean the same.
    pub fn text(&mut self, smt: &mut Smt, formula: Term, when: When) -> Option<String> {
        let space = &self.space;
        let named = |symbol: Symbol| {
            let Variable { name, ty, when: at } = space.variable(symbol)?;
            let is_parameter = self.signature.parameters.iter().any(|p| p.name == *name);
            let name = match at {
                When::Entry if when == When::Exit && !is_parameter => format!("\\old({name})"),
                _ => name.clone(),
            };
            Some(Named { name, ty: *ty })
        };
        let model = self.signature.model;
        let text = Printer::new(space.arena(), model, Dialect::Acsl, &named).formula(formula)?;
        let again = read(&mut self.space, &self.numbers, &self.form, &text, when).ok()?;
        let same = self.space.terms().iff(formula, again);
        let judged = self.space.implied(smt, &[], same, Fails::Ensures);
        (judged == Judgement::Yes).then_some(text)
    }
}

fn read(
    space: &mut Space,
    numbers: &BTreeMap<(Key, When), usize>,
    form: &Form,
    text: &str,
    when: When,
) -> Result<Term, Unreadable> {
    let mut symbols = BTreeMap::new();
    for (key, number) in numbers {
        symbols.insert(key.clone(), space.symbol(*number));
    }
    form.read(text, when, space.terms(), &|_, key, when| symbols.get(&(key, when)).copied())
}

/// What tells two signatures of a function apart, if anything but names of parameters does.
fn difference(one: &Signature, other: &Signature) -> Option<String> {
    let (ours, theirs) = (&one.parameters, &other.parameters);
    if one.model != other.model {
        return Some("the data model is another one".to_owned());
    }
    if ours.len() != theirs.len() {
        return Some(format!("{} parameters instead of {}", theirs.len(), ours.len()));
    }
    for (a, b) in ours.iter().zip(theirs) {
        if a.ty != b.ty {
            return Some(format!("`{}` is `{}`, not `{}`", b.name, b.ty.text(), a.ty.text()));
        }
    }
    if one.result != other.result {
        let text = |signature: &Signature| {
            signature.result.as_ref().map_or("void", |ty| ty.text()).to_owned()
        };
        return Some(format!("the result is `{}`, not `{}`", text(other), text(one)));
    }
    let other_type = |global: &&crate::signature::Declared| {
        one.globals.iter().any(|own| own.name == global.name && own.ty != global.ty)
    };
    let global = other.globals.iter().find(other_type)?;
    Some(format!("the global `{}` is `{}`", global.name, global.ty.text()))
}
