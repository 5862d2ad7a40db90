//! Elements of arrays, functions of the user, and what holds of all numbers: in ACSL only.

use lakatos_logic::number::power_of_two;
use lakatos_logic::term::{Function, Node, Quantifier, Sort, Symbol, Term};

use super::Printer;
use super::logic::{Printed, chained};
use super::number::{Number, typed};
use super::text::{CHOICE, POSTFIX, Text};

/// What bound variables are called, unless the program has the name.
const NAMES: [&str; 6] = ["k", "l", "m", "p", "q", "r"];

/// Numbers of mathematics have no bounds; no program compares them with such numbers.
const ENDLESS: u32 = 1024;

impl Printer<'_> {
    /// `\forall integer k; 0 <= k < n ==> a[k] == 0`
    pub(super) fn quantified(
        &self,
        quantifier: Quantifier,
        variables: &[Symbol],
        body: Term,
    ) -> Option<Printed> {
        if self.is_c() || variables.iter().any(|v| self.terms.symbol_sort(*v) != Sort::Int) {
            return None;
        }
        let before = self.bound.borrow().len();
        for variable in variables {
            let name = self.fresh_name(variables, body)?;
            self.bound.borrow_mut().push((*variable, name));
        }
        let names: Vec<String> =
            self.bound.borrow()[before..].iter().map(|(_, name)| name.clone()).collect();
        let inside = match quantifier {
            Quantifier::Forall => self.within(variables, body),
            Quantifier::Exists => self.truth(body),
        };
        self.bound.borrow_mut().truncate(before);
        let inside = match inside? {
            constant @ Printed::Constant(_) => return Some(constant),
            inside => inside.into_text(self.dialect),
        };
        let word = match quantifier {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        };
        let text = format!("\\{word} integer {}; {}", names.join(", "), inside.at(CHOICE));
        // It reaches as far as it can.
        Some(Printed::Text(Text::new(CHOICE - 1, text)))
    }

    /// What is said of the variables themselves is a premise.
    fn within(&self, variables: &[Symbol], body: Term) -> Option<Printed> {
        let Node::Or(parts) = self.terms.node(body) else { return self.truth(body) };
        let (mut range, mut said): (Vec<Printed>, Vec<Term>) = (Vec::new(), Vec::new());
        for part in parts {
            match self.is_bound(variables, *part) {
                true => range.push(self.linear(*part, true)?),
                false => said.push(*part),
            }
        }
        if range.is_empty() || said.is_empty() {
            return self.truth(body);
        }
        let conclusion = self.disjunction(&said)?;
        self.implication(self.between(chained(range)), conclusion)
    }

    /// `0 <= k < n`, where that is all.
    fn between(&self, range: Vec<Printed>) -> Printed {
        if let [Printed::Comparison(low), Printed::Comparison(high)] = &range[..]
            && let Some(text) = low.then(high)
        {
            return Printed::Text(text);
        }
        self.all_of(range)
    }

    /// An order between one of the variables and something that no array has.
    fn is_bound(&self, variables: &[Symbol], part: Term) -> bool {
        let is_order = matches!(self.terms.node(part), Node::NonPositive(_));
        let reads = |t: Term| matches!(self.terms.node(t), Node::Select(..) | Node::Apply(..));
        let symbols = self.terms.free_symbols(part);
        is_order
            && variables.iter().any(|variable| symbols.contains(variable))
            && !self.terms.parts_first(&[part]).into_iter().any(reads)
    }

    /// A name that means nothing else in a formula.
    fn fresh_name(&self, variables: &[Symbol], body: Term) -> Option<String> {
        let bound = self.bound.borrow();
        let is_bound = |s: &Symbol| variables.contains(s) || bound.iter().any(|(own, _)| own == s);
        let free = self.terms.free_symbols(body).into_iter().filter(|s| !is_bound(s));
        let taken: Vec<String> = free.filter_map(|s| (self.name)(s)).map(|n| n.name).collect();
        let is_taken = |name: &str| {
            taken.iter().any(|other| other == name) || bound.iter().any(|(_, own)| own == name)
        };
        NAMES.into_iter().find(|name| !is_taken(name)).map(str::to_owned)
    }

    /// A bound variable.
    pub(super) fn bound(&self, symbol: Symbol) -> Option<Number> {
        let bound = self.bound.borrow();
        let (_, name) = bound.iter().find(|(own, _)| *own == symbol)?;
        Some(endless(Text::new(POSTFIX, name.clone())))
    }

    /// `a[i]`
    pub(super) fn element(&self, array: Term, index: Term) -> Option<Number> {
        if self.is_c() {
            return None;
        }
        let named = (self.name)(self.terms.as_symbol(array)?)?;
        let index = self.number(index)?.text.text;
        Some(typed(Text::new(POSTFIX, format!("{}[{index}]", named.name)), named.ty))
    }

    /// A function of the user.
    pub(super) fn applied(&self, function: Function, args: &[Term]) -> Option<Text> {
        if self.is_c() {
            return None;
        }
        let arg = |arg: &Term| match self.terms.sort(*arg) {
            Sort::Int => Some(self.number(*arg)?.text.text),
            Sort::Bool => None,
            _ => Some((self.name)(self.terms.as_symbol(*arg)?)?.name),
        };
        let args: Vec<String> = args.iter().map(arg).collect::<Option<_>>()?;
        let name = &self.terms.signature(function).name;
        Some(Text::new(POSTFIX, format!("{name}({})", args.join(", "))))
    }
}

/// Any number of mathematics.
pub(super) fn endless(text: Text) -> Number {
    let ty = lakatos_ir::IntType::signed(128);
    Number { text, low: -power_of_two(ENDLESS), high: power_of_two(ENDLESS), ty }
}
