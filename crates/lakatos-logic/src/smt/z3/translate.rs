//! Terms to Z3's expressions, each term once.

use std::str::FromStr;

use rustc_hash::FxHashMap;
use z3::ast::{
    Array, Ast, BV, Bool, Dynamic, Int as ZInt, Real as ZReal, exists_const, forall_const,
};
use z3::{FuncDecl, Sort as ZSort};

use crate::number::Int;
use crate::smt::Features;
use crate::term::{
    ArenaId, BvBinary, BvCompare, Function, Node, Parts, Quantifier, Sort, Sum, Symbol, Term, Terms,
};

/// The translation, remembered for the arena it was asked about last.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    arena: Option<ArenaId>,
    done: FxHashMap<Term, Dynamic>,
    features: FxHashMap<Term, Features>,
    functions: FxHashMap<Function, FuncDecl>,
}

impl Translator {
    pub(crate) fn bool(&mut self, terms: &Terms, term: Term) -> Bool {
        self.translate(terms, term).as_bool().expect("a formula")
    }

    pub(crate) fn translate(&mut self, terms: &Terms, term: Term) -> Dynamic {
        if self.arena != Some(terms.id()) {
            *self = Translator { arena: Some(terms.id()), ..Translator::default() };
        }
        if let Some(known) = self.done.get(&term) {
            return known.clone();
        }
        for part in self.missing(terms, term) {
            let translated = self.node(terms, part);
            self.done.insert(part, translated);
            let own = Features::of_node(terms, part);
            let all = needed(terms, part).iter().fold(own, |all, p| all.union(self.features[p]));
            self.features.insert(part, all);
        }
        self.done[&term].clone()
    }

    /// What a term that was translated consists of.
    pub(crate) fn features(&self, term: Term) -> Features {
        self.features[&term]
    }

    /// What has to be translated for `term`, parts first.
    fn missing(&self, terms: &Terms, term: Term) -> Vec<Term> {
        let mut found = crate::term::TermSet::default();
        let mut open = vec![term];
        while let Some(t) = open.pop() {
            if !self.done.contains_key(&t) && found.insert(t) {
                open.extend(needed(terms, t));
            }
        }
        found.sorted()
    }

    fn get(&self, term: Term) -> &Dynamic {
        &self.done[&term]
    }

    fn get_bool(&self, term: Term) -> Bool {
        self.get(term).as_bool().expect("a Boolean")
    }

    fn get_int(&self, term: Term) -> ZInt {
        self.get(term).as_int().expect("an integer")
    }

    fn get_real(&self, term: Term) -> ZReal {
        self.get(term).as_real().expect("a real")
    }

    fn get_bv(&self, term: Term) -> BV {
        self.get(term).as_bv().expect("a bit-vector")
    }

    fn get_array(&self, term: Term) -> Array {
        self.get(term).as_array().expect("an array")
    }

    fn node(&mut self, terms: &Terms, term: Term) -> Dynamic {
        match terms.node(term) {
            Node::Bool(value) => Bool::from_bool(*value).into(),
            Node::Int(value) => int(value).into(),
            Node::Real(value) => {
                real(value.numerator(), &Int::from(value.denominator().clone())).into()
            }
            Node::BitVec(value, width) => bitvec(value, *width).into(),
            Node::Symbol(symbol) => symbol_constant(terms, *symbol),
            Node::Apply(function, arguments) => self.apply(terms, *function, arguments),
            Node::Not(a) => self.get_bool(*a).not().into(),
            Node::And(parts) => Bool::and(&self.bools(parts)).into(),
            Node::Or(parts) => Bool::or(&self.bools(parts)).into(),
            Node::Ite(c, a, b) => self.get_bool(*c).ite(self.get(*a), self.get(*b)),
            Node::Eq(a, b) => self.get(*a).eq(self.get(*b)).into(),
            Node::Sum(sum) => self.sum(sum, terms.sort(term)),
            Node::Product(factors) => self.product(terms.sort(term), factors),
            Node::NonPositive(sum) => self.comparison(terms, *sum, false).into(),
            Node::Zero(sum) => self.comparison(terms, *sum, true).into(),
            Node::Div(a, b) => self.get_int(*a).div(self.get_int(*b)).into(),
            Node::Mod(a, b) => self.get_int(*a).modulo(self.get_int(*b)).into(),
            Node::ToReal(a) => self.get_int(*a).to_real().into(),
            Node::Quantified(quantifier, bound, body) => {
                self.quantified(terms, *quantifier, bound, *body).into()
            }
            Node::Select(array, index) => self.get_array(*array).select(self.get(*index)),
            Node::Store(array, index, value) => {
                self.get_array(*array).store(self.get(*index), self.get(*value)).into()
            }
            Node::ConstArray(sort, value) => {
                let index = z3_sort(terms, terms.array_parts(*sort).0);
                Array::const_array(&index, self.get(*value)).into()
            }
            Node::IntToBv(width, a) => BV::from_int(&self.get_int(*a), *width).into(),
            Node::BvToInt(a) => self.get_bv(*a).to_int(false).into(),
            node => self.bitvec_node(node),
        }
    }

    fn bitvec_node(&self, node: &Node) -> Dynamic {
        match node {
            Node::BvNot(a) => self.get_bv(*a).bvnot().into(),
            Node::BvNeg(a) => self.get_bv(*a).bvneg().into(),
            Node::BvBinary(op, a, b) => bv_binary(*op, &self.get_bv(*a), &self.get_bv(*b)).into(),
            Node::BvCompare(op, a, b) => bv_compare(*op, &self.get_bv(*a), &self.get_bv(*b)).into(),
            Node::Extract { high, low, of } => self.get_bv(*of).extract(*high, *low).into(),
            Node::Concat(a, b) => self.get_bv(*a).concat(self.get_bv(*b)).into(),
            Node::ZeroExtend(by, a) => self.get_bv(*a).zero_ext(*by).into(),
            Node::SignExtend(by, a) => self.get_bv(*a).sign_ext(*by).into(),
            other => unreachable!("{other:?} is no bit-vector operation"),
        }
    }

    fn bools(&self, parts: &[Term]) -> Vec<Bool> {
        parts.iter().map(|p| self.get_bool(*p)).collect()
    }

    fn apply(&mut self, terms: &Terms, function: Function, arguments: &[Term]) -> Dynamic {
        let declaration =
            self.functions.entry(function).or_insert_with(|| declare(terms, function));
        let arguments: Vec<&dyn Ast> =
            arguments.iter().map(|a| &self.done[a] as &dyn Ast).collect();
        declaration.apply(&arguments)
    }

    fn sum(&self, sum: &Sum, sort: Sort) -> Dynamic {
        match sort {
            Sort::Int => self.linear(sum, true).into(),
            _ => {
                let numerator = self.linear_real(sum, true);
                let scale = real(&Int::ONE, &sum.denominator);
                ZReal::mul(&[numerator, scale]).into()
            }
        }
    }

    fn linear(&self, sum: &Sum, with_constant: bool) -> ZInt {
        let mut summands: Vec<ZInt> = sum
            .monomials
            .iter()
            .map(|(t, c)| match *c == Int::ONE {
                true => self.get_int(*t),
                false => ZInt::mul(&[int(c), self.get_int(*t)]),
            })
            .collect();
        if with_constant && !sum.constant.is_zero() {
            summands.push(int(&sum.constant));
        }
        match summands.len() {
            1 => summands.remove(0),
            _ => ZInt::add(&summands),
        }
    }

    fn linear_real(&self, sum: &Sum, with_constant: bool) -> ZReal {
        let mut summands: Vec<ZReal> = sum
            .monomials
            .iter()
            .map(|(t, c)| match *c == Int::ONE {
                true => self.get_real(*t),
                false => ZReal::mul(&[real(c, &Int::ONE), self.get_real(*t)]),
            })
            .collect();
        if with_constant && !sum.constant.is_zero() {
            summands.push(real(&sum.constant, &Int::ONE));
        }
        match summands.len() {
            1 => summands.remove(0),
            _ => ZReal::add(&summands),
        }
    }

    /// `sum <= 0` or `sum = 0`, as Z3 itself writes it: the constant on the right.
    fn comparison(&self, terms: &Terms, sum: Term, equal: bool) -> Bool {
        let sort = terms.sort(sum);
        let sum = terms.sum_of(sum);
        let bound = -&sum.constant;
        match (sort, equal) {
            (Sort::Int, true) => self.linear(&sum, false).eq(int(&bound)),
            (Sort::Int, false) => self.linear(&sum, false).le(int(&bound)),
            (_, true) => self.linear_real(&sum, false).eq(real(&bound, &Int::ONE)),
            (_, false) => self.linear_real(&sum, false).le(real(&bound, &Int::ONE)),
        }
    }

    fn product(&self, sort: Sort, factors: &[Term]) -> Dynamic {
        match sort {
            Sort::Int => {
                ZInt::mul(&factors.iter().map(|f| self.get_int(*f)).collect::<Vec<_>>()).into()
            }
            _ => ZReal::mul(&factors.iter().map(|f| self.get_real(*f)).collect::<Vec<_>>()).into(),
        }
    }

    fn quantified(
        &self,
        terms: &Terms,
        quantifier: Quantifier,
        bound: &[Symbol],
        body: Term,
    ) -> Bool {
        let constants: Vec<Dynamic> = bound.iter().map(|s| symbol_constant(terms, *s)).collect();
        let bound: Vec<&dyn Ast> = constants.iter().map(|c| c as &dyn Ast).collect();
        match quantifier {
            Quantifier::Forall => forall_const(&bound, &[], &self.get_bool(body)),
            Quantifier::Exists => exists_const(&bound, &[], &self.get_bool(body)),
        }
    }

    /// The declaration of a function of `terms`.
    pub(crate) fn declaration(&mut self, terms: &Terms, function: Function) -> &FuncDecl {
        self.functions.entry(function).or_insert_with(|| declare(terms, function))
    }
}

/// What the translation of `term` is made of: a comparison writes its sum out.
fn needed(terms: &Terms, term: Term) -> Parts {
    match terms.node(term) {
        Node::NonPositive(sum) | Node::Zero(sum) => {
            terms.sum_of(*sum).monomials.iter().map(|(t, _)| *t).collect()
        }
        node => node.parts(),
    }
}

pub(crate) fn symbol_constant(terms: &Terms, symbol: Symbol) -> Dynamic {
    Dynamic::new_const(terms.symbol_name(symbol), &z3_sort(terms, terms.symbol_sort(symbol)))
}

fn declare(terms: &Terms, function: Function) -> FuncDecl {
    let signature = terms.signature(function);
    let sorts: Vec<ZSort> = signature.arguments.iter().map(|s| z3_sort(terms, *s)).collect();
    FuncDecl::new(
        signature.name.as_str(),
        &sorts.iter().collect::<Vec<_>>(),
        &z3_sort(terms, signature.result),
    )
}

pub(crate) fn z3_sort(terms: &Terms, sort: Sort) -> ZSort {
    match sort {
        Sort::Bool => ZSort::bool(),
        Sort::Int => ZSort::int(),
        Sort::Real => ZSort::real(),
        Sort::BitVec(width) => ZSort::bitvector(width),
        Sort::Array(id) => {
            let (index, element) = terms.array_parts(id);
            ZSort::array(&z3_sort(terms, index), &z3_sort(terms, element))
        }
    }
}

fn int(value: &Int) -> ZInt {
    match i64::try_from(value.clone()) {
        Ok(small) => ZInt::from_i64(small),
        Err(_) => ZInt::from_str(&value.to_string()).expect("a decimal number"),
    }
}

fn real(numerator: &Int, denominator: &Int) -> ZReal {
    match (i64::try_from(numerator.clone()), i64::try_from(denominator.clone())) {
        (Ok(n), Ok(d)) => ZReal::from_rational(n, d),
        _ => ZReal::from_rational_str(&numerator.to_string(), &denominator.to_string())
            .expect("a decimal fraction"),
    }
}

fn bitvec(value: &Int, width: u32) -> BV {
    match u64::try_from(value.clone()) {
        Ok(small) => BV::from_u64(small, width),
        Err(_) => BV::from_str(width, &value.to_string()).expect("a decimal number"),
    }
}

fn bv_binary(op: BvBinary, a: &BV, b: &BV) -> BV {
    match op {
        BvBinary::Add => a.bvadd(b),
        BvBinary::Sub => a.bvsub(b),
        BvBinary::Mul => a.bvmul(b),
        BvBinary::Udiv => a.bvudiv(b),
        BvBinary::Urem => a.bvurem(b),
        BvBinary::Sdiv => a.bvsdiv(b),
        BvBinary::Srem => a.bvsrem(b),
        BvBinary::And => a.bvand(b),
        BvBinary::Or => a.bvor(b),
        BvBinary::Xor => a.bvxor(b),
        BvBinary::Shl => a.bvshl(b),
        BvBinary::Lshr => a.bvlshr(b),
        BvBinary::Ashr => a.bvashr(b),
    }
}

fn bv_compare(op: BvCompare, a: &BV, b: &BV) -> Bool {
    match op {
        BvCompare::Ult => a.bvult(b),
        BvCompare::Ule => a.bvule(b),
        BvCompare::Slt => a.bvslt(b),
        BvCompare::Sle => a.bvsle(b),
    }
}
