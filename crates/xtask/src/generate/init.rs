//! Initialisers, and the checksum of what was initialised.

use super::effect::Effect;
use super::types::{Field, Len, Ty};
use super::{Generator, Kind, Role, Var};

/// Whether an initialiser must be constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    Static,
    Running,
}

impl Generator {
    /// An initialiser for an object that holds no pointers. Its parts are unsequenced among
    /// themselves and with `effect`, to which theirs is added.
    pub fn initialiser(&mut self, ty: &Ty, moment: Moment, effect: &mut Effect) -> String {
        match ty {
            Ty::Int(_) | Ty::Enum(_) => self.int_initialiser(moment, effect),
            Ty::Float | Ty::Double => {
                if moment == Moment::Static {
                    return self.rng.pick(&["0.5", "-2", "7", "1.25f", "1e2"]).to_string();
                }
                let e = self.calmly(|g| g.float(2));
                if e.effect.clashes(effect) {
                    return "0.75".to_string();
                }
                *effect = std::mem::take(effect).and(&e.effect);
                e.argument()
            }
            Ty::Array(of, len) => self.array_initialiser(ty, of, len, moment, effect),
            Ty::Record(r) => self.record_initialiser(*r, moment, effect),
            Ty::Ptr(_) => unreachable!("pointers have initialisers of their own"),
        }
    }

    fn int_initialiser(&mut self, moment: Moment, effect: &mut Effect) -> String {
        let e = match moment {
            Moment::Static if self.rng.percent(50) => self.constant(),
            Moment::Static => self.constant_expression(2),
            Moment::Running => self.int_beside(2, effect),
        };
        *effect = std::mem::take(effect).and(&e.effect);
        e.argument()
    }

    fn array_initialiser(
        &mut self,
        ty: &Ty,
        of: &Ty,
        len: &Len,
        moment: Moment,
        effect: &mut Effect,
    ) -> String {
        let n = len.most() as usize;
        if matches!(of, Ty::Int(Kind::Char | Kind::UChar | Kind::SChar)) && self.rng.percent(40) {
            let (text, size) = self.string_literal();
            if size as usize - 1 <= n {
                return text;
            }
        }
        let mut items = Vec::new();
        match self.rng.below(4) {
            0 => {
                let mut at = 0;
                while at < n {
                    let to = (at + self.rng.below(2)).min(n - 1);
                    let value = match to == at {
                        true => self.initialiser(of, moment, effect),
                        false => self.initialiser(of, Moment::Static, effect),
                    };
                    items.push(match to == at {
                        true => format!("[{at}] = {value}"),
                        false => format!("[{at} ... {to}] = {value}"),
                    });
                    at = to + 1 + self.rng.below(2);
                }
                if items.is_empty() {
                    items.push("0".to_string());
                }
            }
            1 => {
                self.flat(ty, moment, effect, &mut items);
            }
            _ => {
                for _ in 0..self.rng.below(n) + 1 {
                    items.push(self.initialiser(of, moment, effect));
                }
            }
        }
        format!("{{{}}}", items.join(", "))
    }

    /// The values of all scalars in order, without inner braces.
    fn flat(&mut self, ty: &Ty, moment: Moment, effect: &mut Effect, items: &mut Vec<String>) {
        match ty {
            Ty::Array(of, len) => {
                for _ in 0..len.most() {
                    self.flat(of, moment, effect, items);
                }
            }
            Ty::Record(r) => {
                let record = self.types.records[*r].clone();
                let fields = record.fields.iter().filter(|f| !is_padding(f));
                for field in fields.take(if record.is_union { 1 } else { usize::MAX }) {
                    self.flat(&field.ty, moment, effect, items);
                }
            }
            _ => items.push(self.initialiser(ty, moment, effect)),
        }
    }

    fn record_initialiser(&mut self, r: usize, moment: Moment, effect: &mut Effect) -> String {
        let record = self.types.records[r].clone();
        let fields: Vec<&Field> = record.fields.iter().filter(|f| !is_padding(f)).collect();
        let mut items = Vec::new();
        if record.is_union {
            let field = *self.rng.pick(&fields);
            let value = self.initialiser(&field.ty, moment, effect);
            items.push(match &field.name {
                Some(name) => format!(".{name} = {value}"),
                None => self.initialiser(&fields[0].ty, moment, effect),
            });
            return format!("{{{}}}", items.join(", "));
        }
        let style = self.rng.below(4);
        if style == 0 {
            self.flat(&Ty::Record(r), moment, effect, &mut items);
            return format!("{{{}}}", items.join(", "));
        }
        for (n, field) in fields.iter().enumerate() {
            match (&field.name, style) {
                (Some(name), 1) => {
                    if n > 0 && self.rng.percent(25) {
                        continue;
                    }
                    let value = self.initialiser(&field.ty, moment, effect);
                    items.push(format!(".{name} = {value}"));
                }
                _ if style == 2 && n > 0 && self.rng.percent(15) => break,
                (None, 1) => {}
                _ => items.push(self.initialiser(&field.ty, moment, effect)),
            }
        }
        if items.is_empty() {
            items.push("0".to_string());
        }
        format!("{{{}}}", items.join(", "))
    }

    /// Adds everything a variable holds to the checksum.
    pub fn fold_var(&mut self, var: &Var) {
        match (&var.role, &var.ty) {
            (Role::Hidden, _) => {}
            (Role::Single, Ty::Ptr(to)) => self.fold(&format!("(*{})", var.name), to),
            (Role::Cursor { base, .. }, Ty::Ptr(to)) => {
                self.line(format!("fold({} - {base});", var.name));
                self.fold(&format!("(*{})", var.name), to);
            }
            (Role::Base { len }, Ty::Ptr(of)) => {
                self.fold(&var.name, &Ty::Array(of.clone(), len.clone()));
            }
            (_, ty) => self.fold(&var.name, ty),
        }
    }

    pub fn fold(&mut self, text: &str, ty: &Ty) {
        match ty {
            Ty::Int(kind) if kind.is_wide() => {
                self.line(format!("fold({text}); fold({text} >> 64);"));
            }
            Ty::Int(_) | Ty::Enum(_) => self.line(format!("fold({text});")),
            Ty::Float | Ty::Double => self.line(format!("fold(scaled({text}));")),
            Ty::Ptr(_) => {}
            Ty::Array(of, len) => {
                self.spend(u64::from(len.most()));
                let k = self.fresh_name("k");
                self.line(format!("for (int {k} = 0; {k} < {}; {k}++) {{", len.text()));
                self.indent += 1;
                self.fold(&format!("{text}[{k}]"), of);
                self.indent -= 1;
                self.line("}");
            }
            Ty::Record(r) => {
                let fields: Vec<Field> = self.types.named_fields(*r).into_iter().cloned().collect();
                for field in fields {
                    let name = field.name.unwrap_or_default();
                    self.fold(&super::place::member(text, &name), &field.ty);
                }
            }
        }
    }
}

/// An unnamed bit-field.
fn is_padding(field: &Field) -> bool {
    field.name.is_none() && field.bits.is_some()
}
