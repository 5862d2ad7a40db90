//! Conditions of the program about elements of arrays, with the index left open: what is asked of one
//! element may hold of many.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_check::truth;
use lakatos_evidence::{Draft, Meaning};
use lakatos_ir::modset::Footprint;
use lakatos_ir::walk::{self, Node};
use lakatos_ir::{BinOp, ExprId, ExprKind, IntType, PlaceKind, Program, Type, VarId};
use lakatos_logic::lemma::Theory;
use lakatos_logic::term::{self, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use super::functions::{Computed, Value};
use super::rows;
use super::sample::Sample;

const MOST: usize = 12;

/// A condition about an index.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub formula: Term,
    pub index: Symbol,
    /// What else it is about.
    vars: Vec<(Symbol, VarId)>,
}

/// The conditions of the start that are about elements or tell indices apart, for each variable in
/// indices.
pub(super) fn atoms(program: &Program, draft: &mut Draft<'_>) -> Vec<Atom> {
    let index = draft.terms().symbol("k", Sort::Int);
    let indices = rows::index_vars(program);
    let mut found: Vec<Atom> = Vec::new();
    for condition in conditions(program) {
        let mut read = Footprint::default();
        read.add_expr(program, condition);
        let Some(symbols) = symbols(program, draft, &read.vars) else { continue };
        let known = |_: &mut Terms, var: VarId| symbols[&var];
        let Some(meaning) = truth(program, draft.terms(), condition, known) else { continue };
        let own = symbols.iter().filter(|(var, _)| indices.contains(var));
        let own: BTreeSet<Symbol> =
            own.filter_map(|(_, term)| draft.terms().as_symbol(*term)).collect();
        for formula in opened(draft.terms(), meaning.holds, index, &own) {
            let terms = draft.terms();
            let free = terms.free_symbols(formula);
            let of = |(var, term): (&VarId, &Term)| Some((terms.as_symbol(*term)?, *var));
            let vars = symbols.iter().filter_map(of).filter(|(s, _)| free.contains(s)).collect();
            let is_new = !found.iter().any(|atom| atom.formula == formula);
            if is_new && found.len() < MOST {
                let index = terms.as_symbol(index).expect("it is one");
                found.push(Atom { formula, index, vars });
            }
        }
    }
    found
}

/// Truth values that read elements, or are equations.
fn conditions(program: &Program) -> Vec<ExprId> {
    let Some(body) = &program.procs[program.start].body else { return Vec::new() };
    let mut found: BTreeSet<ExprId> = BTreeSet::new();
    for (_, edge) in body.edges.iter() {
        for operand in walk::operands(&edge.instr) {
            walk::walk(program, Node::Expr(operand), &mut |node| {
                if let Node::Expr(e) = node
                    && program.exprs[e].ty == Type::BOOL
                    && (reads_elements(program, e) || is_equation(program, e))
                {
                    found.insert(e);
                }
            });
        }
    }
    found.into_iter().collect()
}

/// It tells one index from the others.
fn is_equation(program: &Program, e: ExprId) -> bool {
    matches!(program.exprs[e].kind, ExprKind::Binary(BinOp::Eq | BinOp::Ne, ..))
}

fn reads_elements(program: &Program, e: ExprId) -> bool {
    let mut found = false;
    walk::walk(program, Node::Expr(e), &mut |node| {
        if let Node::Expr(part) = node
            && let ExprKind::Load(place) = program.exprs[part].kind
            && let PlaceKind::Index(base, _) = program.places[place].kind
            && let PlaceKind::Var(var) = program.places[base].kind
        {
            found |= program.whole_array(var).is_some();
        }
    });
    found
}

/// The symbols of variables; `None` if one of them cannot be spoken of.
fn symbols(
    program: &Program,
    draft: &mut Draft<'_>,
    vars: &BTreeSet<VarId>,
) -> Option<BTreeMap<VarId, Term>> {
    let mut symbols = BTreeMap::new();
    for &var in vars {
        let sort = match (program.whole_array(var), program.vars[var].ty) {
            (Some(_), _) => draft.terms().array_sort(Sort::Int, Sort::Int),
            (None, Type::Int(IntType::BOOL)) => Sort::Bool,
            (None, Type::Int(_)) => Sort::Int,
            _ => return None,
        };
        let meant = rows::source(program, var)
            .filter(|source| program.vars[*source].ty.as_int().is_some() && sort == Sort::Int);
        symbols.insert(var, draft.symbol(Meaning::now(meant.unwrap_or(var)), sort));
    }
    Some(symbols)
}

/// A condition with an index, or one of the numbers that indices are made of, left open; one of the
/// indices of the program, where no element is read.
fn opened(terms: &mut Terms, formula: Term, open: Term, own: &BTreeSet<Symbol>) -> Vec<Term> {
    let (mut symbols, mut indices) = (BTreeSet::new(), BTreeSet::new());
    let parts = terms.parts_first(&[formula]);
    if !parts.iter().any(|part| matches!(terms.node(*part), term::Node::Select(..))) {
        symbols.extend(terms.free_symbols(formula).into_iter().filter(|s| own.contains(s)));
    }
    for part in parts {
        if let term::Node::Select(_, index) = *terms.node(part) {
            let free = terms.free_symbols(index);
            if terms.as_symbol(index).is_none() && !free.is_empty() {
                indices.insert(index);
            }
            symbols.extend(free.into_iter().filter(|s| terms.symbol_sort(*s) == Sort::Int));
        }
    }
    let mut found = Vec::new();
    for index in indices {
        found.push(terms.replace(formula, &FxHashMap::from_iter([(index, open)])));
    }
    for symbol in symbols {
        found.push(terms.substitute(formula, &FxHashMap::from_iter([(symbol, open)])));
    }
    found
}

impl Atom {
    /// Whether it holds at the first indices in a state. `None` where that cannot be told.
    pub fn table(&self, terms: &Terms, sample: &Sample, indices: i128) -> Vec<Option<bool>> {
        let nothing = Theory::default();
        let computed = Computed::new(terms, &nothing);
        let mut values: FxHashMap<Symbol, Value<'_>> = FxHashMap::default();
        for (symbol, var) in &self.vars {
            let value = match (sample.arrays.get(var), sample.integers.get(var)) {
                (Some(elements), _) => Value::Array(elements),
                (None, Some(number)) if terms.symbol_sort(*symbol) == Sort::Bool => {
                    Value::Truth(*number != 0)
                }
                (None, Some(number)) => Value::Number(*number),
                (None, None) => return vec![None; usize::try_from(indices).unwrap_or(0)],
            };
            values.insert(*symbol, value);
        }
        let at = |index: i128| {
            let mut values = values.clone();
            values.insert(self.index, Value::Number(index));
            computed.holds(self.formula, &values)
        };
        (0..indices).map(at).collect()
    }
}
