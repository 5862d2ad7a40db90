//! Expressions and environments from bytes.

use std::collections::BTreeMap;

use lakatos_logic::number::Int;
use lakatos_logic::term::{BvBinary, BvCompare};

use super::eval::{Env, Val};
use super::{Ast, Kind, Op, SMALL_ELEMENT, SMALL_INDEX};

/// Variables of each kind.
pub const VARIABLES: usize = 3;
const BINARY: [BvBinary; 13] = {
    use BvBinary::*;
    [Add, Sub, Mul, Udiv, Urem, Sdiv, Srem, And, Or, Xor, Shl, Lshr, Ashr]
};
const COMPARE: [BvCompare; 4] = [BvCompare::Ult, BvCompare::Ule, BvCompare::Slt, BvCompare::Sle];
const WIDTHS: [u32; 5] = [1, 2, 3, 4, 8];
/// Wider vectors are not made.
const WIDEST: u32 = 16;

/// Choices, made by bytes; the first of everything when they run out, which is a leaf.
pub struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// Expressions made so far: equal parts are where simplifications are.
    made: Vec<(Kind, Ast)>,
    /// Without products of unknowns and division by them, which no solver decides.
    linear: bool,
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes: bytes.iter(), made: Vec::new(), linear: false }
    }

    pub fn linear(bytes: &'a [u8]) -> Choices<'a> {
        Choices { linear: true, ..Choices::new(bytes) }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.bytes.next().map_or(0, |b| *b as usize % bound)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn is_empty(&self) -> bool {
        self.bytes.as_slice().is_empty()
    }

    pub fn kind(&mut self) -> Kind {
        match self.below(8) {
            0..=2 => Kind::Bool,
            3 | 4 => Kind::Int,
            5 => Kind::Real,
            6 => Kind::Bits(self.width()),
            _ => self.pick(&[Kind::Table, Kind::SmallTable]),
        }
    }

    fn width(&mut self) -> u32 {
        self.pick(&WIDTHS)
    }

    pub fn ast(&mut self, kind: Kind, depth: u32) -> Ast {
        let ast = self.new_ast(kind, depth);
        self.made.push((kind, ast.clone()));
        ast
    }

    fn new_ast(&mut self, kind: Kind, depth: u32) -> Ast {
        match self.below(8) {
            _ if depth == 0 || self.is_empty() => self.leaf(kind),
            0 => self.leaf(kind),
            1 => self.again(kind),
            2 => {
                let parts = vec![
                    self.ast(Kind::Bool, depth - 1),
                    self.ast(kind, depth - 1),
                    self.ast(kind, depth - 1),
                ];
                Ast::Node(Op::Ite, parts)
            }
            _ => match kind {
                Kind::Bool => self.formula(depth - 1),
                Kind::Int => self.integer(depth - 1),
                Kind::Real => self.real(depth - 1),
                Kind::Bits(width) => self.bits(width, depth - 1),
                Kind::Table | Kind::SmallTable => self.table(kind, depth - 1),
            },
        }
    }

    fn again(&mut self, kind: Kind) -> Ast {
        let known: Vec<usize> =
            (0..self.made.len()).filter(|at| self.made[*at].0 == kind).collect();
        match known.is_empty() {
            true => self.leaf(kind),
            false => {
                let at = self.pick(&known);
                self.made[at].1.clone()
            }
        }
    }

    fn leaf(&mut self, kind: Kind) -> Ast {
        if self.below(3) != 1 {
            return Ast::Var(kind, self.below(VARIABLES));
        }
        match kind {
            Kind::Bool => Ast::Bool(self.below(2) == 1),
            Kind::Int => Ast::Int(self.number()),
            Kind::Real => Ast::Real(self.number(), Int::from(self.pick(&[1, 2, 3, 6]))),
            Kind::Bits(width) => Ast::Bits(self.pattern(width), width),
            Kind::Table => Ast::Node(Op::Const, vec![Ast::Int(self.number())]),
            Kind::SmallTable => {
                let element = Ast::Bits(self.pattern(SMALL_ELEMENT), SMALL_ELEMENT);
                Ast::Node(Op::ConstSmall, vec![element])
            }
        }
    }

    /// Mostly small, sometimes beyond every machine word.
    pub fn number(&mut self) -> Int {
        let small = |n: usize| Int::from(n) - Int::from(4);
        match self.below(8) {
            0..=5 => small(self.below(10)),
            6 => Int::from(self.pick(&[16, 100, 255, 256, -128, i64::MAX, i64::MIN, 1 << 32])),
            _ => {
                let power = Int::from(self.pick(&[2, -10])).pow(self.pick(&[63, 127, 128, 200]));
                power + small(self.below(10))
            }
        }
    }

    pub fn pattern(&mut self, width: u32) -> u64 {
        let mask = (1 << width) - 1;
        match self.below(4) {
            0 => self.pick(&[0, 1, mask, 1 << (width - 1), mask >> 1]) & mask,
            _ => (self.below(256) as u64 | (self.below(256) as u64) << 8) & mask,
        }
    }

    fn parts(&mut self, kinds: &[Kind], depth: u32) -> Vec<Ast> {
        kinds.iter().map(|kind| self.ast(*kind, depth)).collect()
    }

    fn formula(&mut self, depth: u32) -> Ast {
        use Op::*;
        let op = match self.below(8) {
            0 => Not,
            1 => self.pick(&[And, Or]),
            2 => self.pick(&[Implies, Iff, Xor]),
            3 | 4 => self.pick(&[Le, Lt, Ge, Gt]),
            5 => Compare(self.pick(&COMPARE)),
            _ => self.pick(&[Eq, Ne]),
        };
        let kinds = match op {
            Not => vec![Kind::Bool],
            And | Or => vec![Kind::Bool; 1 + self.below(4)],
            Implies | Iff | Xor => vec![Kind::Bool; 2],
            Le | Lt | Ge | Gt => vec![self.pick(&[Kind::Int, Kind::Int, Kind::Real]); 2],
            Compare(_) => vec![Kind::Bits(self.width()); 2],
            _ => vec![self.kind(); 2],
        };
        Ast::Node(op, self.parts(&kinds, depth))
    }

    fn integer(&mut self, depth: u32) -> Ast {
        use Op::*;
        let op = self.pick(&[
            Add, Add, Sub, Neg, Mul, Mul, Div, Mod, Mod, Abs, Apply, Select, ToUnsigned, ToSigned,
        ]);
        let kinds = match op {
            Add => vec![Kind::Int; 2 + self.below(3)],
            Neg | Abs | Apply => vec![Kind::Int],
            Select => vec![Kind::Table, Kind::Int],
            ToUnsigned | ToSigned => vec![Kind::Bits(self.width())],
            _ => vec![Kind::Int; 2],
        };
        let mut parts = self.parts(&kinds, depth);
        if matches!(op, Mul | Div | Mod) && (self.linear || self.below(2) == 0) {
            parts[1] = Ast::Int(self.number());
        }
        Ast::Node(op, parts)
    }

    fn real(&mut self, depth: u32) -> Ast {
        use Op::*;
        let op = self.pick(&[Add, Sub, Neg, Mul, Mul, ToReal]);
        let kinds = match op {
            Add => vec![Kind::Real; 2 + self.below(3)],
            Neg => vec![Kind::Real],
            ToReal => vec![Kind::Int],
            _ => vec![Kind::Real; 2],
        };
        let mut parts = self.parts(&kinds, depth);
        if op == Mul && (self.linear || self.below(2) == 0) {
            parts[1] = Ast::Real(self.number(), Int::from(self.pick(&[1, 2, 3, 6])));
        }
        Ast::Node(op, parts)
    }

    fn bits(&mut self, width: u32, depth: u32) -> Ast {
        let (op, kinds) = match self.below(10) {
            0 => (Op::BitNot, vec![Kind::Bits(width)]),
            1 => (Op::BitNeg, vec![Kind::Bits(width)]),
            2 if width < WIDEST => {
                let low = self.below((WIDEST - width) as usize + 1) as u32;
                let above = self.below((WIDEST - width - low) as usize + 1) as u32;
                (Op::Extract(low + width - 1, low), vec![Kind::Bits(low + width + above)])
            }
            3 if width > 1 => {
                let high = 1 + self.below(width as usize - 1) as u32;
                (Op::Concat, vec![Kind::Bits(high), Kind::Bits(width - high)])
            }
            4 | 5 => {
                let by = self.below(width as usize) as u32;
                let op = self.pick(&[Op::ZeroExtend(by), Op::SignExtend(by)]);
                (op, vec![Kind::Bits(width - by)])
            }
            6 if width == SMALL_ELEMENT => {
                (Op::Select, vec![Kind::SmallTable, Kind::Bits(SMALL_INDEX)])
            }
            7 => (Op::FromInt(width), vec![Kind::Int]),
            _ => (Op::Bits(self.pick(&BINARY)), vec![Kind::Bits(width); 2]),
        };
        Ast::Node(op, self.parts(&kinds, depth))
    }

    fn table(&mut self, kind: Kind, depth: u32) -> Ast {
        let (index, element, constant) = match kind {
            Kind::Table => (Kind::Int, Kind::Int, Op::Const),
            _ => (Kind::Bits(SMALL_INDEX), Kind::Bits(SMALL_ELEMENT), Op::ConstSmall),
        };
        match self.below(4) {
            0 => Ast::Node(constant, self.parts(&[element], depth)),
            _ => Ast::Node(Op::Store, self.parts(&[kind, index, element], depth)),
        }
    }

    /// Values for variables and the function.
    pub fn env(&mut self, of: &[(Kind, usize)]) -> Env {
        let variables: BTreeMap<(Kind, usize), Val> =
            of.iter().map(|v| (*v, self.value(v.0))).collect();
        let function = (0..3).map(|_| (self.number(), self.number())).collect();
        Env::new(variables, function)
    }

    fn value(&mut self, kind: Kind) -> Val {
        match kind {
            Kind::Bool => Val::Bool(self.below(2) == 1),
            Kind::Int => Val::Int(self.number()),
            Kind::Real => Val::Real(self.number(), Int::from(self.pick(&[1, 2, 3, 5]))),
            Kind::Bits(width) => Val::Bits(self.pattern(width), width),
            Kind::Table => {
                let entries = (0..3).map(|_| (self.number(), self.number())).collect();
                Val::Table(entries, self.number())
            }
            Kind::SmallTable => {
                let all = 0..1 << SMALL_INDEX;
                Val::SmallTable(all.map(|_| self.pattern(SMALL_ELEMENT)).collect())
            }
        }
    }
}
