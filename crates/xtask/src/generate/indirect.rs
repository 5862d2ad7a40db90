//! Pointers inside other objects: in arrays, in structures, on the heap; and functions in variables.

use super::effect::Effect;
use super::init::Moment;
use super::types::{Len, Ty};
use super::{Fuel, Function, Generator, Role};

impl Generator {
    pub fn indirect_statement(&mut self) -> bool {
        match self.rng.below(5) {
            0 if self.on.pointers => self.pointer_array(),
            1 if self.on.pointers => self.pointer_member(),
            2 if self.on.pointers && self.on.heap => self.rows(),
            3 | 4 => self.function_variable(),
            _ => false,
        }
    }

    /// A name in parentheses for something that points to an object at all times. Nothing can
    /// hide it: it is no variable of its own.
    fn alias(&mut self, text: &str, to: &Ty) {
        self.add_var(format!("({text})"), Ty::ptr(to), Role::Single, true);
    }

    /// Uses what was declared in the block, and adds it to the checksum.
    fn use_from(&mut self, before: usize) {
        self.within(|here| here.nesting += 1, Generator::body);
        self.fold_from(before);
    }

    /// `T *a[n] = {&x, &y}`, and pointers into it.
    fn pointer_array(&mut self) -> bool {
        let of = self.object_type();
        let len = self.rng.range(2, 4) as u32;
        self.braces("{", "}", |g| {
            let (name, life) = (g.fresh_name("a"), g.scopes.len());
            let targets: Vec<String> =
                (0..len).map(|_| g.calmly(|g| g.address(&of, life)).argument()).collect();
            let declared = g.declaration(&Ty::array(&Ty::ptr(&of), len), &name);
            g.line(format!("{declared} = {{{}}};", targets.join(", ")));
            let before = g.vars.len();
            let at = g.rng.below(len as usize);
            g.alias(&format!("{name}[{at}]"), &of);
            if g.rng.percent(50) {
                let q = g.fresh_name("q");
                let declared = g.declaration(&Ty::ptr(&Ty::ptr(&of)), &q);
                let at = g.rng.below(len as usize);
                g.line(format!("{declared} = {name} + {at};"));
                g.alias(&format!("*{q}"), &of);
            }
            if g.rng.percent(50) {
                let t = g.fresh_name("t");
                let declared = g.declaration(&Ty::ptr(&of), &t);
                g.line(format!("{declared} = {name}[0]; {name}[0] = {name}[1]; {name}[1] = {t};"));
            }
            g.use_from(before);
        });
        true
    }

    /// A structure with a pointer in it: used by name, by address, and copied.
    fn pointer_member(&mut self) -> bool {
        let (of, other) = (self.object_type(), self.int_type());
        self.braces("{", "}", |g| {
            let (tag, name, life) = (g.fresh_name("Link"), g.fresh_name("l"), g.scopes.len());
            let target = g.calmly(|g| g.address(&of, life)).argument();
            let value = g.calmly(|g| g.initialiser(&other, Moment::Running, &mut Effect::none()));
            let to = g.declaration(&Ty::ptr(&of), "to");
            let field = g.declaration(&other, "n");
            let keyword = format!("struct {tag}");
            g.line(format!("{keyword} {{ {to}; {field}; }} {name} = {{{target}, {value}}};"));
            let before = g.vars.len();
            g.alias(&format!("{name}.to"), &of);
            g.add_var(format!("({name}.n)"), other.clone(), Role::Plain, true);
            if g.rng.percent(60) {
                let p = g.fresh_name("p");
                g.line(format!("{keyword} *{p} = &{name};"));
                g.alias(&format!("{p}->to"), &of);
                g.add_var(format!("({p}->n)"), other.clone(), Role::Plain, true);
            }
            if g.rng.percent(60) {
                let copy = g.fresh_name("l");
                g.line(format!("{keyword} {copy} = {name};"));
                g.alias(&format!("{copy}.to"), &of);
            }
            g.use_from(before);
        });
        true
    }

    /// Rows on the heap, and on the heap the pointers to them.
    fn rows(&mut self) -> bool {
        let of = self.element_type();
        let (rows, columns) =
            (self.rng.range(1, 3) as u32, Len::Known(self.rng.range(1, 4) as u32));
        self.braces("{", "}", |g| {
            let (name, k) = (g.fresh_name("h"), g.fresh_name("k"));
            let declared = g.declaration(&Ty::ptr(&Ty::ptr(&of)), &name);
            g.line(format!("{declared} = malloc({rows} * sizeof *{name});"));
            let count = format!("int {k} = 0; {k} < {rows}; {k}++");
            g.braces(&format!("for ({count}) {{"), "}", |g| {
                let row = format!("{name}[{k}]");
                g.line(format!("{row} = malloc({} * sizeof **{name});", columns.text()));
                let weight = g.here.weight * u64::from(rows);
                g.within(|here| here.weight = weight, |g| g.fill(&row, &of, &columns));
            });
            let before = g.vars.len();
            for row in 0..rows {
                let role = Role::Base { len: columns.clone() };
                g.add_var(format!("({name}[{row}])"), Ty::ptr(&of), role, true);
            }
            g.use_from(before);
            g.line(format!("for ({count}) free({name}[{k}]);"));
            g.line(format!("free({name});"));
        });
        true
    }

    /// A pointer to a function: a variable, reached through its address, or in a structure.
    fn function_variable(&mut self) -> bool {
        let callable = |f: &&Function| f.is_plain() && self.can_spend(f.cost + 20);
        let candidates: Vec<Function> = self.functions.iter().filter(callable).cloned().collect();
        if candidates.is_empty() || self.here.pure || !self.on.side_effects {
            return false;
        }
        let function = self.rng.pick(&candidates).clone();
        let name = self.fresh_name("fp");
        let declared = |g: &mut Generator, declarator: &str| {
            g.heading(&Function { name: format!("({declarator})"), ..function.clone() })
        };
        self.braces("{", "}", |g| {
            let pointer = declared(g, &format!("*{name}"));
            let address = match function.table {
                Some(len) => format!("{}[{}]", function.name, g.rng.below(len as usize)),
                None => function.name.clone(),
            };
            g.line(format!("{pointer} = {address};"));
            let callee = match g.rng.below(3) {
                0 => {
                    let outer = g.fresh_name("fpp");
                    let pointer = declared(g, &format!("**{outer}"));
                    g.line(format!("{pointer} = &{name};"));
                    format!("(*{outer})")
                }
                1 => {
                    let record = g.fresh_name("s");
                    let member = declared(g, "*call");
                    g.line(format!("struct {{ int n; {member}; }} {record} = {{1, {name}}};"));
                    format!("({record}.call)")
                }
                _ => format!("({name})"),
            };
            g.call_and_fold(&Function { name: callee, table: None, ..function.clone() });
        });
        true
    }

    /// A function that gets another one and calls it.
    pub fn applier(&mut self) {
        let plain = |f: &&Function| f.is_plain() && f.table.is_none();
        let candidates: Vec<Function> = self.functions.iter().filter(plain).cloned().collect();
        if candidates.is_empty() {
            return;
        }
        let given = self.rng.pick(&candidates).clone();
        let name = self.fresh_name("apply");
        let pointer = self.heading(&Function { name: "(*call)".to_string(), ..given.clone() });
        let whole = self.heading(&Function { name: name.clone(), ..given.clone() });
        let (begin, params) = whole.split_once(&format!("{name}(")).expect("its own name");
        let rest = match params {
            "void)" => ")".to_string(),
            params => format!(", {params}"),
        };
        let names: Vec<&str> = given.params.iter().map(|p| p.name.as_str()).collect();
        let keyword = if given.result.is_some() { "return " } else { "" };
        let call = format!("{keyword}call({});", names.join(", "));
        self.line(format!("static {begin}{name}({pointer}{rest} {{ {call} }}"));
        let (leading, cost) = (Some(given.name.clone()), given.cost + 5);
        self.functions.push(Function { name, leading, cost, ..given });
    }
}

impl Function {
    /// A pointer to it is called like any other.
    fn is_plain(&self) -> bool {
        self.fuel == Fuel::None && !self.old_style && self.leading.is_none()
    }
}
