//! Programs for tests: a little structured language, and automata from bare edges.

use lakatos_ir::*;

/// Statements over `int` variables named by a letter.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// `x = x + n`
    Add(char, i32),
    /// `if (x < n) … else …`
    If(char, i32, Vec<Stmt>, Vec<Stmt>),
    /// `while (x < n) …`
    While(char, i32, Vec<Stmt>),
    Break,
    Continue,
    Return,
    Error,
    Abort,
}

pub(super) struct Sample {
    program: Program,
    text: String,
    proc: ProcId,
    cfa: Cfa,
    /// Continue and break targets of the loops around.
    loops: Vec<(LocId, LocId)>,
}

impl Sample {
    pub fn new() -> Sample {
        let program = Program {
            source: Source::new("sample.c", ""),
            types: Types::default(),
            vars: Arena::new(),
            procs: Arena::new(),
            exprs: Arena::new(),
            places: Arena::new(),
            strings: Arena::new(),
            sites: Arena::new(),
            pieces: Default::default(),
            followed: Default::default(),
            constants: Default::default(),
            arrays: Default::default(),
            bounds: Default::default(),
            start: ProcId(0),
            main: ProcId(0),
            shared: Default::default(),
            foreign: None,
            annotations: vec![],
            environment: Default::default(),
            warnings: vec![],
        };
        let mut sample = Sample {
            program,
            text: String::new(),
            proc: ProcId(0),
            cfa: Cfa::new(),
            loops: vec![],
        };
        sample.declare("reach_error", Type::Void, None);
        sample.program.procs[ProcId(0)].is_error = true;
        sample
    }

    fn declare(&mut self, name: &str, result: Type, body: Option<Cfa>) -> ProcId {
        let signature = Signature { result, params: Some(vec![]), variadic: false };
        let Type::Function(signature) = self.program.types.function(signature) else {
            unreachable!("a function type was made")
        };
        let span = self.source_line(&format!("{name}()"));
        self.program.procs.push(Procedure {
            name: name.to_owned(),
            signature,
            params: vec![],
            result: None,
            locals: vec![],
            body,
            is_error: false,
            address_taken: false,
            library: None,
            span,
        })
    }

    /// Adds a procedure from statements.
    pub fn procedure(mut self, name: &str, body: &[Stmt]) -> Sample {
        self.begin(name);
        let end = self.block(self.cfa.entry, body);
        self.edge(end, self.cfa.exit, Instr::Return(None));
        self.finish()
    }

    /// Adds a procedure with `count` locations (at least 2: entry 0, exit 1) and bare edges.
    pub fn automaton(mut self, name: &str, count: usize, edges: &[(u32, u32, bool)]) -> Sample {
        self.begin(name);
        while self.cfa.locs.len() < count {
            let span = self.source_line("here");
            self.cfa.add_loc(span);
        }
        for (i, &(from, to, is_skip)) in edges.iter().enumerate() {
            let instr = if is_skip { Instr::Skip } else { self.add('x', i as i32 * 7) };
            self.edge(LocId(from), LocId(to), instr);
        }
        self.finish()
    }

    pub fn build(mut self) -> Program {
        self.program.source = Source::new("sample.c", self.text);
        self.program.main = self.proc;
        self.program.start = self.proc;
        self.program
    }

    fn begin(&mut self, name: &str) {
        self.proc = self.declare(name, Type::I32, None);
        self.cfa = Cfa::new();
    }

    fn finish(mut self) -> Sample {
        self.program.procs[self.proc].body = Some(std::mem::take(&mut self.cfa));
        self
    }

    fn source_line(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        self.text += text;
        self.text.push('\n');
        Span::new(start, start + text.len() as u32)
    }

    fn edge(&mut self, from: LocId, to: LocId, instr: Instr) {
        let text = self.program.show_instr(&instr).to_string();
        let span = match instr {
            Instr::Skip => Span::default(),
            _ => self.source_line(&text),
        };
        if self.cfa.locs[from].span == Span::default() {
            self.cfa.locs[from].span = span;
        }
        self.cfa.add_edge(from, to, instr, span);
    }

    fn var(&mut self, name: char) -> VarId {
        let kind = VarKind::Local(self.proc);
        let known =
            self.program.vars.iter().find(|(_, v)| v.kind == kind && v.name.starts_with(name));
        if let Some((id, _)) = known {
            return id;
        }
        self.program.vars.push(Var {
            name: name.to_string(),
            ty: Type::I32,
            kind,
            span: Span::default(),
            address_taken: false,
            c_type: "int".into(),
        })
    }

    fn binary(&mut self, op: BinOp, name: char, n: i32, ty: Type) -> ExprId {
        let var = self.var(name);
        let x = self.program.load_var(var, Span::default());
        let n = self.program.expr(ExprKind::Int(n.into()), Type::I32, Span::default());
        self.program.expr(ExprKind::Binary(op, x, n), ty, Span::default())
    }

    fn add(&mut self, name: char, n: i32) -> Instr {
        let sum = self.binary(BinOp::Add, name, n, Type::I32);
        let var = self.var(name);
        Instr::Assign(self.program.var_place(var, Span::default()), sum)
    }

    fn branch(&mut self, at: LocId, name: char, n: i32) -> (LocId, LocId) {
        let less = self.binary(BinOp::Lt, name, n, Type::BOOL);
        let not = ExprKind::Unary(UnOp::Not, less);
        let not = self.program.expr(not, Type::BOOL, Span::default());
        let (yes, no) = (self.cfa.add_loc(Span::default()), self.cfa.add_loc(Span::default()));
        self.edge(at, yes, Instr::Assume(less));
        self.edge(at, no, Instr::Assume(not));
        (yes, no)
    }

    fn block(&mut self, at: LocId, body: &[Stmt]) -> LocId {
        body.iter().fold(at, |at, stmt| self.statement(at, stmt))
    }

    fn statement(&mut self, at: LocId, stmt: &Stmt) -> LocId {
        let next = self.cfa.add_loc(Span::default());
        match stmt {
            Stmt::Add(name, n) => {
                let instr = self.add(*name, *n);
                self.edge(at, next, instr);
            }
            Stmt::If(name, n, yes_body, no_body) => {
                let (yes, no) = self.branch(at, *name, *n);
                let (yes, no) = (self.block(yes, yes_body), self.block(no, no_body));
                self.edge(yes, next, Instr::Skip);
                self.edge(no, next, Instr::Skip);
            }
            Stmt::While(name, n, body) => {
                let head = self.cfa.add_loc(Span::default());
                self.edge(at, head, Instr::Skip);
                let (yes, no) = self.branch(head, *name, *n);
                self.edge(no, next, Instr::Skip);
                self.loops.push((head, next));
                let end = self.block(yes, body);
                self.loops.pop();
                self.edge(end, head, Instr::Skip);
            }
            Stmt::Break | Stmt::Continue => {
                let (head, after) = *self.loops.last().unwrap_or(&(at, self.cfa.exit));
                let to = if matches!(stmt, Stmt::Break) { after } else { head };
                self.edge(at, to, Instr::Skip);
            }
            Stmt::Return => self.edge(at, self.cfa.exit, Instr::Return(None)),
            Stmt::Error => self.error(at),
            Stmt::Abort => {
                let end = self.cfa.add_loc(Span::default());
                self.edge(at, end, call(Callee::Builtin(Builtin::Abort)));
            }
        }
        next
    }

    fn error(&mut self, at: LocId) {
        let error = self.cfa.add_loc(Span::default());
        self.edge(at, error, call(Callee::Proc(ProcId(0))));
        let span = self.cfa.locs[at].span;
        self.cfa.locs[error].span = span;
        self.cfa.locs[error].error = Some(Violation {
            property: Property::UnreachCall,
            undefined: None,
            span,
            message: "`reach_error` is called".into(),
        });
    }
}

fn call(callee: Callee) -> Instr {
    Instr::Call(Call { result: None, callee, args: vec![], site: None })
}

/// A loop, a branch and an error.
pub(super) fn small() -> Program {
    use Stmt::*;
    let body = [
        Add('x', 1),
        Add('y', -2),
        While('x', 10, vec![Add('x', 1), Add('y', 2)]),
        If('y', 3, vec![Error], vec![]),
    ];
    Sample::new().procedure("main", &body).build()
}

/// Nested loops, early exits, two procedures.
pub(super) fn medium() -> Program {
    use Stmt::*;
    let helper = [If('a', 0, vec![Abort], vec![]), Add('a', 1), Return];
    let inner = While(
        'j',
        5,
        vec![
            Add('j', 1),
            If('k', 7, vec![Break], vec![If('k', 9, vec![Continue], vec![Add('k', 2)])]),
            Add('z', 100_000),
        ],
    );
    let body = [
        Add('i', 0),
        While('i', 10, vec![Add('j', 0), inner, If('q', 1, vec![Return], vec![]), Add('i', 1)]),
        If(
            'y',
            3,
            vec![Error],
            vec![Add('y', 1), Add('y', 2), If('w', 3, vec![Add('y', 9)], vec![])],
        ),
        While('v', 1, vec![]),
        While('u', 1, vec![Add('u', 1)]),
    ];
    Sample::new().procedure("clamp", &helper).procedure("main", &body).build()
}

/// About `4 * size` locations of structured code, from a fixed pseudo-random sequence.
pub(super) fn large(size: usize) -> Program {
    let mut seed = 12345u64;
    let mut left = size as i64;
    let body = random_block(&mut seed, &mut left, 0, size);
    Sample::new().procedure("main", &body).build()
}

fn random_block(seed: &mut u64, left: &mut i64, depth: u32, len: usize) -> Vec<Stmt> {
    let mut next = |n: u64| {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 33) % n
    };
    let picks: Vec<(u64, u64)> = (0..len).map(|_| (next(12), next(4))).collect();
    let mut body = Vec::new();
    for (i, (pick, len)) in picks.into_iter().enumerate() {
        *left -= 1;
        if *left < 0 {
            break;
        }
        let (name, n) = ((b'a' + (i % 6) as u8) as char, i as i32);
        let len = len as usize;
        body.push(match pick {
            0..=2 if depth < 5 => Stmt::If(
                name,
                n,
                random_block(seed, left, depth + 1, len + 1),
                random_block(seed, left, depth + 1, len),
            ),
            3..=4 if depth < 5 => {
                Stmt::While(name, n, random_block(seed, left, depth + 1, len + 1))
            }
            5 if depth > 1 => Stmt::Return,
            6 if depth > 1 => Stmt::Break,
            7 if depth > 1 => Stmt::Error,
            _ => Stmt::Add(name, n),
        });
    }
    body
}
