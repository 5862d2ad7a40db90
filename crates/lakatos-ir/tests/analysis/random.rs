//! Random programs over two-bit integers: any control flow, calls, recursion, function pointers,
//! an array, a pointer, all undefined operations.

use lakatos_ir::*;

use crate::build::{Build, abort, call};

/// SplitMix64.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const S: Type = Type::Int(IntType::signed(2));
const U: Type = Type::Int(IntType::unsigned(2));

struct Gen {
    /// Few undefined operations and endless loops, errors that depend on values: long runs in
    /// which much matters.
    calm: bool,
    b: Build,
    rng: Rng,
    globals: Vec<VarId>,
    array: VarId,
    exposed: VarId,
    pointer: VarId,
    function: VarId,
    /// Procedures by what they take and give.
    error: ProcId,
    plain: ProcId,
    other: ProcId,
    square: ProcId,
}

/// A random program; procedures have about `size` locations each.
pub fn program(seed: u64, size: usize) -> Program {
    generate(seed, size, false)
}

/// A random program in which most runs go on for long and errors depend on values.
pub fn calm_program(seed: u64, size: usize) -> Program {
    generate(seed, size, true)
}

fn generate(seed: u64, size: usize, calm: bool) -> Program {
    let mut b = Build::new();
    let globals = vec![b.global("g", S), b.global("h", S), b.global("u", U)];
    let two = b.types.array_of(S, Some(2));
    let array = b.global("a", two);
    let exposed = b.global("q", S);
    b.vars[exposed].address_taken = true;
    let pointer_type = b.types.pointer_to(S);
    let pointer = b.global("p", pointer_type);
    let error = b.error_function();
    let plain = b.proc("plain", &[], Type::Void);
    let other = b.proc("other", &[], Type::Void);
    let square = b.proc("square", &[S], S);
    let ty = {
        let e = b.function(plain);
        b.exprs[e].ty
    };
    let function = b.global("f", ty);
    let rng = Rng(seed);
    let mut g = Gen {
        calm,
        b,
        rng,
        globals,
        array,
        exposed,
        pointer,
        function,
        error,
        plain,
        other,
        square,
    };
    g.start();
    for proc in [ProcId(1), plain, other, square] {
        g.body(proc, size);
    }
    g.b.done()
}

impl Gen {
    /// The start procedure initialises globals before it calls `main`.
    fn start(&mut self) {
        let start = self.b.start;
        *self.b.cfa(start) = Cfa::new();
        let mut instrs = Vec::new();
        for var in self.globals.clone() {
            let ty = self.b.vars[var].ty;
            let value = self.rng.below(2) as i128;
            let value = self.b.int(value, ty);
            instrs.push(self.b.assign(var, value));
        }
        if self.calm || self.rng.chance(80) {
            let place = self.b.var_at(self.exposed);
            let address = self.b.addr_of(place);
            instrs.push(self.b.assign(self.pointer, address));
            let value = self.b.function(self.plain);
            instrs.push(self.b.assign(self.function, value));
        }
        instrs.push(call(self.b.main, vec![], None));
        self.b.straight(start, instrs);
    }

    fn body(&mut self, proc: ProcId, size: usize) {
        self.b.local(proc, "x", S);
        self.b.local(proc, "y", U);
        let mut locs = vec![self.b.entry(proc)];
        locs.extend((1..size).map(|_| self.b.loc(proc)));
        locs.push(self.b.exit(proc));
        for i in 0..size {
            let from = locs[i];
            let (to, other) = (self.target(&locs, i), self.target(&locs, i));
            if self.calm && self.rng.chance(20) {
                let (condition, error) = (self.truth(proc, 1), self.b.loc(proc));
                self.b.branch(proc, from, condition, error, to);
                let exit = self.b.exit(proc);
                self.b.edge(proc, error, exit, call(self.error, vec![], None));
                continue;
            }
            match self.rng.below(100) {
                0..60 => {
                    let instr = self.instr(proc);
                    let nowhere =
                        matches!(instr, Instr::Call(Call { callee: Callee::Builtin(_), .. }));
                    let to = if nowhere { self.b.loc(proc) } else { to };
                    self.b.edge(proc, from, to, instr);
                }
                60..90 => {
                    let condition = self.truth(proc, 2);
                    self.b.branch(proc, from, condition, to, other);
                }
                90..92 => {
                    let condition = self.truth(proc, 1);
                    self.b.edge(proc, from, to, Instr::Assume(condition));
                }
                92..96 => {
                    self.b.edge(proc, from, to, Instr::Skip);
                    self.b.edge(proc, from, other, Instr::Skip);
                }
                _ => {
                    let value = self.b.procs[proc].result.map(|_| self.expr(proc, S, 2));
                    let exit = self.b.exit(proc);
                    self.b.edge(proc, from, exit, Instr::Return(value));
                }
            }
        }
    }

    /// Mostly onwards.
    fn target(&mut self, locs: &[LocId], i: usize) -> LocId {
        let most = if self.calm { 92 } else { 100 };
        match self.rng.below(most) {
            0..65 => locs[i + 1],
            65..88 => locs[i + 1 + self.rng.below(locs.len() - i - 1)],
            _ => locs[self.rng.below(locs.len())],
        }
    }

    fn vars(&mut self, proc: ProcId, ty: Type) -> Vec<VarId> {
        let p = &self.b.procs[proc];
        let own = p.params.iter().chain(&p.locals).copied();
        let all = own.chain(self.globals.clone()).chain([self.exposed]);
        all.filter(|&v| self.b.vars[v].ty == ty).collect()
    }

    fn some_var(&mut self, proc: ProcId) -> VarId {
        let ty = if self.rng.chance(70) { S } else { U };
        let vars = self.vars(proc, ty);
        self.rng.pick(&vars)
    }

    fn instr(&mut self, proc: ProcId) -> Instr {
        let instr = self.any_instr(proc);
        // Recursion mostly hits the limit: not in calm programs.
        let recursive = match instr {
            Instr::Call(Call { callee: Callee::Proc(callee), .. }) => callee <= proc,
            Instr::Call(Call { callee: Callee::Pointer(_), .. }) => proc != self.b.main,
            _ => false,
        };
        if self.calm && recursive { Instr::Skip } else { instr }
    }

    fn any_instr(&mut self, proc: ProcId) -> Instr {
        match self.rng.below(100) {
            0..35 => {
                let var = self.some_var(proc);
                let value = self.expr(proc, self.b.vars[var].ty, 3);
                self.b.assign(var, value)
            }
            35..48 => {
                let var = self.some_var(proc);
                self.b.havoc(proc, var)
            }
            48..56 => {
                let place = self.element(proc);
                let value = self.expr(proc, S, 2);
                Instr::Assign(place, value)
            }
            56..60 => {
                let place = self.b.var_at(self.exposed);
                let address = self.b.addr_of(place);
                self.b.assign(self.pointer, address)
            }
            60..65 => {
                let pointer = self.b.load(self.pointer);
                let place = self.b.deref(pointer);
                let value = self.expr(proc, S, 2);
                Instr::Assign(place, value)
            }
            65..73 => {
                let callee = self.rng.pick(&[self.plain, self.other, self.plain]);
                call(callee, vec![], None)
            }
            73..81 => {
                let arg = self.expr(proc, S, 2);
                let result = match self.rng.below(3) {
                    0 => None,
                    1 => Some(self.element(proc)),
                    _ => {
                        let vars = self.vars(proc, S);
                        let var = self.rng.pick(&vars);
                        Some(self.b.var_at(var))
                    }
                };
                call(self.square, vec![arg], result)
            }
            81..85 => {
                let procs = [self.plain, self.other, self.error];
                let proc = self.rng.pick(&procs);
                let value = self.b.function(proc);
                self.b.assign(self.function, value)
            }
            85..90 => {
                let pointer = self.b.load(self.function);
                let callee = Callee::Pointer(pointer);
                Instr::Call(Call { result: None, callee, args: vec![], site: None })
            }
            90..97 if !self.calm => call(self.error, vec![], None),
            97..100 if !self.calm => abort(),
            _ => Instr::Skip,
        }
    }

    fn element(&mut self, proc: ProcId) -> PlaceId {
        let ty = if self.rng.chance(50) { S } else { U };
        let index = match self.rng.chance(if self.calm { 95 } else { 60 }) {
            true => self.b.int(self.rng.below(2) as i128, U),
            false => self.expr(proc, ty, 1),
        };
        let array = self.b.var_at(self.array);
        self.b.index(array, index)
    }

    fn expr(&mut self, proc: ProcId, ty: Type, depth: usize) -> ExprId {
        let int = ty.as_int().expect("integers only");
        if depth == 0 || self.rng.chance(25) {
            return if self.rng.chance(40) {
                let value = int.min() + self.rng.below(4) as i128;
                self.b.int(value, ty)
            } else {
                let vars = self.vars(proc, ty);
                let var = self.rng.pick(&vars);
                self.b.load(var)
            };
        }
        match self.rng.below(12) {
            0 => {
                let from = if ty == S { U } else { S };
                let inner = self.expr(proc, from, depth - 1);
                self.b.cast(inner, ty)
            }
            1 => {
                let (c, a, b) = (
                    self.truth(proc, depth - 1),
                    self.expr(proc, ty, depth - 1),
                    self.expr(proc, ty, depth - 1),
                );
                self.b.program.expr(ExprKind::Ite(c, a, b), ty, crate::build::NO)
            }
            2 => {
                let op = match self.calm {
                    true => UnOp::BitNot,
                    false => self.rng.pick(&[UnOp::Neg, UnOp::BitNot]),
                };
                let a = self.expr(proc, ty, depth - 1);
                let at = self.b.exprs.len() as u32;
                self.b.program.expr(ExprKind::Unary(op, a), ty, Span::new(at, at + 1))
            }
            3 if ty == S => {
                let place = self.element(proc);
                self.b.load_place(place)
            }
            4 if ty == S => {
                let pointer = self.b.load(self.pointer);
                let place = self.b.deref(pointer);
                self.b.load_place(place)
            }
            _ => {
                use BinOp::*;
                let any = [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor];
                // Undefined operations end runs: not too many of them.
                let percent = if self.calm { 97 } else { 40 };
                let op = match self.rng.chance(percent) {
                    true => self.rng.pick(&[BitAnd, BitOr, BitXor]),
                    false => self.rng.pick(&any),
                };
                let a = self.expr(proc, ty, depth - 1);
                let b = self.expr(proc, ty, depth - 1);
                self.b.bin(op, a, b)
            }
        }
    }

    fn truth(&mut self, proc: ProcId, depth: usize) -> ExprId {
        if depth > 0 && self.rng.chance(40) {
            let a = self.truth(proc, depth - 1);
            let b = self.truth(proc, depth - 1);
            return match self.rng.below(3) {
                0 => self.b.not(a),
                1 => self.b.bin(And, a, b),
                _ => self.b.bin(Or, a, b),
            };
        }
        use BinOp::*;
        let op = self.rng.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
        let ty = if self.rng.chance(60) { S } else { U };
        let a = self.expr(proc, ty, depth);
        let b = self.expr(proc, ty, depth);
        if ty == S && self.rng.chance(15) {
            let int = ty.as_int().expect("integers only");
            let arith = self.rng.pick(&[Arith::Add, Arith::Sub, Arith::Mul]);
            let kind = ExprKind::Overflows(arith, a, b, int);
            return self.b.program.expr(kind, Type::BOOL, crate::build::NO);
        }
        self.b.bin(op, a, b)
    }
}
