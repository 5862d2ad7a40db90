//! The clauses of the user as conditions of the whole program, which is not cut: for whoever wants
//! to know of each of them whether it holds, and to use it where it does.
//!
//! Functions without a body do what their contracts allow; nothing else of the program changes. What
//! a clause is about is a place of a procedure ([`When`]); values at the entry are in *shadows*,
//! variables that whoever uses a condition sets there.
//!
//! [`Clauses::open`] lets functions with contracts be called as these allow, too, not only as the
//! program calls them.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_acsl::read::{Annotations, Failure, FunctionContract};
use lakatos_acsl::spec::Mode;
use lakatos_acsl::tree::{LoopAnnotation, Theory};
use lakatos_c::ast::{DeclId, Unit};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::modset::{Footprint, ModSets};
use lakatos_ir::{
    AnnotationTarget, Callee, Diagnostic, EdgeId, ExprId, ExprKind, InputKind, Instr, IntType,
    LocId, ProcId, Program, Span, Type, Var, VarId, VarKind, splice,
};

use crate::annotate::{Unlisted, unlisted};
use crate::chain::{self, Chain};
use crate::goal::Goals;
use crate::names::Names;
use crate::spec::{Frame, Spec, Stated, listed};
use crate::stub::{self, Stub, Workshop};
use crate::translate::{self, Refused, Scope, State};
use crate::{Assumed, Cutting, constants, redirect, unsupported};

/// When a clause has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Whenever the procedure is entered.
    Entry,
    /// Whenever it returns.
    Exit,
    /// Whenever a run comes to the head of a loop.
    Loop(LocId),
    /// Whenever a run comes to a statement.
    Statement(LocId),
}

/// What may be done with a clause once it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It says something of a contract or a loop that others may rely on.
    Known,
    /// An assertion: what comes behind it may rely on it.
    Asserted,
    /// Nobody relies on it: `check`, or what follows from other parts of a contract.
    Nothing,
}

/// A clause of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserClause {
    pub proc: ProcId,
    pub when: When,
    pub usage: Use,
    pub condition: ExprId,
    /// Nothing has to be shown: the function has no body.
    pub is_believed: bool,
    /// For a person: "`ensures` of `f`".
    pub what: String,
    /// From its first word to its semicolon.
    pub span: Span,
}

/// All clauses of a program.
#[derive(Debug)]
pub struct Clauses {
    /// The program in which the conditions are.
    pub program: Program,
    pub all: Vec<UserClause>,
    /// Of procedures and variables: the variables that hold what these were at the entry.
    pub shadows: BTreeMap<(ProcId, VarId), VarId>,
    /// What is not supported: nothing is known of it.
    pub problems: Vec<Diagnostic>,
    /// `loop assigns` clauses that do not list something: in words.
    pub incomplete: Vec<(Span, String)>,
    pub assumptions: Vec<Assumed>,
    /// The user believes something that is not used here: the contract of a function without a body,
    /// or `admit`. Then no run shows that a clause is false.
    pub is_open: bool,
    words: Words,
    specs: Vec<Spec>,
    /// Functions whose `requires` clauses are not all translated.
    vague: BTreeSet<ProcId>,
    errors: Vec<ProcId>,
    /// Of procedures, the variables that they never change.
    fixed: BTreeMap<ProcId, BTreeSet<VarId>>,
}

/// What the words of clauses mean.
#[derive(Debug)]
struct Words {
    theory: Theory,
    names: Names,
    constants: BTreeSet<VarId>,
}

impl Words {
    fn workshop(&self) -> Workshop<'_> {
        Workshop { theory: &self.theory, names: &self.names, constants: &self.constants }
    }
}

impl Clauses {
    /// The name of the input that says which function is called; see [`Clauses::open`].
    pub const CHOICE: &str = "which function is called";

    /// Reads the clauses of a program; the unit is what it was made from.
    pub fn new(program: &Program, unit: &Unit) -> Result<Clauses, Box<Failure>> {
        let mut theory = Theory::default();
        let annotations = lakatos_acsl::read_program(&mut theory, unit)?;
        let mut program = program.clone();
        let names = Names::new(&mut program, unit);
        let constants = constants(&program, unit);
        let errors = program.procs.iter().filter(|(_, p)| p.is_error).map(|(id, _)| id).collect();
        let mut clauses = Clauses {
            program,
            all: Vec::new(),
            shadows: BTreeMap::new(),
            problems: annotations.unsupported.clone(),
            incomplete: Vec::new(),
            assumptions: Vec::new(),
            is_open: false,
            words: Words { theory, names, constants },
            specs: Vec::new(),
            vague: BTreeSet::new(),
            errors,
            fixed: BTreeMap::new(),
        };
        clauses.begin_with_anything();
        clauses.without_body(unit, &annotations.contracts);
        clauses.with_body(&annotations.contracts);
        clauses.in_bodies(&annotations);
        clauses.problems.sort_by_key(|problem| problem.span);
        clauses.problems.dedup();
        debug_assert_eq!(lakatos_ir::validate::validate(&clauses.program), Vec::new());
        Ok(clauses)
    }

    /// The functions with a body whose contracts are read.
    pub fn functions(&self) -> impl Iterator<Item = ProcId> {
        self.specs.iter().map(|spec| spec.proc)
    }

    /// Runs end where the program has errors, and these are none any more. The program is this one,
    /// perhaps with more in it.
    pub fn forgive(&self, program: &mut Program) {
        for error in &self.errors {
            match program.procs[*error].body.is_some() {
                false => chain::ends_runs(program, *error),
                true => never_returns(program, *error),
            }
        }
    }

    /// Before it begins, the program may call a function instead, in any state that the function's
    /// contract allows; the run ends with the call. The program is this one, perhaps with more in
    /// it.
    pub fn open(&self, program: &mut Program) {
        let is_open = |spec: &&Spec| spec.proc != program.main && !self.vague.contains(&spec.proc);
        let open: Vec<&Spec> = self.specs.iter().filter(is_open).collect();
        if open.is_empty() {
            return;
        }
        let Some((mut chain, at)) = before_main(program) else { return };
        let span = program.procs[program.main].span;
        let choice = chain::temp(program, chain.proc, "which", Type::I32, span);
        chain.havoc(program, choice, InputKind::Uninitialised, Clauses::CHOICE.to_owned());
        for (number, spec) in open.into_iter().enumerate() {
            let branch = splice::equals(program, choice, number as i128 + 1, IntType::I32);
            let mut taken = chain;
            taken.assume(program, branch, span);
            self.call(program, taken, spec);
            let other = splice::not(program, branch);
            chain.assume(program, other, span);
        }
        join(program, chain, at);
    }

    /// A call as the contract allows.
    fn call(&self, program: &mut Program, mut chain: Chain, spec: &Spec) {
        for var in stub::statics(program, &self.words.constants) {
            let name = program.vars[var].name.clone();
            chain.havoc(program, var, InputKind::Uninitialised, name);
        }
        let mut args = Vec::new();
        for param in program.procs[spec.proc].params.clone() {
            let var = program.vars[param].clone();
            let arg = chain::temp(program, chain.proc, &var.name, var.ty, var.span);
            chain.havoc(program, arg, InputKind::Uninitialised, var.name);
            args.push(arg);
        }
        for stated in spec.requires().iter().filter(|stated| stated.mode != Mode::Check) {
            let holds = self.words.workshop().at_entry(program, spec, stated, chain.proc, &args);
            let holds = holds.expect("it was translated before");
            chain.assume(program, holds, stated.span);
        }
        let values = args.iter().map(|arg| program.load_var(*arg, spec.span)).collect();
        chain.call(program, spec.proc, values, None, spec.span);
        let zero = program.expr(ExprKind::Int(0), Type::I32, spec.span);
        let has_result = program.procs[chain.proc].result.is_some();
        chain.finish(program, has_result.then_some(zero), spec.span);
    }

    /// External objects that only annotations speak of may have any value.
    fn begin_with_anything(&mut self) {
        let added = self.words.names.added.clone();
        if added.is_empty() {
            return;
        }
        let Some((mut chain, at)) = before_main(&mut self.program) else { return };
        for var in added {
            let name = self.program.vars[var].name.clone();
            chain.havoc(&mut self.program, var, InputKind::Uninitialised, name);
        }
        join(&mut self.program, chain, at);
    }

    /// What is believed without being shown is not used here, so a run that it excludes may seem
    /// to be one.
    fn refuse_admit(&mut self, span: Span) {
        self.is_open = true;
        self.refuse(&Refused { what: "`admit`".to_owned(), span });
    }

    fn refuse(&mut self, refused: &Refused) {
        self.problems.push(unsupported(refused));
    }

    /// Functions without a body, which do what their contracts allow from now on.
    fn without_body(&mut self, unit: &Unit, contracts: &[FunctionContract]) {
        let bodiless = |contract: &&FunctionContract| {
            let proc = self.program.proc_named(&contract.name);
            proc.is_some_and(|proc| self.program.procs[proc].body.is_none())
        };
        let contracts: Vec<FunctionContract> = contracts.iter().filter(bodiless).cloned().collect();
        let mut cutting = Cutting {
            theory: &self.words.theory,
            names: &self.words.names,
            constants: &self.words.constants,
            problems: Vec::new(),
            assumptions: Vec::new(),
            open: false,
        };
        let specs = cutting.specs(&self.program, unit, &contracts);
        let Cutting { problems, open, .. } = cutting;
        self.problems.extend(problems);
        self.is_open = open;
        for spec in specs {
            self.assumptions.push(Assumed {
                text: format!("`{}`, which has no body, does what its contract says", spec.name),
                span: Some(spec.contracts[0].span),
            });
            self.stand_in(&spec);
        }
    }

    fn stand_in(&mut self, spec: &Spec) {
        let program = &mut self.program;
        spec.is_the_model(program);
        let workshop = self.words.workshop();
        let declared = workshop.declare(program, spec, &mut Goals::default());
        let stub = Stub { proc: declared.proc, requires: Vec::new() };
        redirect(program, &BTreeMap::from([(spec.proc, stub.proc)]));
        let made = match program.procs[spec.proc].is_error {
            true => workshop.by_body(program, spec, &stub),
            false => workshop.by_contract(program, spec, &stub, None),
        };
        made.expect("it was translated before");
        for stated in spec.requires().iter().filter(|stated| stated.mode != Mode::Admit) {
            self.at_entry(spec, stub.proc, stated, "requires");
        }
        if !self.program.procs[spec.proc].is_error {
            for stated in spec.ensures().iter().filter(|stated| stated.mode != Mode::Check) {
                self.at_exit(spec, stub.proc, stated);
                if let Some(clause) = self.all.last_mut().filter(|c| c.span == stated.span) {
                    clause.is_believed = true;
                }
            }
        }
    }

    fn with_body(&mut self, contracts: &[FunctionContract]) {
        let mut by_function: BTreeMap<DeclId, Vec<FunctionContract>> = BTreeMap::new();
        for contract in contracts {
            by_function.entry(contract.function).or_default().push(contract.clone());
        }
        for contracts in by_function.into_values() {
            let name = contracts[0].name.clone();
            let Some(proc) = self.program.proc_named(&name) else { continue };
            let (procedure, span) = (&self.program.procs[proc], self.program.procs[proc].span);
            if procedure.body.is_none() {
                continue;
            }
            let complete = contracts.iter().all(|contract| contract.complete);
            let spec = Spec { proc, name, span, has_body: true, returns: true, contracts };
            self.of_function(&spec, complete);
            self.specs.push(spec);
        }
    }

    fn of_function(&mut self, spec: &Spec, complete: bool) {
        let before = self.problems.len();
        let is_main = spec.proc == self.program.main;
        for stated in spec.requires() {
            if stated.mode == Mode::Admit || is_main {
                let text = match is_main {
                    true => "the program is started as `main` requires".to_owned(),
                    false => format!("`{}` is called as `admit requires` says", spec.name),
                };
                self.assumptions.push(Assumed { text, span: Some(stated.span) });
                self.believed_at_entry(spec, &stated);
            } else {
                self.at_entry(spec, spec.proc, &stated, "requires");
            }
        }
        if !complete || self.problems.len() > before {
            // Something that it requires may be missing.
            self.vague.insert(spec.proc);
        }
        for (word, stated) in spec.about_behaviors() {
            if is_main && !spec.requires().is_empty() {
                let what = format!("`{word}` of `main` beside what it requires");
                self.refuse(&Refused { what, span: stated.span });
                continue;
            }
            self.at_entry(spec, spec.proc, &stated, word);
            if let Some(clause) = self.all.last_mut().filter(|clause| clause.span == stated.span) {
                clause.usage = Use::Nothing;
            }
        }
        for stated in spec.ensures() {
            self.at_exit(spec, spec.proc, &stated);
        }
        match spec.frames(&self.program, &self.words.names) {
            Err(refused) => self.refuse(&refused),
            Ok(frames) => frames.iter().for_each(|frame| self.frame(spec, frame)),
        }
        for contract in &spec.contracts {
            let terminates = contract.contract.terminates.iter().map(|clause| clause.span);
            let decreases = contract.contract.decreases.iter().map(|measure| measure.span);
            for span in terminates.chain(decreases) {
                let text = format!("calls of `{}` end: that is not checked", spec.name);
                self.assumptions.push(Assumed { text, span: Some(span) });
            }
        }
    }

    fn believed_at_entry(&mut self, spec: &Spec, stated: &Stated) {
        let program = &mut self.program;
        let params = program.procs[spec.proc].params.clone();
        let made = self.words.workshop().at_entry(program, spec, stated, spec.proc, &params);
        match made {
            Ok(condition) => {
                let entry = splice::body(program, spec.proc).entry;
                splice::assume_at(program, spec.proc, entry, condition);
            }
            Err(refused) => self.refuse(&refused),
        }
    }

    fn at_entry(&mut self, spec: &Spec, proc: ProcId, stated: &Stated, word: &str) {
        let program = &mut self.program;
        let params = program.procs[proc].params.clone();
        let made = self.words.workshop().at_entry(program, spec, stated, proc, &params);
        let what = format!("`{word}` of `{}`", spec.name);
        self.add(made, (proc, When::Entry, usage(stated.mode), what, stated.span));
    }

    fn at_exit(&mut self, spec: &Spec, proc: ProcId, stated: &Stated) {
        if stated.mode == Mode::Admit && spec.has_body {
            return self.refuse_admit(stated.span);
        }
        let made = self.translated(spec, proc, stated.contract, |program, theory, scope| {
            translate::condition(program, theory, scope, &stated.body, State::Now)
        });
        let what = format!("`ensures` of `{}`", spec.name);
        self.add(made, (proc, When::Exit, usage(stated.mode), what, stated.span));
    }

    /// A condition where a function returns: its parameters are what they were.
    fn translated(
        &mut self,
        spec: &Spec,
        proc: ProcId,
        contract: usize,
        make: impl FnOnce(&mut Program, &Theory, &mut Scope<'_>) -> Result<ExprId, Refused>,
    ) -> Result<ExprId, Refused> {
        let mut copies = self.shadows_of(proc);
        let program = &mut self.program;
        let params = program.procs[proc].params.clone();
        // They are gone when it has returned.
        copies.retain(|var, shadow| var != shadow || !params.contains(var));
        let mut scope = Scope {
            names: &self.words.names,
            proc,
            params: BTreeMap::new(),
            result: program.procs[proc].result,
            at_entry: false,
            copies,
        };
        let shadows: Vec<VarId> = params.iter().map(|param| scope.old(program, *param)).collect();
        let declared = spec.contracts[contract].params.iter().map(|decl| decl.0);
        scope.params = declared.zip(shadows).collect();
        let made = make(program, &self.words.theory, &mut scope);
        let copies = scope.copies;
        self.keep_shadows(proc, copies);
        made
    }

    /// Of variables, those that hold what they were at the entry: themselves, if nothing changes
    /// them.
    fn shadows_of(&mut self, proc: ProcId) -> BTreeMap<VarId, VarId> {
        let fixed = self.fixed.entry(proc).or_insert_with(|| fixed(&self.program, proc));
        let mut all: BTreeMap<VarId, VarId> = fixed.iter().map(|var| (*var, *var)).collect();
        let own = self.shadows.iter().filter(|((owner, _), _)| *owner == proc);
        all.extend(own.map(|((_, var), shadow)| (*var, *shadow)));
        all
    }

    fn keep_shadows(&mut self, proc: ProcId, copies: BTreeMap<VarId, VarId>) {
        let own = copies.into_iter().filter(|(var, shadow)| var != shadow);
        self.shadows.extend(own.map(|(var, shadow)| ((proc, var), shadow)));
    }

    fn add(
        &mut self,
        made: Result<ExprId, Refused>,
        (proc, when, usage, what, span): (ProcId, When, Use, String, Span),
    ) {
        match made {
            Err(refused) => self.refuse(&refused),
            Ok(condition) => {
                let is_believed = false;
                self.all.push(UserClause { proc, when, usage, condition, is_believed, what, span });
            }
        }
    }

    /// Whatever the function may change and the frame does not list is as it was.
    fn frame(&mut self, spec: &Spec, frame: &Frame) {
        let mods = ModSets::new(&self.program, &CallGraph::new(&self.program));
        let writes = mods.of_proc(spec.proc).writes.clone();
        if !writes.memory.is_empty() {
            let what = format!(
                "whether `{}` changes through pointers nothing but what `assigns` lists",
                spec.name
            );
            return self.refuse(&Refused { what, span: frame.span });
        }
        for var in writes.vars.difference(&frame.vars).copied() {
            let name = self.program.vars[var].name.clone();
            if !stub::is_integer(&self.program, var) {
                let what = format!("whether `{name}`, which is no integer, is unchanged");
                self.refuse(&Refused { what, span: frame.span });
                continue;
            }
            let made =
                self.translated(spec, spec.proc, frame.contract, |program, theory, scope| {
                    stub::unchanged(program, theory, scope, frame, var)
                });
            let what = format!("`assigns` of `{}`, which does not list `{name}`,", spec.name);
            self.add(made, (spec.proc, When::Exit, Use::Nothing, what, frame.span));
        }
    }

    fn in_bodies(&mut self, annotations: &Annotations) {
        let places: BTreeMap<Span, (ProcId, LocId)> = self
            .program
            .annotations
            .iter()
            .filter_map(|annotation| match annotation.target {
                AnnotationTarget::Statement(proc, loc) => Some((annotation.span, (proc, loc))),
                _ => None,
            })
            .collect();
        for annotated in &annotations.loops {
            if let Some(&(proc, head)) = places.get(&annotated.span) {
                self.around_loop(proc, head, &annotated.body);
            }
        }
        for annotated in &annotations.assertions {
            if let Some(&(proc, loc)) = places.get(&annotated.span) {
                for said in &annotated.body {
                    self.in_body(proc, When::Statement(loc), said, "assert");
                }
            }
        }
    }

    fn around_loop(&mut self, proc: ProcId, head: LocId, said: &LoopAnnotation) {
        for invariant in &said.invariants {
            self.in_body(proc, When::Loop(head), invariant, "loop invariant");
        }
        for assigns in &said.assigns {
            let span = assigns.body.span;
            if !assigns.behaviors.is_empty() {
                let what = "`loop assigns` for some behaviours only".to_owned();
                self.refuse(&Refused { what, span });
                continue;
            }
            match listed(&self.program, &self.words.names, &assigns.body) {
                Err(refused) => self.refuse(&refused),
                Ok(vars) => match unlisted(&self.program, proc, head, &vars) {
                    None => {}
                    Some(Unlisted::Variable(name)) => {
                        let what = format!(
                            "`loop assigns` in `{}` does not list `{name}`, which the loop may \
                             change",
                            self.program.procs[proc].name
                        );
                        self.incomplete.push((span, what));
                    }
                    Some(Unlisted::Memory) => {
                        let what = "what the loop changes through pointers".to_owned();
                        self.refuse(&Refused { what, span });
                    }
                },
            }
        }
        if let Some(variant) = &said.variant {
            let text = "a loop ends: `loop variant` is not checked".to_owned();
            self.assumptions.push(Assumed { text, span: Some(variant.span) });
        }
    }

    fn in_body(
        &mut self,
        proc: ProcId,
        when: When,
        said: &lakatos_acsl::tree::Assertion,
        word: &str,
    ) {
        let span = said.body.span;
        if !said.behaviors.is_empty() {
            let what = format!("`{word}` for some behaviours only");
            return self.refuse(&Refused { what, span });
        }
        let name = self.program.procs[proc].name.clone();
        if said.body.mode == Mode::Admit {
            return self.refuse_admit(span);
        }
        let copies = self.shadows_of(proc);
        let mut scope = Scope {
            names: &self.words.names,
            proc,
            params: BTreeMap::new(),
            result: None,
            at_entry: false,
            copies,
        };
        let program = &mut self.program;
        let body = &said.body.body;
        let made = translate::condition(program, &self.words.theory, &mut scope, body, State::Now);
        let copies = scope.copies;
        self.keep_shadows(proc, copies);
        let usage = match (said.body.mode, when) {
            (Mode::Assert, When::Statement(_)) => Use::Asserted,
            (mode, _) => usage(mode),
        };
        self.add(made, (proc, when, usage, format!("`{word}` in `{name}`"), span));
    }
}

/// Variables that live while a procedure runs, and that it never changes.
fn fixed(program: &Program, proc: ProcId) -> BTreeSet<VarId> {
    let calls = CallGraph::new(program);
    let mods = ModSets::new(program, &calls);
    let mut writes = Footprint::default();
    let body = program.procs[proc].body.iter();
    for edge in body.flat_map(|body| body.edges.ids()) {
        writes.union_with(&mods.of_edge(program, &calls, proc, edge).writes);
    }
    let lives = |kind: VarKind| {
        kind == VarKind::Param(proc) || matches!(kind, VarKind::Global | VarKind::Static(_))
    };
    let is_fixed = |(id, var): &(VarId, &Var)| {
        let by_memory = var.address_taken && !writes.memory.is_empty();
        lives(var.kind) && !by_memory && !writes.vars.contains(id)
    };
    program.vars.iter().filter(is_fixed).map(|(id, _)| id).collect()
}

fn usage(mode: Mode) -> Use {
    match mode {
        Mode::Check => Use::Nothing,
        _ => Use::Known,
    }
}

/// New code before the call of `main`: where it begins, and where it has to lead in the end.
fn before_main(program: &mut Program) -> Option<(Chain, LocId)> {
    let (start, main) = (program.start, program.main);
    let cfa = splice::body(program, start);
    let calls_main = |id: &EdgeId| matches!(&cfa.edges[*id].instr, Instr::Call(call) if call.callee == Callee::Proc(main));
    let call = cfa.edges.ids().find(calls_main)?;
    let ready = splice::before_edge(cfa, call);
    let edge = *cfa.locs[ready].into.first()?;
    let begin = cfa.add_loc(cfa.edges[edge].span);
    cfa.edges[edge].to = begin;
    cfa.locs[ready].into.clear();
    cfa.locs[begin].into.push(edge);
    Some((Chain { proc: start, at: begin }, ready))
}

fn join(program: &mut Program, chain: Chain, at: LocId) {
    let span = program.procs[program.main].span;
    splice::body(program, chain.proc).add_edge(chain.at, at, Instr::Skip, span);
}

/// A run ends where the procedure would return, and its call is no error.
fn never_returns(program: &mut Program, proc: ProcId) {
    program.procs[proc].is_error = false;
    let never = program.expr(ExprKind::Int(0), Type::BOOL, Span::default());
    let cfa = splice::body(program, proc);
    for edge in cfa.locs[cfa.exit].into.clone() {
        let (from, span) = (cfa.edges[edge].from, cfa.edges[edge].span);
        let behind = cfa.add_loc(span);
        cfa.edges[edge].from = behind;
        cfa.locs[behind].out.push(edge);
        cfa.locs[from].out.retain(|other| *other != edge);
        cfa.add_edge(from, behind, Instr::Assume(never), span);
    }
}
