//! Text of small hand-made programs. The builder is a shorthand, not a front-end: expressions
//! are made bottom-up with explicit types.

use expect_test::{Expect, expect};

use crate::arena::{Arena, Id};
use crate::expr::*;
use crate::program::*;
use crate::property::{Property, Violation};
use crate::source::{Source, Span};
use crate::ty::*;

const I8: Type = Type::Int(IntType::signed(8));
const I64: Type = Type::Int(IntType::signed(64));
const U32: Type = Type::Int(IntType::unsigned(32));
const F64: Type = Type::Float(FloatType::F64);

struct Build {
    p: Program,
    main: ProcId,
}

impl Build {
    fn new() -> Build {
        let mut types = Types::default();
        let signature = Signature { result: Type::I32, params: Some(vec![]), variadic: false };
        let Type::Function(signature) = types.function(signature) else { unreachable!() };
        let main = Procedure {
            name: "main".into(),
            signature,
            params: vec![],
            result: None,
            locals: vec![],
            body: Some(Cfa::new()),
            is_error: false,
            address_taken: false,
            library: None,
            span: Span::default(),
        };
        let procs = Arena::from_iter([main]);
        let p = Program {
            source: Source::new("t.c", "int x;\nint y;\n"),
            types,
            vars: Arena::new(),
            procs,
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
        Build { p, main: ProcId(0) }
    }

    fn declare(&mut self, name: &str, ty: Type, kind: VarKind) -> VarId {
        let var = Var {
            name: name.into(),
            ty,
            kind,
            span: Span::default(),
            address_taken: false,
            c_type: String::new(),
        };
        let id = self.p.vars.push(var);
        if kind.frame().is_some() {
            self.p.procs[self.main].locals.push(id);
        }
        id
    }

    fn var(&mut self, name: &str, ty: Type) -> ExprId {
        let known = self.p.vars.iter().find(|(_, v)| v.name == name && v.ty == ty).map(|v| v.0);
        let id = known.unwrap_or_else(|| self.declare(name, ty, VarKind::Local(self.main)));
        self.p.load_var(id, Span::default())
    }

    fn int(&mut self, value: i128, ty: Type) -> ExprId {
        self.e(ExprKind::Int(value), ty)
    }

    fn e(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.p.expr(kind, ty, Span::default())
    }

    fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() || op.is_lazy() { Type::BOOL } else { self.p.exprs[a].ty };
        self.e(ExprKind::Binary(op, a, b), ty)
    }

    fn not(&mut self, a: ExprId) -> ExprId {
        self.e(ExprKind::Unary(UnOp::Not, a), Type::BOOL)
    }

    fn cast(&mut self, a: ExprId, ty: Type) -> ExprId {
        self.e(ExprKind::Cast(a), ty)
    }

    fn place(&mut self, kind: PlaceKind, ty: Type) -> PlaceId {
        self.p.place(kind, ty, Span::default())
    }

    fn deref(&mut self, pointer: ExprId) -> PlaceId {
        let ty = self.p.types.inner(self.p.exprs[pointer].ty).unwrap();
        self.place(PlaceKind::Deref(pointer), ty)
    }

    fn load(&mut self, place: PlaceId) -> ExprId {
        let ty = self.p.places[place].ty;
        self.e(ExprKind::Load(place), ty)
    }
}

fn check(make: impl FnOnce(&mut Build) -> ExprId, expected: &str) {
    let mut b = Build::new();
    let id = make(&mut b);
    assert_eq!(b.p.show_expr(id).to_string(), expected);
}

fn check_instr(make: impl FnOnce(&mut Build) -> Instr, expected: &str) {
    let mut b = Build::new();
    let instr = make(&mut b);
    assert_eq!(b.p.show_instr(&instr).to_string(), expected);
}

#[test]
fn parentheses_where_a_person_wants_them() {
    use BinOp::*;
    let case = |outer, inner, left: bool, expected: &str| {
        check(
            |b| {
                let [x, y, z] = ["x", "y", "z"].map(|n| b.var(n, Type::I32));
                if left {
                    let xy = b.bin(inner, x, y);
                    b.bin(outer, xy, z)
                } else {
                    let yz = b.bin(inner, y, z);
                    b.bin(outer, x, yz)
                }
            },
            expected,
        );
    };
    case(Add, Mul, false, "x + y * z");
    case(Mul, Add, true, "(x + y) * z");
    case(Sub, Sub, true, "x - y - z");
    case(Sub, Sub, false, "x - (y - z)");
    case(Rem, Mul, false, "x % (y * z)");
    case(Lt, Add, true, "x + y < z");
    case(BitAnd, Shl, true, "(x << y) & z");
    case(Shl, Add, false, "x << (y + z)");
    case(BitOr, BitOr, true, "x | y | z");
    case(BitOr, BitAnd, true, "(x & y) | z");
    check(
        |b| {
            let [x, y] = ["x", "y"].map(|n| b.var(n, Type::I32));
            let (lt, gt) = (b.bin(Lt, x, y), b.bin(Gt, x, y));
            let both = b.bin(And, lt, gt);
            let either = b.bin(Or, both, lt);
            b.bin(Or, either, gt)
        },
        "(x < y && x > y) || x < y || x > y",
    );
}

#[test]
fn unary_operators() {
    check(
        |b| {
            let x = b.var("x", Type::I32);
            let neg = b.e(ExprKind::Unary(UnOp::Neg, x), Type::I32);
            b.e(ExprKind::Unary(UnOp::Neg, neg), Type::I32)
        },
        "-(-x)",
    );
    check(
        |b| {
            let (x, m) = (b.var("x", Type::I32), b.int(-1, Type::I32));
            b.bin(BinOp::Sub, x, m)
        },
        "x - -1",
    );
}

#[test]
fn negations_are_pushed_into_integer_comparisons_only() {
    let negated = |ty, expected: &str| {
        check(
            |b| {
                let (x, y) = (b.var("x", ty), b.var("y", ty));
                let less = b.bin(BinOp::Lt, x, y);
                b.not(less)
            },
            expected,
        );
    };
    negated(Type::I32, "x >= y");
    negated(F64, "!(x < y)");
    check(
        |b| {
            let [x, y] = ["x", "y"].map(|n| b.var(n, Type::I32));
            let (lt, ne) = (b.bin(BinOp::Lt, x, y), b.bin(BinOp::Ne, x, y));
            let both = b.bin(BinOp::And, lt, ne);
            b.not(both)
        },
        "x >= y || x == y",
    );
    check(
        |b| {
            let x = b.var("x", Type::BOOL);
            let not = b.not(x);
            let both = b.bin(BinOp::And, not, x);
            b.not(both)
        },
        "!(!x && x)",
    );
}

#[test]
fn truth_values_lose_their_trips_through_int() {
    // `if ((x < y) != 0)`, and its negation `!(… != 0)`.
    let trip = |negate: bool, expected: &str| {
        check(
            |b| {
                let (x, y) = (b.var("x", Type::I32), b.var("y", Type::I32));
                let less = b.bin(BinOp::Lt, x, y);
                let (int, zero) = (b.cast(less, Type::I32), b.int(0, Type::I32));
                let back = b.bin(BinOp::Ne, int, zero);
                if negate { b.not(back) } else { back }
            },
            expected,
        );
    };
    trip(false, "x < y");
    trip(true, "x >= y");
    check(
        |b| {
            let (x, zero) = (b.var("x", Type::I32), b.int(0, Type::I32));
            b.bin(BinOp::Ne, x, zero)
        },
        "x != 0",
    );
    check(
        |b| {
            let (x, y) = (b.var("x", Type::I32), b.var("y", Type::I32));
            let less = b.bin(BinOp::Lt, x, y);
            let int = b.cast(less, Type::I32);
            b.bin(BinOp::Add, int, x)
        },
        "(x < y) + x",
    );
}

#[test]
fn conversions_that_c_makes_are_left_out_and_others_are_not() {
    check(
        |b| {
            let (c, one) = (b.var("c", I8), b.int(1, Type::I32));
            let int = b.cast(c, Type::I32);
            b.bin(BinOp::Add, int, one)
        },
        "c + 1",
    );
    // Without the cast, C would compare as `int`.
    check(
        |b| {
            let (i, five) = (b.var("i", Type::I32), b.int(5, U32));
            let unsigned = b.cast(i, U32);
            b.bin(BinOp::Lt, unsigned, five)
        },
        "(unsigned int)i < 5",
    );
    check(
        |b| {
            let (i, u) = (b.var("i", Type::I32), b.var("u", U32));
            let unsigned = b.cast(i, U32);
            b.bin(BinOp::Lt, unsigned, u)
        },
        "i < u",
    );
    check(
        |b| {
            let (i, max) = (b.var("i", Type::I32), b.int(u32::MAX.into(), U32));
            let unsigned = b.cast(i, U32);
            b.bin(BinOp::Eq, unsigned, max)
        },
        "i == 4294967295U",
    );
    // `(long)i * j` must not become `i * j`.
    check(
        |b| {
            let (i, j) = (b.var("i", Type::I32), b.var("j", Type::I32));
            let (i, j) = (b.cast(i, I64), b.cast(j, I64));
            b.bin(BinOp::Mul, i, j)
        },
        "(long)i * j",
    );
    check(
        |b| {
            let (i, one) = (b.var("i", Type::I32), b.int(1, I64));
            b.bin(BinOp::Shl, one, i)
        },
        "1L << i",
    );
    check(
        |b| {
            let (i, j) = (b.var("i", Type::I32), b.var("j", Type::I32));
            let less = b.bin(BinOp::Lt, i, j);
            let wide = b.cast(less, I64);
            let one = b.int(1, I64);
            b.bin(BinOp::Add, wide, one)
        },
        "(long)(i < j) + 1",
    );
    check(
        |b| {
            let (i, d) = (b.var("i", Type::I32), b.var("d", F64));
            let i = b.cast(i, F64);
            b.bin(BinOp::Add, i, d)
        },
        "i + d",
    );
}

#[test]
fn places() {
    fn node(b: &mut Build) -> (RecordId, ExprId) {
        let id = RecordId::from_index(b.p.types.records.len());
        let pointer = b.p.types.pointer_to(Type::Record(id));
        let field = |name: Option<&str>, ty| Field {
            name: name.map(str::to_owned),
            ty,
            offset: 0,
            bit: None,
        };
        let inner = RecordId(id.0 + 1);
        b.p.types.records.push(Record {
            kind: RecordKind::Struct,
            name: "node".into(),
            fields: vec![
                field(Some("key"), Type::I32),
                field(Some("next"), pointer),
                field(None, Type::Record(inner)),
            ],
            size: 16,
            align: 8,
            incomplete: false,
        });
        b.p.types.records.push(Record {
            kind: RecordKind::Union,
            name: "anonymous".into(),
            fields: vec![field(Some("u"), Type::I32)],
            size: 4,
            align: 4,
            incomplete: false,
        });
        (id, b.var("p", pointer))
    }
    check(
        |b| {
            let (_, p) = node(b);
            let star = b.deref(p);
            let next_type = b.p.exprs[p].ty;
            let next = b.place(PlaceKind::Field(star, 1), next_type);
            let next = b.load(next);
            let star = b.deref(next);
            let key = b.place(PlaceKind::Field(star, 0), Type::I32);
            b.load(key)
        },
        "p->next->key",
    );
    check(
        |b| {
            let (id, p) = node(b);
            let star = b.deref(p);
            let member = b.place(PlaceKind::Field(star, 2), Type::Record(RecordId(id.0 + 1)));
            let u = b.place(PlaceKind::Field(member, 0), Type::I32);
            b.e(ExprKind::AddrOf(u), Type::I32)
        },
        "&p->u",
    );
}

#[test]
fn arrays_and_pointers() {
    check(
        |b| {
            let array = b.p.types.array_of(Type::I32, Some(10));
            let pointer = b.p.types.pointer_to(Type::I32);
            let a = b.declare("a", array, VarKind::Local(b.main));
            let a = b.p.var_place(a, Span::default());
            let i = b.var("i", Type::I32);
            let (long, zero) = (b.cast(i, I64), b.int(0, I64));
            let ai = b.place(PlaceKind::Index(a, long), Type::I32);
            let a0 = b.place(PlaceKind::Index(a, zero), Type::I32);
            let (ai, decayed) = (b.load(ai), b.e(ExprKind::AddrOf(a0), pointer));
            let sum = b.e(ExprKind::PtrAdd(decayed, long), pointer);
            let star = b.deref(sum);
            let star = b.load(star);
            b.bin(BinOp::Add, ai, star)
        },
        "a[i] + a[i]",
    );
    check(
        |b| {
            let pointer = b.p.types.pointer_to(Type::I32);
            let chars = b.p.types.pointer_to(I8);
            let p = b.var("p", pointer);
            let one = b.int(-1, I64);
            let back = b.e(ExprKind::PtrAdd(p, one), pointer);
            let bytes = b.cast(back, chars);
            let star = b.deref(bytes);
            b.load(star)
        },
        "*(char *)(p - 1)",
    );
}

#[test]
fn instructions() {
    check_instr(
        |b| {
            let (c, one) = (b.var("c", I8), b.int(1, Type::I32));
            let int = b.cast(c, Type::I32);
            let sum = b.bin(BinOp::Add, int, one);
            let narrow = b.cast(sum, I8);
            let ExprKind::Load(place) = b.p.exprs[c].kind else { unreachable!() };
            Instr::Assign(place, narrow)
        },
        "c = c + 1",
    );
    check_instr(
        |b| {
            let (x, y) = (b.var("x", Type::I32), b.var("y", Type::I32));
            let over = ExprKind::Overflows(Arith::Add, x, y, IntType::I32);
            let over = b.e(over, Type::BOOL);
            Instr::Assume(b.not(over))
        },
        "[!overflows(x + y)]",
    );
    check_instr(
        |b| {
            let sig = Signature { result: Type::Void, params: Some(vec![I64]), variadic: false };
            let function = b.p.types.function(sig);
            let pointer = b.p.types.pointer_to(function);
            let (f, x) = (b.var("f", pointer), b.var("x", Type::I32));
            let long = b.cast(x, I64);
            let callee = Callee::Pointer(f);
            Instr::Call(Call { result: None, callee, args: vec![long], site: None })
        },
        "f(x)",
    );
    check_instr(
        |b| {
            let bytes = b.p.strings.push(b"tab\t\"q\"\0\x017\xff caf\xc3\xa9\n".to_vec());
            let text = b.e(ExprKind::Str(bytes), I8);
            Instr::Return(Some(text))
        },
        r#"return "tab\t\"q\"\000\0017\377 café\n""#,
    );
}

#[test]
fn types() {
    let mut b = Build::new();
    let types = &mut b.p.types;
    let callback = types.function(Signature {
        result: Type::I32,
        params: Some(vec![Type::I32, F64]),
        variadic: true,
    });
    let callback = types.pointer_to(callback);
    let table = types.array_of(callback, Some(4));
    let returns = types.function(Signature { result: callback, params: None, variadic: false });
    let row = types.array_of(U32, Some(3));
    let row = types.pointer_to(row);
    let show = |ty| b.p.show_type(ty).to_string();
    assert_eq!(show(callback), "int (*)(int, double, ...)");
    assert_eq!(show(table), "int (*[4])(int, double, ...)");
    assert_eq!(show(returns), "int (*())(int, double, ...)");
    assert_eq!(show(row), "unsigned int (*)[3]");
    assert_eq!(show(Type::Int(IntType::unsigned(5))), "unsigned:5");
}

fn check_dump(b: &Build, expected: Expect) {
    expected.assert_eq(&super::program(&b.p).to_string());
}

#[test]
fn whole_program() {
    let mut b = Build::new();
    b.declare("g", Type::I32, VarKind::Global);
    let x = b.var("x", Type::I32);
    let shadow = b.declare("x", I64, VarKind::Local(b.main));
    let temp = b.declare("", Type::I32, VarKind::Temp(b.main));
    let ten = b.int(10, Type::I32);
    let less = b.bin(BinOp::Lt, x, ten);
    let stay = b.not(less);
    let wide = b.cast(x, I64);
    let temp = b.p.var_place(temp, Span::default());
    let shadow = b.p.var_place(shadow, Span::default());
    let site = b.p.sites.push(Site {
        kind: InputKind::Nondet,
        proc: b.main,
        span: Span::new(7, 10),
        name: "__VERIFIER_nondet_int".into(),
        ty: Type::I32,
    });
    let cfa = b.p.procs[b.main].body.as_mut().unwrap();
    let head = cfa.add_loc(Span::new(0, 5));
    let body = cfa.add_loc(Span::new(7, 12));
    cfa.locs[body].error = Some(Violation {
        property: Property::UnreachCall,
        undefined: None,
        span: Span::default(),
        message: "`reach_error` is called".into(),
    });
    cfa.labels.push(("again".into(), head));
    cfa.add_edge(cfa.entry, head, Instr::Havoc(temp, site), Span::default());
    cfa.add_edge(head, body, Instr::Assume(less), Span::default());
    cfa.add_edge(head, cfa.exit, Instr::Assume(stay), Span::default());
    cfa.add_edge(body, head, Instr::Assign(shadow, wide), Span::default());
    check_dump(
        &b,
        expect![[r#"
            int g
            in0: nondet int __VERIFIER_nondet_int in main @2:1

            int main(void)
                local int x
                local long x#2
                temp int $3
              l0 entry
                $3 = __VERIFIER_nondet_int() @in0 -> l2
              l1 exit
              l2 again: @1:1
                [x < 10] -> l3
                [!(x < 10)] -> l1
              l3 error unreach-call: `reach_error` is called @2:1
                x#2 = (long)x -> l2
        "#]],
    );
}
