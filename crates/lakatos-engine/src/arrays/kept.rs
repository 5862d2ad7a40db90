//! What variables were given, where that still counts.
//!
//! `average = (int) (sum / n)` holds for as long as neither side changes, also when nobody needs `sum`
//! any more. Elements have to do with `sum`, not with what was made of it by conversions and divisions:
//! so guesses are about `sum`, and `average` follows.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_check::number;
use lakatos_evidence::{Draft, Meaning};
use lakatos_ir::modset::{Effects, Footprint};
use lakatos_ir::{Cfa, EdgeId, ExprId, Instr, LocId, PlaceKind, Program, Type, VarId};
use lakatos_logic::term::{Sort, Term};

/// Values that were made of values that were made of values.
const DEEPEST: usize = 6;
/// Locations, for each of the writes: in programs beyond nothing is kept.
const LARGEST: usize = 4_000_000;

/// By location: what variables were given.
#[derive(Debug, Default)]
pub(super) struct Kept {
    at: BTreeMap<LocId, Vec<Given>>,
    /// What their values were made of, and is not needed any more.
    spent: BTreeMap<LocId, BTreeSet<VarId>>,
}

/// A variable, and what it was given.
#[derive(Debug)]
struct Given {
    var: VarId,
    value: Value,
}

/// An expression, with what the variables in it were given.
#[derive(Debug)]
struct Value {
    expr: ExprId,
    parts: BTreeMap<VarId, Option<Value>>,
}

impl Kept {
    pub fn new(program: &Program, wanted: &BTreeMap<LocId, BTreeSet<VarId>>) -> Kept {
        let Some(body) = &program.procs[program.start].body else { return Kept::default() };
        let Some(finder) = Finder::new(program, body) else { return Kept::default() };
        let mut kept = Kept::default();
        for (&loc, vars) in wanted {
            let given = |var: &VarId| {
                let value = finder.value(*var, loc, DEEPEST)?;
                let is_other = !value.roots().is_empty() && !value.is_copy(program);
                is_other.then_some(Given { var: *var, value })
            };
            let given: Vec<Given> = vars.iter().filter_map(given).collect();
            let roots: BTreeSet<VarId> = given.iter().flat_map(|g| g.value.roots()).collect();
            kept.spent.insert(loc, &roots - vars);
            kept.at.insert(loc, given);
        }
        kept
    }

    pub fn is_empty(&self) -> bool {
        self.at.values().all(Vec::is_empty)
    }

    fn here(&self, loc: LocId) -> impl Iterator<Item = &Given> {
        self.at.get(&loc).into_iter().flatten()
    }

    /// What is wanted, and what values were made of.
    pub fn with_spent(
        &self,
        wanted: &BTreeMap<LocId, BTreeSet<VarId>>,
    ) -> BTreeMap<LocId, BTreeSet<VarId>> {
        let mut all = wanted.clone();
        for (loc, spent) in &self.spent {
            all.entry(*loc).or_default().extend(spent);
        }
        all
    }

    /// The variables that are not guessed about: either of both sides says enough.
    pub fn hidden(&self, loc: LocId, keeps: bool) -> BTreeSet<VarId> {
        match keeps {
            true => self.here(loc).map(|given| given.var).collect(),
            false => self.spent.get(&loc).cloned().unwrap_or_default(),
        }
    }

    /// That they have these values.
    pub fn claims(&self, program: &Program, draft: &mut Draft<'_>, loc: LocId) -> Vec<Term> {
        let equation = |given: &Given| {
            let value = given.value.term(program, draft)?;
            let var = draft.symbol(Meaning::now(given.var), Sort::Int);
            Some(draft.terms().eq(var, value))
        };
        self.here(loc).filter_map(equation).collect()
    }
}

impl Value {
    fn roots(&self) -> BTreeSet<VarId> {
        let of = |(var, value): (&VarId, &Option<Value>)| match value {
            Some(value) => value.roots(),
            None => BTreeSet::from([*var]),
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// The value of a variable, and nothing else.
    fn is_copy(&self, program: &Program) -> bool {
        let is_load = matches!(program.exprs[self.expr].kind, lakatos_ir::ExprKind::Load(_));
        is_load && self.parts.values().flatten().all(|value| value.is_copy(program))
    }

    fn term(&self, program: &Program, draft: &mut Draft<'_>) -> Option<Term> {
        let mut known: BTreeMap<VarId, Term> = BTreeMap::new();
        for (var, value) in &self.parts {
            let term = match value {
                Some(value) => value.term(program, draft)?,
                None => draft.symbol(Meaning::now(*var), Sort::Int),
            };
            known.insert(*var, term);
        }
        number(program, draft.terms(), self.expr, |_, var| known[&var])
    }
}

/// Which writes are behind which.
struct Finder<'a> {
    program: &'a Program,
    body: &'a Cfa,
    writes: BTreeMap<VarId, Vec<EdgeId>>,
    /// The locations that a run may come to, by where it is.
    after: BTreeMap<LocId, BTreeSet<LocId>>,
}

impl<'a> Finder<'a> {
    fn new(program: &'a Program, body: &'a Cfa) -> Option<Finder<'a>> {
        let mut writes: BTreeMap<VarId, Vec<EdgeId>> = BTreeMap::new();
        for (id, edge) in body.edges.iter() {
            for var in Effects::of_instr(program, program.start, &edge.instr).writes.vars {
                writes.entry(var).or_default().push(id);
            }
        }
        let size = writes.values().map(Vec::len).sum::<usize>() * body.locs.len();
        if size > LARGEST {
            return None;
        }
        let written = writes.values().flatten().map(|edge| body.edges[*edge].to);
        let after = written.map(|loc| (loc, reached(body, loc))).collect();
        Some(Finder { program, body, writes, after })
    }

    /// What a variable was given before a location, if that is one expression, and neither changes.
    fn value(&self, var: VarId, loc: LocId, depth: usize) -> Option<Value> {
        let writes = self.writes.get(&var)?;
        let mut before =
            writes.iter().filter(|edge| self.after[&self.body.edges[**edge].to].contains(&loc));
        let mut last = before.clone().filter(|edge| !self.is_written_behind(var, **edge));
        let (edge, None) = (*last.next()?, last.next()) else { return None };
        // Other writes come before it; they would have been enough for an earlier location.
        before.all(|other| self.comes_to(*other, edge)).then_some(())?;
        let Instr::Assign(place, expr) = self.body.edges[edge].instr else { return None };
        let is_plain = |var: &VarId| {
            let info = &self.program.vars[*var];
            info.ty.as_int().is_some() && info.ty != Type::BOOL && !info.address_taken
        };
        let is_whole = self.program.places[place].kind == PlaceKind::Var(var);
        let mut read = Footprint::default();
        read.add_expr(self.program, expr);
        let fits = is_whole
            && is_plain(&var)
            && read.memory.is_empty()
            && read.vars.iter().all(|part| is_plain(part) && !self.is_written_behind(*part, edge));
        let depth = depth.checked_sub(1).filter(|_| fits)?;
        let parts = read.vars.into_iter().map(|part| (part, self.value(part, loc, depth)));
        Some(Value { expr, parts: parts.collect() })
    }

    fn comes_to(&self, a: EdgeId, b: EdgeId) -> bool {
        a == b || self.after[&self.body.edges[a].to].contains(&self.body.edges[b].from)
    }

    /// Whether a variable may be written once more after an edge.
    fn is_written_behind(&self, var: VarId, edge: EdgeId) -> bool {
        let after = &self.after[&self.body.edges[edge].to];
        let mut writes = self.writes.get(&var).into_iter().flatten();
        writes.any(|other| after.contains(&self.body.edges[*other].from))
    }
}

fn reached(body: &Cfa, from: LocId) -> BTreeSet<LocId> {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(loc) = open.pop() {
        for edge in &body.locs[loc].out {
            let to = body.edges[*edge].to;
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    seen
}
