//! Places: scalars, parts of aggregates, and what pointers point to.

use super::effect::{Effect, ObjectId, SHARED};
use super::expr::Expr;
use super::types::{Len, Ty};
use super::{Generator, Role, Var};

/// What kind of place is looked for.
#[derive(Clone, Debug)]
pub enum Want<'t> {
    Integer,
    Float,
    Exactly(&'t Ty),
}

impl Want<'_> {
    fn fits(&self, ty: &Ty) -> bool {
        match self {
            Want::Integer => ty.is_integer(),
            Want::Float => ty.is_float(),
            Want::Exactly(wanted) => *wanted == ty,
        }
    }
}

/// What will be done with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Use {
    Read,
    Write,
    /// Its address goes into a pointer that lives as long as a scope of this depth.
    Address {
        life: usize,
    },
}

#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub ty: Ty,
    /// Of finding the place: indices and pointers are read.
    pub effect: Effect,
    pub object: ObjectId,
    /// Set for a bit-field.
    pub bits: Option<u32>,
}

impl Place {
    pub fn read_effect(&self) -> Effect {
        self.effect.clone().and(&Effect::read(self.object))
    }

    pub fn write_effect(&self) -> Effect {
        self.effect.clone().and(&Effect::write(self.object))
    }
}

impl Generator {
    /// A random visible place, if there is one of that kind.
    pub fn place(&mut self, want: &Want, usage: Use) -> Option<Place> {
        if !matches!(usage, Use::Address { .. }) && !self.here.indexing && self.rng.percent(4) {
            let chosen = self.chosen(want);
            if chosen.is_some() {
                return chosen;
            }
        }
        let candidates: Vec<Var> =
            self.visible().into_iter().filter(|var| self.leads_to(var, want, usage)).collect();
        if candidates.is_empty() {
            return None;
        }
        let var = self.rng.pick(&candidates).clone();
        let start = self.enter(&var);
        Some(self.walk(start, want, usage))
    }

    /// What a function that chooses between two pointers returns.
    fn chosen(&mut self, want: &Want) -> Option<Place> {
        let fits: Vec<_> = self
            .choosers
            .iter()
            .filter(|(_, ty)| self.contains(ty, want, false))
            .cloned()
            .collect();
        if fits.is_empty() {
            return None;
        }
        let (name, ty) = self.rng.pick(&fits).clone();
        let change = |here: &mut super::Here| {
            here.calm = true;
            here.indexing = true;
        };
        let (a, b, c) = self
            .within(change, |g| (g.address(&ty, usize::MAX), g.address(&ty, usize::MAX), g.int(0)));
        let text = format!("(*{name}({}, {}, {}))", a.argument(), b.argument(), c.argument());
        let effect = a.effect.and(&b.effect).and(&c.effect);
        let place = Place { text, ty, effect, object: SHARED, bits: None };
        Some(self.walk(place, want, Use::Read))
    }

    fn leads_to(&self, var: &Var, want: &Want, usage: Use) -> bool {
        let address = matches!(usage, Use::Address { .. });
        let target = match (&var.role, &var.ty) {
            (Role::Hidden, _) => return false,
            (Role::Fixed { .. }, _) if usage != Use::Read => return false,
            (Role::Single | Role::Cursor { .. } | Role::Base { .. }, Ty::Ptr(to)) => &**to,
            (_, ty) => {
                if address && var.object != SHARED {
                    return false;
                }
                ty
            }
        };
        match usage {
            Use::Address { life } if var.life > life => false,
            _ => self.contains(target, want, address),
        }
    }

    fn contains(&self, ty: &Ty, want: &Want, address: bool) -> bool {
        want.fits(ty)
            || match ty {
                Ty::Array(of, _) => self.contains(of, want, address),
                Ty::Record(r) => {
                    self.types.named_fields(*r).iter().any(|f| {
                        !(address && f.bits.is_some()) && self.contains(&f.ty, want, address)
                    })
                }
                _ => false,
            }
    }

    /// The variable as a place; what it points to, if it is a pointer.
    fn enter(&mut self, var: &Var) -> Place {
        let name = &var.name;
        let (text, effect) = match &var.role {
            Role::Single => {
                let forms = [format!("(*{name})"), format!("{name}[0]")];
                (self.rng.pick(&forms).clone(), Effect::none())
            }
            Role::Cursor { base, .. } => {
                let forms = [format!("(*{name})"), format!("{base}[{name} - {base}]")];
                (self.rng.pick(&forms).clone(), Effect::none())
            }
            Role::Base { len } => self.element(name, len),
            _ => {
                return Place {
                    text: name.clone(),
                    ty: var.ty.clone(),
                    effect: Effect::none(),
                    object: var.object,
                    bits: None,
                };
            }
        };
        let Ty::Ptr(to) = &var.ty else { unreachable!("a pointer's role") };
        let effect = effect.and(&Effect::read(var.object));
        Place { text, ty: (**to).clone(), effect, object: SHARED, bits: None }
    }

    /// Some part of a value.
    pub fn part(&mut self, whole: Place, want: &Want) -> Option<Place> {
        let found = self.contains(&whole.ty, want, false);
        found.then(|| self.walk(whole, want, Use::Read))
    }

    /// Goes down to a part that fits.
    fn walk(&mut self, mut place: Place, want: &Want, usage: Use) -> Place {
        let address = matches!(usage, Use::Address { .. });
        while !want.fits(&place.ty) {
            match place.ty.clone() {
                Ty::Array(of, len) => {
                    let (text, effect) = self.element(&place.text, &len);
                    place.text = text;
                    place.effect = place.effect.and(&effect);
                    place.ty = (*of).clone();
                }
                Ty::Record(r) => {
                    let fields: Vec<_> = self
                        .types
                        .named_fields(r)
                        .into_iter()
                        .filter(|f| !(address && f.bits.is_some()))
                        .filter(|f| self.contains(&f.ty, want, address))
                        .cloned()
                        .collect();
                    let field = self.rng.pick(&fields);
                    place.text = member(&place.text, field.name.as_deref().unwrap_or_default());
                    place.ty = field.ty.clone();
                    place.bits = field.bits;
                }
                ty => unreachable!("{ty:?} does not lead there"),
            }
        }
        place
    }

    /// An element of what `base` (an array or a pointer to its first element) holds.
    fn element(&mut self, base: &str, len: &Len) -> (String, Effect) {
        let index = self.index(len);
        let text = match self.rng.below(12) {
            0 => format!("(*({base} + {}))", index.at(13)),
            1 if index.is_primary() => format!("{}[{base}]", index.text),
            _ => format!("{base}[{}]", index.text),
        };
        (text, index.effect)
    }

    /// A number less than a length, without side effects.
    pub fn index(&mut self, len: &Len) -> Expr {
        let most = len.most();
        if let Len::Known(n) = len {
            let counter = |v: &Var| matches!(v.role, Role::Fixed { below: Some(b) } if b <= *n);
            let counters: Vec<Var> = self.visible().into_iter().filter(counter).collect();
            if !counters.is_empty() && self.rng.percent(50) {
                let var = self.rng.pick(&counters);
                return Expr::primary(var.name.clone(), Effect::read(var.object));
            }
            if self.here.indexing || self.rng.percent(25) {
                return Expr::primary(self.rng.below(*n as usize).to_string(), Effect::none());
            }
        }
        let depth = if self.here.indexing { 0 } else { 1 };
        let change = |here: &mut super::Here| {
            here.indexing = true;
            here.calm = true;
        };
        let e = self.within(change, |g| g.int(depth));
        if matches!(len, Len::Known(_)) && most.is_power_of_two() && self.rng.percent(60) {
            return Expr::new(format!("{} & {}", e.at(9), most - 1), 8, e.effect);
        }
        let to = ["unsigned", "unsigned char", "unsigned long long"];
        let to = self.rng.pick(&to);
        Expr::new(format!("({to}){} % {}", e.at(14), len.text()), 13, e.effect)
    }
}

/// `place.field`, or `p->field` for `(*p).field`.
pub fn member(place: &str, field: &str) -> String {
    match place.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) if pointer.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
            format!("{pointer}->{field}")
        }
        _ => format!("{place}.{field}"),
    }
}
