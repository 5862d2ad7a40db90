//! Procedures that stand for others: a call of a function with a contract is a call of its *stub*.
//!
//! The stub checks what the function requires, as goals. Then it does what the function does: by its
//! body, or by its contract alone. By contract it lets everything change that may, gives any result,
//! and goes on only where the contract says that a call may end so.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_acsl::spec::Mode;
use lakatos_acsl::tree::Theory;
use lakatos_ir::modset::Effects;
use lakatos_ir::{
    BinOp, ExprId, ExprKind, InputKind, ProcId, Program, Signature, Span, Type, VarId, VarKind,
    splice,
};

use crate::chain::{self, Chain};
use crate::goal::Goals;
use crate::names::Names;
use crate::spec::{Frame, Spec, Stated};
use crate::translate::{self, Refused, Scope, State};

/// How the name of a procedure begins that changes memory and nothing else.
pub(crate) const MEMORY: &str = "memory that is reached by ";

/// A function's stub, and the goals that it checks.
#[derive(Clone, Debug)]
pub(crate) struct Stub {
    pub proc: ProcId,
    /// Of each clause that callers have to establish, the error that it is where it fails.
    pub requires: Vec<(Stated, ProcId)>,
}

/// What stubs are made from.
pub(crate) struct Workshop<'w> {
    pub theory: &'w Theory,
    pub names: &'w Names,
    /// Objects that never change: they are constants of the program.
    pub constants: &'w BTreeSet<VarId>,
}

/// Names and values of a contract in a procedure: its arguments, its result.
pub(crate) fn scope<'n>(
    names: &'n Names,
    spec: &Spec,
    contract: usize,
    proc: ProcId,
    args: &[VarId],
    result: Option<VarId>,
) -> Scope<'n> {
    let declared = spec.contracts[contract].params.iter().map(|decl| decl.0);
    let params: BTreeMap<u32, VarId> = declared.zip(args.iter().copied()).collect();
    Scope { names, proc, params, result, at_entry: false, copies: BTreeMap::new() }
}

impl Workshop<'_> {
    pub fn declare(&self, program: &mut Program, spec: &Spec, goals: &mut Goals) -> Stub {
        let procedure = &program.procs[spec.proc];
        let (signature, span) = (procedure.signature, procedure.span);
        let name = procedure.name.clone();
        let names = self.parameter_names(program, spec);
        let address_taken = procedure.address_taken;
        let proc = chain::procedure(program, name, signature, &names, span);
        program.procs[proc].address_taken = address_taken;
        program.procs[spec.proc].address_taken = false;
        let mut requires = Vec::new();
        for stated in spec.requires().into_iter().filter(|stated| stated.mode != Mode::Admit) {
            let what = format!("`requires` of `{}`", spec.name);
            let error = goals.add(program, what, stated.span);
            requires.push((stated, error));
        }
        Stub { proc, requires }
    }

    fn parameter_names(&self, program: &Program, spec: &Spec) -> Vec<String> {
        let own = program.procs[spec.proc].params.iter();
        own.map(|var| program.vars[*var].name.clone()).collect()
    }

    /// A clause where a call begins: before anything has changed.
    pub fn at_entry(
        &self,
        program: &mut Program,
        spec: &Spec,
        stated: &Stated,
        proc: ProcId,
        args: &[VarId],
    ) -> Result<ExprId, Refused> {
        let mut scope = scope(self.names, spec, stated.contract, proc, args, None);
        scope.at_entry = true;
        translate::condition(program, self.theory, &mut scope, &stated.body, State::Now)
    }

    /// The stub checks what is required, and calls the function itself.
    pub fn by_body(&self, program: &mut Program, spec: &Spec, stub: &Stub) -> Result<(), Refused> {
        let mut chain = self.checked(program, spec, stub)?;
        let args = arguments(program, stub.proc, spec.span);
        let result = program.procs[stub.proc].result;
        chain.call(program, spec.proc, args, result, spec.span);
        let value = result.map(|var| program.load_var(var, spec.span));
        chain.finish(program, value, spec.span);
        Ok(())
    }

    fn checked(&self, program: &mut Program, spec: &Spec, stub: &Stub) -> Result<Chain, Refused> {
        let mut chain = Chain::begin(program, stub.proc);
        let args = program.procs[stub.proc].params.clone();
        for (stated, error) in &stub.requires {
            let holds = self.at_entry(program, spec, stated, stub.proc, &args)?;
            chain.assert(program, holds, *error, stated.span);
        }
        Ok(chain)
    }

    /// The stub checks what is required, and does what the contract allows. The effects are those
    /// of the body, if there is one.
    pub fn by_contract(
        &self,
        program: &mut Program,
        spec: &Spec,
        stub: &Stub,
        effects: Option<&Effects>,
    ) -> Result<(), Refused> {
        let mut chain = self.checked(program, spec, stub)?;
        let frames = spec.frames(program, self.names)?;
        let changed = self.changed(program, &frames, effects);
        let post = Post::new(self, program, spec, &frames, &changed, stub.proc)?;
        for (var, copy) in &post.copies {
            let value = program.load_var(*var, spec.span);
            chain.assign(program, *copy, value, spec.span);
        }
        for var in &changed.vars {
            let name = format!("`{}` after a call of `{}`", program.vars[*var].name, spec.name);
            chain.havoc(program, *var, InputKind::Uninitialised, name);
        }
        if changed.memory {
            self.change_memory(program, spec, &mut chain);
        }
        let result = program.procs[stub.proc].result;
        if let Some(result) = result {
            chain.havoc(program, result, InputKind::External, spec.name.clone());
        }
        for (condition, span) in post.conditions {
            chain.assume(program, condition, span);
        }
        let value = result.map(|var| program.load_var(var, spec.span));
        chain.finish(program, value, spec.span);
        Ok(())
    }

    /// What a call may change.
    fn changed(&self, program: &Program, frames: &[Frame], effects: Option<&Effects>) -> Changed {
        let mut always = frames.iter().filter(|frame| frame.assumes.is_none());
        if let Some(first) = always.next() {
            let listed = always.fold(first.vars.clone(), |vars, frame| &vars & &frame.vars);
            let vars = listed.into_iter().filter(|var| !self.constants.contains(var)).collect();
            return Changed { vars, memory: false };
        }
        match effects {
            Some(effects) => Changed {
                vars: effects.writes.vars.clone(),
                memory: !effects.writes.memory.is_empty(),
            },
            None => Changed { vars: statics(program, self.constants), memory: true },
        }
    }

    /// Everything that pointers reach from the arguments and from static objects may change: as an
    /// external procedure does it.
    fn change_memory(&self, program: &mut Program, spec: &Spec, chain: &mut Chain) {
        let span = spec.span;
        let mut args = Vec::new();
        for param in program.procs[chain.proc].params.clone() {
            if matches!(program.vars[param].ty, Type::Pointer(_)) {
                args.push(program.load_var(param, span));
            }
        }
        for var in statics(program, self.constants) {
            let ty = program.vars[var].ty;
            if program.vars[var].address_taken {
                let place = program.var_place(var, span);
                let pointer = program.types.pointer_to(ty);
                args.push(program.expr(ExprKind::AddrOf(place), pointer, span));
            } else if matches!(ty, Type::Pointer(_)) {
                args.push(program.load_var(var, span));
            }
        }
        if args.is_empty() {
            return;
        }
        let types = args.iter().map(|arg| program.exprs[*arg].ty).collect();
        let signature = Signature { result: Type::Void, params: Some(types), variadic: false };
        let Type::Function(signature) = program.types.function(signature) else {
            unreachable!("a signature makes a function type")
        };
        let name = format!("{MEMORY}`{}`", spec.name);
        let callee = chain::procedure(program, name, signature, &[], span);
        program.procs[callee].params.clear();
        chain.call(program, callee, args, None, span);
    }
}

/// What a call may change: variables by name, and memory.
#[derive(Clone, Debug)]
struct Changed {
    vars: BTreeSet<VarId>,
    memory: bool,
}

/// What is known when a call has returned.
struct Post {
    copies: Vec<(VarId, VarId)>,
    conditions: Vec<(ExprId, Span)>,
}

impl Post {
    fn new(
        workshop: &Workshop<'_>,
        program: &mut Program,
        spec: &Spec,
        frames: &[Frame],
        changed: &Changed,
        proc: ProcId,
    ) -> Result<Post, Refused> {
        let args = program.procs[proc].params.clone();
        let result = program.procs[proc].result;
        let mut post = Post { copies: Vec::new(), conditions: Vec::new() };
        for stated in spec.ensures().iter().filter(|stated| stated.mode != Mode::Check) {
            let mut scope = scope(workshop.names, spec, stated.contract, proc, &args, result);
            let condition = translate::condition(
                program,
                workshop.theory,
                &mut scope,
                &stated.body,
                State::Now,
            )?;
            post.conditions.push((condition, stated.span));
            post.copies.extend(scope.copies);
        }
        for frame in frames.iter().filter(|frame| frame.assumes.is_some()) {
            let mut unlisted = &changed.vars - &frame.vars;
            unlisted.retain(|var| is_integer(program, *var));
            for var in unlisted {
                let mut scope = scope(workshop.names, spec, frame.contract, proc, &args, result);
                let condition = unchanged(program, workshop.theory, &mut scope, frame, var)?;
                post.conditions.push((condition, frame.span));
                post.copies.extend(scope.copies);
            }
        }
        Ok(post)
    }
}

/// A variable is what it was at the entry, if the frame's condition held there.
pub(crate) fn unchanged(
    program: &mut Program,
    theory: &Theory,
    scope: &mut Scope<'_>,
    frame: &Frame,
    var: VarId,
) -> Result<ExprId, Refused> {
    let copy = scope.old(program, var);
    let now = program.load_var(var, frame.span);
    let then = program.load_var(copy, frame.span);
    let same = splice::truth(program, ExprKind::Binary(BinOp::Eq, now, then));
    let Some(assumes) = &frame.assumes else { return Ok(same) };
    let assumed = translate::condition(program, theory, scope, assumes, State::Entry)?;
    let not = splice::not(program, assumed);
    Ok(splice::truth(program, ExprKind::Binary(BinOp::Or, not, same)))
}

pub(crate) fn is_integer(program: &Program, var: VarId) -> bool {
    program.vars[var].ty.as_int().is_some()
}

/// All objects that live as long as the program and may change.
pub(crate) fn statics(program: &Program, constants: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let changes = |var: VarId, kind: VarKind| {
        matches!(kind, VarKind::Global | VarKind::Static(_)) && !constants.contains(&var)
    };
    let all = program.vars.iter().filter(|(var, data)| changes(*var, data.kind));
    all.map(|(var, _)| var).collect()
}

/// The parameters of a procedure, as the arguments of a call.
fn arguments(program: &mut Program, proc: ProcId, span: Span) -> Vec<ExprId> {
    let params = program.procs[proc].params.clone();
    params.into_iter().map(|param| program.load_var(param, span)).collect()
}
