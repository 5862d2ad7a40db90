//! Straight code, one instruction after the other.

use lakatos_ir::{
    Call, Callee, Cfa, ExprId, Id, InputKind, Instr, LocId, ProcId, Procedure, Program, SigId,
    Site, SiteId, Span, Type, Var, VarId, VarKind, splice,
};

/// Where code is being added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    pub proc: ProcId,
    pub at: LocId,
}

impl Chain {
    /// At the entry of a new body.
    pub fn begin(program: &mut Program, proc: ProcId) -> Chain {
        let cfa = Cfa::new();
        let at = cfa.entry;
        program.procs[proc].body = Some(cfa);
        Chain { proc, at }
    }

    pub fn push(&mut self, program: &mut Program, instr: Instr, span: Span) {
        let cfa = splice::body(program, self.proc);
        let next = cfa.add_loc(span);
        cfa.add_edge(self.at, next, instr, span);
        self.at = next;
    }

    pub fn assume(&mut self, program: &mut Program, condition: ExprId, span: Span) {
        self.push(program, Instr::Assume(condition), span);
    }

    /// An error where the condition does not hold; its place in the source is the span.
    pub fn assert(&mut self, program: &mut Program, condition: ExprId, error: ProcId, span: Span) {
        let fails = splice::not(program, condition);
        splice::error_edge(program, self.proc, self.at, fails, error, span);
        self.push(program, Instr::Assume(condition), span);
    }

    pub fn assign(&mut self, program: &mut Program, var: VarId, value: ExprId, span: Span) {
        let place = program.var_place(var, span);
        self.push(program, Instr::Assign(place, value), span);
    }

    /// The variable gets any value of its type. Nothing can come into a type without a size.
    pub fn havoc(&mut self, program: &mut Program, var: VarId, kind: InputKind, name: String) {
        let ty = program.vars[var].ty;
        if program.types.size(ty) == 0 || !(ty.is_scalar() || ty.is_aggregate()) {
            return;
        }
        let span = program.vars[var].span;
        let site = program.sites.push(Site { kind, proc: self.proc, span, name, ty });
        let place = program.var_place(var, span);
        self.push(program, Instr::Havoc(place, site), span);
    }

    pub fn call(
        &mut self,
        program: &mut Program,
        callee: ProcId,
        args: Vec<ExprId>,
        result: Option<VarId>,
        span: Span,
    ) {
        let result = result.map(|var| program.var_place(var, span));
        let site = result.and_then(|place| site_for(program, callee, place, self.proc, span));
        let call = Call { result, callee: Callee::Proc(callee), args, site };
        self.push(program, Instr::Call(call), span);
    }

    pub fn finish(self, program: &mut Program, value: Option<ExprId>, span: Span) {
        let cfa = splice::body(program, self.proc);
        let exit = cfa.exit;
        cfa.add_edge(self.at, exit, Instr::Return(value), span);
    }
}

/// The result of a procedure without a body comes from outside.
fn site_for(
    program: &mut Program,
    callee: ProcId,
    place: lakatos_ir::PlaceId,
    proc: ProcId,
    span: Span,
) -> Option<SiteId> {
    if program.procs[callee].body.is_some() {
        return None;
    }
    let (name, ty) = (program.procs[callee].name.clone(), program.places[place].ty);
    Some(program.sites.push(Site { kind: InputKind::External, proc, span, name, ty }))
}

/// A variable of a procedure's frame.
pub(crate) fn temp(program: &mut Program, proc: ProcId, name: &str, ty: Type, span: Span) -> VarId {
    let var = variable(program, name, ty, VarKind::Temp(proc), span);
    program.procs[proc].locals.push(var);
    var
}

fn variable(program: &mut Program, name: &str, ty: Type, kind: VarKind, span: Span) -> VarId {
    let name = name.to_owned();
    program.vars.push(Var { name, ty, kind, span, address_taken: false, c_type: String::new() })
}

/// A procedure with parameters and a result, and no body yet.
pub(crate) fn procedure(
    program: &mut Program,
    name: String,
    signature: SigId,
    names: &[String],
    span: Span,
) -> ProcId {
    let proc = program.procs.push(Procedure {
        name,
        signature,
        params: Vec::new(),
        result: None,
        locals: Vec::new(),
        body: None,
        is_error: false,
        address_taken: false,
        library: None,
        span,
    });
    give_frame(program, proc, names);
    proc
}

/// Parameters and a result as the type of a procedure says.
fn give_frame(program: &mut Program, proc: ProcId, names: &[String]) {
    let span = program.procs[proc].span;
    let signature = program.types.signature(program.procs[proc].signature).clone();
    let mut params = Vec::new();
    for (index, ty) in signature.params.unwrap_or_default().into_iter().enumerate() {
        let name = names.get(index).cloned().unwrap_or_default();
        params.push(variable(program, &name, ty, VarKind::Param(proc), span));
    }
    program.procs[proc].params = params;
    if signature.result != Type::Void {
        let result = variable(program, "", signature.result, VarKind::Result(proc), span);
        program.procs[proc].result = Some(result);
    }
}

/// A run ends where the procedure is called, and that is no error.
pub(crate) fn ends_runs(program: &mut Program, proc: ProcId) {
    let had_body = program.procs[proc].body.is_some();
    program.procs[proc].is_error = false;
    program.procs[proc].body = Some(Cfa::new());
    if !had_body {
        program.procs[proc].result = None;
        give_frame(program, proc, &[]);
    }
    // Its calls are none of an external procedure any more.
    let ids: Vec<ProcId> = (0..program.procs.len()).map(ProcId::from_index).collect();
    for id in ids {
        let Some(body) = &mut program.procs[id].body else { continue };
        for (_, edge) in body.edges.iter_mut() {
            if let Instr::Call(call) = &mut edge.instr
                && call.callee == Callee::Proc(proc)
            {
                call.site = None;
            }
        }
    }
}
