//! Z3's expressions as terms: interpolants and projections come back this way.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

use super::numeral;
use crate::term::{ArrayValue, BvBinary, BvCompare, Sort, Term, Terms, Value};

/// The term that an expression without quantifiers is; `None` where it has something that terms
/// do not.
pub fn read(terms: &mut Terms, expression: &Dynamic) -> Option<Term> {
    let mut done: FxHashMap<Dynamic, Term> = FxHashMap::default();
    let mut open = vec![expression.clone()];
    // Parts before wholes, with a stack of our own: answers may be deep.
    while let Some(next) = open.last().cloned() {
        if done.contains_key(&next) {
            open.pop();
            continue;
        }
        let parts = match next.kind() {
            AstKind::App => next.children(),
            AstKind::Numeral => Vec::new(),
            _ => return None,
        };
        let missing: Vec<Dynamic> =
            parts.iter().filter(|p| !done.contains_key(*p)).cloned().collect();
        if missing.is_empty() {
            let parts: Vec<Term> = parts.iter().map(|p| done[p]).collect();
            let term = node(terms, &next, &parts)?;
            done.insert(next, term);
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    done.get(expression).copied()
}

fn node(terms: &mut Terms, expression: &Dynamic, parts: &[Term]) -> Option<Term> {
    if expression.kind() == AstKind::Numeral {
        let value = numeral::value(expression)?;
        return constant(terms, value);
    }
    let declaration = expression.decl();
    match (declaration.kind(), parts) {
        (DeclKind::True, _) => Some(Term::TRUE),
        (DeclKind::False, _) => Some(Term::FALSE),
        (DeclKind::Uninterpreted, []) => {
            let sort = sort_of(terms, &expression.get_sort())?;
            Some(terms.symbol(&declaration.name(), sort))
        }
        (DeclKind::Uninterpreted, _) => {
            let sorts: Vec<Sort> = parts.iter().map(|p| terms.sort(*p)).collect();
            let result = sort_of(terms, &expression.get_sort())?;
            let function = terms.function(&declaration.name(), &sorts, result);
            Some(terms.apply(function, parts))
        }
        (DeclKind::Ite, [c, a, b]) => Some(terms.ite(*c, *a, *b)),
        (DeclKind::ConstArray, [value]) => {
            let sort = sort_of(terms, &expression.get_sort())?;
            Some(terms.const_array(sort, *value))
        }
        (DeclKind::Select, [array, index]) => Some(terms.select(*array, *index)),
        (DeclKind::Store, [array, index, value]) => Some(terms.store(*array, *index, *value)),
        (kind, _) => boolean(terms, kind, parts)
            .or_else(|| arithmetic(terms, kind, parts))
            .or_else(|| bitvec(terms, expression, kind, parts)),
    }
}

fn constant(terms: &mut Terms, value: Value) -> Option<Term> {
    match value {
        Value::Bool(b) => Some(terms.bool(b)),
        Value::Int(i) => Some(terms.int(i)),
        Value::Real(q) => Some(terms.real(q)),
        Value::BitVec(bits, width) => Some(terms.bv(bits, width)),
        Value::Array(_) => None,
    }
}

fn boolean(terms: &mut Terms, kind: DeclKind, parts: &[Term]) -> Option<Term> {
    match (kind, parts) {
        (DeclKind::And, _) => Some(terms.and(parts.iter().copied())),
        (DeclKind::Or, _) => Some(terms.or(parts.iter().copied())),
        (DeclKind::Not, [a]) => Some(terms.not(*a)),
        (DeclKind::Implies, [a, b]) => Some(terms.implies(*a, *b)),
        (DeclKind::Eq | DeclKind::Iff, [a, b]) => Some(terms.eq(*a, *b)),
        (DeclKind::Xor | DeclKind::Distinct, [a, b]) => Some(terms.ne(*a, *b)),
        _ => None,
    }
}

fn arithmetic(terms: &mut Terms, kind: DeclKind, parts: &[Term]) -> Option<Term> {
    let sort = terms.sort(*parts.first()?);
    match (kind, parts) {
        (DeclKind::Le, [a, b]) => Some(terms.le(*a, *b)),
        (DeclKind::Ge, [a, b]) => Some(terms.ge(*a, *b)),
        (DeclKind::Lt, [a, b]) => Some(terms.lt(*a, *b)),
        (DeclKind::Gt, [a, b]) => Some(terms.gt(*a, *b)),
        (DeclKind::Add, _) => Some(terms.add_all(parts.iter().copied(), sort)),
        (DeclKind::Sub, [first, rest @ ..]) => {
            Some(rest.iter().fold(*first, |total, part| terms.sub(total, *part)))
        }
        (DeclKind::Uminus, [a]) => Some(terms.neg(*a)),
        (DeclKind::Mul, [first, rest @ ..]) => {
            Some(rest.iter().fold(*first, |total, part| terms.mul(total, *part)))
        }
        (DeclKind::Idiv, [a, b]) => Some(terms.div(*a, *b)),
        (DeclKind::Mod, [a, b]) => Some(terms.modulo(*a, *b)),
        (DeclKind::ToReal, [a]) => Some(terms.int_to_real(*a)),
        _ => None,
    }
}

fn bitvec(terms: &mut Terms, expression: &Dynamic, kind: DeclKind, parts: &[Term]) -> Option<Term> {
    let binary = |op: BvBinary, terms: &mut Terms| {
        let (first, rest) = parts.split_first()?;
        Some(rest.iter().fold(*first, |total, part| terms.bv_binary(op, total, *part)))
    };
    let width = || expression.as_bv().map(|bv| bv.get_size());
    match (kind, parts) {
        (DeclKind::Bnot, [a]) => Some(terms.bv_not(*a)),
        (DeclKind::Bneg, [a]) => Some(terms.bv_neg(*a)),
        (DeclKind::Badd, _) => binary(BvBinary::Add, terms),
        (DeclKind::Bsub, _) => binary(BvBinary::Sub, terms),
        (DeclKind::Bmul, _) => binary(BvBinary::Mul, terms),
        (DeclKind::Budiv | DeclKind::BudivI, [_, _]) => binary(BvBinary::Udiv, terms),
        (DeclKind::Burem | DeclKind::BuremI, [_, _]) => binary(BvBinary::Urem, terms),
        (DeclKind::Bsdiv | DeclKind::BsdivI, [_, _]) => binary(BvBinary::Sdiv, terms),
        (DeclKind::Bsrem | DeclKind::BsremI, [_, _]) => binary(BvBinary::Srem, terms),
        (DeclKind::Band, _) => binary(BvBinary::And, terms),
        (DeclKind::Bor, _) => binary(BvBinary::Or, terms),
        (DeclKind::Bxor, _) => binary(BvBinary::Xor, terms),
        (DeclKind::Bshl, [_, _]) => binary(BvBinary::Shl, terms),
        (DeclKind::Blshr, [_, _]) => binary(BvBinary::Lshr, terms),
        (DeclKind::Bashr, [_, _]) => binary(BvBinary::Ashr, terms),
        (DeclKind::Ult, [a, b]) => Some(terms.bv_compare(BvCompare::Ult, *a, *b)),
        (DeclKind::Uleq, [a, b]) => Some(terms.bv_compare(BvCompare::Ule, *a, *b)),
        (DeclKind::Ugt, [a, b]) => Some(terms.bv_compare(BvCompare::Ult, *b, *a)),
        (DeclKind::Ugeq, [a, b]) => Some(terms.bv_compare(BvCompare::Ule, *b, *a)),
        (DeclKind::Slt, [a, b]) => Some(terms.bv_compare(BvCompare::Slt, *a, *b)),
        (DeclKind::Sleq, [a, b]) => Some(terms.bv_compare(BvCompare::Sle, *a, *b)),
        (DeclKind::Sgt, [a, b]) => Some(terms.bv_compare(BvCompare::Slt, *b, *a)),
        (DeclKind::Sgeq, [a, b]) => Some(terms.bv_compare(BvCompare::Sle, *b, *a)),
        (DeclKind::Concat, [parts @ .., last]) => {
            Some(parts.iter().rfold(*last, |total, part| terms.concat(*part, total)))
        }
        (DeclKind::ZeroExt, [a]) => Some(terms.zero_extend(width()? - terms.width(*a), *a)),
        (DeclKind::SignExt, [a]) => Some(terms.sign_extend(width()? - terms.width(*a), *a)),
        (DeclKind::Extract, [a]) => {
            let (high, low) = extracted(&expression.to_string())?;
            Some(terms.extract(high, low, *a))
        }
        (DeclKind::Bv2int, [a]) => Some(terms.bv_to_int(*a)),
        (DeclKind::Int2bv, [a]) => Some(terms.int_to_bv(width()?, *a)),
        _ => None,
    }
}

/// The two numbers of `((_ extract 7 0) …`; the crate has no other way to them.
fn extracted(text: &str) -> Option<(u32, u32)> {
    let (_, rest) = text.split_once("(_ extract ")?;
    let (numbers, _) = rest.split_once(')')?;
    let (high, low) = numbers.split_once(' ')?;
    Some((high.parse().ok()?, low.parse().ok()?))
}

fn sort_of(terms: &mut Terms, sort: &z3::Sort) -> Option<Sort> {
    match sort.kind() {
        SortKind::Bool => Some(Sort::Bool),
        SortKind::Int => Some(Sort::Int),
        SortKind::Real => Some(Sort::Real),
        SortKind::Bv => {
            let text = sort.to_string();
            let width = text.strip_prefix("(_ BitVec ")?.strip_suffix(')')?.parse().ok()?;
            Some(Sort::BitVec(width))
        }
        SortKind::Array => {
            let index = sort_of(terms, &sort.array_domain()?)?;
            let element = sort_of(terms, &sort.array_range()?)?;
            Some(terms.array_sort(index, element))
        }
        _ => None,
    }
}

/// A constant array expression (writes over a constant array) as a value.
pub(super) fn array_value(terms: &Terms, expression: &Dynamic, sort: Sort) -> Option<Value> {
    let Sort::Array(sort) = sort else { return None };
    let (_, element) = terms.array_parts(sort);
    let mut writes = Vec::new();
    let mut array = expression.clone();
    loop {
        // The parts of anything else are undefined behaviour in Z3's library.
        let kind = array.safe_decl().ok()?.kind();
        let parts = array.children();
        match (kind, &parts[..]) {
            (DeclKind::Store, [inner, index, value]) => {
                writes.push((numeral::value(index)?, value_of(terms, value, element)?));
                array = inner.clone();
            }
            (DeclKind::ConstArray, [value]) => {
                let default = value_of(terms, value, element)?;
                let mut entries: BTreeMap<Value, Value> = writes.into_iter().rev().collect();
                entries.retain(|_, v| *v != default);
                return Some(Value::Array(Box::new(ArrayValue { sort, entries, default })));
            }
            _ => return None,
        }
    }
}

fn value_of(terms: &Terms, expression: &Dynamic, sort: Sort) -> Option<Value> {
    numeral::value(expression).or_else(|| array_value(terms, expression, sort))
}
