//! Terms of SMT-LIB: what scripts, and solutions in them, are written in.

use rustc_hash::FxHashMap;

use crate::number::Int;
use crate::smt::sexpr::{Atom, Sexpr};
use crate::term::{BvBinary, BvCompare, Function, Sort, Symbol, Term, Terms};

/// Terms that are nested deeper are refused.
const MOST_NESTED: usize = 2000;

/// A place in the text, and what is wrong there.
#[derive(Debug)]
pub(super) struct Error {
    pub at: usize,
    pub message: String,
}

fn refuse<T>(at: Sexpr<'_>, message: impl Into<String>) -> Result<T, Error> {
    Err(Error { at: at.start(), message: message.into() })
}

/// A function that is written out where it is used.
#[derive(Clone, Debug)]
struct Definition {
    parameters: Vec<Symbol>,
    value: Term,
}

/// What names stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    declared: FxHashMap<String, Function>,
    defined: FxHashMap<String, Definition>,
    /// The innermost binding last.
    bound: FxHashMap<String, Vec<Term>>,
}

impl Names {
    pub fn is_function(&self, name: &str) -> bool {
        self.declared.contains_key(name) || self.defined.contains_key(name)
    }

    pub fn declare(&mut self, name: &str, function: Function) {
        self.declared.insert(name.to_owned(), function);
    }

    pub fn define(&mut self, name: &str, parameters: Vec<Symbol>, value: Term) {
        self.defined.insert(name.to_owned(), Definition { parameters, value });
    }
}

pub(super) struct Reader<'a> {
    pub terms: &'a mut Terms,
    pub names: &'a mut Names,
}

/// A bound name and its symbol.
pub(super) type Bound = (String, Symbol);

impl Reader<'_> {
    pub fn sort(&mut self, at: Sexpr<'_>) -> Result<Sort, Error> {
        self.nested_sort(at, 0)
    }

    fn nested_sort(&mut self, at: Sexpr<'_>, depth: usize) -> Result<Sort, Error> {
        if depth > MOST_NESTED {
            return refuse(at, format!("sorts are nested deeper than {MOST_NESTED}"));
        }
        if let Some(name) = at.symbol() {
            return match name {
                "Bool" => Ok(Sort::Bool),
                "Int" => Ok(Sort::Int),
                _ => refuse(at, format!("the sort `{name}` is not supported")),
            };
        }
        if let Some([under, name, width]) = at.list::<3>() {
            if under.is_symbol("_") && name.is_symbol("BitVec") {
                return match number(width).and_then(|n| u32::try_from(n).ok()) {
                    Some(width @ 1..) => Ok(Sort::BitVec(width)),
                    _ => refuse(width, "a width of bits is expected"),
                };
            }
            if under.is_symbol("Array") {
                let index = self.nested_sort(name, depth + 1)?;
                let element = self.nested_sort(width, depth + 1)?;
                return Ok(self.terms.array_sort(index, element));
            }
        }
        refuse(at, format!("the sort `{at}` is not supported"))
    }

    /// Variables of a quantifier or parameters of a function: `((x Int) (y Bool))`.
    pub fn bind(&mut self, variables: Sexpr<'_>) -> Result<Vec<Bound>, Error> {
        let Some(items) = variables.items() else {
            return refuse(variables, "variables like `((x Int))` are expected");
        };
        let mut bound = Vec::new();
        for item in items {
            let Some([name, sort]) = item.list::<2>() else {
                return refuse(item, "a variable like `(x Int)` is expected");
            };
            let Some(name) = name.symbol() else {
                return refuse(name, "a name is expected");
            };
            let sort = self.sort(sort)?;
            let term = self.terms.fresh(name, sort);
            self.names.bound.entry(name.to_owned()).or_default().push(term);
            bound.push((name.to_owned(), self.terms.as_symbol(term).expect("just made")));
        }
        Ok(bound)
    }

    pub fn unbind(&mut self, bound: &[Bound]) {
        for (name, _) in bound {
            self.names.bound.get_mut(name).and_then(Vec::pop);
        }
    }

    pub fn term(&mut self, at: Sexpr<'_>, depth: usize) -> Result<Term, Error> {
        if depth > MOST_NESTED {
            return refuse(at, format!("terms are nested deeper than {MOST_NESTED}"));
        }
        match at.atom() {
            Some(atom) => self.atom(at, atom),
            None => self.compound(at, depth),
        }
    }

    fn atom(&mut self, at: Sexpr<'_>, atom: &Atom) -> Result<Term, Error> {
        match atom {
            Atom::Numeral(digits) => Ok(self.terms.int(parsed(digits, 10))),
            Atom::Hexadecimal(digits) => {
                let width = 4 * digits.len() as u32;
                Ok(self.terms.bv(parsed(digits, 16), width))
            }
            Atom::Binary(digits) => Ok(self.terms.bv(parsed(digits, 2), digits.len() as u32)),
            Atom::Symbol(name) => self.named(at, name, &[]),
            Atom::Decimal(_) | Atom::Keyword(_) | Atom::String(_) => {
                refuse(at, format!("`{atom}` is not supported here"))
            }
        }
    }

    fn compound(&mut self, at: Sexpr<'_>, depth: usize) -> Result<Term, Error> {
        let mut items = at.items().expect("no atom");
        let Some(operator) = items.next() else {
            return refuse(at, "an empty list is no term");
        };
        match operator.symbol() {
            Some("let") => return self.let_in(at, depth),
            Some("!") => {
                return match items.next() {
                    Some(inner) => self.term(inner, depth + 1),
                    None => refuse(at, "`!` takes a term"),
                };
            }
            Some("forall" | "exists") => {
                return refuse(at, "a quantifier inside a clause is not supported");
            }
            Some("_") => return self.indexed_constant(at),
            _ => {}
        }
        let mut arguments = Vec::with_capacity(items.len());
        for item in items {
            arguments.push(self.term(item, depth + 1)?);
        }
        match operator.symbol() {
            Some(name) => self.named(at, name, &arguments),
            None => self.indexed(at, operator, &arguments),
        }
    }

    fn let_in(&mut self, at: Sexpr<'_>, depth: usize) -> Result<Term, Error> {
        let Some([_, bindings, body]) = at.list::<3>() else {
            return refuse(at, "write `(let ((x term)) body)`");
        };
        let Some(bindings) = bindings.items() else {
            return refuse(bindings, "bindings like `((x term))` are expected");
        };
        let mut values = Vec::new();
        for binding in bindings {
            let Some([name, value]) = binding.list::<2>() else {
                return refuse(binding, "a binding like `(x term)` is expected");
            };
            let Some(name) = name.symbol() else {
                return refuse(name, "a name is expected");
            };
            values.push((name.to_owned(), self.term(value, depth + 1)?));
        }
        for (name, value) in &values {
            self.names.bound.entry(name.clone()).or_default().push(*value);
        }
        let result = self.term(body, depth + 1);
        for (name, _) in &values {
            self.names.bound.get_mut(name).and_then(Vec::pop);
        }
        result
    }

    /// `(_ bv5 8)`
    fn indexed_constant(&mut self, at: Sexpr<'_>) -> Result<Term, Error> {
        let parts = at.list::<3>();
        let value = parts.and_then(|[_, name, width]| {
            let digits = name.symbol()?.strip_prefix("bv")?;
            let width = u32::try_from(number(width)?).ok().filter(|w| *w > 0)?;
            Some((Int::from_str_radix(digits, 10).ok()?, width))
        });
        match value {
            Some((value, width)) => Ok(self.terms.bv(value, width)),
            None => refuse(at, format!("`{at}` is not supported")),
        }
    }

    /// `((_ extract 7 0) x)`, `((as const (Array Int Int)) 0)`
    fn indexed(
        &mut self,
        at: Sexpr<'_>,
        operator: Sexpr<'_>,
        arguments: &[Term],
    ) -> Result<Term, Error> {
        if let Some([word, name, sort]) = operator.list::<3>()
            && word.is_symbol("as")
            && name.is_symbol("const")
        {
            let sort = self.sort(sort)?;
            let fits = |array| self.terms.array_parts(array).1;
            return match (sort, arguments) {
                (Sort::Array(array), [value]) if fits(array) == self.terms.sort(*value) => {
                    Ok(self.terms.const_array(sort, *value))
                }
                _ => refuse(at, "a constant array takes one value of its element sort"),
            };
        }
        let parts: Vec<Sexpr<'_>> = operator.items().map(Iterator::collect).unwrap_or_default();
        let numbers: Option<Vec<u32>> =
            parts.iter().skip(2).map(|n| number(*n).and_then(|n| u32::try_from(n).ok())).collect();
        let name = parts.get(1).and_then(|name| name.symbol());
        let sort = arguments.first().map(|a| self.terms.sort(*a));
        match (name, numbers.as_deref(), arguments, sort) {
            (Some("extract"), Some([high, low]), [of], Some(Sort::BitVec(width)))
                if low <= high && *high < width =>
            {
                Ok(self.terms.extract(*high, *low, *of))
            }
            (Some("zero_extend"), Some([by]), [of], Some(Sort::BitVec(_))) => {
                Ok(self.terms.zero_extend(*by, *of))
            }
            (Some("sign_extend"), Some([by]), [of], Some(Sort::BitVec(_))) => {
                Ok(self.terms.sign_extend(*by, *of))
            }
            (Some("int2bv" | "int_to_bv"), Some([width]), [of], Some(Sort::Int)) if *width > 0 => {
                Ok(self.terms.int_to_bv(*width, *of))
            }
            _ => refuse(at, format!("`{operator}` is not supported, or has other arguments")),
        }
    }

    fn named(&mut self, at: Sexpr<'_>, name: &str, arguments: &[Term]) -> Result<Term, Error> {
        let bound = self.names.bound.get(name).and_then(|b| b.last());
        if let (Some(value), []) = (bound, arguments) {
            return Ok(*value);
        }
        if let Some(definition) = self.names.defined.get(name).cloned() {
            let sorts = definition.parameters.iter().map(|p| self.terms.symbol_sort(*p)).collect();
            self.fitting(at, name, sorts, arguments)?;
            let map = definition.parameters.into_iter().zip(arguments.iter().copied()).collect();
            return Ok(self.terms.substitute(definition.value, &map));
        }
        if let Some(function) = self.names.declared.get(name).copied() {
            let sorts = self.terms.signature(function).arguments.clone();
            self.fitting(at, name, sorts, arguments)?;
            return Ok(self.terms.apply(function, arguments));
        }
        let sorts: Vec<Sort> = arguments.iter().map(|a| self.terms.sort(*a)).collect();
        match self.operator(name, arguments, &sorts) {
            Some(term) => Ok(term),
            None if arguments.is_empty() => refuse(at, format!("`{name}` is not declared")),
            None => {
                let sorts: Vec<String> = sorts.iter().map(|s| self.terms.smtlib_sort(*s)).collect();
                let sorts = sorts.join(" ");
                refuse(at, format!("`{name}` of ({sorts}) is not declared, or not supported"))
            }
        }
    }

    fn fitting(
        &self,
        at: Sexpr<'_>,
        name: &str,
        sorts: Vec<Sort>,
        arguments: &[Term],
    ) -> Result<(), Error> {
        let given: Vec<Sort> = arguments.iter().map(|a| self.terms.sort(*a)).collect();
        match given == sorts {
            true => Ok(()),
            false => {
                let sorts: Vec<String> = sorts.iter().map(|s| self.terms.smtlib_sort(*s)).collect();
                refuse(at, format!("`{name}` takes arguments of the sorts ({})", sorts.join(" ")))
            }
        }
    }

    fn operator(&mut self, name: &str, arguments: &[Term], sorts: &[Sort]) -> Option<Term> {
        let all = |sort: Sort| !sorts.is_empty() && sorts.iter().all(|s| *s == sort);
        let alike = sorts.windows(2).all(|pair| pair[0] == pair[1]) && sorts.len() >= 2;
        match (name, arguments) {
            ("true", []) => Some(Term::TRUE),
            ("false", []) => Some(Term::FALSE),
            ("=", _) if alike => Some(self.chained(arguments, Terms::eq)),
            ("distinct", _) if alike => Some(self.distinct(arguments)),
            ("ite", [c, a, b]) if sorts[0] == Sort::Bool && sorts[1] == sorts[2] => {
                Some(self.terms.ite(*c, *a, *b))
            }
            ("select", [array, index]) => match sorts[0] {
                Sort::Array(sort) if self.terms.array_parts(sort).0 == sorts[1] => {
                    Some(self.terms.select(*array, *index))
                }
                _ => None,
            },
            ("store", [array, index, value]) => match sorts[0] {
                Sort::Array(sort) if self.terms.array_parts(sort) == (sorts[1], sorts[2]) => {
                    Some(self.terms.store(*array, *index, *value))
                }
                _ => None,
            },
            _ if all(Sort::Bool) => self.logical(name, arguments),
            _ if all(Sort::Int) => self.arithmetic(name, arguments),
            _ if matches!(sorts.first(), Some(Sort::BitVec(_))) => {
                self.bits(name, arguments, sorts)
            }
            _ => None,
        }
    }

    /// `(< a b c)` is `a < b` and `b < c`.
    fn chained(
        &mut self,
        arguments: &[Term],
        relation: impl Fn(&mut Terms, Term, Term) -> Term,
    ) -> Term {
        let pairs = arguments.windows(2);
        let parts: Vec<Term> = pairs.map(|p| relation(self.terms, p[0], p[1])).collect();
        self.terms.and(parts)
    }

    fn distinct(&mut self, arguments: &[Term]) -> Term {
        let mut parts = Vec::new();
        for (number, a) in arguments.iter().enumerate() {
            for b in &arguments[number + 1..] {
                parts.push(self.terms.ne(*a, *b));
            }
        }
        self.terms.and(parts)
    }

    fn logical(&mut self, name: &str, arguments: &[Term]) -> Option<Term> {
        match (name, arguments) {
            ("not", [a]) => Some(self.terms.not(*a)),
            ("and", _) => Some(self.terms.and(arguments.iter().copied())),
            ("or", _) => Some(self.terms.or(arguments.iter().copied())),
            ("=>", [premises @ .., conclusion]) if !premises.is_empty() => {
                let premise = self.terms.and(premises.iter().copied());
                Some(self.terms.implies(premise, *conclusion))
            }
            ("xor", [first, rest @ ..]) => {
                Some(rest.iter().fold(*first, |a, b| self.terms.xor(a, *b)))
            }
            _ => None,
        }
    }

    fn arithmetic(&mut self, name: &str, arguments: &[Term]) -> Option<Term> {
        let terms = &mut *self.terms;
        match (name, arguments) {
            ("+", _) => Some(terms.add_all(arguments.iter().copied(), Sort::Int)),
            ("-", [a]) => Some(terms.neg(*a)),
            ("-", [first, rest @ ..]) => Some(rest.iter().fold(*first, |a, b| terms.sub(a, *b))),
            ("*", [first, rest @ ..]) => Some(rest.iter().fold(*first, |a, b| terms.mul(a, *b))),
            ("div", [first, rest @ ..]) if !rest.is_empty() => {
                Some(rest.iter().fold(*first, |a, b| terms.div(a, *b)))
            }
            ("mod", [a, b]) => Some(terms.modulo(*a, *b)),
            ("abs", [a]) => Some(terms.abs(*a)),
            ("<=", [_, _, ..]) => Some(self.chained(arguments, Terms::le)),
            ("<", [_, _, ..]) => Some(self.chained(arguments, Terms::lt)),
            (">=", [_, _, ..]) => Some(self.chained(arguments, Terms::ge)),
            (">", [_, _, ..]) => Some(self.chained(arguments, Terms::gt)),
            _ => None,
        }
    }

    fn bits(&mut self, name: &str, arguments: &[Term], sorts: &[Sort]) -> Option<Term> {
        let terms = &mut *self.terms;
        match (name, arguments) {
            ("bvnot", [a]) => return Some(terms.bv_not(*a)),
            ("bvneg", [a]) => return Some(terms.bv_neg(*a)),
            ("bv2nat" | "ubv_to_int", [a]) => return Some(terms.bv_to_int(*a)),
            ("sbv_to_int", [a]) => return Some(terms.bv_to_signed_int(*a)),
            ("concat", [a, b]) if matches!(sorts[1], Sort::BitVec(_)) => {
                return Some(terms.concat(*a, *b));
            }
            _ => {}
        }
        if sorts.iter().any(|s| *s != sorts[0]) {
            return None;
        }
        let [first, rest @ ..] = arguments else { return None };
        if let Some(operation) = bv_binary(name) {
            return Some(rest.iter().fold(*first, |a, b| terms.bv_binary(operation, a, *b)));
        }
        let (comparison, swapped) = bv_compare(name)?;
        let [second] = rest else { return None };
        let (a, b) = if swapped { (*second, *first) } else { (*first, *second) };
        Some(terms.bv_compare(comparison, a, b))
    }
}

fn bv_binary(name: &str) -> Option<BvBinary> {
    Some(match name {
        "bvadd" => BvBinary::Add,
        "bvsub" => BvBinary::Sub,
        "bvmul" => BvBinary::Mul,
        "bvudiv" => BvBinary::Udiv,
        "bvurem" => BvBinary::Urem,
        "bvsdiv" => BvBinary::Sdiv,
        "bvsrem" => BvBinary::Srem,
        "bvand" => BvBinary::And,
        "bvor" => BvBinary::Or,
        "bvxor" => BvBinary::Xor,
        "bvshl" => BvBinary::Shl,
        "bvlshr" => BvBinary::Lshr,
        "bvashr" => BvBinary::Ashr,
        _ => return None,
    })
}

/// The comparison, and whether its sides change places.
fn bv_compare(name: &str) -> Option<(BvCompare, bool)> {
    Some(match name {
        "bvult" => (BvCompare::Ult, false),
        "bvule" => (BvCompare::Ule, false),
        "bvslt" => (BvCompare::Slt, false),
        "bvsle" => (BvCompare::Sle, false),
        "bvugt" => (BvCompare::Ult, true),
        "bvuge" => (BvCompare::Ule, true),
        "bvsgt" => (BvCompare::Slt, true),
        "bvsge" => (BvCompare::Sle, true),
        _ => return None,
    })
}

pub(super) fn number(at: Sexpr<'_>) -> Option<u64> {
    match at.atom()? {
        Atom::Numeral(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn parsed(digits: &str, radix: u32) -> Int {
    Int::from_str_radix(digits, radix).expect("the words of a text are what they are")
}
