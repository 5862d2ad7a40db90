//! A small builder of programs. Every expression and place gets a line of source of its own, so
//! that spans and messages can be tested.

use lakatos_ir::interpret::{InOrder, Options, Oracle, Outcome, Run, run};
use lakatos_ir::*;

pub const INT: Type = Type::I32;
pub const UINT: Type = Type::Int(IntType::unsigned(32));
pub const LONG: Type = Type::Int(IntType::signed(64));
pub const ULONG: Type = Type::Int(IntType::unsigned(64));
pub const CHAR: Type = Type::Int(IntType::signed(8));
pub const SHORT: Type = Type::Int(IntType::signed(16));
pub const FLOAT: Type = Type::Float(FloatType::F32);
pub const DOUBLE: Type = Type::Float(FloatType::F64);

pub struct Build {
    pub program: Program,
    text: String,
    expr_text: Vec<String>,
    place_text: Vec<String>,
    /// The procedure under construction.
    pub proc: ProcId,
    /// Where it goes on, per procedure.
    at: Vec<LocId>,
}

fn empty(model: DataModel) -> Program {
    Program {
        source: Source::new("test.c", ""),
        types: Types::new(model),
        vars: Arena::new(),
        procs: Arena::new(),
        exprs: Arena::new(),
        places: Arena::new(),
        strings: Arena::new(),
        sites: Arena::new(),
        pieces: Default::default(),
        shared: Default::default(),
        foreign: None,
        followed: Default::default(),
        constants: Default::default(),
        arrays: Default::default(),
        bounds: Default::default(),
        start: ProcId(0),
        main: ProcId(1),
        annotations: Vec::new(),
        environment: Default::default(),
        warnings: Vec::new(),
    }
}

impl Build {
    /// A program whose `main` (of type `int(void)`) is under construction.
    pub fn new() -> Build {
        Build::with_model(DataModel::Lp64)
    }

    pub fn with_model(model: DataModel) -> Build {
        let mut b = Build {
            program: empty(model),
            text: String::new(),
            expr_text: Vec::new(),
            place_text: Vec::new(),
            proc: ProcId(0),
            at: Vec::new(),
        };
        b.proc("start", INT, &[]);
        let main = b.proc("main", INT, &[]);
        b.proc = main;
        b
    }

    pub fn proc(&mut self, name: &str, result: Type, params: &[(&str, Type)]) -> ProcId {
        let id = ProcId::from_index(self.program.procs.len());
        let types = params.iter().map(|p| p.1).collect();
        let signature = Signature { result, params: Some(types), variadic: false };
        let Type::Function(signature) = self.program.types.function(signature) else {
            unreachable!()
        };
        let params = params.iter().map(|(n, ty)| self.var(n, *ty, VarKind::Param(id))).collect();
        let result =
            (result != Type::Void).then(|| self.var("result", result, VarKind::Result(id)));
        let cfa = Cfa::new();
        self.at.push(cfa.entry);
        let span = self.span(name);
        self.program.procs.push(Procedure {
            name: name.to_owned(),
            signature,
            params,
            result,
            locals: Vec::new(),
            body: Some(cfa),
            is_error: false,
            address_taken: true,
            library: None,
            span,
        })
    }

    pub fn declare(&mut self, name: &str, result: Type, params: &[(&str, Type)]) -> ProcId {
        let id = self.proc(name, result, params);
        self.program.procs[id].body = None;
        id
    }

    pub fn span(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.text.push('\n');
        Span::new(start, start + text.len() as u32)
    }

    pub fn var(&mut self, name: &str, ty: Type, kind: VarKind) -> VarId {
        let span = self.span(name);
        self.program.vars.push(Var {
            name: name.to_owned(),
            ty,
            kind,
            span,
            address_taken: true,
            c_type: String::new(),
        })
    }

    /// A local of the procedure under construction.
    pub fn local(&mut self, name: &str, ty: Type) -> VarId {
        let var = self.var(name, ty, VarKind::Local(self.proc));
        self.program.procs[self.proc].locals.push(var);
        var
    }

    pub fn global(&mut self, name: &str, ty: Type) -> VarId {
        self.var(name, ty, VarKind::Global)
    }

    pub fn site(&mut self, kind: InputKind, name: &str, ty: Type) -> SiteId {
        let span = self.span(name);
        self.program.sites.push(Site { kind, proc: self.proc, span, name: name.to_owned(), ty })
    }

    pub fn pointer(&mut self, ty: Type) -> Type {
        self.program.types.pointer_to(ty)
    }

    pub fn array(&mut self, ty: Type, len: u64) -> Type {
        self.program.types.array_of(ty, Some(len))
    }

    pub fn record(
        &mut self,
        kind: RecordKind,
        size: u64,
        fields: &[(Type, u64, Option<u8>)],
    ) -> Type {
        let fields = fields
            .iter()
            .enumerate()
            .map(|(i, &(ty, offset, bit))| Field { name: Some(format!("f{i}")), ty, offset, bit })
            .collect();
        Type::Record(self.program.types.records.push(Record {
            kind,
            name: "S".to_owned(),
            fields,
            size,
            align: 1,
            incomplete: false,
        }))
    }

    // Expressions.

    pub fn expr(&mut self, kind: ExprKind, ty: Type, text: String) -> ExprId {
        let span = self.span(&text);
        self.expr_text.push(text);
        self.program.expr(kind, ty, span)
    }

    fn show(&self, e: ExprId) -> String {
        self.expr_text[e.index()].clone()
    }

    fn show_place(&self, p: PlaceId) -> String {
        self.place_text[p.index()].clone()
    }

    pub fn int(&mut self, value: i128, ty: Type) -> ExprId {
        self.expr(ExprKind::Int(value), ty, value.to_string())
    }

    pub fn i(&mut self, value: i32) -> ExprId {
        self.int(value.into(), INT)
    }

    pub fn double(&mut self, value: f64, ty: Type) -> ExprId {
        self.expr(ExprKind::Float(value.to_bits()), ty, format!("{value:?}"))
    }

    pub fn null(&mut self, ty: Type) -> ExprId {
        self.expr(ExprKind::Null, ty, "NULL".to_owned())
    }

    pub fn zero(&mut self, ty: Type) -> ExprId {
        self.expr(ExprKind::Zero, ty, "{0}".to_owned())
    }

    pub fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = match op.is_comparison() || op.is_lazy() {
            true => Type::BOOL,
            false => self.program.exprs[a].ty,
        };
        let text = format!("{} {op:?} {}", self.show(a), self.show(b));
        self.expr(ExprKind::Binary(op, a, b), ty, text)
    }

    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(BinOp::Add, a, b)
    }

    pub fn un(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let ty = self.program.exprs[a].ty;
        let text = format!("{op:?} {}", self.show(a));
        self.expr(ExprKind::Unary(op, a), ty, text)
    }

    pub fn cast(&mut self, ty: Type, e: ExprId) -> ExprId {
        let text = format!("(T){}", self.show(e));
        self.expr(ExprKind::Cast(e), ty, text)
    }

    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.program.exprs[a].ty;
        let text = format!("{} ? {} : {}", self.show(c), self.show(a), self.show(b));
        self.expr(ExprKind::Ite(c, a, b), ty, text)
    }

    pub fn ptr_add(&mut self, p: ExprId, n: ExprId) -> ExprId {
        let ty = self.program.exprs[p].ty;
        let text = format!("{} + {}", self.show(p), self.show(n));
        self.expr(ExprKind::PtrAdd(p, n), ty, text)
    }

    pub fn ptr_diff(&mut self, p: ExprId, q: ExprId) -> ExprId {
        let text = format!("{} - {}", self.show(p), self.show(q));
        let ty = Type::Int(self.program.types.model.diff_type());
        self.expr(ExprKind::PtrDiff(p, q), ty, text)
    }

    pub fn load(&mut self, place: PlaceId) -> ExprId {
        let (ty, text) = (self.program.places[place].ty, self.show_place(place));
        self.expr(ExprKind::Load(place), ty, text)
    }

    pub fn addr(&mut self, place: PlaceId) -> ExprId {
        let ty = self.pointer(self.program.places[place].ty);
        let text = format!("&{}", self.show_place(place));
        self.expr(ExprKind::AddrOf(place), ty, text)
    }

    pub fn function(&mut self, proc: ProcId) -> ExprId {
        let ty = self.pointer(Type::Function(self.program.procs[proc].signature));
        let name = self.program.procs[proc].name.clone();
        self.expr(ExprKind::Function(proc), ty, name)
    }

    pub fn get(&mut self, var: VarId) -> ExprId {
        let place = self.at(var);
        self.load(place)
    }

    pub fn addr_of(&mut self, var: VarId) -> ExprId {
        let place = self.at(var);
        self.addr(place)
    }

    // Places.

    fn place(&mut self, kind: PlaceKind, ty: Type, text: String) -> PlaceId {
        let span = self.span(&text);
        self.place_text.push(text);
        self.program.place(kind, ty, span)
    }

    pub fn at(&mut self, var: VarId) -> PlaceId {
        let (ty, name) = (self.program.vars[var].ty, self.program.vars[var].name.clone());
        self.place(PlaceKind::Var(var), ty, name)
    }

    pub fn deref(&mut self, p: ExprId) -> PlaceId {
        let ty = self.program.types.inner(self.program.exprs[p].ty).expect("a pointer");
        let text = format!("*{}", self.show(p));
        self.place(PlaceKind::Deref(p), ty, text)
    }

    pub fn index(&mut self, base: PlaceId, i: ExprId) -> PlaceId {
        let ty = self.program.types.inner(self.program.places[base].ty).expect("an array");
        let text = format!("{}[{}]", self.show_place(base), self.show(i));
        self.place(PlaceKind::Index(base, i), ty, text)
    }

    pub fn field(&mut self, base: PlaceId, n: u32) -> PlaceId {
        let Type::Record(record) = self.program.places[base].ty else { panic!("no record") };
        let ty = self.program.types.records[record].fields[n as usize].ty;
        let text = format!("{}.f{n}", self.show_place(base));
        self.place(PlaceKind::Field(base, n), ty, text)
    }

    // Statements.

    fn cfa(&mut self) -> &mut Cfa {
        self.program.procs[self.proc].body.as_mut().expect("a body")
    }

    pub fn here(&self) -> LocId {
        self.at[self.proc.index()]
    }

    pub fn new_loc(&mut self) -> LocId {
        self.cfa().add_loc(Span::default())
    }

    pub fn edge(&mut self, from: LocId, to: LocId, instr: Instr) -> EdgeId {
        let span = self.span("statement");
        self.cfa().add_edge(from, to, instr, span)
    }

    pub fn go_on_at(&mut self, loc: LocId) {
        self.at[self.proc.index()] = loc;
    }

    pub fn emit(&mut self, instr: Instr) -> EdgeId {
        let from = self.here();
        let to = self.new_loc();
        self.go_on_at(to);
        self.edge(from, to, instr)
    }

    pub fn assign(&mut self, place: PlaceId, e: ExprId) {
        self.emit(Instr::Assign(place, e));
    }

    pub fn set(&mut self, var: VarId, e: ExprId) {
        let place = self.at(var);
        self.assign(place, e);
    }

    pub fn havoc(&mut self, var: VarId, site: SiteId) {
        let place = self.at(var);
        self.emit(Instr::Havoc(place, site));
    }

    pub fn call(&mut self, result: Option<VarId>, callee: Callee, args: &[ExprId]) -> EdgeId {
        self.call_at(result, callee, args, None)
    }

    pub fn call_at(
        &mut self,
        result: Option<VarId>,
        callee: Callee,
        args: &[ExprId],
        site: Option<SiteId>,
    ) -> EdgeId {
        let result = result.map(|var| self.at(var));
        self.emit(Instr::Call(Call { result, callee, args: args.to_vec(), site }))
    }

    pub fn builtin(&mut self, result: Option<VarId>, builtin: Builtin, args: &[ExprId]) {
        self.call(result, Callee::Builtin(builtin), args);
    }

    pub fn ret(&mut self, e: ExprId) {
        let (from, exit) = (self.here(), self.cfa().exit);
        self.edge(from, exit, Instr::Return(Some(e)));
        let next = self.new_loc();
        self.go_on_at(next);
    }

    pub fn when(&mut self, c: ExprId, body: impl FnOnce(&mut Build)) {
        let (from, yes, after) = (self.here(), self.new_loc(), self.new_loc());
        let not = self.un(UnOp::Not, c);
        self.edge(from, yes, Instr::Assume(c));
        self.edge(from, after, Instr::Assume(not));
        self.go_on_at(yes);
        body(self);
        let end = self.here();
        self.edge(end, after, Instr::Skip);
        self.go_on_at(after);
    }

    pub fn repeat_while(&mut self, c: ExprId, body: impl FnOnce(&mut Build)) {
        let (head, inside, after) = (self.here(), self.new_loc(), self.new_loc());
        let not = self.un(UnOp::Not, c);
        self.edge(head, inside, Instr::Assume(c));
        self.edge(head, after, Instr::Assume(not));
        self.go_on_at(inside);
        body(self);
        let end = self.here();
        self.edge(end, head, Instr::Skip);
        self.go_on_at(after);
    }

    /// A `char` pointer to a string literal.
    pub fn string(&mut self, text: &[u8]) -> ExprId {
        let mut bytes = text.to_vec();
        bytes.push(0);
        let ty = self.array(CHAR, bytes.len() as u64);
        let var = self.var("literal", ty, VarKind::Literal);
        let id = self.program.strings.push(bytes);
        let value = self.expr(ExprKind::Str(id), ty, "\"...\"".to_owned());
        let before = std::mem::replace(&mut self.proc, ProcId(0));
        self.set(var, value);
        self.proc = before;
        let (array, zero) = (self.at(var), self.i(0));
        let first = self.index(array, zero);
        self.addr(first)
    }

    // Runs.

    pub fn finish(mut self) -> Program {
        self.proc = self.program.start;
        let code = self.local("code", INT);
        self.call(Some(code), Callee::Proc(self.program.main), &[]);
        let code = self.get(code);
        self.ret(code);
        self.program.source = Source::new("test.c", self.text);
        self.program
    }

    pub fn run_with(self, options: &Options, oracle: &mut dyn Oracle) -> (Program, Run) {
        let program = self.finish();
        let run = run(&program, options, oracle);
        (program, run)
    }

    pub fn run(self, inputs: &[i128]) -> (Program, Run) {
        self.run_with(&Options::default(), &mut InOrder::new(inputs.to_vec()))
    }

    pub fn outcome(self, inputs: &[i128]) -> Outcome {
        self.run(inputs).1.outcome
    }

    /// Runs and expects this undefined behaviour at this piece of source.
    #[track_caller]
    pub fn check_undefined(self, kind: Undefined, at: &str) -> String {
        let (program, run) = self.run(&[]);
        match run.outcome {
            Outcome::Undefined { kind: found, span, message } => {
                assert_eq!((found, program.source.snippet(span)), (kind, at), "{message}");
                message
            }
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    pub fn check_exit(self, code: i128) {
        assert_eq!(self.outcome(&[]), Outcome::Exited(code));
    }
}
