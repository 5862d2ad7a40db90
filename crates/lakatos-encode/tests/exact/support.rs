//! Types, values, and the meaning that encodings are compared with.

use lakatos_encode::{Encoded, Encoding, Machine, Operand};
use lakatos_ir::{BinOp, IntType, SignedOverflow, Undefined, arith};
use lakatos_logic::term::{Assignment, Term, Terms, Value};

/// SplitMix64.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A value of a type: at the ends, small, near a power of two, or any.
    pub fn value(&mut self, ty: IntType) -> i128 {
        let any = i128::from(self.next()) << 64 | i128::from(self.next());
        ty.wrap(match self.below(5) {
            0 => self.pick(&boundary(ty)),
            1 => any & 7,
            2 => (1_i128 << self.below(ty.bits.into())).wrapping_add((any & 3) - 1),
            3 => any >> self.below(127),
            _ => any,
        })
    }
}

pub const fn signed(bits: u16) -> IntType {
    IntType::signed(bits)
}

pub const fn unsigned(bits: u16) -> IntType {
    IntType::unsigned(bits)
}

/// The types of C, and bit-fields.
pub const TYPES: [IntType; 16] = [
    IntType::BOOL,
    signed(1),
    unsigned(3),
    signed(3),
    unsigned(8),
    signed(8),
    unsigned(16),
    signed(16),
    unsigned(17),
    signed(17),
    unsigned(32),
    signed(32),
    unsigned(64),
    signed(64),
    unsigned(128),
    signed(128),
];

pub const BINARY: [BinOp; 18] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::Rem,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::BitAnd,
    BinOp::BitOr,
    BinOp::BitXor,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::Lt,
    BinOp::Le,
    BinOp::Gt,
    BinOp::Ge,
    BinOp::And,
    BinOp::Or,
];

/// Every combination of encoding and meaning of signed overflow.
pub fn machines() -> impl Iterator<Item = Machine> {
    [Encoding::Int, Encoding::Bv].into_iter().flat_map(|encoding| {
        [SignedOverflow::Undefined, SignedOverflow::Wrap].map(|o| Machine::new(encoding, o))
    })
}

pub fn wraps(machine: Machine) -> bool {
    machine.signed_overflow == SignedOverflow::Wrap
}

/// Where arithmetic goes wrong if it does.
pub fn boundary(ty: IntType) -> Vec<i128> {
    let bits = u32::from(ty.bits);
    let mut found = vec![ty.min(), ty.min().wrapping_add(1), -1, 0, 1, 2, 3];
    found.extend([ty.max(), ty.max().wrapping_sub(1)]);
    for k in [1, 2, bits / 2, bits.saturating_sub(2), bits - 1] {
        let power = 1_i128 << k.min(bits - 1);
        found.extend([power.wrapping_sub(1), power, power.wrapping_add(1), power.wrapping_neg()]);
    }
    let mut found: Vec<i128> = found.into_iter().map(|v| ty.wrap(v)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What `a op b` is.
pub fn meaning(op: BinOp, x: i128, y: i128, ty: IntType, wraps: bool) -> Result<i128, Undefined> {
    match op {
        BinOp::And => Ok(x & y),
        BinOp::Or => Ok(x | y),
        _ if op.is_comparison() => Ok(i128::from(arith::compare(op, x, y, ty))),
        _ => arith::binary(op, x, y, ty, wraps),
    }
}

pub fn symbol(terms: &mut Terms, machine: Machine, name: &str, ty: IntType) -> Operand {
    let term = terms.symbol(name, machine.sort(ty));
    Operand::new(terms, term, ty)
}

/// Values of symbols.
pub fn assignment(terms: &Terms, values: &[(Term, Value)]) -> Assignment {
    let mut assignment = Assignment::default();
    for (term, value) in values {
        let symbol = terms.as_symbol(*term).expect("values are of symbols");
        assignment.symbols.insert(symbol, value.clone());
    }
    assignment
}

/// What an encoded operation says under an assignment.
pub fn outcome(
    terms: &Terms,
    machine: Machine,
    encoded: &Encoded,
    values: &Assignment,
) -> Result<i128, Undefined> {
    for (kind, condition) in &encoded.undefined {
        if terms.holds(*condition, values).expect("a condition is decided") {
            return Err(*kind);
        }
    }
    let value = terms.evaluate(encoded.value.term, values).expect("a defined value");
    let value = machine.value(&value, encoded.value.ty).expect("a value in range");
    assert!(inside(value, &encoded.value), "{value} is not within {:?}", encoded.value.bounds);
    Ok(value)
}

/// Whether a value is where an operand is known to be.
pub fn inside(value: i128, operand: &Operand) -> bool {
    let exact = match Machine::default().literal(value, operand.ty) {
        Value::Int(exact) => exact,
        Value::Bool(truth) => u8::from(truth).into(),
        other => unreachable!("{other:?} is no integer"),
    };
    operand.bounds.contains(&exact)
}
