//! The program of a module, for one question.

use std::collections::BTreeMap;

use lakatos_acsl::spec::Mode;
use lakatos_ir::{
    Callee, EdgeId, ExprId, ExprKind, InputKind, Instr, ProcId, Program, Span, Type, VarId, splice,
};

use crate::chain::{self, Chain};
use crate::goal::{Goal, Goals};
use crate::spec::{Frame, Spec, Stated};
use crate::stub::{self, Workshop};
use crate::translate::{self, Refused, State};
use crate::{Calls, Modular, Module, ModuleKind};

/// What is asked of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Do all clauses hold that are checked in it? They are its only errors.
    Contracts,
    /// Are the errors of the program itself reached? Runs in which a clause does not hold are not
    /// looked at.
    Property,
    /// Is the only error, which stands behind what the function requires, reached? It has to be.
    CanBeCalled,
    /// The same behind a call.
    CanReturn,
}

/// A program with its goals.
#[derive(Clone, Debug)]
pub struct Piece {
    pub program: Program,
    pub goals: Vec<Goal>,
}

impl Modular {
    /// The program of a module. What cannot be compared at its end is an error of its own.
    pub fn piece(
        &self,
        module: &Module,
        question: Question,
        calls: Calls,
    ) -> Result<Piece, lakatos_ir::Diagnostic> {
        let mut program = match calls {
            Calls::ByContract => self.by_contract.clone(),
            Calls::ByBody => self.by_body.clone(),
        };
        let mut goals = self.goals.clone();
        let wrapping = Wrapping { modular: self, module, question };
        let reached = wrapping
            .wrap(&mut program, &mut goals)
            .map_err(|refused| crate::unsupported(&refused))?;
        if question != Question::Property {
            self.errors.iter().for_each(|error| chain::ends_runs(&mut program, *error));
        }
        if question != Question::Contracts {
            goals.0.iter().for_each(|goal| chain::ends_runs(&mut program, goal.error));
        }
        if let Some(reached) = reached {
            program.procs[reached].is_error = true;
        }
        debug_assert_eq!(lakatos_ir::validate::validate(&program), Vec::new());
        Ok(Piece { program, goals: goals.0 })
    }
}

struct Wrapping<'w> {
    modular: &'w Modular,
    module: &'w Module,
    question: Question,
}

impl Wrapping<'_> {
    fn spec(&self) -> Option<&Spec> {
        self.module.spec.map(|index| &self.modular.specs[index])
    }

    /// Lets the program begin with a call of the module's function, in any state in which it may be
    /// called. Returns the procedure that is called where a question about the contract is.
    fn wrap(&self, program: &mut Program, goals: &mut Goals) -> Result<Option<ProcId>, Refused> {
        let (mut chain, given) = cut_start(program);
        program.main = self.module.proc;
        let callee = match self.module.kind {
            ModuleKind::Declared => {
                self.module.spec.map_or(self.module.proc, |index| self.modular.stubs[index].proc)
            }
            _ => self.module.proc,
        };
        let args = self.entered(program, &mut chain, given, callee);
        let span = self.module.span;
        self.required(program, goals, &mut chain, &args)?;
        let mut reached = None;
        if self.question == Question::CanBeCalled {
            reached = Some(reach(program, &mut chain, span));
        }
        let result = program.procs[callee].result.map(|var| program.vars[var].ty);
        let result = result.map(|ty| chain::temp(program, chain.proc, "\\result", ty, span));
        let ends = match self.module.kind {
            ModuleKind::Declared => Ends::default(),
            _ => self.ends(program, goals, chain.proc, &args, result)?,
        };
        for (var, copy) in &ends.copies {
            let value = program.load_var(*var, span);
            chain.assign(program, *copy, value, span);
        }
        let values = args.iter().map(|arg| program.load_var(*arg, span)).collect();
        chain.call(program, callee, values, result, span);
        for (condition, error, span) in ends.checks {
            chain.assert(program, condition, error, span);
        }
        if self.question == Question::CanReturn {
            reached = Some(reach(program, &mut chain, span));
        }
        let zero = program.expr(ExprKind::Int(0), Type::I32, span);
        chain.finish(program, Some(zero), span);
        Ok(reached)
    }

    /// The state in which the function is entered; its arguments.
    fn entered(
        &self,
        program: &mut Program,
        chain: &mut Chain,
        given: Vec<ExprId>,
        callee: ProcId,
    ) -> Vec<VarId> {
        let is_main = self.module.kind == ModuleKind::Main;
        let any = match is_main {
            true => self.modular.names.added.clone(),
            false => stub::statics(program, &self.modular.constants),
        };
        for var in any {
            let name = program.vars[var].name.clone();
            chain.havoc(program, var, InputKind::Uninitialised, name);
        }
        let mut args = Vec::new();
        for (index, param) in program.procs[callee].params.clone().into_iter().enumerate() {
            let own = program.procs[self.module.proc].params.get(index).copied().unwrap_or(param);
            let (name, span) = (program.vars[own].name.clone(), program.vars[own].span);
            let ty = program.vars[param].ty;
            let arg = chain::temp(program, chain.proc, &name, ty, span);
            match given.get(index).filter(|_| is_main) {
                Some(value) => chain.assign(program, arg, *value, span),
                None => chain.havoc(program, arg, InputKind::Uninitialised, name),
            }
            args.push(arg);
        }
        args
    }

    /// What the function requires holds; behaviours are complete and disjoint as they are said to
    /// be.
    fn required(
        &self,
        program: &mut Program,
        goals: &mut Goals,
        chain: &mut Chain,
        args: &[VarId],
    ) -> Result<(), Refused> {
        let Some(spec) = self.spec() else { return Ok(()) };
        let workshop = self.modular.workshop();
        for stated in spec.requires().iter().filter(|stated| stated.mode != Mode::Check) {
            let holds = workshop.at_entry(program, spec, stated, chain.proc, args)?;
            chain.assume(program, holds, stated.span);
        }
        for (word, stated) in spec.about_behaviors() {
            let holds = workshop.at_entry(program, spec, &stated, chain.proc, args)?;
            let what = format!("`{word}` of `{}`", spec.name);
            let error = goals.add(program, what, stated.span);
            chain.assert(program, holds, error, stated.span);
        }
        Ok(())
    }

    /// What has to hold when the function has returned.
    fn ends(
        &self,
        program: &mut Program,
        goals: &mut Goals,
        proc: ProcId,
        args: &[VarId],
        result: Option<VarId>,
    ) -> Result<Ends, Refused> {
        let mut ends = Ends::default();
        let Some(spec) = self.spec() else { return Ok(ends) };
        let workshop = self.modular.workshop();
        for stated in spec.ensures().iter().filter(|stated| stated.mode != Mode::Admit) {
            let (condition, copies) =
                ensured(&workshop, program, spec, stated, proc, args, result)?;
            let what = format!("`ensures` of `{}`", spec.name);
            let error = goals.add(program, what, stated.span);
            ends.checks.push((condition, error, stated.span));
            ends.copies.extend(copies);
        }
        for frame in spec.frames(program, &self.modular.names)? {
            self.frame(program, goals, spec, &frame, proc, args, &mut ends)?;
        }
        Ok(ends)
    }

    /// Whatever the function may change and the frame does not list is as it was.
    #[allow(clippy::too_many_arguments)]
    fn frame(
        &self,
        program: &mut Program,
        goals: &mut Goals,
        spec: &Spec,
        frame: &Frame,
        proc: ProcId,
        args: &[VarId],
        ends: &mut Ends,
    ) -> Result<(), Refused> {
        let index = self.module.spec.unwrap_or_default();
        let writes = &self.modular.effects[index].writes;
        let refuse = |what: String| Err(Refused { what, span: frame.span });
        if !writes.memory.is_empty() {
            return refuse(format!(
                "whether `{}` changes through pointers nothing but what `assigns` lists",
                spec.name
            ));
        }
        for var in writes.vars.difference(&frame.vars).copied() {
            let name = program.vars[var].name.clone();
            if !stub::is_integer(program, var) {
                return refuse(format!("whether `{name}`, which is no integer, is unchanged"));
            }
            let names = &self.modular.names;
            let mut scope = stub::scope(names, spec, frame.contract, proc, args, None);
            let theory = &self.modular.theory;
            let condition = stub::unchanged(program, theory, &mut scope, frame, var)?;
            let what = format!("`assigns` of `{}`, which does not list `{name}`,", spec.name);
            let error = goals.add(program, what, frame.span);
            ends.checks.push((condition, error, frame.span));
            ends.copies.extend(scope.copies);
        }
        Ok(())
    }
}

/// Conditions with the errors that they are where they fail, and the copies that they need.
#[derive(Debug, Default)]
struct Ends {
    checks: Vec<(ExprId, ProcId, Span)>,
    copies: Vec<(VarId, VarId)>,
}

/// A clause after a call.
fn ensured(
    workshop: &Workshop<'_>,
    program: &mut Program,
    spec: &Spec,
    stated: &Stated,
    proc: ProcId,
    args: &[VarId],
    result: Option<VarId>,
) -> Result<(ExprId, BTreeMap<VarId, VarId>), Refused> {
    let mut scope = stub::scope(workshop.names, spec, stated.contract, proc, args, result);
    let condition =
        translate::condition(program, workshop.theory, &mut scope, &stated.body, State::Now)?;
    Ok((condition, scope.copies))
}

/// Whether what is checked at the entry of a function can be translated.
pub(crate) fn try_entry(
    workshop: &Workshop<'_>,
    program: &mut Program,
    spec: &Spec,
    stub: ProcId,
) -> Result<(), Refused> {
    let args = program.procs[stub].params.clone();
    let result = program.procs[stub].result;
    for stated in spec.requires() {
        workshop.at_entry(program, spec, &stated, stub, &args)?;
    }
    for (_, stated) in spec.about_behaviors() {
        workshop.at_entry(program, spec, &stated, stub, &args)?;
    }
    for stated in spec.ensures() {
        ensured(workshop, program, spec, &stated, stub, &args, result)?;
    }
    Ok(())
}

/// Cuts the procedure where programs begin before its call of `main`; what it would be given.
fn cut_start(program: &mut Program) -> (Chain, Vec<ExprId>) {
    let (start, main) = (program.start, program.main);
    let cfa = splice::body(program, start);
    let calls_main = |id: EdgeId| match &cfa.edges[id].instr {
        Instr::Call(call) if call.callee == Callee::Proc(main) => Some((id, call.args.clone())),
        _ => None,
    };
    let found = cfa.edges.ids().find_map(calls_main);
    let (edge, args) = found.expect("a program begins with a call of `main`");
    let span = cfa.edges[edge].span;
    cfa.edges[edge].instr = Instr::Skip;
    // What follows the call is never reached; what is added follows a new location.
    let to = cfa.edges[edge].to;
    let at = cfa.add_loc(span);
    cfa.locs[to].into.retain(|other| *other != edge);
    cfa.edges[edge].to = at;
    cfa.locs[at].into.push(edge);
    (Chain { proc: start, at }, args)
}

/// A call of a procedure that is an error.
fn reach(program: &mut Program, chain: &mut Chain, span: Span) -> ProcId {
    let error = splice::error_procedure(program, "reached".to_owned(), span);
    debug_assert_eq!(program.types.signature(program.procs[error].signature).result, Type::Void);
    chain.call(program, error, Vec::new(), None, span);
    error
}
