//! The whole: types, globals, functions, `main`.

use lakatos_ir::DataModel;

use super::types::{Enum, Field, Record, Ty, Typedef};
use super::{Fuel, Function, Generator, Here, Kind, Param, Role};

/// Steps a call of `main` may take, about.
const PROGRAM_LIMIT: u64 = 60_000;
const FUNCTION_LIMIT: u64 = 1_500;
/// A recursive function with fuel 4 and two calls is entered 31 times at most.
const RECURSIVE_LIMIT: u64 = 80;
const RECURSIVE_ENTRIES: u64 = 31;

impl Generator {
    pub fn program(&mut self) {
        self.prelude();
        self.declare_types();
        for _ in 0..self.rng.range(2, 6) {
            self.global();
        }
        if self.on.pointers {
            for _ in 0..self.rng.below(3) {
                self.global_pointer();
            }
        }
        for _ in 0..self.rng.below(3) {
            self.chooser();
        }
        for _ in 0..self.rng.range(1, 5) {
            match self.rng.below(6) {
                0 => self.recursive_group(),
                1 => self.table(),
                2 => self.applier(),
                _ => self.simple_function(),
            }
        }
        self.main();
    }

    fn prelude(&mut self) {
        let size = match self.model {
            DataModel::Lp64 => "unsigned long",
            DataModel::Ilp32 => "unsigned int",
        };
        self.line("int printf(const char *, ...);");
        self.line(format!("void *malloc({size});"));
        self.line(format!("void *calloc({size}, {size});"));
        self.line(format!("void *realloc(void *, {size});"));
        self.line("void free(void *);");
        self.line(format!("void *memcpy(void *, const void *, {size});"));
        self.line(format!("int memcmp(const void *, const void *, {size});"));
        self.line(format!("void *memmove(void *, const void *, {size});"));
        self.line(format!("void *memset(void *, int, {size});"));
        self.line(format!("{size} strlen(const char *);"));
        self.line("int strcmp(const char *, const char *);");
        self.line("char *strcpy(char *, const char *);");
        self.line("char *strcat(char *, const char *);");
        self.line(format!("char *strncpy(char *, const char *, {size});"));
        self.line("char *strchr(const char *, int);");
        self.line("static unsigned long long sum;");
        self.line("static void fold(unsigned long long x) { sum = (sum ^ x) * 1099511628211ULL; }");
        self.line("static long long scaled(double x) {");
        self.line("  return x > -1e12 && x < 1e12 ? (long long)(x * 1024) : 7;");
        self.line("}");
    }

    fn declare_types(&mut self) {
        for _ in 0..self.rng.below(3) {
            self.enumeration();
        }
        if self.on.records {
            for _ in 0..self.rng.range(1, 4) {
                self.record();
            }
        }
        for _ in 0..self.rng.below(5) {
            let name = self.fresh_name("T");
            let ty = self.object_type();
            let declared = self.declaration(&ty, &name);
            self.line(format!("typedef {declared};"));
            self.types.typedefs.push(Typedef { name, ty, hidden: false });
        }
    }

    pub fn enumeration(&mut self) {
        let tag = self.fresh_name("E");
        let mut constants: Vec<(String, i64)> = Vec::new();
        let mut texts = Vec::new();
        let mut next = 0;
        let low = if self.rng.percent(50) { 0 } else { -50 };
        for n in 0..self.rng.range(1, 5) {
            let name = format!("{tag}_{n}");
            if self.rng.percent(50) {
                next = self.rng.range(low, 100);
                texts.push(format!("{name} = {next}"));
            } else {
                texts.push(name.clone());
            }
            constants.push((name, next));
            next += 1;
        }
        self.line(format!("enum {tag} {{ {} }};", texts.join(", ")));
        self.types.enums.push(Enum { tag, constants });
    }

    fn record(&mut self) {
        let tag = self.fresh_name("S");
        if self.rng.percent(25) {
            let fields = self.union_fields();
            self.define_record(Record { tag, is_union: true, fields });
            return;
        }
        let mut fields = Vec::new();
        for _ in 0..self.rng.range(1, 5) {
            let field = self.field();
            fields.push(field);
            if self.rng.percent(8) {
                let bits = Some(self.rng.below(5) as u32);
                fields.push(Field { name: None, ty: Ty::Int(Kind::UInt), bits });
            }
        }
        if self.rng.percent(20) {
            let is_union = self.rng.percent(40);
            let inner = match is_union {
                true => self.union_fields(),
                false => vec![self.field(), self.field()],
            };
            self.types.records.push(Record { tag: String::new(), is_union, fields: inner });
            let ty = Ty::Record(self.types.records.len() - 1);
            fields.push(Field { name: None, ty, bits: None });
        }
        self.define_record(Record { tag, is_union: false, fields });
    }

    fn field(&mut self) -> Field {
        let name = Some(self.fresh_name("f"));
        if self.rng.percent(35) {
            let kind = match self.int_kind() {
                kind if kind.is_wide() => Kind::UInt,
                kind => kind,
            };
            let width = i64::from(kind.bits(self.model));
            let bits = Some(self.rng.range(1, width) as u32);
            return Field { name, ty: Ty::Int(kind), bits };
        }
        Field { name, ty: self.object_type(), bits: None }
    }

    /// Members of one size in which every bit counts, so that any may be read after any other
    /// was written.
    fn union_fields(&mut self) -> Vec<Field> {
        let size = *self.rng.pick(&[8, 16, 32, 64]);
        let kinds = |bits: u32, model: DataModel| -> Vec<Kind> {
            let fits = |k: &Kind| k.bits(model) == bits;
            Kind::all(model).iter().copied().filter(fits).collect()
        };
        let mut fields = Vec::new();
        for _ in 0..self.rng.range(2, 4) {
            let part = *self.rng.pick(&[8, 16, 32, 64].map(|b: u32| b.min(size)));
            let ty = Ty::Int(*self.rng.pick(&kinds(part, self.model)));
            let ty = if part < size { Ty::array(&ty, size / part) } else { ty };
            fields.push(Field { name: Some(self.fresh_name("u")), ty, bits: None });
        }
        fields
    }

    fn define_record(&mut self, record: Record) {
        let members = self.members(&record);
        self.types.records.push(record);
        let name = self.types.record_name(self.types.records.len() - 1);
        self.line(format!("{name} {{ {members} }};"));
    }

    fn members(&mut self, record: &Record) -> String {
        let mut text = String::new();
        for field in &record.fields {
            let name = field.name.clone().unwrap_or_default();
            match (&field.ty, field.bits) {
                (Ty::Record(r), None) if field.name.is_none() => {
                    let inner = self.types.records[*r].clone();
                    let keyword = if inner.is_union { "union" } else { "struct" };
                    text.push_str(&format!("{keyword} {{ {}}}; ", self.members(&inner)));
                }
                (ty, Some(bits)) => {
                    text.push_str(&format!("{}:{bits}; ", self.declaration(ty, &name)));
                }
                (ty, None) => text.push_str(&format!("{}; ", self.declaration(ty, &name))),
            }
        }
        text
    }

    /// A function that returns one of two pointers.
    fn chooser(&mut self) {
        if !self.on.pointers {
            return;
        }
        let ty = self.object_type();
        let name = self.fresh_name("choose");
        let a = self.declaration(&Ty::ptr(&ty), "a");
        let b = self.declaration(&Ty::ptr(&ty), "b");
        let heading = format!("{name}({a}, {b}, int c)");
        let whole = self.declaration(&Ty::ptr(&ty), &heading);
        let c = self.rng.pick(&["c", "c > 3", "!(c & 1)", "c % 3 == 1"]);
        let line = format!("static {whole} {{ return {c} ? a : b; }}");
        self.line(line);
        self.choosers.push((name, ty));
    }

    fn signature(&mut self) -> (Vec<Param>, Option<Ty>, bool) {
        let pure = self.rng.percent(40);
        let mut params = Vec::new();
        for _ in 0..self.rng.below(5) {
            let name = self.fresh_name("a");
            let ty = match (self.object_type(), pure) {
                (Ty::Array(of, _), true) => match *of {
                    Ty::Array(..) => Ty::Int(Kind::Int),
                    ref of => of.clone(),
                },
                (ty @ Ty::Array(..), false) if !self.on.pointers => {
                    let Ty::Array(of, _) = &ty else { unreachable!("an array") };
                    let flat = if matches!(**of, Ty::Array(..)) { &Ty::Double } else { &**of };
                    if flat.is_integer() { flat.clone() } else { Ty::Int(Kind::UInt) }
                }
                (ty @ Ty::Array(..), false) => ty,
                (ty, false) if self.on.pointers && self.rng.percent(25) => Ty::ptr(&ty),
                (ty, _) => ty,
            };
            params.push(Param { name, ty });
        }
        let result = match self.rng.below(10) {
            0 if !pure => None,
            1..3 => match self.object_type() {
                ty @ Ty::Record(_) => Some(ty),
                _ => Some(self.scalar_type()),
            },
            _ => Some(self.int_type()),
        };
        (params, result, pure)
    }

    pub fn heading(&mut self, f: &Function) -> String {
        let params: Vec<String> =
            f.params.iter().map(|p| self.types.declare(&mut self.rng, &p.ty, &p.name)).collect();
        let inner = match (f.old_style, params.is_empty()) {
            (true, _) => {
                let names: Vec<&str> = f.params.iter().map(|p| p.name.as_str()).collect();
                format!("{}({}) {}", f.name, names.join(", "), params.join("; "))
                    + if params.is_empty() { "" } else { ";" }
            }
            (false, true) => format!("{}(void)", f.name),
            (false, false) => format!("{}({})", f.name, params.join(", ")),
        };
        match &f.result {
            None => format!("void {inner}"),
            // Only scalars and records: a prefix is enough.
            Some(ty) => self.types.declare(&mut self.rng, ty, &inner),
        }
    }

    fn simple_function(&mut self) {
        let (params, result, pure) = self.signature();
        let name = self.fresh_name("f");
        let promoted = |p: &Param| matches!(p.ty, Ty::Int(_));
        let old_style = self.rng.percent(8) && params.iter().all(promoted);
        let function = Function {
            name,
            params,
            result,
            cost: 0,
            pure,
            old_style,
            fuel: Fuel::None,
            table: None,
            leading: None,
        };
        let heading = self.heading(&function);
        let prefix =
            *self.rng.pick(&["", "static ", "static inline ", "__attribute__((noinline)) "]);
        if !old_style && self.rng.percent(20) {
            self.line(format!("{}{heading};", prefix.replace("inline ", "")));
        }
        let cost = self.function_body(&format!("{prefix}{heading} {{"), &function, FUNCTION_LIMIT);
        self.functions.push(Function { cost, ..function });
    }

    /// Writes the body; the result is what a call costs.
    fn function_body(&mut self, open: &str, function: &Function, limit: u64) -> u64 {
        let recursive = function.fuel == Fuel::Open;
        self.here = Here::new(limit, function.result.clone(), function.pure);
        self.scopes.push(self.vars.len());
        for (n, param) in function.params.iter().enumerate() {
            let (ty, role) = match &param.ty {
                Ty::Array(of, len) => (Ty::Ptr(of.clone()), Role::Base { len: len.clone() }),
                Ty::Ptr(_) => (param.ty.clone(), Role::Single),
                ty if recursive && n == 0 => (ty.clone(), Role::Fixed { below: None }),
                ty => (ty.clone(), Role::Plain),
            };
            let shared = role == Role::Plain && self.rng.percent(30);
            self.add_var(param.name.clone(), ty, role, shared);
        }
        self.braces(open, "}", |g| {
            if recursive {
                let text = g.return_text();
                g.line(format!("if (fuel <= 0) {text}"));
                g.here.recursive_calls = 2;
            }
            for _ in 0..2 {
                g.body();
            }
            let text = g.return_text();
            g.line(text);
        });
        self.close_scope();
        self.here.cost
    }

    /// One function that calls itself, or two that call each other.
    fn recursive_group(&mut self) {
        let first = self.functions.len();
        let group = if self.rng.percent(50) { 1 } else { 2 };
        for _ in 0..group {
            let (mut params, result, pure) = self.signature();
            params.insert(0, Param { name: "fuel".to_string(), ty: Ty::Int(Kind::Int) });
            let name = self.fresh_name("r");
            self.functions.push(Function {
                name,
                params,
                result,
                cost: 0,
                // Two functions that call each other are both or neither.
                pure: pure && group == 1,
                old_style: false,
                fuel: Fuel::Open,
                table: None,
                leading: None,
            });
        }
        let headings: Vec<String> = (first..first + group)
            .map(|at| {
                let function = self.functions[at].clone();
                self.heading(&function)
            })
            .collect();
        for heading in &headings {
            self.line(format!("static {heading};"));
        }
        let mut cost = 0;
        for (n, heading) in headings.iter().enumerate() {
            let function = self.functions[first + n].clone();
            let open = format!("static {heading} {{");
            cost += self.function_body(&open, &function, RECURSIVE_LIMIT);
        }
        for function in &mut self.functions[first..] {
            function.fuel = Fuel::Ready;
            function.cost = cost * RECURSIVE_ENTRIES;
        }
    }

    /// Functions of one type and a table of their addresses.
    fn table(&mut self) {
        let (params, result, _) = self.signature();
        let count = self.rng.range(2, 4) as u32;
        let mut names = Vec::new();
        let mut cost = 0;
        let template = Function {
            name: String::new(),
            params,
            result,
            cost: 0,
            pure: false,
            old_style: false,
            fuel: Fuel::None,
            table: None,
            leading: None,
        };
        for _ in 0..count {
            let function = Function { name: self.fresh_name("f"), ..template.clone() };
            let heading = self.heading(&function);
            let open = format!("static {heading} {{");
            cost = cost.max(self.function_body(&open, &function, FUNCTION_LIMIT / 2));
            let form = if self.rng.percent(50) { "" } else { "&" };
            names.push(format!("{form}{}", function.name));
        }
        let name = self.fresh_name("table");
        let entry = Function { name: format!("(*{name}[{count}])"), ..template.clone() };
        let declared = self.heading(&entry);
        self.line(format!("static {declared} = {{{}}};", names.join(", ")));
        self.functions.push(Function { name, cost, table: Some(count), ..template });
    }

    fn main(&mut self) {
        let result = Some(Ty::Int(Kind::Int));
        self.here = Here { can_return: false, ..Here::new(PROGRAM_LIMIT, result, false) };
        self.scopes.push(self.vars.len());
        self.braces("int main(void) {", "}", |g| {
            let globals = g.vars.clone();
            for _ in 0..3 {
                g.body();
            }
            for function in g.functions.clone() {
                if g.can_spend(function.cost + 20) {
                    g.call_and_fold(&function);
                }
            }
            for _ in 0..2 {
                g.block("{", "}");
            }
            for var in globals {
                g.fold_global(&var);
            }
            g.line("printf(\"%llx\\n\", sum);");
            g.line("return (int)(sum & 63);");
        });
        self.close_scope();
    }

    pub fn call_and_fold(&mut self, function: &Function) {
        let call = self.call_of(function, 3);
        match &function.result {
            None => self.line(format!("{};", call.text)),
            Some(Ty::Record(r)) => {
                let name = self.fresh_name("v");
                let ty = Ty::Record(*r);
                let declared = self.declaration(&ty, &name);
                self.line(format!("{declared} = {};", call.text));
                self.fold(&name, &ty);
                self.add_var(name, ty, Role::Plain, true);
            }
            Some(ty) => {
                let name = self.fresh_name("v");
                let declared = self.declaration(ty, &name);
                self.line(format!("{declared} = {};", call.text));
                self.fold(&name, ty);
                self.add_var(name, ty.clone(), Role::Plain, false);
            }
        }
    }

    /// A global may be hidden by a local of `main`; its name then means the local, which is
    /// folded instead.
    fn fold_global(&mut self, var: &super::Var) {
        let visible = self.visible();
        if let Some(found) = visible.iter().find(|v| v.name == var.name) {
            self.fold_var(&found.clone());
        }
    }
}
