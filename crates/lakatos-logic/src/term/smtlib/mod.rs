//! Terms as SMT-LIB 2 text, with standard names only, for dumps and for solvers that are
//! processes.
//!
//! A term that is used twice is written once: `let` in a single term, `define-fun` in a script, so
//! the text is linear in the number of terms. What mentions bound symbols is shared inside its own
//! quantifier only. Conversions between integers and bits have the older names (`bv2nat`,
//! `int2bv`), which old and new solvers read.
//!
//! [`Session`] is for a solver that is told one formula after the other.

mod session;

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ArraySort, BvBinary, BvCompare, Function, Node, Quantifier, Sort, Sum, Symbol};
use super::{Term, TermSet, Terms, Value};
use crate::number::{Int, Rational, is_negative};

pub use self::session::Session;

/// Words that mean something in SMT-LIB or to a solver; those that begin with `bv` may as well.
const RESERVED: &str = "\
    ! _ as let exists forall match par lambda BINARY DECIMAL HEXADECIMAL NUMERAL STRING assert \
    check-sat declare-const declare-fun declare-sort define-fun define-sort echo exit model pop \
    push reset true false not and or xor implies iff distinct ite if => = + - * / ^ < <= > >= div \
    mod rem abs divisible to_real to_int is_int select store const map concat extract repeat \
    zero_extend sign_extend rotate_left rotate_right int2bv nat2bv ubv_to_int sbv_to_int int_to_bv \
    pi euler exp sin cos tan sqrt union intersection setminus member subset complement emptyset fp \
    RNE RNA RTP RTN RTZ is tuple table sep wand nil default as-array";

/// The blocks that names are good for: the outermost, or the body of a quantifier.
type Block = u32;
const OUTERMOST: Block = 0;

/// What remains to be written.
enum Piece {
    Text(String),
    /// A term of a block, by its name if it has one.
    Term(Term, Block),
    /// The body of a quantifier.
    Body(Term),
}

/// How things are called.
#[derive(Debug, Default)]
struct Names {
    symbols: FxHashMap<Symbol, String>,
    functions: FxHashMap<Function, String>,
    taken: FxHashSet<String>,
    /// Of shared terms; of those that are not local in the outermost block.
    shared: FxHashMap<(Term, Block), String>,
    count: u32,
}

/// Text of terms, all under the same names.
struct Printer<'a> {
    terms: &'a Terms,
    names: Names,
    /// Terms whose meaning depends on the block: they mention a symbol that is bound somewhere.
    local: TermSet,
    /// Terms with a name in the outermost block that is not yet written.
    undefined: Vec<Term>,
    blocks: Block,
}

impl Terms {
    /// A term, with `let` for what it uses twice.
    pub fn smtlib(&self, term: Term) -> String {
        let mut printer = Printer::new(self, &[term]);
        let shared = printer.shared_in(&[term], OUTERMOST);
        let mut out = String::new();
        let pieces = printer.let_block(shared, term, OUTERMOST);
        printer.write(pieces, &mut out);
        out
    }

    /// A whole script: declarations, assertions and `(check-sat)`.
    pub fn smtlib_script(&self, logic: &str, assertions: &[Term]) -> String {
        let mut printer = Printer::new(self, assertions);
        let mut out = format!("(set-logic {logic})\n");
        out += &printer.declarations(assertions);
        printer.define(assertions, &mut out);
        for assertion in assertions {
            out += "(assert ";
            printer.write(vec![Piece::Term(*assertion, OUTERMOST)], &mut out);
            out += ")\n";
        }
        out + "(check-sat)\n"
    }

    /// Declarations of the free symbols and functions of some terms. Names that SMT-LIB cannot
    /// have, or that clash among these terms, are changed: text of other terms may have others.
    pub fn smtlib_declarations(&self, of: &[Term]) -> String {
        Printer::new(self, of).declarations(of)
    }

    pub fn smtlib_sort(&self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_string(),
            Sort::Int => "Int".to_string(),
            Sort::Real => "Real".to_string(),
            Sort::BitVec(width) => format!("(_ BitVec {width})"),
            Sort::Array(sort) => self.array_text(sort),
        }
    }

    fn array_text(&self, sort: ArraySort) -> String {
        let (index, element) = self.array_parts(sort);
        format!("(Array {} {})", self.smtlib_sort(index), self.smtlib_sort(element))
    }

    fn functions_in(&self, order: &[Term]) -> BTreeSet<Function> {
        let function = |term: &Term| match self.node(*term) {
            Node::Apply(function, _) => Some(*function),
            _ => None,
        };
        order.iter().filter_map(function).collect()
    }
}

impl Names {
    fn add(&mut self, terms: &Terms, order: &[Term]) {
        let symbols: BTreeSet<Symbol> = order.iter().filter_map(|t| terms.as_symbol(*t)).collect();
        for symbol in symbols {
            if !self.symbols.contains_key(&symbol) {
                let name = self.pick(terms.symbol_name(symbol));
                self.symbols.insert(symbol, name);
            }
        }
        for function in terms.functions_in(order) {
            if !self.functions.contains_key(&function) {
                let name = self.pick(&terms.signature(function).name);
                self.functions.insert(function, name);
            }
        }
    }

    /// A name like `wanted` that nothing else has.
    fn pick(&mut self, wanted: &str) -> String {
        let mut base: String = wanted
            .chars()
            .map(|c| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c })
            .collect();
        // Those beginnings are for solvers and their operators; an empty name reads badly.
        if base.is_empty() || base.starts_with(['@', '.']) || base.starts_with("bv") {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        let mut number = 0;
        while RESERVED.split(' ').any(|word| word == name) || !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}!{number}");
        }
        quoted(name)
    }
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, roots: &[Term]) -> Printer<'a> {
        Printer::under(Names::default(), terms, roots)
    }

    /// Under the names that things have already.
    fn under(mut names: Names, terms: &'a Terms, roots: &[Term]) -> Printer<'a> {
        let order = terms.parts_first(roots);
        names.add(terms, &order);
        let (local, undefined) = (TermSet::default(), Vec::new());
        let mut printer = Printer { terms, names, local, undefined, blocks: OUTERMOST };
        printer.find_local(&order);
        printer.share_everywhere(&order, roots);
        printer
    }

    fn declarations(&self, of: &[Term]) -> String {
        let mut out = String::new();
        for symbol in self.terms.free_symbols_of(of) {
            self.declare_symbol(symbol, &mut out);
        }
        for function in self.terms.functions_in(&self.terms.parts_first(of)) {
            self.declare_function(function, &mut out);
        }
        out
    }

    fn declare_symbol(&self, symbol: Symbol, out: &mut String) {
        let sort = self.terms.smtlib_sort(self.terms.symbol_sort(symbol));
        let _ = writeln!(out, "(declare-fun {} () {sort})", self.names.symbols[&symbol]);
    }

    fn declare_function(&self, function: Function, out: &mut String) {
        let signature = self.terms.signature(function);
        let arguments: Vec<String> =
            signature.arguments.iter().map(|s| self.terms.smtlib_sort(*s)).collect();
        let (arguments, result) = (arguments.join(" "), self.terms.smtlib_sort(signature.result));
        let name = &self.names.functions[&function];
        let _ = writeln!(out, "(declare-fun {name} ({arguments}) {result})");
    }

    /// Definitions of what `roots` share.
    fn define(&mut self, roots: &[Term], out: &mut String) {
        for term in self.shared_in(roots, OUTERMOST) {
            let pieces = self.expand(term, OUTERMOST);
            let name = self.name(term, OUTERMOST);
            let sort = self.terms.smtlib_sort(self.terms.sort(term));
            let _ = write!(out, "(define-fun {name} () {sort} ");
            self.write(pieces, out);
            out.push_str(")\n");
        }
    }

    fn find_local(&mut self, order: &[Term]) {
        let mut bound = FxHashSet::default();
        for term in order {
            if let Node::Quantified(_, symbols, _) = self.terms.node(*term) {
                bound.extend(symbols.iter().copied());
            }
        }
        for &term in order {
            let local = match self.terms.node(term) {
                Node::Symbol(symbol) => bound.contains(symbol),
                Node::Quantified(..) => self.terms.free[&term].iter().any(|s| bound.contains(s)),
                node => node.parts().iter().any(|part| self.local.contains(*part)),
            };
            if local {
                self.local.insert(term);
            }
        }
    }

    /// Names for the terms that mean the same everywhere and are used twice.
    fn share_everywhere(&mut self, order: &[Term], roots: &[Term]) {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let parts = order.iter().flat_map(|term| self.terms.node(*term).parts());
        for term in parts.chain(roots.iter().copied()) {
            *uses.entry(term).or_default() += 1;
        }
        for term in order {
            if uses[term] > 1 && !self.local.contains(*term) && !self.is_leaf(*term) {
                self.share(*term, OUTERMOST);
            }
        }
    }

    /// A name for a term that has none.
    fn share(&mut self, term: Term, block: Block) {
        let Entry::Vacant(entry) = self.names.shared.entry((term, block)) else { return };
        let name = loop {
            self.names.count += 1;
            let name = format!("?{}", self.names.count);
            // Symbols that come later must not have it either.
            if self.names.taken.insert(name.clone()) {
                break name;
            }
        };
        entry.insert(name);
        if block == OUTERMOST {
            self.undefined.push(term);
        }
    }

    fn is_leaf(&self, term: Term) -> bool {
        self.terms.node(term).parts().is_empty()
    }

    /// The block that a term of `block` may have a name in.
    fn home(&self, term: Term, block: Block) -> Block {
        if self.local.contains(term) { block } else { OUTERMOST }
    }

    fn name(&self, term: Term, block: Block) -> &str {
        &self.names.shared[&(term, self.home(term, block))]
    }

    /// The terms to be named at the start of a block, parts first.
    fn shared_in(&mut self, roots: &[Term], block: Block) -> Vec<Term> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            let uses = uses.entry(term).or_default();
            *uses += 1;
            match self.terms.node(term) {
                Node::Quantified(..) => {}
                node if *uses == 1 => {
                    open.extend(node.parts().into_iter().filter(|p| self.local.contains(*p)));
                }
                _ => {}
            }
        }
        let twice = |(term, uses): (Term, u32)| (uses > 1).then_some(term);
        let mut shared: Vec<Term> = uses.into_iter().filter_map(twice).collect();
        shared.retain(|t| self.local.contains(*t) && !self.is_leaf(*t));
        shared.sort_unstable();
        for term in &shared {
            self.share(*term, block);
        }
        if block == OUTERMOST {
            shared = std::mem::take(&mut self.undefined);
            shared.sort_unstable();
        }
        shared
    }

    /// `body` after `let`s for the terms named in its block.
    fn let_block(&self, shared: Vec<Term>, body: Term, block: Block) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for term in &shared {
            pieces.push(Piece::Text(format!("(let (({} ", self.name(*term, block))));
            pieces.extend(self.expand(*term, block));
            pieces.push(Piece::Text(")) ".to_string()));
        }
        pieces.push(Piece::Term(body, block));
        pieces.push(Piece::Text(")".repeat(shared.len())));
        pieces
    }

    fn write(&mut self, pieces: Vec<Piece>, out: &mut String) {
        let mut open = pieces;
        open.reverse();
        while let Some(piece) = open.pop() {
            let inner = match piece {
                Piece::Text(text) => {
                    out.push_str(&text);
                    continue;
                }
                Piece::Term(term, block) => {
                    if let Some(name) = self.names.shared.get(&(term, self.home(term, block))) {
                        out.push_str(name);
                        continue;
                    }
                    self.expand(term, block)
                }
                Piece::Body(body) => {
                    self.blocks += 1;
                    let block = self.blocks;
                    let shared = self.shared_in(&[body], block);
                    self.let_block(shared, body, block)
                }
            };
            open.extend(inner.into_iter().rev());
        }
    }

    /// A term in terms of its parts.
    fn expand(&self, term: Term, block: Block) -> Vec<Piece> {
        let node = self.terms.node(term);
        let text = match node {
            Node::Bool(value) => value.to_string(),
            Node::Int(value) => int_text(value),
            Node::Real(value) => real_text(value),
            Node::BitVec(value, width) => bits_text(value, *width),
            Node::Symbol(symbol) => self.names.symbols[symbol].clone(),
            Node::Apply(function, arguments) if arguments.is_empty() => {
                self.names.functions[function].clone()
            }
            Node::Sum(sum) => return self.expand_sum(sum, self.terms.sort(term), block),
            Node::NonPositive(number) | Node::Zero(number) => {
                let relation = if matches!(node, Node::Zero(_)) { "=" } else { "<=" };
                let zero = if self.terms.sort(*number) == Sort::Int { "0" } else { "0.0" };
                return vec![
                    Piece::Text(format!("({relation} ")),
                    Piece::Term(*number, block),
                    Piece::Text(format!(" {zero})")),
                ];
            }
            Node::Quantified(quantifier, bound, body) => {
                return self.expand_quantifier(*quantifier, bound, *body);
            }
            _ => return call(self.head(node), node.parts(), block),
        };
        vec![Piece::Text(text)]
    }

    /// The operator of a term that is an operator with its parts.
    fn head(&self, node: &Node) -> String {
        let name = match node {
            Node::Apply(function, _) => &self.names.functions[function],
            Node::Not(_) => "not",
            Node::And(_) => "and",
            Node::Or(_) => "or",
            Node::Ite(..) => "ite",
            Node::Eq(..) => "=",
            Node::Product(_) => "*",
            Node::Div(..) => "div",
            Node::Mod(..) => "mod",
            Node::ToReal(_) => "to_real",
            Node::BvNot(_) => "bvnot",
            Node::BvNeg(_) => "bvneg",
            Node::BvBinary(op, ..) => op.smtlib(),
            Node::BvCompare(op, ..) => op.smtlib(),
            Node::Concat(..) => "concat",
            Node::BvToInt(_) => "bv2nat",
            Node::Select(..) => "select",
            Node::Store(..) => "store",
            Node::Extract { high, low, .. } => return format!("(_ extract {high} {low})"),
            Node::ZeroExtend(by, _) => return format!("(_ zero_extend {by})"),
            Node::SignExtend(by, _) => return format!("(_ sign_extend {by})"),
            Node::IntToBv(width, _) => return format!("(_ int2bv {width})"),
            Node::ConstArray(sort, _) => {
                return format!("(as const {})", self.terms.array_text(*sort));
            }
            node => unreachable!("{node:?} is written in its own way"),
        };
        name.to_string()
    }

    fn expand_sum(&self, sum: &Sum, sort: Sort, block: Block) -> Vec<Piece> {
        let number = |numerator: &Int| match sort {
            Sort::Int => int_text(numerator),
            _ => {
                let denominator = sum.denominator.clone().try_into().expect("it is positive");
                real_text(&Rational::from_parts(numerator.clone(), denominator))
            }
        };
        let is_sum = sum.monomials.len() > 1 || !sum.constant.is_zero();
        let mut pieces = Vec::new();
        for (term, coefficient) in &sum.monomials {
            let (before, after) = match coefficient {
                c if *c == sum.denominator => (String::new(), ""),
                c if -c == sum.denominator => ("(- ".to_string(), ")"),
                c => (format!("(* {} ", number(c)), ")"),
            };
            pieces.push(Piece::Text(if is_sum { format!(" {before}") } else { before }));
            pieces.push(Piece::Term(*term, block));
            pieces.push(Piece::Text(after.to_string()));
        }
        if !sum.constant.is_zero() {
            pieces.push(Piece::Text(format!(" {}", number(&sum.constant))));
        }
        if is_sum {
            pieces.insert(0, Piece::Text("(+".to_string()));
            pieces.push(Piece::Text(")".to_string()));
        }
        pieces
    }

    fn expand_quantifier(&self, kind: Quantifier, bound: &[Symbol], body: Term) -> Vec<Piece> {
        let kind = match kind {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        };
        let declare = |symbol: &Symbol| {
            let sort = self.terms.smtlib_sort(self.terms.symbol_sort(*symbol));
            format!("({} {sort})", self.names.symbols[symbol])
        };
        let bound: Vec<String> = bound.iter().map(declare).collect();
        vec![
            Piece::Text(format!("({kind} ({}) ", bound.join(" "))),
            Piece::Body(body),
            Piece::Text(")".to_string()),
        ]
    }
}

fn call(head: String, parts: impl IntoIterator<Item = Term>, block: Block) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(format!("({head}"))];
    for part in parts {
        pieces.push(Piece::Text(" ".to_string()));
        pieces.push(Piece::Term(part, block));
    }
    pieces.push(Piece::Text(")".to_string()));
    pieces
}

/// The name as a symbol of SMT-LIB; it holds neither `|` nor `\`.
fn quoted(name: String) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    match name.chars().all(simple) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => name,
        false => format!("|{name}|"),
    }
}

fn int_text(value: &Int) -> String {
    match is_negative(value) {
        true => format!("(- {})", -value),
        false => value.to_string(),
    }
}

fn real_text(value: &Rational) -> String {
    let numerator = value.numerator();
    let above = match is_negative(numerator) {
        true => format!("(- {}.0)", -numerator),
        false => format!("{numerator}.0"),
    };
    match Int::from(value.denominator().clone()) == Int::ONE {
        true => above,
        false => format!("(/ {above} {}.0)", value.denominator()),
    }
}

impl Value {
    /// The value as a constant expression.
    pub fn smtlib(&self, terms: &Terms) -> String {
        match self {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => int_text(value),
            Value::Real(value) => real_text(value),
            Value::BitVec(value, width) => bits_text(value, *width),
            Value::Array(array) => {
                let (sort, default) = (terms.array_text(array.sort), array.default.smtlib(terms));
                let mut text = "(store ".repeat(array.entries.len());
                let _ = write!(text, "((as const {sort}) {default})");
                for (index, element) in &array.entries {
                    let _ = write!(text, " {} {})", index.smtlib(terms), element.smtlib(terms));
                }
                text
            }
        }
    }
}

fn bits_text(value: &Int, width: u32) -> String {
    match width % 4 {
        0 => format!("#x{:0>1$}", value.in_radix(16).to_string(), width as usize / 4),
        _ => format!("#b{:0>1$}", value.in_radix(2).to_string(), width as usize),
    }
}

impl BvBinary {
    fn smtlib(self) -> &'static str {
        match self {
            BvBinary::Add => "bvadd",
            BvBinary::Sub => "bvsub",
            BvBinary::Mul => "bvmul",
            BvBinary::Udiv => "bvudiv",
            BvBinary::Urem => "bvurem",
            BvBinary::Sdiv => "bvsdiv",
            BvBinary::Srem => "bvsrem",
            BvBinary::And => "bvand",
            BvBinary::Or => "bvor",
            BvBinary::Xor => "bvxor",
            BvBinary::Shl => "bvshl",
            BvBinary::Lshr => "bvlshr",
            BvBinary::Ashr => "bvashr",
        }
    }
}

impl BvCompare {
    fn smtlib(self) -> &'static str {
        match self {
            BvCompare::Ult => "bvult",
            BvCompare::Ule => "bvule",
            BvCompare::Slt => "bvslt",
            BvCompare::Sle => "bvsle",
        }
    }
}
