//! Modular verification: a program cut at the contracts that the user wrote, so that each function
//! is a program of its own, which any engine can be asked about.
//!
//! ```text
//! Program, annotations ──Modular──▶ modules ──piece──▶ Program with goals as errors
//! ```
//!
//! A call of a function with a contract becomes a call of its stub (`stub`), which checks what the
//! function requires and then does what the contract allows. A *module* is a function: its program
//! (`piece`) begins in any state that the contract allows (`main` in the state in which programs
//! begin), calls the function, and checks what it ensures and that nothing else changed. Assertions
//! and loop invariants are checked where they stand (`annotate`); functions without a contract are
//! part of the modules that call them.
//!
//! If no module reaches an error, no run of the program does: take the first clause of a run that
//! does not hold, or its first error. The call around it was made as its contract requires, and all
//! calls before have done what their contracts allow, since these clauses came earlier. So the module
//! of the function around it has a run to the same error. The conclusion rests on the contracts of
//! functions without a body, and on what `admit` says: they are listed as assumptions.
//!
//! What cannot be translated exactly (`translate`) is named with its place; its function is then
//! looked at as if it had no contract, and there is no proof of the whole.
//!
//! [`Clauses`] are the same clauses in the program as a whole, which stays in one piece.
//!
//! Not in here: engines, verdicts, whether something holds.

mod annotate;
mod chain;
mod clauses;
mod exact;
mod goal;
mod known;
mod names;
mod piece;
mod spec;
mod stub;
mod translate;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_acsl::read::{Failure, FunctionContract};
use lakatos_acsl::spec::Mode;
use lakatos_acsl::tree::Theory;
use lakatos_c::ast::{DeclId, DeclKind, Unit};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::modset::{Effects, ModSets};
use lakatos_ir::{Callee, Diagnostic, ExprKind, Instr, ProcId, Program, Span, VarId};

pub use crate::clauses::{Clauses, Use, UserClause, When};
use crate::goal::Goals;
pub use crate::goal::{Goal, violated};
use crate::names::Names;
pub use crate::piece::{Piece, Question};
use crate::spec::Spec;
use crate::stub::{Stub, Workshop};
use crate::translate::Refused;

/// Something that is believed and not shown, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    pub text: String,
    pub span: Option<Span>,
}

/// How a module's calls of functions with contract and body are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    ByContract,
    /// Functions without a body have nothing else than their contracts.
    ByBody,
}

/// A function that is looked at by itself.
#[derive(Clone, Debug)]
pub struct Module {
    pub proc: ProcId,
    pub name: String,
    /// Its name where it is declared.
    pub span: Span,
    pub kind: ModuleKind,
    /// It has a contract.
    pub(crate) spec: Option<usize>,
    /// By contract, it calls functions that have bodies.
    pub uses_contracts: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    /// Where the program begins.
    Main,
    Function,
    /// It has no body: there is only its contract to look at.
    Declared,
}

/// A program, cut.
#[derive(Debug)]
pub struct Modular {
    pub modules: Vec<Module>,
    /// What is not supported: while there is something, nothing is proved.
    pub problems: Vec<Diagnostic>,
    pub assumptions: Vec<Assumed>,
    /// A function without a body has a contract that could not be used: what it does is not known.
    pub open: bool,
    theory: Theory,
    names: Names,
    constants: BTreeSet<VarId>,
    specs: Vec<Spec>,
    stubs: Vec<Stub>,
    goals: Goals,
    /// The errors of the program itself.
    errors: Vec<ProcId>,
    by_contract: Program,
    by_body: Program,
    /// Of the functions of `specs`.
    effects: Vec<Effects>,
}

/// Something that is not supported, in the words of the front-end.
pub(crate) fn unsupported(refused: &Refused) -> Diagnostic {
    Diagnostic::unsupported(refused.span, &refused.what)
}

impl Modular {
    /// Cuts a program; the unit is what it was made from. `has_main` is false if the user's program
    /// has no `main`, so that nobody asks where it begins.
    pub fn new(program: &Program, unit: &Unit, has_main: bool) -> Result<Modular, Box<Failure>> {
        let mut theory = Theory::default();
        let annotations = lakatos_acsl::read_program(&mut theory, unit)?;
        let mut program = program.clone();
        let names = Names::new(&mut program, unit);
        let constants = constants(&program, unit);
        let mut cutting = Cutting {
            theory: &theory,
            names: &names,
            constants: &constants,
            problems: annotations.unsupported.clone(),
            assumptions: Vec::new(),
            open: false,
        };
        let errors = program.procs.iter().filter(|(_, p)| p.is_error).map(|(id, _)| id).collect();
        let specs = cutting.specs(&program, unit, &annotations.contracts);
        specs.iter().for_each(|spec| spec.is_the_model(&mut program));
        let mut goals = Goals::default();
        let mut by_body = program.clone();
        let stubs = cutting.exact(&mut by_body, &specs, &mut goals);
        let workshop = cutting.workshop();
        let bodies = annotate::annotate(&workshop, &mut by_body, &annotations, &mut goals);
        cutting.problems.extend(bodies.problems);
        cutting.assumptions.extend(bodies.assumed);
        let mods = ModSets::new(&by_body, &CallGraph::new(&by_body));
        let effects: Vec<Effects> =
            specs.iter().map(|spec| mods.of_proc(spec.proc).clone()).collect();
        let by_contract = cutting.modular(&by_body, &specs, &stubs, &effects);
        // Of a library, every function may be called.
        let mut looked_at = bodies.annotated;
        if !has_main {
            let defined = program.defined().map(|(proc, ..)| proc);
            looked_at = defined.filter(|p| ![program.start, program.main].contains(p)).collect();
        }
        let modules = modules(&by_contract, &specs, looked_at, has_main);
        cutting.believed(&specs, &theory, has_main.then_some(program.main));
        let Cutting { mut problems, assumptions, open, .. } = cutting;
        problems.sort_by_key(|problem| problem.span);
        problems.dedup();
        Ok(Modular {
            modules,
            problems,
            assumptions,
            open,
            theory,
            names,
            constants,
            specs,
            stubs,
            goals,
            errors,
            by_contract,
            by_body,
            effects,
        })
    }

    /// Whether a procedure is one of ours, which stands for memory that changes.
    pub fn is_own(name: &str) -> bool {
        name.starts_with(stub::MEMORY)
    }

    /// Whether a function cannot be called as one likes.
    pub fn requires_something(&self, module: &Module) -> bool {
        module.spec.is_some_and(|index| !self.specs[index].requires().is_empty())
    }

    /// Whether a call of the function may be expected to return.
    pub fn returns(&self, module: &Module) -> bool {
        module.spec.is_none_or(|index| self.specs[index].returns)
    }

    /// Where the contract of a module is.
    pub fn contract_span(&self, module: &Module) -> Span {
        module.spec.map_or(module.span, |index| self.specs[index].contracts[0].span)
    }

    fn workshop(&self) -> Workshop<'_> {
        Workshop { theory: &self.theory, names: &self.names, constants: &self.constants }
    }
}

/// Objects that the program may not change.
fn constants(program: &Program, unit: &Unit) -> BTreeSet<VarId> {
    let objects = unit.objects.iter().map(|decl| &unit.decls[*decl]);
    let fixed = objects.filter(|decl| {
        let quals = unit.types.quals(decl.ty);
        quals.is_const && !quals.is_volatile
    });
    let fixed: BTreeSet<Span> = fixed.map(|decl| decl.span).collect();
    let vars = program
        .vars
        .iter()
        .filter(|(_, var)| var.kind.frame().is_none() && fixed.contains(&var.span));
    vars.map(|(id, _)| id).collect()
}

/// The state of cutting a program.
struct Cutting<'c> {
    theory: &'c Theory,
    names: &'c Names,
    constants: &'c BTreeSet<VarId>,
    problems: Vec<Diagnostic>,
    assumptions: Vec<Assumed>,
    open: bool,
}

impl Cutting<'_> {
    fn workshop(&self) -> Workshop<'_> {
        Workshop { theory: self.theory, names: self.names, constants: self.constants }
    }

    /// The functions whose contracts can be used as they are.
    fn specs(
        &mut self,
        program: &Program,
        unit: &Unit,
        contracts: &[FunctionContract],
    ) -> Vec<Spec> {
        let mut by_function: BTreeMap<DeclId, Vec<FunctionContract>> = BTreeMap::new();
        for contract in contracts {
            by_function.entry(contract.function).or_default().push(contract.clone());
        }
        let mut specs = Vec::new();
        for (function, contracts) in by_function {
            let name = contracts[0].name.clone();
            let Some(proc) = program.proc_named(&name) else { continue };
            let (procedure, span) = (&program.procs[proc], program.procs[proc].span);
            let has_body = procedure.body.is_some();
            let complete = contracts.iter().all(|contract| contract.complete);
            let returns =
                !matches!(&unit.decls[function].kind, DeclKind::Function(f) if f.noreturn);
            let spec = Spec { proc, name, span, has_body, returns, contracts };
            if complete && known::says_what_is_known(unit, function, &spec) {
                continue;
            }
            let usable = match self.obstacle(program, unit, function, &spec) {
                Some(refused) => {
                    self.problems.push(unsupported(&refused));
                    false
                }
                None => complete,
            };
            match usable {
                true => specs.push(spec),
                false => self.open |= !has_body,
            }
        }
        specs
    }

    /// Why a contract cannot be used, apart from what its reader left out.
    fn obstacle(
        &self,
        program: &Program,
        unit: &Unit,
        function: DeclId,
        spec: &Spec,
    ) -> Option<Refused> {
        let (name, span) = (&spec.name, spec.contracts[0].span);
        let refuse = |what: String| Some(Refused { what, span });
        let defined =
            matches!(&unit.decls[function].kind, DeclKind::Function(f) if f.body.is_some());
        if defined && !spec.has_body {
            return refuse(format!("the contract of `{name}`, whose body is not supported"));
        }
        if !defined && lakatos_c::lower::is_known(name) {
            return refuse(format!("a contract of `{name}`, which Lakatos knows by its name,"));
        }
        let signature = program.types.signature(program.procs[spec.proc].signature);
        if signature.variadic || signature.params.is_none() {
            return refuse(format!("a contract of `{name}`, which has no fixed parameters,"));
        }
        // Everything is translated once, to see that it can be.
        let mut scratch = program.clone();
        let workshop = self.workshop();
        let stub = workshop.declare(&mut scratch, spec, &mut Goals::default());
        let tried = workshop
            .by_contract(&mut scratch, spec, &stub, Some(&Effects::default()))
            .and_then(|()| piece::try_entry(&workshop, &mut scratch, spec, stub.proc));
        tried.err()
    }

    /// Stubs for all contracts, and all calls lead to them. Functions with a body are called.
    fn exact(&self, program: &mut Program, specs: &[Spec], goals: &mut Goals) -> Vec<Stub> {
        let workshop = self.workshop();
        let stubs: Vec<Stub> =
            specs.iter().map(|spec| workshop.declare(program, spec, goals)).collect();
        let targets = specs.iter().zip(&stubs).map(|(spec, stub)| (spec.proc, stub.proc));
        redirect(program, &targets.collect());
        for (spec, stub) in specs.iter().zip(&stubs) {
            // An error of the program is one whatever its contract says, where that may be called.
            let by_body = spec.has_body || program.procs[spec.proc].is_error;
            let made = match by_body {
                true => workshop.by_body(program, spec, stub),
                false => workshop.by_contract(program, spec, stub, None),
            };
            made.expect("it was translated before");
        }
        stubs
    }

    /// The same program, in which stubs do what contracts allow.
    fn modular(
        &self,
        by_body: &Program,
        specs: &[Spec],
        stubs: &[Stub],
        effects: &[Effects],
    ) -> Program {
        let mut program = by_body.clone();
        let workshop = self.workshop();
        for ((spec, stub), effects) in specs.iter().zip(stubs).zip(effects) {
            if spec.has_body && !program.procs[spec.proc].is_error {
                workshop
                    .by_contract(&mut program, spec, stub, Some(effects))
                    .expect("it was translated before");
            }
        }
        program
    }

    /// What is believed of contracts and not shown.
    fn believed(&mut self, specs: &[Spec], theory: &Theory, main: Option<ProcId>) {
        for spec in specs {
            let name = &spec.name;
            let mut believe = |text: String, span| {
                self.assumptions.push(Assumed { text, span: Some(span) });
            };
            if !spec.has_body {
                believe(
                    format!("`{name}`, which has no body, does what its contract says"),
                    spec.contracts[0].span,
                );
            }
            for requires in spec.requires() {
                if main == Some(spec.proc) && requires.mode != Mode::Check {
                    let text = "the program is started as `main` requires".to_owned();
                    believe(text, requires.span);
                } else if requires.mode == Mode::Admit {
                    believe(format!("`{name}` is called as `admit requires` says"), requires.span);
                }
            }
            for ensures in spec.ensures().iter().filter(|e| e.mode == Mode::Admit) {
                believe(format!("`admit ensures` of `{name}`"), ensures.span);
            }
            for contract in &spec.contracts {
                let terminates = contract.contract.terminates.iter().map(|clause| clause.span);
                let decreases = contract.contract.decreases.iter().map(|measure| measure.span);
                for span in terminates.chain(decreases) {
                    believe(format!("calls of `{name}` end: that is not checked"), span);
                }
            }
        }
        for lemma in theory.lemmas().iter().filter(|lemma| !lemma.kind.is_assumption()) {
            let text = format!("the lemma `{}`, which was neither used nor shown", lemma.name.node);
            self.assumptions.push(Assumed { text, span: Some(lemma.span) });
        }
    }
}

/// Calls and addresses of procedures mean others from now on; only where the program begins, `main`
/// is meant.
fn redirect(program: &mut Program, targets: &BTreeMap<ProcId, ProcId>) {
    let start = program.start;
    for (id, procedure) in program.procs.iter_mut() {
        let Some(body) = procedure.body.as_mut().filter(|_| id != start) else { continue };
        for (_, edge) in body.edges.iter_mut() {
            if let Instr::Call(call) = &mut edge.instr
                && let Callee::Proc(callee) = &mut call.callee
                && let Some(stub) = targets.get(callee)
            {
                *callee = *stub;
                // The result comes from the stub, which has a body.
                call.site = None;
            }
        }
    }
    for (_, expr) in program.exprs.iter_mut() {
        if let ExprKind::Function(callee) = &mut expr.kind
            && let Some(stub) = targets.get(callee)
        {
            *callee = *stub;
        }
    }
}

/// The functions that have to be looked at: `main`, those with contracts, and of some others those
/// that none of these comes to. A run ends where an error function is called.
fn modules(
    program: &Program,
    specs: &[Spec],
    mut others: Vec<ProcId>,
    has_main: bool,
) -> Vec<Module> {
    let calls = CallGraph::new(program);
    let mut reached: BTreeSet<ProcId> = BTreeSet::new();
    let mut found: Vec<(ProcId, ModuleKind, Option<usize>)> = Vec::new();
    let own = |proc: ProcId| specs.iter().position(|spec| spec.proc == proc);
    for (index, spec) in specs.iter().enumerate() {
        let kind = match spec.has_body {
            _ if has_main && spec.proc == program.main => continue,
            _ if program.procs[spec.proc].is_error => continue,
            true => ModuleKind::Function,
            false => ModuleKind::Declared,
        };
        found.push((spec.proc, kind, Some(index)));
    }
    if has_main {
        found.push((program.main, ModuleKind::Main, own(program.main)));
    }
    for (proc, ..) in &found {
        reach(&calls, *proc, &mut reached);
    }
    // Callers first, so that functions are looked at where they are called.
    others.sort_by_key(|proc| calls.callers(*proc).iter().any(|caller| caller != proc));
    for proc in others {
        if !reached.contains(&proc) && !program.procs[proc].is_error {
            found.push((proc, ModuleKind::Function, None));
            reach(&calls, proc, &mut reached);
        }
    }
    let uses = |proc: ProcId| {
        let mut all = BTreeSet::new();
        reach(&calls, proc, &mut all);
        // A stub is called, and its function is not its only caller.
        all.iter().any(|callee| {
            let name = &program.procs[*callee].name;
            *callee != proc
                && specs.iter().any(|s| s.has_body && s.name == *name && s.proc != *callee)
        })
    };
    let mut modules: Vec<Module> = found
        .into_iter()
        .map(|(proc, kind, spec)| {
            let (name, span) = (program.procs[proc].name.clone(), program.procs[proc].span);
            Module { proc, name, span, kind, spec, uses_contracts: uses(proc) }
        })
        .collect();
    modules.sort_by_key(|module| module.span);
    modules
}

fn reach(calls: &CallGraph, from: ProcId, reached: &mut BTreeSet<ProcId>) {
    let mut todo = vec![from];
    while let Some(proc) = todo.pop() {
        if reached.insert(proc) {
            todo.extend(calls.callees(proc));
        }
    }
}
