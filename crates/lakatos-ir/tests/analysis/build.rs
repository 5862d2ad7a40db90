//! A small builder of programs, standing in for the front-end.

use lakatos_ir::*;

pub struct Build {
    pub program: Program,
}

impl std::ops::Deref for Build {
    type Target = Program;
    fn deref(&self) -> &Program {
        &self.program
    }
}

impl std::ops::DerefMut for Build {
    fn deref_mut(&mut self) -> &mut Program {
        &mut self.program
    }
}

pub const NO: Span = Span { start: 0, end: 0 };

impl Build {
    /// `start` calls `main`, which is empty.
    pub fn new() -> Build {
        let program = Program {
            source: Source::new("test.c", ""),
            types: Types::new(DataModel::Lp64),
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
        };
        let mut b = Build { program };
        let start = b.proc("<start>", &[], Type::Void);
        let main = b.proc("main", &[], Type::Void);
        let (entry, exit) = (b.entry(start), b.exit(start));
        b.edge(start, entry, exit, call(main, vec![], None));
        b
    }

    /// A procedure with an empty body.
    pub fn proc(&mut self, name: &str, params: &[Type], result: Type) -> ProcId {
        let signature = Signature { result, params: Some(params.to_vec()), variadic: false };
        let Type::Function(signature) = self.types.function(signature) else { unreachable!() };
        let id = ProcId::from_index(self.procs.len());
        let params = params.iter().map(|&ty| self.var("param", ty, VarKind::Param(id))).collect();
        let result =
            (result != Type::Void).then(|| self.var("result", result, VarKind::Result(id)));
        self.procs.push(Procedure {
            name: name.to_owned(),
            signature,
            params,
            result,
            locals: Vec::new(),
            body: Some(Cfa::new()),
            is_error: false,
            address_taken: false,
            library: None,
            span: NO,
        })
    }

    pub fn external(&mut self, name: &str, params: &[Type], result: Type) -> ProcId {
        let id = self.proc(name, params, result);
        self.procs[id].body = None;
        id
    }

    pub fn error_function(&mut self) -> ProcId {
        let id = self.external("reach_error", &[], Type::Void);
        self.procs[id].is_error = true;
        id
    }

    fn var(&mut self, name: &str, ty: Type, kind: VarKind) -> VarId {
        let (name, c_type) = (name.to_owned(), String::new());
        self.vars.push(Var { name, ty, kind, span: NO, address_taken: false, c_type })
    }

    pub fn global(&mut self, name: &str, ty: Type) -> VarId {
        self.var(name, ty, VarKind::Global)
    }

    pub fn local(&mut self, proc: ProcId, name: &str, ty: Type) -> VarId {
        let var = self.var(name, ty, VarKind::Local(proc));
        self.procs[proc].locals.push(var);
        var
    }

    pub fn site(&mut self, proc: ProcId, ty: Type) -> SiteId {
        let name = "nondet".to_owned();
        self.sites.push(Site { kind: InputKind::Nondet, proc, span: NO, name, ty })
    }

    pub fn cfa(&mut self, proc: ProcId) -> &mut Cfa {
        self.procs[proc].body.as_mut().expect("has a body")
    }

    pub fn entry(&mut self, proc: ProcId) -> LocId {
        self.cfa(proc).entry
    }

    pub fn exit(&mut self, proc: ProcId) -> LocId {
        self.cfa(proc).exit
    }

    pub fn loc(&mut self, proc: ProcId) -> LocId {
        self.cfa(proc).add_loc(NO)
    }

    pub fn edge(&mut self, proc: ProcId, from: LocId, to: LocId, instr: Instr) -> EdgeId {
        // Every edge has a span of its own, so that violations can be told apart.
        let at = self.procs.iter().filter_map(|(_, p)| p.body.as_ref()).map(|b| b.edges.len());
        let at = at.sum::<usize>() as u32;
        self.cfa(proc).add_edge(from, to, instr, Span::new(at, at + 1))
    }

    /// The instructions one after the other, from the entry to the exit.
    pub fn straight(&mut self, proc: ProcId, instrs: Vec<Instr>) {
        let mut at = self.entry(proc);
        let last = instrs.len() - 1;
        for (number, instr) in instrs.into_iter().enumerate() {
            let to = if number == last { self.exit(proc) } else { self.loc(proc) };
            self.edge(proc, at, to, instr);
            at = to;
        }
    }

    pub fn int(&mut self, value: i128, ty: Type) -> ExprId {
        self.program.expr(ExprKind::Int(value), ty, NO)
    }

    pub fn i32(&mut self, value: i128) -> ExprId {
        self.int(value, Type::I32)
    }

    pub fn load(&mut self, var: VarId) -> ExprId {
        self.load_var(var, NO)
    }

    pub fn load_place(&mut self, place: PlaceId) -> ExprId {
        let ty = self.places[place].ty;
        self.program.expr(ExprKind::Load(place), ty, NO)
    }

    pub fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() || op.is_lazy() { Type::BOOL } else { self.exprs[a].ty };
        // A span that tells the operation apart.
        let at = self.exprs.len() as u32;
        self.program.expr(ExprKind::Binary(op, a, b), ty, Span::new(at, at + 1))
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.program.expr(ExprKind::Unary(UnOp::Not, a), Type::BOOL, NO)
    }

    pub fn cast(&mut self, a: ExprId, ty: Type) -> ExprId {
        self.program.expr(ExprKind::Cast(a), ty, NO)
    }

    pub fn var_at(&mut self, var: VarId) -> PlaceId {
        self.program.var_place(var, NO)
    }

    pub fn index(&mut self, base: PlaceId, index: ExprId) -> PlaceId {
        let ty = self.types.inner(self.places[base].ty).expect("an array");
        let at = self.places.len() as u32;
        self.program.place(PlaceKind::Index(base, index), ty, Span::new(at, at + 2))
    }

    pub fn deref(&mut self, pointer: ExprId) -> PlaceId {
        let ty = self.types.inner(self.exprs[pointer].ty).expect("a pointer");
        self.program.place(PlaceKind::Deref(pointer), ty, NO)
    }

    pub fn addr_of(&mut self, place: PlaceId) -> ExprId {
        if let PlaceKind::Var(var) = self.places[place].kind {
            self.vars[var].address_taken = true;
        }
        let to = self.places[place].ty;
        let ty = self.types.pointer_to(to);
        self.program.expr(ExprKind::AddrOf(place), ty, NO)
    }

    pub fn function(&mut self, proc: ProcId) -> ExprId {
        self.procs[proc].address_taken = true;
        let ty = Type::Function(self.procs[proc].signature);
        let ty = self.types.pointer_to(ty);
        self.program.expr(ExprKind::Function(proc), ty, NO)
    }

    pub fn assign(&mut self, var: VarId, value: ExprId) -> Instr {
        Instr::Assign(self.var_at(var), value)
    }

    pub fn havoc(&mut self, proc: ProcId, var: VarId) -> Instr {
        let ty = self.vars[var].ty;
        let site = self.site(proc, ty);
        Instr::Havoc(self.var_at(var), site)
    }

    /// The two sides of a branch.
    pub fn branch(&mut self, proc: ProcId, at: LocId, condition: ExprId, yes: LocId, no: LocId) {
        self.edge(proc, at, yes, Instr::Assume(condition));
        let negated = self.not(condition);
        self.edge(proc, at, no, Instr::Assume(negated));
    }

    /// The program, if it is well formed.
    pub fn done(self) -> Program {
        assert_valid(&self.program);
        self.program
    }
}

pub fn call(callee: ProcId, args: Vec<ExprId>, result: Option<PlaceId>) -> Instr {
    Instr::Call(Call { result, callee: Callee::Proc(callee), args, site: None })
}

pub fn abort() -> Instr {
    let callee = Callee::Builtin(Builtin::Abort);
    Instr::Call(Call { result: None, callee, args: vec![], site: None })
}

pub fn assert_valid(program: &Program) {
    let problems = validate::validate(program);
    let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(list.is_empty(), "{}\n{}", list.join("\n"), crate::show::program(program));
}
