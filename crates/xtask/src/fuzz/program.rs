//! Random programs as verification tasks: small, with few inputs from small ranges, with what
//! interprocedural analyses get wrong (recursion, statics that callees change, several calls of one
//! function, early exits), and with places for errors. The conditions of these are not made here:
//! whoever knows which values are possible there can make them tight.
//!
//! Statements have lines of their own, an input is restricted in its own line, and operands are
//! bracketed, so that [`reduce`](crate::reduce) can take things away.

mod memory;

use crate::generate::Rng;

/// What an input is restricted to, at most. Values outside end a run at once.
pub const INPUTS: std::ops::RangeInclusive<i128> = -2..=4;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
extern void reach_error(void);
extern int printf(const char *, ...);
";

/// A program with places for errors.
#[derive(Clone, Debug)]
pub struct Program {
    lines: Vec<Line>,
    pub slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
enum Line {
    Text(String),
    /// The place for the error with this number, so deep.
    Slot(usize, usize),
}

/// A place for an error, and what its condition is about.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The value of `left`, or how far it is from `right`.
    pub left: String,
    pub right: Option<String>,
}

impl Slot {
    pub fn value(&self) -> String {
        match &self.right {
            None => self.left.clone(),
            Some(right) => format!("({} - {right})", self.left),
        }
    }
}

impl Program {
    /// The text, with a statement for every place.
    pub fn text(&self, statement: impl Fn(usize) -> String) -> String {
        let mut text = HEAD.to_string();
        for line in &self.lines {
            match line {
                Line::Text(line) => text.push_str(line),
                Line::Slot(slot, depth) => {
                    text.push_str(&"  ".repeat(*depth));
                    text.push_str(&statement(*slot));
                }
            }
            text.push('\n');
        }
        text
    }
}

/// The program that a seed names, perhaps one about memory.
pub fn program(rng: &mut Rng, memory: bool) -> Program {
    let mut making = Making { memory, ..Making::new(rng) };
    making.statics();
    for function in 0..making.functions.len() {
        making.function(function);
    }
    making.main();
    Program { lines: making.lines, slots: making.slots }
}

#[derive(Clone, Debug)]
struct Function {
    name: String,
    /// After the first one, which counts how deep recursion may still go.
    params: Vec<&'static str>,
    result: &'static str,
    /// Calls nothing.
    leaf: bool,
    /// Its second parameter is a pointer.
    pointer: bool,
}

#[derive(Debug)]
struct Making<'r> {
    rng: &'r mut Rng,
    lines: Vec<Line>,
    slots: Vec<Slot>,
    depth: usize,
    functions: Vec<Function>,
    statics: Vec<String>,
    /// Arrays with the number of their elements, by dimension.
    arrays: Vec<(&'static str, &'static [i64])>,
    /// There are two structures.
    structures: bool,
    /// There are pointers that walk, and lists.
    memory: bool,
    /// The array that pointers walk through.
    row: &'static str,
    /// Functions to which the pointer `fp` may point; none: there is no pointer.
    pointed: Vec<Function>,
    /// Variables that may be used, and those that may be assigned.
    seen: Vec<String>,
    free: Vec<String>,
    /// Pointers to integers.
    pointers: Vec<String>,
    /// Where we are: the function, if it is not `main`.
    inside: Option<usize>,
    loops: usize,
    calls_left: usize,
    inputs_left: usize,
    named: usize,
}

const CONSTANTS: [i64; 12] = [0, 0, 1, 1, 1, 2, 2, 3, -1, 4, 5, 10];
const ARRAYS: [(&str, &[i64]); 4] =
    [("small", &[3]), ("large", &[12]), ("other", &[12]), ("matrix", &[4, 3])];
const FAR: [&str; 5] = ["2147483647", "255", "(-2147483647)", "100", "4294967295u"];

impl Making<'_> {
    fn new(rng: &mut Rng) -> Making<'_> {
        let mut functions = Vec::new();
        for n in 0..rng.range(1, 3) {
            let pointer = rng.percent(12);
            let mut params: Vec<&str> = (0..rng.range(0, 2)).map(|_| ty(rng)).collect();
            if pointer {
                params.insert(0, "int *");
            }
            functions.push(Function {
                name: format!("f{n}"),
                params,
                result: if rng.percent(15) { "void" } else { ty(rng) },
                leaf: rng.percent(35),
                pointer,
            });
        }
        // Programs without aggregates stay what they were: regressions name them by their seeds.
        let aggregates = rng.percent(8);
        let mut arrays = Vec::new();
        let mut structures = false;
        if aggregates {
            arrays = ARRAYS.to_vec();
            arrays.retain(|_| rng.percent(50));
            structures = arrays.is_empty() || rng.percent(30);
        }
        let fits = |f: &&Function| f.params.is_empty() && f.result == "int";
        let pointed = match rng.percent(30) {
            true => functions.iter().filter(fits).cloned().collect(),
            false => Vec::new(),
        };
        Making {
            rng,
            lines: Vec::new(),
            slots: Vec::new(),
            depth: 0,
            functions,
            statics: Vec::new(),
            arrays,
            structures,
            memory: false,
            row: "row",
            pointed,
            seen: Vec::new(),
            free: Vec::new(),
            pointers: Vec::new(),
            inside: None,
            loops: 0,
            calls_left: 0,
            inputs_left: 2,
            named: 0,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(Line::Text(format!("{}{}", "  ".repeat(self.depth), text.as_ref())));
    }

    fn open(&mut self, text: &str) {
        self.line(format!("{text} {{"));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.named += 1;
        format!("{prefix}{}", self.named)
    }

    fn statics(&mut self) {
        for n in 0..self.rng.range(0, 2) {
            let (ty, value) = (ty(self.rng), self.rng.range(0, 2));
            let name = format!("g{n}");
            self.line(format!("{ty} {name} = {value};"));
            self.statics.push(name);
        }
        for (name, lengths) in self.arrays.clone() {
            let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
            self.line(format!("int {name}{lengths};"));
        }
        if self.structures {
            self.line("struct s { int a; unsigned b; int c[12]; } s0, s1;");
            self.statics.extend(["s0.a", "s0.b", "s1.a", "s1.b"].map(String::from));
            self.arrays.push(("s0.c", &[12]));
        }
        if self.memory {
            self.memory_statics();
        }
        for function in self.functions.clone() {
            let head = head(&function);
            self.line(format!("{head};"));
        }
        if let Some(first) = self.pointed.first().map(|f| f.name.clone()) {
            self.line(format!("int (*fp)(int) = {first};"));
        }
    }

    fn begin(&mut self, inside: Option<usize>) {
        self.seen = self.statics.clone();
        self.free = self.statics.clone();
        self.pointers.clear();
        self.inside = inside;
        self.calls_left = 3;
    }

    fn function(&mut self, at: usize) {
        let function = self.functions[at].clone();
        self.begin(Some(at));
        let text = head(&function);
        self.open(&text);
        self.seen.push("n".into());
        if self.rng.percent(30) {
            self.free.push("n".into());
        }
        for n in 0..function.params.len() {
            if n == 0 && function.pointer {
                self.pointers.push("p0".into());
            } else {
                self.seen.push(format!("p{n}"));
                self.free.push(format!("p{n}"));
            }
        }
        if self.rng.percent(30) {
            self.error();
        }
        if !function.leaf {
            let value = self.result(at);
            self.line(format!("if (n <= 0) return{value};"));
        }
        if self.rng.percent(60) {
            self.local();
        }
        let statements = self.rng.range(1, 4);
        self.statements(statements, 2);
        if !function.leaf && self.calls_left > 1 {
            self.call_statement();
        }
        let value = self.result(at);
        self.line(format!("return{value};"));
        self.close();
    }

    fn main(&mut self) {
        self.begin(None);
        self.open("int main(void)");
        for _ in 0..self.rng.range(0, 2) {
            self.input();
        }
        for _ in 0..self.rng.range(1, 2) {
            self.local();
        }
        self.calls_left = 4;
        let statements = self.rng.range(2, 5);
        self.statements(statements, 2);
        if self.calls_left > 2 {
            self.call_statement();
        }
        if self.slots.is_empty() || self.rng.percent(75) {
            self.error();
        }
        self.line("return 0;");
        self.close();
    }

    /// ` e` for what the function returns.
    fn result(&mut self, at: usize) -> String {
        if self.functions[at].result == "void" {
            return String::new();
        }
        format!(" {}", self.expr(1))
    }

    fn local(&mut self) {
        let (ty, value) = (ty(self.rng), self.expr(1));
        // The name tells an `int`, to which pointers may point.
        let name = self.fresh(if ty == "int" { "v" } else { "w" });
        self.line(format!("{ty} {name} = {value};"));
        if ty == "int" && self.rng.percent(15) {
            let pointer = self.fresh("q");
            self.line(format!("int *{pointer} = &{name};"));
            self.pointers.push(pointer);
        }
        self.seen.push(name.clone());
        self.free.push(name);
    }

    /// A fresh variable from outside, restricted in the same line: the two stay together.
    fn input(&mut self) {
        if self.inputs_left == 0 {
            return;
        }
        self.inputs_left -= 1;
        let name = self.fresh("x");
        let end = match (self.inside, self.loops) {
            (None, 0) if self.rng.percent(50) => "return 0",
            _ => "abort()",
        };
        let low = self.rng.range(-2, 1);
        let high = low + self.rng.range(1, 3);
        let text = match self.rng.below(5) {
            0 => format!("_Bool {name} = __VERIFIER_nondet_bool();"),
            1 => {
                let high = high.max(1);
                format!("unsigned {name} = __VERIFIER_nondet_uint(); if ({name} > {high}u) {end};")
            }
            _ => format!(
                "int {name} = __VERIFIER_nondet_int(); if ({name} < {low} || {name} > {high}) {end};"
            ),
        };
        self.line(text);
        self.seen.push(name.clone());
        if self.rng.percent(40) {
            self.free.push(name);
        }
    }

    fn error(&mut self) {
        let left = self.rng.pick(&self.seen).clone();
        let left = if self.rng.percent(80) { left } else { self.expr(1) };
        let right = (self.rng.percent(45) && self.seen.len() > 1).then(|| self.other(&left, 1));
        self.lines.push(Line::Slot(self.slots.len(), self.depth));
        self.slots.push(Slot { left, right });
    }

    fn statements(&mut self, count: i64, depth: usize) {
        let (seen, free) = (self.seen.len(), self.free.len());
        let pointers = self.pointers.len();
        for _ in 0..count {
            self.statement(depth);
        }
        self.seen.truncate(seen);
        self.free.truncate(free);
        self.pointers.truncate(pointers);
    }

    fn block(&mut self, text: &str, depth: usize) {
        self.open(text);
        let count = self.rng.range(1, 2);
        self.statements(count, depth - 1);
        self.close();
    }

    fn statement(&mut self, depth: usize) {
        if self.memory && self.rng.percent(40) {
            return self.memory_statement(depth);
        }
        let compound = if depth == 0 { 0 } else { 1 };
        let kind = self.rng.weighted(&[
            (30, 0),
            (22 * compound, 1),
            (14 * compound, 2),
            (20, 3),
            (6, 4),
            (7, 5),
            (if self.loops > 0 { 12 } else { 0 }, 6),
            (5, 7),
            (5, 8),
        ]);
        match kind {
            0 => self.assign(),
            1 => {
                let condition = self.condition();
                self.block(&format!("if ({condition})"), depth);
                if self.rng.percent(35) {
                    self.block("else", depth);
                }
            }
            2 => self.repeat(depth),
            3 => self.call_statement(),
            4 => {
                let condition = self.condition();
                let end = match self.inside {
                    Some(_) if self.rng.percent(15) => "abort()".into(),
                    Some(at) => format!("return{}", self.result(at)),
                    None if self.rng.percent(50) => "return 0".into(),
                    None => "abort()".into(),
                };
                self.line(format!("if ({condition}) {end};"));
            }
            5 => self.error(),
            6 => {
                let (condition, end) = (self.condition(), self.jump());
                self.line(format!("if ({condition}) {end};"));
            }
            7 => self.local(),
            _ => self.input(),
        }
    }

    fn jump(&mut self) -> &'static str {
        if self.rng.percent(50) { "break" } else { "continue" }
    }

    fn assign(&mut self) {
        if !self.pointers.is_empty() && self.rng.percent(35) {
            let (pointer, value) = (self.rng.pick(&self.pointers).clone(), self.expr(2));
            return self.line(format!("*{pointer} = {value};"));
        }
        if !self.arrays.is_empty() && self.rng.percent(25) {
            let (element, value) = (self.element(), self.expr(2));
            return self.line(format!("{element} = {value};"));
        }
        if self.structures && self.rng.percent(10) {
            let copy = *self.rng.pick(&["s0 = s1;", "s1 = s0;"]);
            return self.line(copy);
        }
        if !self.pointed.is_empty() && self.rng.percent(10) {
            let name = self.rng.pick(&self.pointed).name.clone();
            return self.line(format!("fp = {name};"));
        }
        if self.free.is_empty() {
            return self.local();
        }
        let name = self.rng.pick(&self.free).clone();
        match self.rng.below(6) {
            0 => {
                let op = self.rng.pick(&["++", "--"]);
                self.line(format!("{name}{op};"));
            }
            1 | 2 => {
                let (op, value) = (*self.rng.pick(&["+", "-", "+", "*"]), self.expr(1));
                self.line(format!("{name} {op}= {value};"));
            }
            _ => {
                let value = self.expr(2);
                self.line(format!("{name} = {value};"));
            }
        }
    }

    /// An element of an array.
    fn element(&mut self) -> String {
        let (name, lengths) = *self.rng.pick(&self.arrays);
        let mut text = name.to_owned();
        for length in lengths {
            let index = match self.seen.is_empty() || self.rng.percent(50) {
                true => self.rng.range(0, length - 1).to_string(),
                false => format!("(unsigned){} % {length}u", self.rng.pick(&self.seen)),
            };
            text.push_str(&format!("[{index}]"));
        }
        text
    }

    /// A loop with many turns, in each of which little happens: what closed forms are for.
    fn count(&mut self) {
        let (counter, bound) = (self.fresh("i"), self.rng.range(20, 200));
        let step = self.rng.weighted(&[(6, 1), (2, 2), (2, 3)]);
        self.line(format!("int {counter} = 0;"));
        let end = match self.rng.percent(75) {
            true => format!("{counter} < {bound}"),
            false => format!("{counter} != {}", bound * step),
        };
        self.open(&format!("for (; {end}; {counter} += {step})"));
        for _ in 0..self.rng.range(1, 4) {
            if self.free.is_empty() {
                break;
            }
            let name = self.rng.pick(&self.free).clone();
            let amount = self.rng.range(-2, 4);
            let text = match self.rng.below(6) {
                0 => format!("{name} += {counter};"),
                1 => format!("if ({counter} < {}) {name} += {amount};", bound / 2),
                2 => format!("if (({counter} & 1) == 0) {name} -= {amount};"),
                _ => format!("{name} += {amount};"),
            };
            self.line(text);
        }
        if self.rng.percent(40) {
            self.seen.push(counter);
            self.error();
            self.seen.pop();
        }
        self.close();
    }

    fn repeat(&mut self, depth: usize) {
        if self.loops == 0 && self.inside.is_none() && self.rng.percent(20) {
            return self.count();
        }
        let counter = self.fresh("i");
        let bound = match self.rng.percent(65) {
            true => self.rng.range(1, 4).to_string(),
            false => self.rng.pick(&self.seen).clone(),
        };
        self.line(format!("int {counter} = 0;"));
        let text = match self.rng.below(8) {
            0 | 1 => {
                let condition = self.condition();
                format!("for (; ({counter} < {bound}) && {condition}; {counter}++)")
            }
            2 => format!("while ({counter}++ < {bound})"),
            3 => {
                let condition = self.condition();
                format!("while (({counter}++ < 4) && {condition})")
            }
            _ => format!("for (; {counter} < {bound}; {counter}++)"),
        };
        self.seen.push(counter.clone());
        self.loops += 1;
        self.block(&text, depth);
        self.loops -= 1;
    }

    /// A call whose result may be used.
    fn call_statement(&mut self) {
        let Some((call, result)) = self.call() else { return self.assign() };
        if result == "void" || self.free.is_empty() || self.rng.percent(20) {
            return self.line(format!("{call};"));
        }
        let name = self.rng.pick(&self.free).clone();
        match self.rng.below(4) {
            0 => {
                let (op, value) = (*self.rng.pick(&["+", "-"]), self.atom());
                self.line(format!("{name} = ({call} {op} {value});"));
            }
            1 => self.line(format!("{name} += {call};")),
            _ => self.line(format!("{name} = {call};")),
        }
    }

    /// A call, and the type of its result.
    fn call(&mut self) -> Option<(String, &'static str)> {
        if self.calls_left == 0 || self.inside.is_some_and(|at| self.functions[at].leaf) {
            return None;
        }
        self.calls_left -= 1;
        let mut function = self.rng.pick(&self.functions).clone();
        if !self.pointed.is_empty() && self.rng.percent(25) {
            let name = "fp".to_string();
            function = Function { name, leaf: false, ..self.pointed[0].clone() };
        }
        let first = match self.inside {
            Some(_) if !function.leaf => {
                self.rng.pick(&["(n - 1)", "(n - 1)", "(n - 1)", "(n - 2)"]).to_string()
            }
            None if !function.leaf && self.rng.percent(60) => self.rng.range(0, 3).to_string(),
            _ => self.expr(1),
        };
        let mut arguments = vec![first];
        for n in 0..function.params.len() {
            if n == 0 && function.pointer {
                let mut targets: Vec<String> = self.pointers.clone();
                if self.arrays.iter().any(|(name, _)| *name == "small") {
                    targets.push("&small[1]".into());
                }
                let name = self.free.iter().find(|f| f.starts_with('v'));
                targets.extend(name.map(|n| format!("&{n}")));
                if targets.is_empty() {
                    return None;
                }
                arguments.push(self.rng.pick(&targets).clone());
            } else {
                arguments.push(self.expr(1));
            }
        }
        Some((format!("{}({})", function.name, arguments.join(", ")), function.result))
    }

    fn atom(&mut self) -> String {
        if self.memory && self.rng.percent(25) {
            return self.number_in_memory();
        }
        match self.rng.below(20) {
            0..=11 if !self.seen.is_empty() => self.rng.pick(&self.seen).clone(),
            12 if !self.pointers.is_empty() => format!("*{}", self.rng.pick(&self.pointers)),
            13 if !self.arrays.is_empty() => self.element(),
            14 => self.rng.pick(&FAR).to_string(),
            _ => match *self.rng.pick(&CONSTANTS) {
                c if c < 0 => format!("({c})"),
                c => c.to_string(),
            },
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.percent(40) {
            return self.atom();
        }
        match self.rng.below(20) {
            0..=12 => {
                let op = self.rng.weighted(&[
                    (40, "+"),
                    (35, "-"),
                    (10, "*"),
                    (3, "/"),
                    (5, "%"),
                    (3, "&"),
                    (2, "|"),
                    (2, "<<"),
                    (2, ">>"),
                ]);
                let a = self.expr(depth - 1);
                let b = match op {
                    // By zero, or by the width, everything would end too often.
                    "/" | "%" | "<<" | ">>" => self.rng.range(1, 3).to_string(),
                    _ => self.other(&a, depth - 1),
                };
                format!("({a} {op} {b})")
            }
            13 | 14 => self.condition(),
            15 => {
                let (c, a, b) = (self.condition(), self.expr(depth - 1), self.expr(depth - 1));
                format!("({c} ? {a} : {b})")
            }
            16 => format!("(-{})", self.atom()),
            17 => {
                let ty = self.rng.pick(&["unsigned", "signed char", "unsigned char", "long"]);
                format!("(({ty}){})", self.atom())
            }
            _ => match self.call() {
                Some((call, result)) if result != "void" => call,
                _ => self.atom(),
            },
        }
    }

    /// An expression that assigns something.
    fn effect(&mut self) -> Option<String> {
        let name = self.free.get(self.rng.below(self.free.len().max(1)))?.clone();
        Some(match self.rng.below(3) {
            0 => format!("{name}++"),
            1 => format!("(--{name})"),
            _ => format!("({name} = {})", self.atom()),
        })
    }

    /// An operand to go with another one: not the same, and not a second constant.
    fn other(&mut self, first: &str, depth: usize) -> String {
        let is_constant = |text: &str| !text.contains(|c: char| c.is_ascii_lowercase());
        let mut expr = self.expr(depth);
        for _ in 0..4 {
            if expr != first && !(is_constant(first) && is_constant(&expr)) {
                break;
            }
            expr = self.expr(depth);
        }
        expr
    }

    fn condition(&mut self) -> String {
        let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!=", "==", "!="]);
        let a = match self.seen.is_empty() {
            true => self.atom(),
            false => self.rng.pick(&self.seen).clone(),
        };
        let depth = if self.rng.percent(75) { 0 } else { 1 };
        let b = self.other(&a, depth);
        let b = match self.rng.below(12) {
            0 => self.call().filter(|(_, result)| *result != "void").map_or(b, |(call, _)| call),
            1 => self.effect().unwrap_or(b),
            _ => b,
        };
        let first = format!("({a} {op} {b})");
        match self.rng.below(12) {
            0 => format!("({first} && ({} > {}))", self.atom(), self.atom()),
            1 => format!("({first} || ({} == {}))", self.atom(), self.atom()),
            2 => format!("(!{first})"),
            3 => format!("({a} % 2)"),
            _ => first,
        }
    }
}

fn ty(rng: &mut Rng) -> &'static str {
    rng.weighted(&[
        (70, "int"),
        (12, "unsigned"),
        (4, "unsigned char"),
        (4, "signed char"),
        (3, "short"),
        (3, "_Bool"),
        (4, "long"),
    ])
}

fn head(function: &Function) -> String {
    let params = function.params.iter().enumerate().map(|(n, ty)| format!(", {ty} p{n}"));
    format!("{} {}(int n{})", function.result, function.name, params.collect::<String>())
}
