//! Declarations of variables: storage classes, shadowing, pointers to what exists.

use super::effect::{Effect, SHARED};
use super::init::Moment;
use super::place::{Use, Want};
use super::types::{Len, Ty};
use super::{Generator, Kind, Role, Var};

impl Generator {
    /// A type for an object without pointers.
    pub fn object_type(&mut self) -> Ty {
        let tagged: Vec<usize> = (0..self.types.records.len())
            .filter(|&r| !self.types.records[r].tag.is_empty())
            .collect();
        match self.rng.below(10) {
            0..2 if !tagged.is_empty() => Ty::Record(*self.rng.pick(&tagged)),
            2 if !tagged.is_empty() => {
                let record = Ty::Record(*self.rng.pick(&tagged));
                Ty::array(&record, self.rng.range(1, 3) as u32)
            }
            3..5 => {
                let of = self.scalar_type();
                Ty::array(&of, self.rng.range(1, 9) as u32)
            }
            5 => {
                let of = self.scalar_type();
                let row = Ty::array(&of, self.rng.range(1, 4) as u32);
                Ty::array(&row, self.rng.range(1, 4) as u32)
            }
            _ => self.scalar_type(),
        }
    }

    /// A new name, or one that hides an outer variable on which nothing depends.
    fn local_name(&mut self) -> String {
        if self.scopes.len() >= 3 && self.rng.percent(20) {
            let start = *self.scopes.last().expect("inside a function");
            let used_in = |name: &str, role: &Role| match role {
                Role::Cursor { base, len } => base.contains(name) || len.text() == name,
                Role::Base { len } => len.text() == name,
                _ => false,
            };
            let is_length =
                |name: &str, ty: &Ty| matches!(ty, Ty::Array(_, len) if len.text() == name);
            let free = |v: &Var| {
                !matches!(v.ty, Ty::Array(..))
                    && v.name != "fuel"
                    && !v.name.starts_with('(')
                    && !self.vars[start..].iter().any(|w| w.name == v.name)
                    && !self
                        .vars
                        .iter()
                        .any(|w| used_in(&v.name, &w.role) || is_length(&v.name, &w.ty))
            };
            let names: Vec<String> =
                self.vars[..start].iter().filter(|v| free(v)).map(|v| v.name.clone()).collect();
            if !names.is_empty() {
                return self.rng.pick(&names).clone();
            }
        }
        self.fresh_name("v")
    }

    /// One declaration of a local variable.
    pub fn local(&mut self) {
        self.spend(2);
        if self.on.pointers && self.rng.percent(30) && self.pointer() {
            return;
        }
        let ty = self.object_type();
        let name = self.local_name();
        match self.rng.below(12) {
            0 if !self.here.pure => self.static_local(name, ty),
            1 if ty.is_arithmetic() => self.constant_local(name, ty),
            2 if ty.is_arithmetic() => self.same_type_local(name),
            3 if matches!(ty, Ty::Int(_)) => self.several_locals(name, ty),
            _ => self.plain_local(name, ty),
        }
    }

    fn plain_local(&mut self, name: String, ty: Ty) {
        let shared = self.rng.percent(50);
        let at = self.add_var(name.clone(), ty.clone(), Role::Hidden, shared);
        let mut effect = Effect::none();
        self.spend(u64::from(self.types.leaves(&ty)));
        let value = self.initialiser(&ty, Moment::Running, &mut effect);
        self.vars[at].role = Role::Plain;
        let declared = self.declaration(&ty, &name);
        let qualifier = match self.rng.below(20) {
            0 if !shared && ty.is_arithmetic() => "register ",
            1 if !shared => "volatile ",
            2 => "auto ",
            3 => "__attribute__((unused)) ",
            _ => "",
        };
        self.line(format!("{qualifier}{declared} = {value};"));
    }

    /// `T a = …, *p = &a, b[2] = {…};`
    fn several_locals(&mut self, name: String, ty: Ty) {
        let Ty::Int(kind) = &ty else { unreachable!("an integer type") };
        let (p, b) = (self.fresh_name("p"), self.fresh_name("v"));
        let array = Ty::array(&ty, 2);
        let at = self.add_var(name.clone(), ty.clone(), Role::Hidden, true);
        let mut effect = Effect::none();
        let first = self.initialiser(&ty, Moment::Running, &mut effect);
        self.vars[at].role = Role::Plain;
        self.add_var(p.clone(), Ty::ptr(&ty), Role::Single, false);
        let second = self.initialiser(&array, Moment::Running, &mut Effect::none());
        self.add_var(b.clone(), array, Role::Plain, true);
        let base = kind.spellings()[0];
        self.line(format!("{base} {name} = {first}, *{p} = &{name}, {b}[2] = {second};"));
    }

    fn static_local(&mut self, name: String, ty: Ty) {
        let mut effect = Effect::none();
        let at = self.add_var(name.clone(), ty.clone(), Role::Hidden, true);
        let value = self.initialiser(&ty, Moment::Static, &mut effect);
        self.vars[at].role = Role::Plain;
        self.vars[at].life = 0;
        let declared = self.declaration(&ty, &name);
        match self.rng.percent(20) {
            true => self.line(format!("static {declared};")),
            false => self.line(format!("static {declared} = {value};")),
        }
    }

    fn constant_local(&mut self, name: String, ty: Ty) {
        let mut effect = Effect::none();
        let at = self.add_var(name.clone(), ty.clone(), Role::Hidden, false);
        let value = self.initialiser(&ty, Moment::Running, &mut effect);
        self.vars[at].role = Role::Fixed { below: None };
        let declared = self.declaration(&ty, &name);
        self.line(format!("const {declared} = {value};"));
    }

    /// `__typeof__(x) y = …`
    fn same_type_local(&mut self, name: String) {
        let at = self.add_var(name.clone(), Ty::Int(Kind::Int), Role::Hidden, false);
        // The type of a constant would be constant, too.
        let place = self.place(&Want::Integer, Use::Write).filter(|p| p.bits.is_none());
        let (ty, of) = match place {
            Some(place) => (place.ty, place.text),
            None => (Ty::Int(Kind::Char), "(char)0".to_string()),
        };
        let mut effect = Effect::none();
        let value = self.initialiser(&ty, Moment::Running, &mut effect);
        self.vars[at].ty = ty;
        self.vars[at].role = Role::Plain;
        self.line(format!("__typeof__({of}) {name} = {value};"));
    }

    /// A pointer to something that lives at least as long; false if there is nothing.
    pub fn pointer(&mut self) -> bool {
        let name = self.fresh_name("p");
        match self.rng.below(5) {
            0..2 => self.cursor(&name),
            _ => {
                let of = self.object_type();
                let life = self.scopes.len();
                let Some(place) = self.place(&Want::Exactly(&of), Use::Address { life }) else {
                    return false;
                };
                let ty = Ty::ptr(&of);
                let declared = self.declaration(&ty, &name);
                let via = match self.rng.below(10) {
                    0 => "(void *)",
                    _ => "",
                };
                self.line(format!("{declared} = {via}&{};", place.text));
                let shared = self.rng.percent(20);
                self.add_var(name.clone(), ty.clone(), Role::Single, shared);
                if shared && self.rng.percent(70) {
                    self.pointer_to_pointer(&name, &ty);
                }
                true
            }
        }
    }

    /// `T **q = &p`: used to reach what `p` points to.
    fn pointer_to_pointer(&mut self, name: &str, ty: &Ty) {
        let Ty::Ptr(to) = ty else { return };
        let outer = self.fresh_name("q");
        let declared = self.declaration(&Ty::ptr(ty), &outer);
        self.line(format!("{declared} = &{name};"));
        let alias = Ty::ptr(to);
        self.add_var(format!("(*{outer})"), alias, Role::Single, true);
    }

    fn cursor(&mut self, name: &str) -> bool {
        let arrays: Vec<Var> = self
            .visible()
            .into_iter()
            .filter(|v| match &v.role {
                Role::Plain => v.object == SHARED && matches!(v.ty, Ty::Array(..)),
                Role::Base { .. } => true,
                _ => false,
            })
            .collect();
        if arrays.is_empty() {
            return false;
        }
        let array = self.rng.pick(&arrays).clone();
        let (of, len) = match (&array.role, &array.ty) {
            (Role::Base { len }, Ty::Ptr(of)) => (of.clone(), len.clone()),
            (_, Ty::Array(of, len)) => (of.clone(), len.clone()),
            _ => return false,
        };
        let ty = Ty::Ptr(of);
        let declared = self.declaration(&ty, name);
        let index = self.index(&len);
        self.line(format!("{declared} = {} + {};", array.name, index.at(13)));
        let role = Role::Cursor { base: array.name, len };
        self.add_var(name.to_string(), ty, role, false);
        true
    }

    /// Points a pointer somewhere else.
    pub fn move_pointer(&mut self) -> bool {
        let movable = |v: &Var| matches!(v.role, Role::Single | Role::Cursor { .. });
        let pointers: Vec<Var> = self.visible().into_iter().filter(movable).collect();
        if pointers.is_empty() {
            return false;
        }
        let var = self.rng.pick(&pointers).clone();
        let p = &var.name;
        let Ty::Ptr(to) = &var.ty else { return false };
        match &var.role {
            Role::Cursor { base, len } => {
                let n = len.text();
                let text = match self.rng.below(4) {
                    0 => format!("if ({p} < {base} + ({n} - 1)) {p}++;"),
                    1 => format!("if ({p} > {base}) --{p};"),
                    2 => {
                        let index = self.index(&Len::clone(len));
                        format!("{p} = &{base}[{}];", index.text)
                    }
                    _ => {
                        let e = self.calmly(|g| g.int(1));
                        format!("{p} += (int)((unsigned){} % {n}) - ({p} - {base});", e.at(14))
                    }
                };
                self.line(text);
                true
            }
            _ => match self.place(&Want::Exactly(to), Use::Address { life: var.life }) {
                Some(target) => {
                    self.line(format!("{p} = &{};", target.text));
                    true
                }
                None => false,
            },
        }
    }

    /// A global variable with a constant initialiser, or none.
    pub fn global(&mut self) {
        let ty = self.object_type();
        let name = self.fresh_name("g");
        let mut effect = Effect::none();
        let value = self.initialiser(&ty, Moment::Static, &mut effect);
        let storage = self.rng.pick(&["", "static ", "static "]).to_string();
        let declared = self.declaration(&ty, &name);
        match self.rng.below(6) {
            0 => self.line(format!("{storage}{declared};")),
            1 => {
                self.line(format!("{storage}{declared};"));
                self.line(format!("{storage}{declared} = {value};"));
            }
            2 if storage.is_empty() => {
                self.line(format!("extern {declared};"));
                self.line(format!("{declared} = {value};"));
            }
            _ => self.line(format!("{storage}{declared} = {value};")),
        }
        self.add_var(name, ty, Role::Plain, true);
    }

    /// A global pointer to (part of) a global.
    pub fn global_pointer(&mut self) {
        let targets: Vec<Var> =
            self.visible().into_iter().filter(|v| v.role == Role::Plain).collect();
        if targets.is_empty() {
            return;
        }
        let target = self.rng.pick(&targets).clone();
        let name = self.fresh_name("gp");
        match &target.ty {
            Ty::Array(of, len) if self.rng.percent(60) => {
                let ty = Ty::ptr(of);
                let declared = self.declaration(&ty, &name);
                let at = self.rng.below(len.most() as usize);
                self.line(format!("static {declared} = {} + {at};", target.name));
                let role = Role::Cursor { base: target.name.clone(), len: len.clone() };
                self.add_var(name, ty, role, true);
            }
            of => {
                let ty = Ty::ptr(of);
                let declared = self.declaration(&ty, &name);
                self.line(format!("static {declared} = &{};", target.name));
                self.add_var(name, ty, Role::Single, true);
            }
        }
    }
}
