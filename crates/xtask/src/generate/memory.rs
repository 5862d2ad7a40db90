//! Memory: the heap, variable-length arrays, lists, walks over arrays, library functions.

use super::effect::{Effect, SHARED};
use super::init::Moment;
use super::place::{Use, Want};
use super::types::{Len, Ty};
use super::{Generator, Kind, Role, Var};

impl Generator {
    pub fn memory_statement(&mut self) -> bool {
        match self.rng.below(9) {
            0 | 1 if self.on.heap => self.heap_block(),
            2 if self.on.variable_arrays => self.variable_array(),
            3 if self.on.pointers => self.array_walk(),
            4 if self.on.pointers && self.on.heap && !self.here.pure => self.list(),
            5 if self.on.library => self.library_call(),
            6 if self.on.pointers => self.bytes_of(),
            7 if self.on.library => self.copy(),
            8 if self.on.library && !self.here.pure => self.text(),
            _ => false,
        }
    }

    /// Assigns every element of something fresh.
    pub fn fill(&mut self, name: &str, of: &Ty, len: &Len) {
        let k = self.fresh_name("k");
        let mut effect = Effect::none();
        self.scopes.push(self.vars.len());
        self.add_var(k.clone(), Ty::Int(Kind::Int), Role::Fixed { below: Some(len.most()) }, false);
        let value = match of {
            Ty::Record(_) => {
                let name = self.type_name(of);
                let value = self.calmly(|g| g.initialiser(of, Moment::Running, &mut effect));
                format!("({name}){value}")
            }
            _ => self.calmly(|g| g.initialiser(of, Moment::Running, &mut effect)),
        };
        self.close_scope();
        self.spend(u64::from(len.most()) * 3);
        self.line(format!("for (int {k} = 0; {k} < {}; {k}++) {name}[{k}] = {value};", len.text()));
    }

    pub fn element_type(&mut self) -> Ty {
        loop {
            match self.object_type() {
                Ty::Array(..) => {}
                ty => return ty,
            }
        }
    }

    fn heap_block(&mut self) -> bool {
        let of = self.element_type();
        let len = self.rng.range(1, 6) as u32;
        self.braces("{", "}", |g| {
            let name = g.fresh_name("h");
            let declared = g.declaration(&Ty::ptr(&of), &name);
            let element = g.type_name(&of);
            if g.rng.percent(40) && of.is_arithmetic() {
                g.line(format!("{declared} = calloc({len}, sizeof({element}));"));
            } else {
                let cast = if g.rng.percent(50) { format!("({element} *)") } else { String::new() };
                g.line(format!("{declared} = {cast}malloc({len} * sizeof *{name});"));
                g.fill(&name, &of, &Len::Known(len));
            }
            let len = match g.rng.percent(30) {
                true => g.resize(&name, &of, len),
                false => len,
            };
            let role = Role::Base { len: Len::Known(len) };
            let before = g.vars.len();
            g.add_var(name.clone(), Ty::ptr(&of), role, false);
            g.within(|here| here.nesting += 1, Generator::body);
            g.fold_from(before);
            g.line(format!("free({name});"));
        });
        true
    }

    /// Makes a block on the heap larger or smaller; what is new in it gets values.
    fn resize(&mut self, name: &str, of: &Ty, len: u32) -> u32 {
        let new = self.rng.range(1, 8) as u32;
        self.line(format!("{name} = realloc({name}, {new} * sizeof *{name});"));
        if new > len {
            let rest = self.fresh_name("h");
            let declared = self.declaration(&Ty::ptr(of), &rest);
            self.line(format!("{declared} = {name} + {len};"));
            self.fill(&rest, of, &Len::Known(new - len));
        }
        new
    }

    fn variable_array(&mut self) -> bool {
        let of = self.element_type();
        self.braces("{", "}", |g| {
            let size = g.fresh_name("n");
            let name = g.fresh_name("v");
            let e = g.calmly(|g| g.int(1));
            g.line(format!("const int {size} = ({} & 3) + 1;", e.at(8)));
            let len = Len::Variable { name: size.clone(), most: 4 };
            let ty = Ty::Array(std::rc::Rc::new(of.clone()), len.clone());
            let declared = g.declaration(&ty, &name);
            g.line(format!("{declared};"));
            g.fill(&name, &of, &len);
            g.add_var(size, Ty::Int(Kind::Int), Role::Fixed { below: None }, false);
            let before = g.vars.len();
            g.add_var(name.clone(), ty, Role::Plain, true);
            if !g.here.pure {
                g.line(format!("fold(sizeof {name});"));
            }
            g.within(|here| here.nesting += 1, Generator::body);
            g.fold_from(before);
        });
        true
    }

    /// A pointer runs over an array of integers.
    fn array_walk(&mut self) -> bool {
        let fits = |v: &Var| match (&v.role, &v.ty) {
            (Role::Plain, Ty::Array(of, _)) => v.object == SHARED && of.is_integer(),
            (Role::Base { .. }, Ty::Ptr(of)) => of.is_integer(),
            _ => false,
        };
        let arrays: Vec<Var> = self.visible().into_iter().filter(fits).collect();
        if arrays.is_empty() {
            return false;
        }
        let array = self.rng.pick(&arrays).clone();
        let (of, len) = match (&array.role, &array.ty) {
            (Role::Base { len }, Ty::Ptr(of)) => (of.clone(), len.clone()),
            (_, Ty::Array(of, len)) => (of.clone(), len.clone()),
            _ => return false,
        };
        let (a, p) = (&array.name, self.fresh_name("w"));
        let n = len.text();
        let declared = self.declaration(&Ty::Ptr(of), &p);
        let value = self.calmly(|g| g.int(2));
        self.spend(u64::from(len.most()) * 5);
        let value = value.at(7);
        let text = match self.rng.below(4) {
            0 => format!("for ({declared} = {a}; {p} < {a} + {n}; {p}++) *{p} ^= {value};"),
            1 => format!("for ({declared} = {a} + {n}; {p} != {a};) *--{p} += {value};"),
            2 => format!("for ({declared} = {a}; {p} - {a} < {n};) *{p}++ = {value};"),
            _ => format!("for ({declared} = &{a}[{n}]; {p}-- > {a};) {p}[0] -= {value};"),
        };
        // The last form steps before the array, which C does not define.
        let text =
            text.replace(&format!("{p}-- > {a};) {p}[0]"), &format!("{p} > {a};) (--{p})[0]"));
        self.line(text);
        true
    }

    /// A list on the heap: built, changed, folded, freed.
    fn list(&mut self) -> bool {
        let n = self.rng.range(1, 6) as u64;
        self.spend(n * 15);
        let (head, node, next) =
            (self.fresh_name("head"), self.fresh_name("node"), self.fresh_name("next"));
        let (i, tag) = (self.fresh_name("j"), self.fresh_name("Node"));
        let ty = self.int_type();
        self.braces("{", "}", |g| {
            let field = g.declaration(&ty, "value");
            g.line(format!("struct {tag} {{ {field}; struct {tag} *next; }} *{head} = 0;"));
            g.add_var(i.clone(), Ty::Int(Kind::Int), Role::Fixed { below: Some(n as u32) }, false);
            let value = g.calmly(|g| g.int(2));
            g.braces(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"), "}", |g| {
                g.line(format!("struct {tag} *{node} = malloc(sizeof(struct {tag}));"));
                g.line(format!("{node}->value = {};", value.argument()));
                g.line(format!("{node}->next = {head};"));
                g.line(format!("{head} = {node};"));
            });
            g.vars.pop();
            let value = g.calmly(|g| g.int(2));
            g.line(format!(
                "for (struct {tag} *{node} = {head}; {node}; {node} = {node}->next) \
                 {node}->value += {};",
                value.argument()
            ));
            g.braces(&format!("while ({head} != 0) {{"), "}", |g| {
                g.line(format!("struct {tag} *{next} = (*{head}).next;"));
                g.fold(&format!("{head}->value"), &ty);
                g.line(format!("free({head});"));
                g.line(format!("{head} = {next};"));
            });
        });
        true
    }

    fn library_call(&mut self) -> bool {
        let ty = match self.rng.below(3) {
            0 => Ty::Int(self.int_kind()),
            _ => self.object_type(),
        };
        let life = usize::MAX;
        if self.rng.percent(50) {
            let a = self.place(&Want::Exactly(&ty), Use::Address { life });
            let b = self.place(&Want::Exactly(&ty), Use::Address { life });
            let (Some(a), Some(b)) = (a, b) else { return false };
            self.line(format!("memmove(&{}, &{}, sizeof {});", a.text, b.text, a.text));
            return true;
        }
        if !self.here.pure && self.rng.percent(50) {
            let (text, _) = self.string_literal();
            let (other, _) = self.string_literal();
            self.line(format!("fold(strlen({text}) + (strcmp({text}, {other}) < 0));"));
            return true;
        }
        if !matches!(ty, Ty::Int(kind) if kind != Kind::Bool) {
            return false;
        }
        let Some(a) = self.place(&Want::Exactly(&ty), Use::Address { life }) else { return false };
        let byte = self.calmly(|g| g.int(1));
        self.line(format!("memset(&{}, {}, sizeof {});", a.text, byte.argument(), a.text));
        true
    }

    /// An object that gets its bytes from another one.
    fn copy(&mut self) -> bool {
        let ty = self.object_type();
        let Some(from) = self.place(&Want::Exactly(&ty), Use::Address { life: usize::MAX }) else {
            return false;
        };
        self.spend(u64::from(self.types.leaves(&ty)));
        self.braces("{", "}", |g| {
            let name = g.fresh_name("v");
            let declared = g.declaration(&ty, &name);
            g.line(format!("{declared};"));
            g.line(format!("memcpy(&{name}, &{}, sizeof {name});", from.text));
            if !g.here.pure && matches!(ty, Ty::Int(_)) {
                g.line(format!("fold(memcmp(&{name}, &{}, sizeof {name}) == 0);", from.text));
            }
            let (before, shared) = (g.vars.len(), g.rng.percent(50));
            g.add_var(name, ty.clone(), Role::Plain, shared);
            g.within(|here| here.nesting += 1, Generator::body);
            g.fold_from(before);
        });
        true
    }

    /// A text that is put together from others.
    fn text(&mut self) -> bool {
        self.spend(60);
        let ((first, a), (second, b)) = (self.string_literal(), self.string_literal());
        let (s, k) = (self.fresh_name("s"), self.fresh_name("k"));
        self.braces("{", "}", |g| {
            let size = a + b;
            g.line(format!("char {s}[{size}];"));
            match g.rng.below(3) {
                0 => g.line(format!("strncpy({s}, {first}, {size});")),
                1 => g.line(format!("memset({s}, 0, {size}); strcpy({s} + 1, {first});")),
                _ => g.line(format!("strcpy({s}, {first});")),
            }
            if g.rng.percent(60) {
                g.line(format!("strcat({s}, {second});"));
            }
            g.line(format!("for (int {k} = 0; {s}[{k}]; {k}++) fold({s}[{k}]);"));
            let e = g.calmly(|g| g.int(1));
            let found = g.fresh_name("p");
            g.line(format!("char *{found} = strchr({s}, {});", e.argument()));
            g.line(format!("fold({found} ? {found} - {s} : -1);"));
            g.line(format!("fold(strlen({s}) + (strcmp({s}, {second}) < 0));"));
        });
        true
    }

    /// Reads an integer byte by byte.
    fn bytes_of(&mut self) -> bool {
        let ty = Ty::Int(self.int_kind());
        let Some(place) = self.place(&Want::Exactly(&ty), Use::Address { life: usize::MAX }) else {
            return false;
        };
        if self.here.pure {
            return false;
        }
        let at = self.calmly(|g| g.int(1));
        self.line(format!(
            "fold(((unsigned char *)&{})[(unsigned){} % sizeof {}]);",
            place.text,
            at.at(14),
            place.text
        ));
        true
    }
}
