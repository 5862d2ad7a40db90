//! Values as solvers print them.

use std::collections::BTreeMap;
use std::str::FromStr;

use rustc_hash::FxHashMap;

use crate::number::{Int, Rational, power_of_two};
use crate::smt::sexpr::{Atom, Sexpr};
use crate::term::{ArraySort, ArrayValue, Sort, Terms, Value};

/// So many `let`s and names lead to a value at most.
const MOST_LETS: usize = 10_000;

/// The value of a sort that an expression is; `None` where it is none that [`Value`] has.
pub(super) fn value(terms: &Terms, expression: Sexpr<'_>, sort: Sort) -> Option<Value> {
    Reader { terms, bindings: FxHashMap::default() }.value(expression, sort)
}

struct Reader<'a> {
    terms: &'a Terms,
    /// What names of `let` are short for.
    bindings: FxHashMap<&'a str, Sexpr<'a>>,
}

impl<'a> Reader<'a> {
    /// Recurses as deep as the sort is, no matter how deep the expression.
    fn value(&mut self, expression: Sexpr<'a>, sort: Sort) -> Option<Value> {
        let expression = self.resolve(expression)?;
        match sort {
            Sort::Bool => match expression.symbol()? {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            Sort::Int => int(expression).map(Value::Int),
            Sort::Real => rational(expression).map(Value::Real),
            Sort::BitVec(width) => bits(expression, width).map(|b| Value::BitVec(b, width)),
            Sort::Array(sort) => self.array(expression, sort),
        }
    }

    /// The expression under `let`s and behind their names.
    fn resolve(&mut self, mut expression: Sexpr<'a>) -> Option<Sexpr<'a>> {
        // A name may mean itself, for all we know.
        for _ in 0..MOST_LETS {
            if let Some(parts) = expression.call("let") {
                let [bindings, body] = parts.collect::<Vec<_>>()[..] else { return None };
                self.bind(bindings)?;
                expression = body;
            } else if let Some(meant) = expression.symbol().and_then(|n| self.bindings.get(n)) {
                expression = *meant;
            } else {
                return Some(expression);
            }
        }
        None
    }

    fn bind(&mut self, bindings: Sexpr<'a>) -> Option<()> {
        for binding in bindings.items()? {
            let [name, meant] = binding.list()?;
            let before = self.bindings.insert(name.symbol()?, meant);
            // One name for two things: solvers do not.
            if before.is_some_and(|before| !before.is(meant)) {
                return None;
            }
        }
        Some(())
    }

    /// Writes over a constant array.
    fn array(&mut self, expression: Sexpr<'a>, sort: ArraySort) -> Option<Value> {
        let (index, element) = self.terms.array_parts(sort);
        let mut writes = Vec::new();
        let mut array = expression;
        while let Some(parts) = array.call("store") {
            let [inner, at, written] = parts.collect::<Vec<_>>()[..] else { return None };
            writes.push((self.value(at, index)?, self.value(written, element)?));
            array = self.resolve(inner)?;
        }
        let [constant, default] = array.list()?;
        let [keyword, what, _] = constant.list()?;
        if !keyword.is_symbol("as") || !what.is_symbol("const") {
            return None;
        }
        let default = self.value(default, element)?;
        let mut value = ArrayValue { sort, entries: BTreeMap::new(), default };
        for (at, written) in writes.into_iter().rev() {
            value.set(self.terms, at, written);
        }
        Some(Value::Array(Box::new(value)))
    }
}

fn numeral(expression: Sexpr<'_>) -> Option<Int> {
    match expression.atom()? {
        Atom::Numeral(digits) => Int::from_str(digits).ok(),
        _ => None,
    }
}

/// `5` or `(- 5)`.
fn int(expression: Sexpr<'_>) -> Option<Int> {
    match negated(expression) {
        Some(inner) => numeral(inner).map(|n| -n),
        None => numeral(expression),
    }
}

fn negated(expression: Sexpr<'_>) -> Option<Sexpr<'_>> {
    let [minus, inner] = expression.list()?;
    minus.is_symbol("-").then_some(inner)
}

/// `1.5`, `(/ 3 2)`, and either with a minus, outside or inside.
fn rational(expression: Sexpr<'_>) -> Option<Rational> {
    match negated(expression) {
        Some(inner) => fraction(inner).map(|q| -q),
        None => fraction(expression),
    }
}

fn fraction(expression: Sexpr<'_>) -> Option<Rational> {
    let Some([slash, above, below]) = expression.list() else { return decimal(expression) };
    let signed = |e| match negated(e) {
        Some(inner) => decimal(inner).map(|q| -q),
        None => decimal(e),
    };
    let (above, below) = (signed(above)?, signed(below)?);
    (slash.is_symbol("/") && !below.is_zero()).then(|| above / below)
}

fn decimal(expression: Sexpr<'_>) -> Option<Rational> {
    let Atom::Decimal(text) = expression.atom()? else {
        return numeral(expression).map(Rational::from);
    };
    let (whole, part) = text.split_once('.')?;
    let digits = Int::from_str(&format!("{whole}{part}")).ok()?;
    Some(Rational::from(digits) / Rational::from(Int::from(10).pow(part.len())))
}

/// `#b0101`, `#x5` or `(_ bv5 4)`, of the right width.
fn bits(expression: Sexpr<'_>, width: u32) -> Option<Int> {
    let (digits, radix, size) = match expression.atom() {
        Some(Atom::Binary(digits)) => (digits.as_str(), 2, digits.len().into()),
        Some(Atom::Hexadecimal(digits)) => (digits.as_str(), 16, (4 * digits.len()).into()),
        _ => {
            let [underscore, value, size] = expression.list()?;
            let named = value.symbol().filter(|_| underscore.is_symbol("_"))?;
            (named.strip_prefix("bv")?, 10, numeral(size)?)
        }
    };
    let value = Int::from_str_radix(digits, radix).ok()?;
    let fits = size == Int::from(width) && value >= Int::ZERO && value < power_of_two(width);
    fits.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::sexpr::Sexprs;

    /// What a text is read as, written as we write values.
    fn check(terms: &Terms, sort: Sort, text: &str, expect: Option<&str>) {
        let sexprs = Sexprs::parse(text).unwrap();
        let read = value(terms, sexprs.items().next().unwrap(), sort);
        assert_eq!(read.map(|v| v.smtlib(terms)).as_deref(), expect, "{text}");
    }

    #[test]
    fn simple_values() {
        let terms = Terms::new();
        for (sort, text, expect) in [
            (Sort::Bool, "true", Some("true")),
            (Sort::Bool, "false", Some("false")),
            (Sort::Bool, "(not true)", None),
            (Sort::Int, "5", Some("5")),
            (Sort::Int, "(- 5)", Some("(- 5)")),
            (Sort::Int, "(- (- 5))", None),
            (Sort::Int, "5.0", None),
            (Sort::Int, "x", None),
            (Sort::Int, "100000000000000000000000", Some("100000000000000000000000")),
            (Sort::Real, "1.50", Some("(/ 3.0 2.0)")),
            (Sort::Real, "7", Some("7.0")),
            (Sort::Real, "(- 7.0)", Some("(- 7.0)")),
            (Sort::Real, "(/ 1 3)", Some("(/ 1.0 3.0)")),
            (Sort::Real, "(/ (- 1.0) 3.0)", Some("(/ (- 1.0) 3.0)")),
            (Sort::Real, "(- (/ 2.0 6.0))", Some("(/ (- 1.0) 3.0)")),
            (Sort::Real, "(/ 1 0)", None),
            (Sort::Real, "(root-obj (+ (^ x 2) (- 2)) 1)", None),
            (Sort::BitVec(4), "#b0101", Some("#x5")),
            (Sort::BitVec(8), "#xfF", Some("#xff")),
            (Sort::BitVec(3), "(_ bv5 3)", Some("#b101")),
            (Sort::BitVec(3), "(_ bv8 3)", None),
            (Sort::BitVec(3), "(_ bv-1 3)", None),
            (Sort::BitVec(3), "(_ bv5 99999999999999999999)", None),
            (Sort::BitVec(8), "#b0101", None),
        ] {
            check(&terms, sort, text, expect);
        }
    }

    #[test]
    fn arrays() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::Int, Sort::Int);
        let constant = "((as const (Array Int Int)) 0)";
        for (text, expect) in [
            (constant.to_string(), Some(constant.to_string())),
            (
                format!("(store (store (store {constant} 1 2) 3 4) 1 5)"),
                Some(format!("(store (store {constant} 1 5) 3 4)")),
            ),
            (format!("(store (store {constant} 1 2) 1 0)"), Some(constant.to_string())),
            (
                format!("(let ((a!1 (store {constant} 1 2))) (let ((a!2 a!1)) (store a!2 3 4)))"),
                Some(format!("(store (store {constant} 1 2) 3 4)")),
            ),
            ("(let ((a a)) a)".to_string(), None),
            (format!("(let ((a {constant})) (let ((a (store a 1 2))) a))"), None),
            ("(_ as-array k!0)".to_string(), None),
            ("(lambda ((x Int)) x)".to_string(), None),
            (format!("(store {constant} 1)"), None),
        ] {
            check(&terms, sort, &text, expect.as_deref());
        }
    }

    #[test]
    fn arrays_of_arrays_and_long_ones() {
        let mut terms = Terms::new();
        let inner = terms.array_sort(Sort::Int, Sort::Bool);
        let outer = terms.array_sort(Sort::Int, inner);
        let zeros = "((as const (Array Int Bool)) false)";
        let text = format!(
            "(store ((as const (Array Int (Array Int Bool))) {zeros}) 1 (store {zeros} 2 true))"
        );
        check(&terms, outer, &text, Some(&text));
        let long = "(store ".repeat(100_000) + zeros + &" 7 true)".repeat(100_000);
        check(&terms, inner, &long, Some(&format!("(store {zeros} 7 true)")));
    }
}
