//! Path formulas in static single assignment form (DESIGN.md section 5).
//!
//! A variable of a frame ([`Instance`]) has a symbol for each of its versions. A step of the
//! program ([`Ssa::step`]) is a formula between the versions before it and those after it
//! ([`Versions`]), which changes the version of what it assigns: `x := x + 1` is `x@4 = x@3 + 1`.
//! A block is one step. Range facts stand apart from the formulas, since engines differ in where
//! they want them; without them a formula of the `int` encoding allows more than the program.
//!
//! A symbol leads back to its variable and version ([`Ssa::origin`]), so what is found about a
//! path can be said of program variables ([`Ssa::to_variables`]) and taken elsewhere
//! ([`Ssa::at`]). Calls are not encoded: what they mean is the engine's decision.
//!
//! What is not an integer, or lives in memory, is refused, or *opaque* ([`Ssa::opaque`]): it holds
//! any value whenever it is read, and writing it changes nothing that is known. That allows more
//! than the program does.

mod block;
mod path;

use std::collections::BTreeMap;

use lakatos_ir::{Id, IntType, ProcId, Program, SiteId, Span, VarId};
use lakatos_logic::term::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use crate::expr::Unsupported;
use crate::machine::{Machine, Operand};

lakatos_ir::define_ids! {
    /// A frame whose variables have symbols of their own.
    FrameId = "frame";
}

/// A variable of a frame, or one of static storage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    /// `None` for static storage.
    pub frame: Option<FrameId>,
    pub var: VarId,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A variable at some point of a path.
    Version(Instance, u32),
    /// A variable at whatever point a formula is about.
    Variable(VarId),
}

/// The current version of every variable at a point of a path; zero at first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Versions(BTreeMap<Instance, u32>);

impl Versions {
    pub fn get(&self, instance: Instance) -> u32 {
        self.0.get(&instance).copied().unwrap_or(0)
    }

    /// The variable has a new value.
    pub fn advance(&mut self, instance: Instance) -> u32 {
        let version = self.0.entry(instance).or_default();
        *version += 1;
        *version
    }

    /// The variables whose version is not the first, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Instance, u32)> + '_ {
        self.0.iter().map(|(instance, version)| (*instance, *version))
    }
}

/// Why a step has no formula here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Obstacle {
    #[error("a call is no step of one frame")]
    Call { span: Span },
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

/// One step of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The step is taken and nothing in it is undefined; the new versions have their values.
    pub formula: Term,
    /// The range facts of the symbols that the step introduces.
    pub ranges: Term,
    /// For each edge of a block (else for the one instruction): what it takes to pass it for a
    /// run that has come to where it begins. A model makes exactly one way through the block
    /// true; [`way_through`](lakatos_ir::pass::way_through) finds it.
    pub guards: Vec<Term>,
    /// What came from outside, in the order of the run.
    pub inputs: Vec<Input>,
    /// Something opaque was read, or what may be undefined in something opaque was passed over:
    /// the formula may allow more than the program does.
    pub opaque: bool,
}

/// A value from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The number of the edge in its block; zero where there is none.
    pub edge: usize,
    pub site: SiteId,
    pub value: Operand,
}

#[derive(Clone, Debug)]
struct Frame {
    proc: ProcId,
    prefix: String,
}

/// The symbols of a program's variables.
#[derive(Clone, Debug)]
pub struct Ssa<'p> {
    program: &'p Program,
    machine: Machine,
    frames: Vec<Frame>,
    origins: FxHashMap<Symbol, Origin>,
    opaque: bool,
}

impl<'p> Ssa<'p> {
    pub fn new(program: &'p Program, machine: Machine) -> Ssa<'p> {
        Ssa { program, machine, frames: Vec::new(), origins: FxHashMap::default(), opaque: false }
    }

    /// Takes what is no plain integer variable for opaque instead of refusing it.
    pub fn opaque(program: &'p Program, machine: Machine) -> Ssa<'p> {
        Ssa { opaque: true, ..Ssa::new(program, machine) }
    }

    /// Whether formulas speak of the variable: it is an integer and, where the rest is opaque, no
    /// pointer can reach it.
    pub fn tracks(&self, var: VarId) -> bool {
        let var = &self.program.vars[var];
        var.ty.as_int().is_some() && !(self.opaque && var.address_taken)
    }

    /// The frame of a procedure with this name, which stands before those of its variables.
    pub fn frame(&mut self, proc: ProcId, prefix: &str) -> FrameId {
        let known = self.frames.iter().position(|f| f.proc == proc && f.prefix == prefix);
        FrameId::from_index(known.unwrap_or_else(|| {
            self.frames.push(Frame { proc, prefix: prefix.to_owned() });
            self.frames.len() - 1
        }))
    }

    /// The variable that `var` means in a frame.
    pub fn instance(&self, frame: FrameId, var: VarId) -> Instance {
        let frame = self.program.vars[var].kind.frame().map(|_| frame);
        Instance { frame, var }
    }

    /// The symbol of a version; `None` for a variable that is no integer.
    pub fn symbol(
        &mut self,
        terms: &mut Terms,
        instance: Instance,
        version: u32,
    ) -> Option<Operand> {
        let prefix = match instance.frame {
            Some(frame) => format!("{}::", self.frames[frame.index()].prefix),
            None => String::new(),
        };
        let suffix = format!("@{version}");
        self.named(terms, instance.var, &prefix, &suffix, Origin::Version(instance, version))
    }

    /// The symbol of a variable in formulas that are about no particular path: predicates.
    pub fn variable(&mut self, terms: &mut Terms, var: VarId) -> Option<Operand> {
        self.named(terms, var, "", "", Origin::Variable(var))
    }

    /// Names in the source may be equal, so the variable's number is part of the symbol's name.
    fn named(
        &mut self,
        terms: &mut Terms,
        id: VarId,
        prefix: &str,
        suffix: &str,
        origin: Origin,
    ) -> Option<Operand> {
        let var = &self.program.vars[id];
        let ty = var.ty.as_int()?;
        let name = format!("{prefix}{}#{}{suffix}", var.name, id.index());
        let term = terms.symbol(&name, self.machine.sort(ty));
        let symbol = terms.as_symbol(term).expect("just made");
        self.origins.insert(symbol, origin);
        Some(Operand::new(terms, term, ty))
    }

    /// What a symbol stands for; `None` for one that was not made here.
    pub fn origin(&self, symbol: Symbol) -> Option<Origin> {
        self.origins.get(&symbol).copied()
    }

    fn type_of(&self, symbol: Symbol) -> Option<IntType> {
        let var = match self.origin(symbol)? {
            Origin::Version(instance, _) => instance.var,
            Origin::Variable(var) => var,
        };
        self.program.vars[var].ty.as_int()
    }

    /// The range facts of all variables in a formula.
    pub fn ranges_of(&self, terms: &mut Terms, formula: Term) -> Term {
        let mut facts = Vec::new();
        for symbol in terms.free_symbols(formula) {
            if let Some(ty) = self.type_of(symbol) {
                let term = terms.symbol_term(symbol);
                facts.push(self.machine.range(terms, term, ty));
            }
        }
        terms.and(facts)
    }

    /// A formula about a point of a path as one about the variables that a frame sees there.
    /// `None` if it mentions another frame or a version that is not current.
    pub fn to_variables(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        frame: FrameId,
        versions: &Versions,
    ) -> Option<Term> {
        let mut map = FxHashMap::default();
        for symbol in terms.free_symbols(formula) {
            if let Some(Origin::Version(instance, version)) = self.origin(symbol) {
                let visible = instance == self.instance(frame, instance.var)
                    && version == versions.get(instance);
                let variable = self.variable(terms, instance.var).filter(|_| visible)?;
                map.insert(symbol, variable.term);
            }
        }
        Some(terms.substitute(formula, &map))
    }

    /// A formula about the variables that a frame sees as one about a point of a path.
    pub fn at(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        frame: FrameId,
        versions: &Versions,
    ) -> Term {
        let mut map = FxHashMap::default();
        for symbol in terms.free_symbols(formula) {
            if let Some(Origin::Variable(var)) = self.origin(symbol) {
                let instance = self.instance(frame, var);
                let current = self.symbol(terms, instance, versions.get(instance));
                map.extend(current.map(|current| (symbol, current.term)));
            }
        }
        terms.substitute(formula, &map)
    }
}
