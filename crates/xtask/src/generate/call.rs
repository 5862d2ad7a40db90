//! Calls: arguments of every type, through names, tables of functions, and recursion.

use super::effect::{Effect, SHARED};
use super::expr::Expr;
use super::init::Moment;
use super::place::{Place, Use, Want};
use super::types::{Len, Ty};
use super::{Fuel, Function, Generator, Param};

impl Generator {
    /// A call of some function whose result type is accepted.
    pub fn call(&mut self, accept: impl Fn(Option<&Ty>) -> bool, depth: u32) -> Option<Expr> {
        let callable = |f: &&Function| {
            accept(f.result.as_ref())
                && self.can_spend(f.cost + 5)
                && (f.pure || !(self.here.calm || self.here.pure || !self.on.side_effects))
                && (f.fuel != Fuel::Open
                    || (self.here.recursive_calls > 0 && self.here.weight == 1))
        };
        let candidates: Vec<Function> = self.functions.iter().filter(callable).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let function = self.rng.pick(&candidates).clone();
        Some(self.call_of(&function, depth))
    }

    pub fn call_of(&mut self, function: &Function, depth: u32) -> Expr {
        self.spend(function.cost + 5);
        let mut effect = Effect::none();
        let callee = self.callee(function, &mut effect);
        let mut arguments: Vec<String> = function.leading.iter().cloned().collect();
        for (n, param) in function.params.iter().enumerate() {
            arguments.push(match (n, function.fuel) {
                (0, Fuel::Open) => {
                    self.here.recursive_calls -= 1;
                    "fuel - 1".to_string()
                }
                (0, Fuel::Ready) => self.rng.below(5).to_string(),
                _ => self.argument(param, function.old_style, depth, &mut effect),
            });
        }
        if !function.pure {
            effect = effect.and(&Effect::write(SHARED));
        }
        Expr::new(format!("{callee}({})", arguments.join(", ")), 15, effect)
    }

    fn callee(&mut self, function: &Function, effect: &mut Effect) -> String {
        let name = &function.name;
        match function.table {
            Some(len) => {
                let index = self.calmly(|g| g.index(&Len::Known(len)));
                *effect = index.effect;
                let entry = format!("{name}[{}]", index.text);
                match self.rng.below(3) {
                    0 if self.on.statement_expressions => {
                        let f = self.fresh_name("call");
                        format!("({{ __typeof__({name}[0]) {f} = {entry}; {f}; }})")
                    }
                    1 => format!("(*{entry})"),
                    _ => entry,
                }
            }
            // A name in parentheses is a pointer.
            None => match self.rng.below(12) {
                0 => format!("(*{name})"),
                1 if !name.starts_with('(') => format!("(&{name})"),
                _ => name.clone(),
            },
        }
    }

    fn argument(&mut self, param: &Param, exact: bool, depth: u32, effect: &mut Effect) -> String {
        let depth = depth.saturating_sub(1);
        let value = match &param.ty {
            Ty::Int(_) | Ty::Enum(_) => {
                let e = self.int_beside(depth, effect);
                match exact {
                    true => {
                        let name = self.type_name(&param.ty);
                        Expr::new(format!("({name}){}", e.at(14)), 14, e.effect)
                    }
                    false => e,
                }
            }
            Ty::Float | Ty::Double => self.calmly(|g| g.float(depth)),
            Ty::Record(r) => self.record_value(*r, depth),
            Ty::Ptr(to) => self.address(to, usize::MAX),
            Ty::Array(..) => {
                match self.place(&Want::Exactly(&param.ty), Use::Address { life: usize::MAX }) {
                    Some(array) => Expr::new(array.text, 15, array.effect),
                    None => self.aggregate_literal(&param.ty),
                }
            }
        };
        if value.effect.clashes(effect) {
            return match &param.ty {
                Ty::Ptr(to) => format!("&{}", self.constant_literal(to)),
                Ty::Float | Ty::Double => "0.25".to_string(),
                ty => self.constant_literal(&ty.clone()),
            };
        }
        *effect = std::mem::take(effect).and(&value.effect);
        value.argument()
    }

    /// The address of an object of the type that outlives a scope of that depth.
    pub fn address(&mut self, to: &Ty, life: usize) -> Expr {
        match self.place(&Want::Exactly(to), Use::Address { life }) {
            Some(place) => {
                let text = place.text.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')'));
                match text {
                    Some(inner) if inner.chars().all(|c| c.is_ascii_alphanumeric()) => {
                        Expr::primary(inner.to_string(), place.effect)
                    }
                    _ => Expr::new(format!("&{}", place.text), 14, place.effect),
                }
            }
            // Lives as long as the innermost block, where `life` is at least that deep.
            None => Expr::new(format!("&{}", self.constant_literal(to)), 14, Effect::none()),
        }
    }

    /// `(T){…}` of constants.
    fn constant_literal(&mut self, ty: &Ty) -> String {
        let name = self.type_name(ty);
        let mut effect = Effect::none();
        let value = self.initialiser(ty, Moment::Static, &mut effect);
        let value = if value.starts_with('{') { value } else { format!("{{{value}}}") };
        format!("({name}){value}")
    }

    fn aggregate_literal(&mut self, ty: &Ty) -> Expr {
        if self.here.in_literal {
            return Expr::new(self.constant_literal(ty), 15, Effect::none());
        }
        let name = self.type_name(ty);
        let mut effect = Effect::none();
        let value = self.within(
            |here| here.in_literal = true,
            |g| g.initialiser(ty, Moment::Running, &mut effect),
        );
        let value = if value.starts_with('{') { value } else { format!("{{{value}}}") };
        Expr::new(format!("({name}){value}"), 15, effect)
    }

    /// A struct or union as a value.
    pub fn record_value(&mut self, record: usize, depth: u32) -> Expr {
        let ty = Ty::Record(record);
        let made = match self.rng.below(4) {
            0 if depth > 0 => self.call(|t| t == Some(&ty), depth - 1),
            1 => None,
            2 if depth > 0 => {
                let c = self.calmly(|g| g.condition());
                let (a, b) = (self.record_value(record, 0), self.record_value(record, 0));
                let effect = c.effect.clone().and(&a.effect).and(&b.effect);
                Some(Expr::primary(format!("({} ? {} : {})", c.at(4), a.text, b.text), effect))
            }
            _ => self
                .place(&Want::Exactly(&ty), Use::Read)
                .map(|p| Expr::new(p.text.clone(), 15, p.read_effect())),
        };
        made.unwrap_or_else(|| self.aggregate_literal(&ty))
    }

    /// `f(…).field`
    pub fn record_call_field(&mut self, depth: u32) -> Option<Expr> {
        let records: Vec<usize> = (0..self.types.records.len())
            .filter(|&r| !self.types.records[r].tag.is_empty())
            .collect();
        if records.is_empty() {
            return None;
        }
        let ty = Ty::Record(*self.rng.pick(&records));
        let call = self.call(|t| t == Some(&ty), depth.saturating_sub(1))?;
        let whole =
            Place { text: call.text, ty, effect: Effect::none(), object: SHARED, bits: None };
        let part = self.calmly(|g| g.part(whole, &Want::Integer))?;
        if part.effect.clashes(&call.effect) {
            return None;
        }
        let effect = part.effect.clone().and(&call.effect);
        let mut value = self.value_of(&part);
        value.effect = effect;
        Some(value)
    }
}
