//! The outline of a program: where its statements, loops, calls and scopes are in the source. The
//! IR has no blocks; witnesses speak of positions and of names in scope.

use lakatos_c::ast::{DeclKind, ExprId, ExprKind, StmtId, StmtKind, UnOp, Unit};
use lakatos_ir::{ProcId, Program, Span, VarId, VarKind};

/// What kind of statement begins somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Loop,
    /// `if` or `switch`.
    Branch,
    /// A block or a label: what follows begins at the same point of a run.
    Wrapper,
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    pub kind: Kind,
    pub span: Span,
    /// Names are looked up as if here: in a `for`, behind its declarations.
    pub scope: u32,
}

/// A name that is declared in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Declared {
    /// The name in its declarator.
    name: Span,
    /// Where the name is in scope.
    scope: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    name: String,
    /// From its first token to its closing brace.
    span: Span,
}

/// A condition that decides where a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Where its keyword begins.
    pub keyword: u32,
    /// What is tested, without the negations before it.
    pub condition: Span,
    /// There is an odd number of them.
    pub negated: bool,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    functions: Vec<Function>,
    /// Sorted by their begin, outer ones first.
    statements: Vec<Statement>,
    declared: Vec<Declared>,
    /// The calls, by their spans.
    calls: Vec<Span>,
    /// Conditions and other expressions that are evaluated as a whole.
    full: Vec<Span>,
    branches: Vec<Branch>,
}

impl Outline {
    /// Of the source that a program was made from.
    pub fn new(program: &Program) -> Outline {
        let source = program.source.own();
        let options = lakatos_c::Options::of_model(program.types.model);
        match lakatos_c::check(source, &options) {
            Ok(unit) => of_unit(&unit),
            // The program exists, so its source is C; without an outline nothing has a place.
            Err(_) => Outline::default(),
        }
    }

    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    pub fn calls(&self) -> &[Span] {
        &self.calls
    }

    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The function that a position is in.
    pub fn function_at(&self, program: &Program, at: u32) -> Option<ProcId> {
        let within = |span: Span| span.start <= at && at < span.end;
        let function = self.functions.iter().find(|f| within(f.span))?;
        let named = program.defined().find(|(_, p, _)| p.name == function.name);
        named.map(|(proc, ..)| proc)
    }

    /// Where the definition of a function begins.
    pub fn begin_of(&self, name: &str) -> Option<u32> {
        self.functions.iter().find(|f| f.name == name).map(|f| f.span.start)
    }

    /// The statement, or the condition in it, that is being executed at a position.
    pub fn full_expression(&self, at: u32) -> Option<Span> {
        let within = |span: &&Span| span.start <= at && at < span.end;
        let shortest =
            |spans: &mut dyn Iterator<Item = Span>| spans.min_by_key(|span| span.end - span.start);
        let statement = shortest(
            &mut self
                .statements
                .iter()
                .filter(|s| s.kind != Kind::Wrapper)
                .map(|s| s.span)
                .filter(|span| within(&span)),
        );
        let full = shortest(&mut self.full.iter().copied().filter(|span| within(&span)));
        match (statement, full) {
            (Some(statement), Some(full))
                if full.end - full.start < statement.end - statement.start =>
            {
                // An expression statement begins where its expression does.
                Some(full)
            }
            (statement, full) => statement.or(full),
        }
    }

    /// The statement that comes right after a position in the text.
    pub fn next_statement(&self, at: u32) -> Option<Statement> {
        self.statements.iter().find(|s| s.span.start >= at && s.kind != Kind::Wrapper).copied()
    }

    /// What a name means at a position in a procedure.
    pub fn variable(&self, program: &Program, proc: ProcId, at: u32, name: &str) -> Option<VarId> {
        let mut best: Option<(u32, VarId)> = None;
        for (id, var) in program.vars.iter().filter(|(_, var)| var.name == name) {
            let begin = match var.kind {
                VarKind::Global => (var.span.start < at).then_some(0),
                VarKind::Param(owner) | VarKind::Local(owner) | VarKind::Static(owner) => {
                    let scope = self.declared.iter().find(|d| d.name == var.span);
                    let scope = scope.filter(|_| owner == proc).map(|d| d.scope);
                    scope.filter(|s| s.start <= at && at < s.end).map(|s| s.start)
                }
                _ => None,
            };
            if let Some(begin) = begin
                && best.is_none_or(|(other, _)| other <= begin)
            {
                best = Some((begin, id));
            }
        }
        best.map(|(_, id)| id)
    }
}

fn of_unit(unit: &Unit) -> Outline {
    let mut outline = Outline::default();
    for &decl in &unit.functions {
        let decl = &unit.decls[decl];
        let DeclKind::Function(function) = &decl.kind else { continue };
        let Some(body) = &function.body else { continue };
        let name = unit.symbols.name(decl.name).to_owned();
        outline.functions.push(Function { name, span: body.span });
        for &param in &body.params {
            let name = unit.decls[param].span;
            outline.declared.push(Declared { name, scope: Span::new(name.end, body.span.end) });
        }
    }
    for (_, stmt) in unit.stmts.iter() {
        add_statement(unit, &mut outline, &stmt.kind, stmt.span);
    }
    for (_, expr) in unit.exprs.iter() {
        match &expr.kind {
            ExprKind::Call { .. } => outline.calls.push(expr.span),
            ExprKind::StmtExpr { body, .. } => add_scope(unit, &mut outline, body, expr.span.end),
            _ => {}
        }
    }
    let order = |span: Span| (span.start, std::cmp::Reverse(span.end));
    outline.statements.sort_by_key(|s| order(s.span));
    outline.calls.sort_by_key(|span| order(*span));
    outline.calls.dedup();
    outline
}

fn add_statement(unit: &Unit, outline: &mut Outline, kind: &StmtKind, span: Span) {
    let mut scope = span.start;
    let full = |outline: &mut Outline, expr| outline.full.push(unit.exprs[expr].span);
    let branch = |outline: &mut Outline, keyword: u32, condition: ExprId| {
        outline.full.push(unit.exprs[condition].span);
        let (condition, negated) = tested(unit, condition);
        outline.branches.push(Branch { keyword, condition, negated });
    };
    let shape = match kind {
        StmtKind::For { init, cond, step, body } => {
            add_scope(unit, outline, init, span.end);
            cond.iter().for_each(|cond| branch(outline, span.start, *cond));
            step.iter().for_each(|step| full(outline, *step));
            scope = unit.stmts[*body].span.start;
            Kind::Loop
        }
        StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => {
            branch(outline, span.start, *cond);
            Kind::Loop
        }
        StmtKind::If { arms, .. } => {
            for (number, (cond, _)) in arms.iter().enumerate() {
                let keyword = match number {
                    0 => span.start,
                    _ => keyword_before(unit.source.text(), unit.exprs[*cond].span.start),
                };
                branch(outline, keyword, *cond);
            }
            Kind::Branch
        }
        StmtKind::Switch { cond, .. } => {
            full(outline, *cond);
            Kind::Branch
        }
        StmtKind::Block(list) => {
            add_scope(unit, outline, list, span.end);
            Kind::Wrapper
        }
        StmtKind::Label(_) | StmtKind::Case { .. } | StmtKind::Default => Kind::Wrapper,
        _ => Kind::Plain,
    };
    outline.statements.push(Statement { kind: shape, span, scope });
}

/// What a condition tests, and whether it is negated.
fn tested(unit: &Unit, mut condition: ExprId) -> (Span, bool) {
    let mut negated = false;
    loop {
        match unit.exprs[condition].kind {
            ExprKind::Unary(UnOp::Not, operand) => {
                negated = !negated;
                condition = operand;
            }
            ExprKind::Convert { operand, explicit: false } => condition = operand,
            _ => return (unit.exprs[condition].span, negated),
        }
    }
}

/// Where the `if` of an `else if` is, whose condition begins at a position.
fn keyword_before(text: &str, condition: u32) -> u32 {
    text[..condition as usize].rfind("if").map_or(condition, |at| at as u32)
}

/// The names that a list of statements declares are known to the end of its block.
fn add_scope(unit: &Unit, outline: &mut Outline, list: &[StmtId], end: u32) {
    for &stmt in list {
        if let StmtKind::Decl(decl) = unit.stmts[stmt].kind {
            let name = unit.decls[decl].span;
            outline.declared.push(Declared { name, scope: Span::new(name.end, end) });
        }
    }
}

/// Files are compared by their names: folders differ between machines.
pub fn same_file(a: &str, b: &str) -> bool {
    let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    name(a) == name(b)
}
