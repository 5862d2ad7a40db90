//! Programs as short text, for failure messages and expectations.

use lakatos_ir::*;

/// One line per edge, procedure by procedure.
pub fn program(program: &Program) -> String {
    let mut lines = Vec::new();
    for (id, proc, body) in program.defined() {
        lines.push(format!("{} ({id:?}):", proc.name));
        lines.extend(body_lines(program, body).into_iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

/// One line per edge of a procedure.
pub fn body(program: &Program, proc: ProcId) -> String {
    let body = program.procs[proc].body.as_ref().expect("has a body");
    body_lines(program, body).join("\n")
}

fn body_lines(program: &Program, body: &Cfa) -> Vec<String> {
    let name = |loc: LocId| {
        let error = if body.locs[loc].error.is_some() { "!" } else { "" };
        match loc {
            _ if loc == body.entry => format!("entry{error}"),
            _ if loc == body.exit => format!("exit{error}"),
            _ => format!("{loc:?}{error}"),
        }
    };
    let out = body.locs.iter().flat_map(|(_, l)| &l.out).map(|&e| &body.edges[e]);
    out.map(|e| format!("{} -> {}: {}", name(e.from), name(e.to), instr(program, &e.instr)))
        .collect()
}

pub fn instr(program: &Program, i: &Instr) -> String {
    match i {
        Instr::Skip => "skip".into(),
        Instr::Assign(p, e) => format!("{} = {}", place(program, *p), expr(program, *e)),
        Instr::Assume(e) => format!("[{}]", expr(program, *e)),
        Instr::Havoc(p, _) => format!("{} = *", place(program, *p)),
        Instr::Call(call) => {
            let result = call.result.map(|p| format!("{} = ", place(program, p)));
            let callee = match call.callee {
                Callee::Proc(p) => program.procs[p].name.clone(),
                Callee::Pointer(e) => format!("(*{})", expr(program, e)),
                Callee::Builtin(b) => format!("{b:?}"),
            };
            let args: Vec<String> = call.args.iter().map(|&a| expr(program, a)).collect();
            format!("{}{callee}({})", result.unwrap_or_default(), args.join(", "))
        }
        Instr::Return(e) => format!("return {}", e.map(|e| expr(program, e)).unwrap_or_default()),
        Instr::Dead(v) => format!("dead {}", program.vars[*v].name),
        Instr::Block(region) => {
            let steps = region.edges.iter();
            let steps =
                steps.map(|e| format!("{:?}->{:?} {}", e.from, e.to, instr(program, &e.instr)));
            format!("{{ {} }}", steps.collect::<Vec<_>>().join("; "))
        }
    }
}

pub fn place(program: &Program, p: PlaceId) -> String {
    match program.places[p].kind {
        PlaceKind::Var(v) => program.vars[v].name.clone(),
        PlaceKind::Deref(e) => format!("*{}", expr(program, e)),
        PlaceKind::Index(b, i) => format!("{}[{}]", place(program, b), expr(program, i)),
        PlaceKind::Field(b, n) => format!("{}.{n}", place(program, b)),
    }
}

pub fn expr(program: &Program, e: ExprId) -> String {
    let of = |e: ExprId| expr(program, e);
    match program.exprs[e].kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Load(p) => place(program, p),
        ExprKind::AddrOf(p) => format!("&{}", place(program, p)),
        ExprKind::Function(p) => format!("&{}", program.procs[p].name),
        ExprKind::Unary(op, a) => {
            let op = match op {
                UnOp::Neg => "-",
                UnOp::BitNot => "~",
                UnOp::Not => "!",
            };
            format!("{op}{}", of(a))
        }
        ExprKind::Binary(op, a, b) => format!("({} {} {})", of(a), op.symbol(), of(b)),
        ExprKind::Overflows(op, a, b, _) => format!("overflows({op:?}, {}, {})", of(a), of(b)),
        ExprKind::Cast(a) => format!("cast({})", of(a)),
        ExprKind::Ite(c, a, b) => format!("({} ? {} : {})", of(c), of(a), of(b)),
        ref other => format!("{other:?}"),
    }
}
