//! From trees to expressions of the IR: types, conversions, names.

use lakatos_ir::{
    BinOp, DataModel, ExprId, ExprKind, IntType, PlaceId, PlaceKind, Type, UnOp, VarId, VarKind,
    splice,
};
use lakatos_logic::number::{Int, is_negative, power_of_two};

use super::parse::{Tree, TreeKind};
use super::{Language, Moment, NOWHERE, Place, Reader, Res};

/// An expression with its type and the range of its values.
#[derive(Clone, Debug)]
struct Value {
    expr: ExprId,
    /// Comparisons and other conditions are truth values; C's are `int` as soon as they are used
    /// as numbers.
    ty: IntType,
    low: Int,
    high: Int,
}

pub(super) fn condition(
    reader: &mut Reader<'_>,
    tree: &Tree,
    language: Language,
    place: Place,
) -> Res<ExprId> {
    let mut lower = Lower { reader, language, place };
    lower.truth(tree)
}

struct Lower<'r, 'o> {
    reader: &'r mut Reader<'o>,
    language: Language,
    place: Place,
}

impl Lower<'_, '_> {
    fn is_acsl(&self) -> bool {
        self.language == Language::Acsl
    }

    fn model(&self) -> DataModel {
        self.reader.program.types.model
    }

    fn make(&mut self, kind: ExprKind, ty: IntType) -> ExprId {
        self.reader.program.expr(kind, Type::Int(ty), NOWHERE)
    }

    fn constant(&mut self, value: Int, ty: IntType) -> Value {
        // A 128-bit unsigned constant is its bit pattern.
        let bits = match i128::try_from(value.clone()) {
            Ok(bits) => bits,
            Err(_) => u128::try_from(value.clone()).unwrap_or_default() as i128,
        };
        let expr = self.make(ExprKind::Int(bits), ty);
        Value { expr, ty, low: value.clone(), high: value }
    }

    /// Any value of a type.
    fn typed(&mut self, kind: ExprKind, ty: IntType) -> Value {
        let (low, high) = bounds(ty);
        Value { expr: self.make(kind, ty), ty, low, high }
    }

    fn truth(&mut self, tree: &Tree) -> Res<ExprId> {
        let value = self.value(tree)?;
        if value.ty == IntType::BOOL {
            return Ok(value.expr);
        }
        let zero = self.constant(Int::ZERO, value.ty);
        Ok(self.make(ExprKind::Binary(BinOp::Ne, value.expr, zero.expr), IntType::BOOL))
    }

    fn value(&mut self, tree: &Tree) -> Res<Value> {
        let at = tree.at;
        Ok(match &tree.kind {
            TreeKind::Number(text) => self.number(text, at)?,
            TreeKind::Character(value) => self.constant(Int::from(*value), IntType::I32),
            TreeKind::Truth(value) => self.constant(Int::from(i128::from(*value)), IntType::BOOL),
            TreeKind::Name(name) => self.name(name, at)?,
            TreeKind::Result => self.result(at)?,
            TreeKind::Old(inner) => self.old(inner, at)?,
            TreeKind::Unary(UnOp::Not, a) => {
                let a = self.truth(a)?;
                self.typed(ExprKind::Unary(UnOp::Not, a), IntType::BOOL)
            }
            TreeKind::Unary(op, a) => {
                let a = self.value(a)?;
                self.unary(*op, a, at)?
            }
            TreeKind::Plus(a) => {
                let a = self.value(a)?;
                self.promoted(a)
            }
            TreeKind::Lazy(op, all) => {
                let all = all.iter().map(|a| self.truth(a)).collect::<Res<Vec<ExprId>>>()?;
                self.lazy(*op, &all)
            }
            TreeKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(*op, a, b, at)?
            }
            TreeKind::Implies(a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let not = self.make(ExprKind::Unary(UnOp::Not, a), IntType::BOOL);
                self.typed(ExprKind::Binary(BinOp::Or, not, b), IntType::BOOL)
            }
            TreeKind::Same(same, a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let op = if *same { BinOp::Eq } else { BinOp::Ne };
                self.typed(ExprKind::Binary(op, a, b), IntType::BOOL)
            }
            TreeKind::Chain(first, rest) => self.chain(first, rest)?,
            TreeKind::Choice(condition, yes, no) => {
                let condition = self.truth(condition)?;
                let (yes, no) = (self.value(yes)?, self.value(no)?);
                self.choice(condition, yes, no, at)?
            }
            TreeKind::Cast(name, a) => {
                let ty = self.named_type(name, at)?;
                let a = self.value(a)?;
                match ty {
                    None => a,
                    Some(ty) => self.converted(a, ty),
                }
            }
            TreeKind::Index(..) => {
                let place = self.place(tree)?;
                let Some(ty) = self.reader.program.places[place].ty.as_int() else {
                    return Err(("this element is no integer".to_owned(), at));
                };
                self.typed(ExprKind::Load(place), ty)
            }
            TreeKind::SizeOf(name) => {
                let ty = self.named_type(name, at)?.unwrap_or(IntType::I32);
                let size = self.model().size_type();
                self.constant(Int::from(ty.bytes()), size)
            }
        })
    }

    fn name(&mut self, name: &str, at: usize) -> Res<Value> {
        let var = self.named(name, at)?;
        self.variable(var, at)
    }

    /// The variable that a name means at the place.
    fn named(&mut self, name: &str, at: usize) -> Res<VarId> {
        let Place { proc, scope, moment } = self.place;
        let found = self.reader.outline.variable(&self.reader.program, proc, scope, name);
        let Some(var) = found else {
            return Err((format!("`{name}` means nothing there"), at));
        };
        let kind = self.reader.program.vars[var].kind;
        let local = matches!(kind, VarKind::Local(_));
        match moment {
            Moment::Entry | Moment::Exit if local => {
                Err((format!("`{name}` is a local of the function; a contract has none"), at))
            }
            // A parameter in a postcondition is what it was when the function was called.
            Moment::Exit if matches!(kind, VarKind::Param(_)) => Ok(self.reader.shadow(proc, var)),
            Moment::Entry | Moment::Exit | Moment::Here | Moment::Returned(_) => Ok(var),
        }
    }

    /// An array, or an element of one. The caller checks whether its indices are inside
    /// (`lakatos_ir::undefined`), so the lengths have to be known from the types.
    fn place(&mut self, tree: &Tree) -> Res<PlaceId> {
        let at = tree.at;
        match &tree.kind {
            TreeKind::Name(name) => {
                let var = self.named(name, at)?;
                Ok(self.reader.program.var_place(var, NOWHERE))
            }
            TreeKind::Index(base, index) => {
                let base = self.place(base)?;
                let element = match self.reader.program.places[base].ty {
                    Type::Array(element, Some(_)) => self.reader.program.types.get(element),
                    Type::Array(_, None) => {
                        return Err(("the length of this array is not known".to_owned(), at));
                    }
                    Type::Pointer(_) => return Err(("pointers are not supported".to_owned(), at)),
                    _ => return Err(("this is no array".to_owned(), at)),
                };
                let index = self.value(index)?;
                let index = self.promoted(index);
                let kind = PlaceKind::Index(base, index.expr);
                Ok(self.reader.program.place(kind, element, NOWHERE))
            }
            TreeKind::Number(_)
            | TreeKind::Character(_)
            | TreeKind::Truth(_)
            | TreeKind::Result
            | TreeKind::Old(_)
            | TreeKind::Unary(..)
            | TreeKind::Plus(_)
            | TreeKind::Binary(..)
            | TreeKind::Lazy(..)
            | TreeKind::Implies(..)
            | TreeKind::Same(..)
            | TreeKind::Chain(..)
            | TreeKind::Choice(..)
            | TreeKind::Cast(..)
            | TreeKind::SizeOf(_) => Err(("this is no array".to_owned(), at)),
        }
    }

    fn variable(&mut self, var: VarId, at: usize) -> Res<Value> {
        let info = &self.reader.program.vars[var];
        let Some(ty) = info.ty.as_int() else {
            return Err((format!("`{}` is no integer", info.name), at));
        };
        let expr = self.reader.program.load_var(var, NOWHERE);
        let (low, high) = bounds(ty);
        Ok(Value { expr, ty, low, high })
    }

    fn result(&mut self, at: usize) -> Res<Value> {
        let var = match self.place.moment {
            Moment::Exit => self.reader.program.procs[self.place.proc].result,
            Moment::Returned(var) => Some(var),
            Moment::Here | Moment::Entry => None,
        };
        match var {
            Some(var) => self.variable(var, at),
            None => Err(("there is no result here".to_owned(), at)),
        }
    }

    /// A value at the entry: of a parameter or of something static.
    fn old(&mut self, inner: &Tree, at: usize) -> Res<Value> {
        let TreeKind::Name(name) = &inner.kind else {
            return Err(("`\\old` is supported for variables only".to_owned(), at));
        };
        let Place { proc, scope, moment } = self.place;
        let found = self.reader.outline.variable(&self.reader.program, proc, scope, name);
        let Some(var) = found else {
            return Err((format!("`{name}` means nothing there"), inner.at));
        };
        match (moment, self.reader.program.vars[var].kind) {
            (_, VarKind::Local(_)) => {
                Err((format!("`{name}` does not exist when the function is entered"), inner.at))
            }
            (Moment::Entry, _) => self.variable(var, at),
            _ => {
                let shadow = self.reader.shadow(proc, var);
                self.variable(shadow, at)
            }
        }
    }

    /// As a number of at least the size of `int`.
    fn promoted(&mut self, value: Value) -> Value {
        match value.ty.bits < 32 {
            true => self.widened(value, IntType::I32),
            false => value,
        }
    }

    /// The same value in a type that has it.
    fn widened(&mut self, value: Value, ty: IntType) -> Value {
        if value.ty == ty {
            return value;
        }
        let expr = self.make(ExprKind::Cast(value.expr), ty);
        Value { expr, ty, ..value }
    }

    /// C's conversion, modulo 2^bits.
    fn converted(&mut self, value: Value, ty: IntType) -> Value {
        if ty == IntType::BOOL {
            if value.ty == IntType::BOOL {
                return value;
            }
            let zero = self.constant(Int::ZERO, value.ty);
            return self.typed(ExprKind::Binary(BinOp::Ne, value.expr, zero.expr), ty);
        }
        match fits(&value, ty) {
            true => self.widened(value, ty),
            false => self.typed(ExprKind::Cast(value.expr), ty),
        }
    }

    /// Both operands in the type of the operation: C's usual arithmetic conversions, or a type
    /// that has both values and the results.
    fn common(&mut self, a: Value, b: Value, results: &[&Int], at: usize) -> Res<(Value, Value)> {
        if !self.is_acsl() {
            let (a, b) = (self.promoted(a), self.promoted(b));
            let ty = match a.ty.bits.cmp(&b.ty.bits) {
                std::cmp::Ordering::Greater => a.ty,
                std::cmp::Ordering::Less => b.ty,
                std::cmp::Ordering::Equal => {
                    IntType { bits: a.ty.bits, signed: a.ty.signed && b.ty.signed }
                }
            };
            return Ok((self.converted(a, ty), self.converted(b, ty)));
        }
        let all = [&a.low, &a.high, &b.low, &b.high].into_iter().chain(results.iter().copied());
        let (low, high) = all.fold((Int::ZERO, Int::ZERO), |(low, high), value| {
            (low.min(value.clone()), high.max(value.clone()))
        });
        let wide = [32, 64, 128].map(IntType::signed).into_iter().find(|ty| {
            let (least, greatest) = bounds(*ty);
            least <= low && high <= greatest
        });
        match wide {
            Some(ty) => Ok((self.widened(a, ty), self.widened(b, ty))),
            None => Err(("the numbers here need more than 128 bits".to_owned(), at)),
        }
    }

    fn unary(&mut self, op: UnOp, a: Value, at: usize) -> Res<Value> {
        match op {
            UnOp::Neg if self.is_acsl() => {
                let zero = self.constant(Int::ZERO, IntType::I32);
                self.binary(BinOp::Sub, zero, a, at)
            }
            UnOp::BitNot if self.is_acsl() => {
                let (low, high) = (-&a.high - Int::ONE, -&a.low - Int::ONE);
                let zero = self.constant(Int::ZERO, IntType::I32);
                let (a, _) = self.common(a, zero, &[&low, &high], at)?;
                let expr = self.make(ExprKind::Unary(op, a.expr), a.ty);
                Ok(Value { expr, ty: a.ty, low, high })
            }
            _ => {
                let a = self.promoted(a);
                // A literal behind a minus keeps its value.
                if op == UnOp::Neg && a.low == a.high && a.ty.signed {
                    let value = -&a.low;
                    let (least, greatest) = bounds(a.ty);
                    if least <= value && value <= greatest {
                        return Ok(self.constant(value, a.ty));
                    }
                }
                Ok(self.typed(ExprKind::Unary(op, a.expr), a.ty))
            }
        }
    }

    fn binary(&mut self, op: BinOp, a: Value, b: Value, at: usize) -> Res<Value> {
        if op.is_comparison() {
            let (a, b) = self.common(a, b, &[], at)?;
            return Ok(self.typed(ExprKind::Binary(op, a.expr, b.expr), IntType::BOOL));
        }
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            return self.shift(op, a, b, at);
        }
        let (low, high) = range(op, &a, &b);
        let (a, b) = self.common(a, b, &[&low, &high], at)?;
        let kind = ExprKind::Binary(op, a.expr, b.expr);
        if !self.is_acsl() {
            return Ok(self.typed(kind, a.ty));
        }
        Ok(Value { expr: self.make(kind, a.ty), ty: a.ty, low, high })
    }

    fn shift(&mut self, op: BinOp, a: Value, b: Value, at: usize) -> Res<Value> {
        if !self.is_acsl() {
            let (a, b) = (self.promoted(a), self.promoted(b));
            return Ok(self.typed(ExprKind::Binary(op, a.expr, b.expr), a.ty));
        }
        let amount = u32::try_from(b.low.clone()).ok().filter(|by| b.low == b.high && *by < 128);
        let Some(amount) = amount else {
            let message = "in ACSL shifts are supported by small constants only";
            return Err((message.to_owned(), at));
        };
        if op == BinOp::Shl {
            let factor = self.constant(power_of_two(amount), IntType::signed(128));
            return self.binary(BinOp::Mul, a, factor, at);
        }
        let (low, high) = (&a.low >> amount as usize, &a.high >> amount as usize);
        let zero = self.constant(Int::ZERO, IntType::I32);
        let (a, _) = self.common(a, zero, &[], at)?;
        // What is shifted out of any type leaves the sign.
        let amount = amount.min(u32::from(a.ty.bits) - 1);
        let amount = self.constant(Int::from(amount), IntType::I32);
        let expr = self.make(ExprKind::Binary(op, a.expr, amount.expr), a.ty);
        Ok(Value { expr, ty: a.ty, low, high })
    }

    fn chain(&mut self, first: &Tree, rest: &[(BinOp, Tree)]) -> Res<Value> {
        let mut left = self.value(first)?;
        let mut all = Vec::with_capacity(rest.len());
        for (op, right) in rest {
            let at = right.at;
            let right = self.value(right)?;
            all.push(self.binary(*op, left, right.clone(), at)?.expr);
            left = right;
        }
        Ok(self.lazy(BinOp::And, &all))
    }

    /// Truth values joined by a lazy operator.
    fn lazy(&mut self, op: BinOp, all: &[ExprId]) -> Value {
        let expr = splice::lazy(&mut self.reader.program, op, all);
        let (low, high) = bounds(IntType::BOOL);
        Value { expr, ty: IntType::BOOL, low, high }
    }

    fn choice(&mut self, condition: ExprId, yes: Value, no: Value, at: usize) -> Res<Value> {
        if yes.ty == IntType::BOOL && no.ty == IntType::BOOL {
            return Ok(self.typed(ExprKind::Ite(condition, yes.expr, no.expr), IntType::BOOL));
        }
        let (yes, no) = self.common(yes, no, &[], at)?;
        let expr = self.make(ExprKind::Ite(condition, yes.expr, no.expr), yes.ty);
        let (low, high) = (yes.low.min(no.low), yes.high.max(no.high));
        Ok(Value { expr, ty: yes.ty, low, high })
    }

    fn number(&mut self, text: &str, at: usize) -> Res<Value> {
        let lower = text.to_ascii_lowercase();
        let (radix, digits) = match lower.as_bytes() {
            [b'0', b'x', ..] => (16, &lower[2..]),
            [b'0', b'b', ..] => (2, &lower[2..]),
            [b'0', _, ..] => (8, &lower[1..]),
            _ => (10, &lower[..]),
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        let digits = if radix == 8 && digits.is_empty() { "0" } else { digits };
        let value = Int::from_str_radix(digits, radix);
        let value = value.map_err(|_| (format!("`{text}` is no integer"), at))?;
        let (unsigned, long) = match suffix {
            "" => (false, 0),
            "u" => (true, 0),
            "l" => (false, 1),
            "ul" | "lu" => (true, 1),
            "ll" => (false, 2),
            "ull" | "llu" => (true, 2),
            _ => return Err((format!("`{text}` is no integer"), at)),
        };
        if self.is_acsl() {
            let mut wide = [32, 64, 128].map(IntType::signed).into_iter();
            let ty = wide.find(|ty| value <= bounds(*ty).1);
            let ty = ty.ok_or_else(|| (format!("`{text}` is too large"), at))?;
            return Ok(self.constant(value, ty));
        }
        let widths = match (long, self.model()) {
            (0, _) | (1, DataModel::Ilp32) => vec![32, 64],
            _ => vec![64],
        };
        let types = widths.into_iter().flat_map(|bits| {
            let signed = (!unsigned).then(|| IntType::signed(bits));
            let other = (unsigned || radix != 10).then(|| IntType::unsigned(bits));
            [signed, other].into_iter().flatten()
        });
        let ty = types.into_iter().find(|ty| value <= bounds(*ty).1);
        match ty {
            Some(ty) => Ok(self.constant(value, ty)),
            None => Err((format!("`{text}` is too large"), at)),
        }
    }

    /// `None` is ACSL's `integer`.
    fn named_type(&self, name: &str, at: usize) -> Res<Option<IntType>> {
        if let Some(ty) = typedef(name, self.model()) {
            return Ok(Some(ty));
        }
        let words: Vec<&str> =
            name.split(' ').filter(|word| !["const", "volatile"].contains(word)).collect();
        let count = |wanted: &str| words.iter().filter(|word| **word == wanted).count();
        let unsigned = count("unsigned") > 0;
        let bits = match () {
            () if count("float") + count("double") > 0 => {
                return Err(("floating-point numbers are not supported".to_owned(), at));
            }
            () if count("integer") > 0 => {
                return match self.is_acsl() && words.len() == 1 {
                    true => Ok(None),
                    false => Err((format!("`{name}` is no type"), at)),
                };
            }
            () if count("_Bool") + count("bool") > 0 => return Ok(Some(IntType::BOOL)),
            () if count("char") > 0 => 8,
            () if count("short") > 0 => 16,
            () if count("__int128") > 0 => 128,
            () if count("long") == 2 || self.model() == DataModel::Lp64 && count("long") == 1 => 64,
            () => 32,
        };
        Ok(Some(IntType { bits, signed: !unsigned }))
    }
}

/// Types that headers give names to.
pub(super) fn typedef(name: &str, model: DataModel) -> Option<IntType> {
    Some(match name {
        "int8_t" => IntType::signed(8),
        "int16_t" => IntType::signed(16),
        "int32_t" => IntType::signed(32),
        "int64_t" | "intmax_t" => IntType::signed(64),
        "uint8_t" => IntType::unsigned(8),
        "uint16_t" => IntType::unsigned(16),
        "uint32_t" => IntType::unsigned(32),
        "uint64_t" | "uintmax_t" => IntType::unsigned(64),
        "size_t" | "uintptr_t" => model.size_type(),
        "ssize_t" | "ptrdiff_t" | "intptr_t" => model.diff_type(),
        _ => return None,
    })
}

fn bounds(ty: IntType) -> (Int, Int) {
    let bits = u32::from(ty.bits);
    match ty.signed {
        true => (-power_of_two(bits - 1), power_of_two(bits - 1) - Int::ONE),
        false => (Int::ZERO, power_of_two(bits) - Int::ONE),
    }
}

fn fits(value: &Value, ty: IntType) -> bool {
    let (low, high) = bounds(ty);
    low <= value.low && value.high <= high
}

/// Where the exact results of an operation lie.
fn range(op: BinOp, a: &Value, b: &Value) -> (Int, Int) {
    let corners = |op: fn(&Int, &Int) -> Int| {
        let all =
            [op(&a.low, &b.low), op(&a.low, &b.high), op(&a.high, &b.low), op(&a.high, &b.high)];
        let [first, rest @ ..] = all;
        rest.into_iter().fold((first.clone(), first), |(low, high), value| {
            (low.min(value.clone()), high.max(value))
        })
    };
    let size = |value: &Value| {
        let magnitude = |number: &Int| if is_negative(number) { -number } else { number.clone() };
        magnitude(&value.low).max(magnitude(&value.high))
    };
    match op {
        BinOp::Add => corners(|a, b| a + b),
        BinOp::Sub => corners(|a, b| a - b),
        BinOp::Mul => corners(|a, b| a * b),
        // No quotient, and no remainder, is further from zero than the dividend.
        BinOp::Div | BinOp::Rem => (-size(a), size(a)),
        // Of patterns: as many bits as the larger operand has.
        _ => {
            let mut bits = 1;
            while power_of_two(bits) <= size(a).max(size(b)) {
                bits += 1;
            }
            let negative = is_negative(&a.low) || is_negative(&b.low);
            let low = if negative { -power_of_two(bits) } else { Int::ZERO };
            (low, power_of_two(bits) - Int::ONE)
        }
    }
}
