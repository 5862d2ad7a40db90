//! What edges, calls and returns mean, as formulas between program variables before and after.
//!
//! A formula speaks of one frame's variables by [`Role`]: their value now, before the step, at the
//! procedure's entry, in the caller, or in the callee. Domains conjoin a formula with a state and
//! abstract to what is *now*; refinement puts versions along a path in place of roles. States
//! speak of one frame only (DESIGN.md section 5): a variable's value at entry is its [`Role::Pre`]
//! where the procedure may change it, and its value now otherwise.

mod call;
mod transition;

use std::rc::Rc;

use lakatos_encode::machine::{Machine, Operand};
use lakatos_encode::ssa::Ssa;
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::modset::ModSets;
use lakatos_ir::{EdgeId, Instr, PlaceKind, ProcId, Program, VarId};
use lakatos_logic::term::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;

pub use self::call::Call;
pub use self::transition::{Input, Transition};

/// Which value of a variable a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// At the point that the formula is about.
    Now,
    /// Before the step that leads there.
    Old,
    /// When the procedure was entered.
    Pre,
    /// In the frame that the step entered from.
    Caller,
    /// In the frame that the step returned from, at its exit.
    Callee,
    /// In the frame that the step returned from, at its entry.
    CalleePre,
}

/// A program with the formulas of its edges.
#[derive(Debug)]
pub struct Semantics<'p> {
    pub program: &'p Program,
    pub calls: CallGraph,
    pub mods: ModSets,
    ssa: Ssa<'p>,
    machine: Machine,
    roles: FxHashMap<Symbol, (Role, VarId)>,
    symbols: FxHashMap<(Role, VarId), Term>,
    transitions: FxHashMap<(ProcId, EdgeId), Rc<Transition>>,
    known_calls: FxHashMap<(ProcId, EdgeId, ProcId), Rc<Call>>,
    /// The variables whose value a procedure may change, sorted: parameters and statics.
    changed: FxHashMap<ProcId, Rc<[VarId]>>,
}

impl<'p> Semantics<'p> {
    pub fn new(program: &'p Program, machine: Machine) -> Semantics<'p> {
        let calls = CallGraph::new(program);
        let mods = ModSets::new(program, &calls);
        Semantics {
            program,
            calls,
            mods,
            ssa: Ssa::opaque(program, machine),
            machine,
            roles: FxHashMap::default(),
            symbols: FxHashMap::default(),
            transitions: FxHashMap::default(),
            known_calls: FxHashMap::default(),
            changed: FxHashMap::default(),
        }
    }

    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// Whether formulas speak of the variable.
    pub fn tracks(&self, var: VarId) -> bool {
        self.ssa.tracks(var)
    }

    /// The symbol of a tracked variable in a role.
    pub fn symbol(&mut self, terms: &mut Terms, role: Role, var: VarId) -> Term {
        if let Some(known) = self.symbols.get(&(role, var)) {
            return *known;
        }
        debug_assert!(self.tracks(var));
        let info = &self.program.vars[var];
        let ty = info.ty.as_int().expect("tracked variables are integers");
        let name = match role {
            Role::Now => self.name(var),
            Role::Old => format!("{}@old", self.name(var)),
            Role::Pre => format!("{}@pre", self.name(var)),
            Role::Caller => format!("{}@caller", self.name(var)),
            Role::Callee => format!("{}@callee", self.name(var)),
            Role::CalleePre => format!("{}@callee-pre", self.name(var)),
        };
        let term = terms.symbol(&name, self.machine.sort(ty));
        self.symbols.insert((role, var), term);
        self.roles.insert(terms.as_symbol(term).expect("just made"), (role, var));
        term
    }

    pub fn operand(&mut self, terms: &mut Terms, role: Role, var: VarId) -> Operand {
        let ty = self.program.vars[var].ty.as_int().expect("tracked variables are integers");
        let term = self.symbol(terms, role, var);
        Operand::new(terms, term, ty)
    }

    /// As in the source; with its number where the name alone would not do.
    fn name(&self, var: VarId) -> String {
        let name = &self.program.vars[var].name;
        format!("{name}#{}", var.0)
    }

    pub fn role(&self, symbol: Symbol) -> Option<(Role, VarId)> {
        self.roles.get(&symbol).copied()
    }

    /// A formula with other values in place of roles; `None` keeps a symbol.
    pub fn replace_roles(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        mut value: impl FnMut(&mut Self, &mut Terms, Role, VarId) -> Option<Term>,
    ) -> Term {
        let mut map = FxHashMap::default();
        for symbol in terms.free_symbols(formula) {
            if let Some((role, var)) = self.role(symbol)
                && let Some(new) = value(self, terms, role, var)
            {
                map.insert(symbol, new);
            }
        }
        terms.substitute(formula, &map)
    }

    /// The range facts of the variables in a formula.
    pub fn ranges(&mut self, terms: &mut Terms, formula: Term) -> Term {
        let mut facts = Vec::new();
        for symbol in terms.free_symbols(formula) {
            if let Some((_, var)) = self.role(symbol) {
                let ty = self.program.vars[var].ty.as_int().expect("tracked variables");
                let term = terms.symbol_term(symbol);
                facts.push(self.machine.range(terms, term, ty));
            }
        }
        terms.and(facts)
    }

    /// The tracked parameters and statics that a procedure may change: those whose value at entry
    /// needs a symbol of its own.
    pub fn changed(&mut self, proc: ProcId) -> Rc<[VarId]> {
        if let Some(known) = self.changed.get(&proc) {
            return Rc::clone(known);
        }
        let program = self.program;
        let writes = &self.mods.of_proc(proc).writes;
        let mut vars: Vec<VarId> =
            writes.vars.iter().copied().filter(|v| self.ssa.tracks(*v)).collect();
        let assigned = assigned_names(program, proc);
        vars.extend(
            program.procs[proc]
                .params
                .iter()
                .copied()
                .filter(|v| self.ssa.tracks(*v) && assigned.contains(v)),
        );
        vars.sort_unstable();
        vars.dedup();
        let vars: Rc<[VarId]> = vars.into();
        self.changed.insert(proc, Rc::clone(&vars));
        vars
    }

    /// The tracked statics that a call of the procedure may change.
    pub fn changed_statics(&mut self, proc: ProcId) -> Vec<VarId> {
        let changed = self.changed(proc);
        let is_static = |v: &VarId| self.program.vars[*v].kind.frame().is_none();
        changed.iter().copied().filter(is_static).collect()
    }
}

/// The variables that instructions of a procedure assign by name.
fn assigned_names(program: &Program, proc: ProcId) -> Vec<VarId> {
    fn add(program: &Program, instr: &Instr, found: &mut Vec<VarId>) {
        let place = match instr {
            Instr::Assign(place, _) | Instr::Havoc(place, _) => Some(*place),
            Instr::Call(call) => call.result,
            Instr::Block(region) => {
                region.edges.iter().for_each(|e| add(program, &e.instr, found));
                None
            }
            _ => None,
        };
        if let Some(place) = place
            && let PlaceKind::Var(var) = program.places[place].kind
        {
            found.push(var);
        }
    }
    let mut found = Vec::new();
    if let Some(body) = &program.procs[proc].body {
        body.edges.iter().for_each(|(_, edge)| add(program, &edge.instr, &mut found));
    }
    found
}
