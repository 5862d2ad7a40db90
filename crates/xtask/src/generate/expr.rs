//! Integer and floating expressions.

use lakatos_ir::DataModel;

use super::effect::{Effect, SHARED};
use super::place::{Place, Use, Want};
use super::types::{Len, Ty};
use super::{Generator, Kind, Role};

/// An expression's text with its precedence (16 for primary expressions, 1 for the comma).
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    level: u8,
    pub effect: Effect,
}

impl Expr {
    pub fn new(text: String, level: u8, effect: Effect) -> Expr {
        Expr { text, level, effect }
    }

    pub fn primary(text: String, effect: Effect) -> Expr {
        Expr::new(text, 16, effect)
    }

    pub fn is_primary(&self) -> bool {
        self.level == 16
    }

    /// As an operand that must bind at least that tightly.
    pub fn at(&self, level: u8) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// As an argument or initialiser: no comma operator at the top.
    pub fn argument(&self) -> String {
        self.at(2)
    }
}

const ASSIGN: u8 = 2;
const CONDITIONAL: u8 = 3;
const UNARY: u8 = 14;
const POSTFIX: u8 = 15;

#[derive(Clone, Copy, Debug)]
enum Shape {
    Leaf,
    Arithmetic,
    Comparison,
    Logic,
    Shift,
    Division,
    Unary,
    Cast,
    Conditional,
    Elvis,
    Comma,
    Assign,
    Step,
    Compound,
    Call,
    Block,
    Size,
    Literal,
    Pointers,
    Text,
    Float,
    Builtin,
    Generic,
}

const SHAPES: [(u32, Shape); 23] = [
    (16, Shape::Leaf),
    (26, Shape::Arithmetic),
    (8, Shape::Comparison),
    (7, Shape::Logic),
    (7, Shape::Shift),
    (7, Shape::Division),
    (9, Shape::Unary),
    (9, Shape::Cast),
    (5, Shape::Conditional),
    (2, Shape::Elvis),
    (2, Shape::Comma),
    (4, Shape::Assign),
    (4, Shape::Step),
    (3, Shape::Compound),
    (7, Shape::Call),
    (2, Shape::Block),
    (2, Shape::Size),
    (2, Shape::Literal),
    (3, Shape::Pointers),
    (2, Shape::Text),
    (5, Shape::Float),
    (2, Shape::Builtin),
    (2, Shape::Generic),
];

impl Generator {
    /// Generates without side effects.
    pub fn calmly<T>(&mut self, run: impl FnOnce(&mut Generator) -> T) -> T {
        self.within(|here| here.calm = true, run)
    }

    /// An integer expression of any integer type.
    pub fn int(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let made = match self.rng.weighted(&SHAPES) {
            Shape::Leaf => None,
            Shape::Arithmetic => Some(self.arithmetic(depth)),
            Shape::Comparison => Some(self.comparison(depth)),
            Shape::Logic => Some(self.logic(depth)),
            Shape::Shift => Some(self.shift(depth)),
            Shape::Division => Some(self.division(depth)),
            Shape::Unary => Some(self.unary(depth)),
            Shape::Cast => Some(self.cast(depth)),
            Shape::Conditional => Some(self.conditional(depth)),
            Shape::Elvis => Some(self.elvis(depth)),
            Shape::Comma => Some(self.comma(depth)),
            Shape::Assign => self.assignment(depth),
            Shape::Step => self.step(),
            Shape::Compound => self.compound(depth),
            Shape::Call => self.integer_call(depth),
            Shape::Block => self.block_expression(depth),
            Shape::Size => Some(self.size()),
            Shape::Literal => Some(self.literal(depth)),
            Shape::Pointers => self.pointer_test(),
            Shape::Text => Some(self.text_element()),
            Shape::Float => self.float_result(depth),
            Shape::Builtin => Some(self.builtin(depth)),
            Shape::Generic => Some(self.generic(depth)),
        };
        made.unwrap_or_else(|| self.leaf())
    }

    /// An integer expression that may stand unsequenced beside something with that effect.
    pub fn int_beside(&mut self, depth: u32, effect: &Effect) -> Expr {
        let first = self.int(depth);
        if !first.effect.clashes(effect) {
            return first;
        }
        let second = self.calmly(|g| g.int(depth));
        if !second.effect.clashes(effect) { second } else { self.constant() }
    }

    fn pair(&mut self, depth: u32) -> (Expr, Expr, Effect) {
        let a = self.int(depth - 1);
        let b = self.int_beside(depth - 1, &a.effect);
        let effect = a.effect.clone().and(&b.effect);
        if self.rng.percent(50) { (a, b, effect) } else { (b, a, effect) }
    }

    fn leaf(&mut self) -> Expr {
        if self.rng.percent(25) {
            return self.constant();
        }
        match self.place(&Want::Integer, Use::Read) {
            Some(place) => self.value_of(&place),
            None => self.constant(),
        }
    }

    /// The value of an integer place. Bit-fields as wide as `int` or wider are converted: GCC
    /// computes with them in their own width, other compilers in the declared type.
    pub fn value_of(&mut self, place: &Place) -> Expr {
        let effect = place.read_effect();
        match place.bits {
            Some(bits) if bits >= 32 => {
                let name = self.type_name(&place.ty);
                Expr::new(format!("({name}){}", place.text), UNARY, effect)
            }
            _ => Expr::new(place.text.clone(), POSTFIX, effect),
        }
    }

    fn arithmetic(&mut self, depth: u32) -> Expr {
        let (a, b, effect) = self.pair(depth);
        let operators = [("+", 12), ("-", 12), ("*", 13), ("&", 8), ("|", 6), ("^", 7)];
        let (op, level) = *self.rng.pick(&operators);
        Expr::new(format!("{} {op} {}", a.at(level), b.at(level + 1)), level, effect)
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let (a, b, effect) = self.pair(depth);
        let operators = [("<", 10), ("<=", 10), (">", 10), (">=", 10), ("==", 9), ("!=", 9)];
        let (op, level) = *self.rng.pick(&operators);
        Expr::new(format!("{} {op} {}", a.at(level), b.at(level + 1)), level, effect)
    }

    fn logic(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        let (op, level) = if self.rng.percent(50) { ("&&", 5) } else { ("||", 4) };
        let effect = a.effect.clone().and(&b.effect);
        Expr::new(format!("{} {op} {}", a.at(level), b.at(level + 1)), level, effect)
    }

    fn shift(&mut self, depth: u32) -> Expr {
        let a = self.calmly(|g| g.int(depth - 1));
        let b = self.calmly(|g| g.int(depth - 1));
        let by = match self.rng.below(3) {
            0 if a.text.len() < 40 => format!("(sizeof({} + 0) * 8 - 1)", a.at(12)),
            1 => "7".to_string(),
            _ => "31".to_string(),
        };
        let op = self.rng.pick(&["<<", ">>"]);
        let effect = a.effect.clone().and(&b.effect);
        Expr::new(format!("{} {op} ({} & {by})", a.at(11), b.at(8)), 11, effect)
    }

    /// Something to divide by: neither 0 nor -1.
    fn divisor(&mut self, depth: u32) -> Expr {
        let d = self.calmly(|g| g.int(depth));
        match self.rng.below(4) {
            0 => {
                let n = self.rng.range(2, 300);
                let text = if self.rng.percent(30) { format!("(-{n})") } else { n.to_string() };
                Expr::primary(text, Effect::none())
            }
            1 if d.text.len() < 40 => {
                let other = self.rng.range(2, 99);
                let operand = d.at(10);
                let text = format!("({operand} == 0 || {operand} == -1 ? {other} : {})", d.at(3));
                Expr::primary(text, d.effect)
            }
            _ => {
                let mask = self.rng.pick(&[1, 7, 15, 255]);
                let text = format!("(({} & {mask}) + {})", d.at(8), self.rng.range(1, 9));
                Expr::primary(text, d.effect)
            }
        }
    }

    fn division(&mut self, depth: u32) -> Expr {
        let d = self.divisor(depth - 1);
        let a = self.int_beside(depth - 1, &d.effect);
        let op = self.rng.pick(&["/", "%"]);
        let effect = a.effect.clone().and(&d.effect);
        Expr::new(format!("{} {op} {}", a.at(13), d.at(14)), 13, effect)
    }

    fn unary(&mut self, depth: u32) -> Expr {
        let e = self.int(depth - 1);
        let op = *self.rng.pick(&["-", "~", "!", "+", "__extension__ "]);
        let operand = e.at(UNARY);
        let gap = if operand.starts_with(op) { " " } else { "" };
        Expr::new(format!("{op}{gap}{operand}"), UNARY, e.effect)
    }

    fn cast(&mut self, depth: u32) -> Expr {
        let e = self.int(depth - 1);
        let ty = self.int_type();
        let name = self.type_name(&ty);
        Expr::new(format!("({name}){}", e.at(UNARY)), UNARY, e.effect)
    }

    fn conditional(&mut self, depth: u32) -> Expr {
        let (c, a, b) = (self.int(depth - 1), self.int(depth - 1), self.int(depth - 1));
        let effect = c.effect.clone().and(&a.effect).and(&b.effect);
        let text = format!("{} ? {} : {}", c.at(4), a.text, b.at(CONDITIONAL));
        Expr::new(text, CONDITIONAL, effect)
    }

    fn elvis(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        let effect = a.effect.clone().and(&b.effect);
        Expr::new(format!("{} ?: {}", a.at(4), b.at(CONDITIONAL)), CONDITIONAL, effect)
    }

    fn comma(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        let effect = a.effect.clone().and(&b.effect);
        Expr::new(format!("{}, +{}", a.text, spaced(&b.at(UNARY))), 1, effect)
    }

    /// Wraps an assignment so that its value has the declared type also for a bit-field.
    fn assigned(&mut self, place: &Place, text: String, level: u8, effect: Effect) -> Expr {
        match place.bits {
            Some(_) => {
                let name = self.type_name(&place.ty);
                Expr::new(format!("({name})({text})"), UNARY, effect)
            }
            None => Expr::new(text, level, effect),
        }
    }

    fn writable(&mut self) -> Option<Place> {
        if self.here.calm || !self.on.side_effects {
            return None;
        }
        self.place(&Want::Integer, Use::Write)
    }

    pub fn assignment(&mut self, depth: u32) -> Option<Expr> {
        let place = self.writable()?;
        let value = self.int_beside(depth - 1, &place.effect);
        let value = if value.effect.writes(place.object) {
            self.calmly(|g| g.int(depth - 1))
        } else {
            value
        };
        let effect = place.write_effect().and(&value.effect);
        let text = format!("{} = {}", place.text, value.at(ASSIGN));
        Some(self.assigned(&place, text, ASSIGN, effect))
    }

    pub fn step(&mut self) -> Option<Expr> {
        let place = self.writable()?;
        let op = self.rng.pick(&["++", "--"]);
        let effect = place.write_effect();
        let (text, level) = match self.rng.percent(50) {
            true => (format!("{op}{}", place.text), UNARY),
            false => (format!("{}{op}", place.text), POSTFIX),
        };
        Some(self.assigned(&place, text, level, effect))
    }

    pub fn compound(&mut self, depth: u32) -> Option<Expr> {
        let place = self.writable()?;
        let depth = depth.saturating_sub(1);
        let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]);
        let (text, effect) = match op {
            "<<" | ">>" => {
                let by = self.calmly(|g| g.int(depth));
                (format!("{} {op}= {} & 31", place.text, by.at(9)), by.effect)
            }
            "/" | "%" => {
                let by = self.divisor(depth);
                (format!("{} {op}= {}", place.text, by.text), by.effect)
            }
            _ => {
                let by = self.int_beside(depth, &place.write_effect());
                (format!("{} {op}= {}", place.text, by.at(ASSIGN)), by.effect)
            }
        };
        if effect.writes(SHARED) && place.object == SHARED {
            return None;
        }
        let effect = effect.and(&place.write_effect());
        Some(self.assigned(&place, text, ASSIGN, effect))
    }

    fn integer_call(&mut self, depth: u32) -> Option<Expr> {
        if self.rng.percent(12) && self.on.records {
            return self.record_call_field(depth);
        }
        self.call(|ty| ty.is_some_and(|ty| ty.is_integer()), depth)
    }

    fn builtin(&mut self, depth: u32) -> Expr {
        let e = self.int(depth - 1);
        let text = match self.rng.below(6) {
            0 => format!("__builtin_expect({}, 0)", e.argument()),
            1 => format!("__builtin_popcount({})", e.argument()),
            2 => format!("__builtin_clz((unsigned){} | 1)", e.at(UNARY)),
            3 => format!("__builtin_ctzll({} | 8ULL)", e.at(7)),
            4 => format!("__builtin_parity({})", e.argument()),
            _ => format!("__builtin_ffs({})", e.argument()),
        };
        Expr::new(text, POSTFIX, e.effect)
    }

    /// A choice by type: the operand is not evaluated.
    fn generic(&mut self, depth: u32) -> Expr {
        let subject = self.calmly(|g| g.int(depth - 1));
        let (a, b, c) = (self.int(depth - 1), self.int(depth - 1), self.int(depth - 1));
        let effect = a.effect.clone().and(&b.effect).and(&c.effect);
        let kind = self.rng.pick(&["long", "_Bool", "char", "unsigned long long", "short"]);
        let text = format!(
            "_Generic({} + 0, int: {}, {kind}: {}, default: {})",
            subject.at(12),
            a.argument(),
            b.argument(),
            c.argument()
        );
        Expr::primary(text, effect)
    }

    /// `({ T t = e; t op= e; t; })`
    fn block_expression(&mut self, depth: u32) -> Option<Expr> {
        if !self.on.statement_expressions || !self.can_spend(8) {
            return None;
        }
        let ty = self.int_type();
        let name = self.fresh_name("t");
        let first = self.int(depth - 1);
        let mut effect = first.effect.clone();
        let declared = self.declaration(&ty, &name);
        self.scopes.push(self.vars.len());
        self.add_var(name.clone(), ty, Role::Plain, false);
        let mut text = format!("({{ {declared} = {}; ", first.argument());
        let change = |here: &mut super::Here| {
            here.can_leave = false;
            here.labels.clear();
        };
        let trips = self.rng.range(0, 3) as u64;
        let repeated = |here: &mut super::Here| {
            change(here);
            here.weight *= trips.max(1);
        };
        if let Some(e) = self.within(repeated, |g| g.compound(depth)) {
            if trips > 1 {
                let k = self.fresh_name("k");
                text.push_str(&format!("for (int {k} = 0; {k} < {trips}; {k}++) "));
            }
            text.push_str(&e.text);
            text.push_str("; ");
            effect = effect.and(&e.effect);
        }
        let last = self.calmly(|g| g.int(depth - 1));
        self.close_scope();
        let effect = effect.and(&last.effect);
        let text = format!("{text}{name} ^ {}; }})", last.at(8));
        Some(Expr::primary(text, effect))
    }

    fn size(&mut self) -> Expr {
        let text = match self.rng.below(4) {
            0 => {
                let e = self.calmly(|g| g.int(1));
                format!("sizeof({} + 0)", e.at(12))
            }
            1 => {
                let place = self.place(&Want::Integer, Use::Read);
                match place.filter(|p| p.bits.is_none()) {
                    Some(place) => format!("sizeof {}", spaced(&place.text)),
                    None => "sizeof 'x'".to_string(),
                }
            }
            2 if !self.types.records.is_empty() => {
                let record = self.rng.below(self.types.records.len());
                match self.types.records[record].tag.is_empty() {
                    true => "sizeof(char)".to_string(),
                    false => format!("sizeof({})", self.types.record_name(record)),
                }
            }
            _ => {
                let ty = self.scalar_type();
                let op = self.rng.pick(&["sizeof", "_Alignof", "__alignof__"]);
                format!("{op}({})", self.type_name(&ty))
            }
        };
        Expr::new(text, UNARY, Effect::none())
    }

    /// A compound literal: a scalar, or an element of an array.
    fn literal(&mut self, depth: u32) -> Expr {
        let ty = self.int_type();
        let name = self.type_name(&ty);
        let a = self.int(depth - 1);
        if self.rng.percent(40) {
            return Expr::new(format!("({name}){{{}}}", a.argument()), POSTFIX, a.effect);
        }
        let b = self.int_beside(depth - 1, &a.effect);
        let effect = a.effect.clone().and(&b.effect);
        let index = self.index(&Len::Known(2));
        if index.effect.clashes(&effect) {
            return a;
        }
        let effect = effect.and(&index.effect);
        let text = format!("({name}[]){{{}, {}}}[{}]", a.argument(), b.argument(), index.text);
        Expr::new(text, POSTFIX, effect)
    }

    fn text_element(&mut self) -> Expr {
        let (text, len) = self.string_literal();
        let index = self.index(&Len::Known(len));
        if self.rng.percent(15) {
            return Expr::new(format!("sizeof {text}"), UNARY, Effect::none());
        }
        Expr::new(format!("{text}[{}]", index.text), POSTFIX, index.effect)
    }

    /// A string literal and the size of its array.
    pub fn string_literal(&mut self) -> (String, u32) {
        let parts =
            [("abc", 3), ("\\n", 1), ("\\x7f", 1), ("\\377", 1), ("\\0", 1), ("Z", 1), ("\\\"", 1)];
        let count = self.rng.below(4) + 1;
        let mut text = String::from("\"");
        let mut len = 1;
        for n in 0..count {
            let (part, size) = *self.rng.pick(&parts);
            // Separate literals: no escape runs on into the next part.
            text.push_str(if n == 0 { "" } else { "\" \"" });
            text.push_str(part);
            len += size;
        }
        text.push('"');
        (text, len)
    }

    /// Comparison or difference of pointers.
    fn pointer_test(&mut self) -> Option<Expr> {
        if !self.on.pointers {
            return None;
        }
        let pointers: Vec<_> = self
            .visible()
            .into_iter()
            .filter(|v| matches!(v.role, Role::Single | Role::Cursor { .. }))
            .collect();
        if pointers.is_empty() {
            return None;
        }
        let var = self.rng.pick(&pointers).clone();
        let p = &var.name;
        let effect = Effect::read(var.object);
        let (text, level, effect) = match &var.role {
            Role::Cursor { base, len } => match self.rng.below(5) {
                0 => (format!("{p} - {base}"), 12, effect),
                1 => (format!("{p} < {base} + {}", len.text()), 10, effect),
                2 => (format!("&{base}[{}] - {p}", len.text()), 12, effect),
                3 => (format!("{p} >= &{base}[{} - 1]", len.text()), 10, effect),
                _ => (format!("{p} == {base}"), 9, effect),
            },
            _ => {
                let Ty::Ptr(to) = &var.ty else { unreachable!("a pointer's role") };
                match self.place(&Want::Exactly(to), Use::Address { life: usize::MAX }) {
                    Some(other) => {
                        let text = format!("{p} == &{}", spaced(&other.text));
                        (text, 9, effect.and(&other.effect))
                    }
                    None => (format!("!{p}"), UNARY, effect),
                }
            }
        };
        Some(Expr::new(text, level, effect))
    }

    fn float_result(&mut self, depth: u32) -> Option<Expr> {
        if !self.on.floats {
            return None;
        }
        if self.rng.percent(50) {
            let e = self.float(depth - 1);
            return Some(Expr::new(format!("scaled({})", e.argument()), POSTFIX, e.effect));
        }
        let a = self.float(depth - 1);
        let b = self.calmly(|g| g.float(depth - 1));
        if a.effect.clashes(&b.effect) {
            return None;
        }
        let (op, level) = *self.rng.pick(&[("<", 10), (">=", 10), ("==", 9), ("!=", 9)]);
        let effect = a.effect.clone().and(&b.effect);
        Some(Expr::new(format!("{} {op} {}", a.at(level), b.at(level + 1)), level, effect))
    }

    /// A floating expression.
    pub fn float(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.rng.percent(20) {
            let variable = self.rng.percent(60);
            if let Some(place) = self.place(&Want::Float, Use::Read).filter(|_| variable) {
                return Expr::new(place.text.clone(), POSTFIX, place.read_effect());
            }
            let constants = ["0.5", "1.0", "-3.25", "1e3", "0x1p-3", "7.f", "1.5F", ".125", "2."];
            return Expr::new(self.rng.pick(&constants).to_string(), UNARY, Effect::none());
        }
        let (op, level) = *self.rng.pick(&[("+", 12), ("-", 12), ("*", 13), ("/", 13), ("", 0)]);
        if level == 0 {
            let e = self.calmly(|g| g.int(depth - 1));
            let to = self.rng.pick(&["float", "double"]);
            // Few bits: a wide integer would be rounded, which is right too, but dull.
            return Expr::new(format!("({to})({} & 1023)", e.at(8)), UNARY, e.effect);
        }
        let a = self.calmly(|g| g.float(depth - 1));
        let b = self.calmly(|g| g.float(depth - 1));
        let effect = a.effect.clone().and(&b.effect);
        Expr::new(format!("{} {op} {}", a.at(level), b.at(level + 1)), level, effect)
    }

    /// A condition: mostly a comparison, so that both branches happen.
    pub fn condition(&mut self) -> Expr {
        match self.rng.below(4) {
            0 => self.int(2),
            1 => {
                let e = self.calmly(|g| g.int(1));
                let bit = 1 << self.rng.below(6);
                Expr::new(format!("({} & {bit}) != 0", e.at(8)), 9, e.effect)
            }
            _ => self.comparison(2),
        }
    }

    /// A kind for the `printf` family, its directive and the type to convert to.
    pub fn directive(&mut self) -> (&'static str, Kind) {
        let plain = [
            ("%d", Kind::Int),
            ("%u", Kind::UInt),
            ("%x", Kind::UInt),
            ("%ld", Kind::Long),
            ("%lu", Kind::ULong),
            ("%lld", Kind::LLong),
            ("%llx", Kind::ULLong),
            ("%d", Kind::SChar),
            ("%u", Kind::UShort),
        ];
        let fancy = [
            ("%5d", Kind::Int),
            ("%-7d|", Kind::Int),
            ("%05d", Kind::Int),
            ("%+d", Kind::Int),
            ("% d", Kind::Int),
            ("%#x", Kind::UInt),
            ("%X", Kind::UInt),
            ("%o", Kind::UInt),
            ("%.3d", Kind::Int),
            ("%8.4d", Kind::Int),
            ("%hhd", Kind::SChar),
            ("%hhu", Kind::UChar),
            ("%hd", Kind::Short),
            ("%i%%", Kind::Int),
            ("%c", Kind::UChar),
            ("%zu", Kind::ULong),
            ("%020llx", Kind::ULLong),
        ];
        // The 32-bit runtime is simple.
        match self.model == DataModel::Lp64 && self.rng.percent(30) {
            true => *self.rng.pick(&fancy),
            false => *self.rng.pick(&plain),
        }
    }
}

/// A text that can follow a unary operator made of signs.
fn spaced(text: &str) -> String {
    match text.starts_with(['+', '-', '&']) || text.starts_with(|c: char| c.is_alphabetic()) {
        true => format!(" {text}"),
        false => text.to_string(),
    }
}
