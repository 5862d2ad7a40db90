//! Programs about memory: pointers that walk through arrays and are compared, and lists on the heap.
//!
//! Where an access would be undefined the path ends, so most are guarded, but not all.

use super::Making;

/// Elements of the array that pointers walk through.
const LENGTH: i64 = 8;

impl Making<'_> {
    pub(super) fn memory_statics(&mut self) {
        let length = LENGTH;
        self.line("struct node { int v; int w; struct node *next; };");
        self.line("extern void *calloc(unsigned long, unsigned long);");
        self.line("extern void free(void *);");
        if self.rng.percent(20) {
            self.row = "box.row";
            self.line(format!("struct box {{ int before; int row[{length}]; }} box;"));
        } else {
            self.line(format!("int row[{length}];"));
        }
        let row = self.row;
        let at = self.rng_to(length);
        self.line(format!("int *u0 = {row}, *u1 = {row} + {at};"));
        self.line("struct node *h0, *h1;");
    }

    fn rng_to(&mut self, most: i64) -> i64 {
        self.rng.range(0, most)
    }

    /// A pointer into the array.
    fn walker(&mut self) -> &'static str {
        self.rng.pick::<&str>(&["u0", "u0", "u1"])
    }

    fn list(&mut self) -> &'static str {
        self.rng.pick::<&str>(&["h0", "h0", "h1"])
    }

    fn field(&mut self) -> &'static str {
        self.rng.pick::<&str>(&["v", "v", "w"])
    }

    pub(super) fn memory_statement(&mut self, depth: usize) {
        match self.rng.below(if depth == 0 { 8 } else { 10 }) {
            0..=1 => self.moves(),
            2..=3 => self.writes(),
            4 => self.makes(),
            5 => self.links(),
            6 => {
                let (to, from) = (self.list(), self.list());
                let guard =
                    if self.rng.percent(85) { format!("if ({from}) ") } else { String::new() };
                self.line(format!("{guard}{to} = {from}->next;"));
            }
            7 => {
                let (list, field, value) = (self.list(), self.field(), self.expr(1));
                let guard =
                    if self.rng.percent(85) { format!("if ({list}) ") } else { String::new() };
                self.line(format!("{guard}{list}->{field} = {value};"));
            }
            8 => {
                let condition = self.about_memory();
                self.block(&format!("if ({condition})"), depth);
            }
            _ => self.walks(),
        }
    }

    /// A pointer moves.
    fn moves(&mut self) {
        let (row, length, walker) = (self.row, LENGTH, self.walker());
        let text = match self.rng.below(7) {
            0 => format!("{walker} = {row};"),
            1 => format!("{walker} = &{row}[{}];", self.rng_to(length)),
            2 => format!("if ({walker} < {row} + {length}) {walker}++;"),
            3 => format!("if ({walker} != {row}) {walker}--;"),
            4 => format!("if ({walker} - {row} < {}) {walker} += 2;", length - 2),
            5 => format!("{walker} = {row} + (unsigned){} % {length}u;", self.atom()),
            _ => format!("{walker} = {};", self.walker()),
        };
        self.line(text);
    }

    fn writes(&mut self) {
        let (row, length, walker, value) = (self.row, LENGTH, self.walker(), self.expr(1));
        let text = match self.rng.below(5) {
            0 => format!("{row}[{}] = {value};", self.rng.range(0, length - 1)),
            1 => format!("*{walker} = {value};"),
            2 => format!("if ({walker} > {row}) {walker}[-1] = {value};"),
            _ => format!("if ({walker} < {row} + {length}) *{walker} = {value};"),
        };
        self.line(text);
    }

    fn makes(&mut self) {
        let (list, field, value) = (self.list(), self.field(), self.expr(1));
        if self.rng.percent(15) {
            return self.line(format!("free({list}); {list} = 0;"));
        }
        self.line(format!("{list} = calloc(1, sizeof *{list});"));
        self.line(format!("if ({list}) {list}->{field} = {value};"));
    }

    fn links(&mut self) {
        let (from, to) = (self.list(), self.list());
        match self.rng.percent(70) {
            true => self.line(format!("if ({from}) {from}->next = {to};")),
            false => self.line(format!("{from} = {to};")),
        }
    }

    /// A loop by a pointer.
    fn walks(&mut self) {
        let (row, length, walker) = (self.row, LENGTH, self.fresh("r"));
        let (to, value) = (self.rng.range(1, length), self.atom());
        let head = match self.rng.below(4) {
            0 => format!("for (int *{walker} = {row} + {to}; {walker} > {row}; {walker}--)"),
            1 => format!("for (int *{walker} = {row}; {walker} != {row} + {to}; {walker} += 1)"),
            _ => format!("for (int *{walker} = {row}; {walker} < {row} + {to}; {walker}++)"),
        };
        let element = match head.contains("--") {
            true => format!("{walker}[-1]"),
            false => format!("*{walker}"),
        };
        self.open(&head);
        match (self.rng.below(3), self.free.is_empty()) {
            (0, _) | (_, true) => self.line(format!("{element} = {value};")),
            (1, _) => {
                let name = self.rng.pick(&self.free).clone();
                self.line(format!("if ({element} == {value}) {name}++;"));
            }
            _ => {
                let name = self.rng.pick(&self.free).clone();
                self.line(format!("{name} = {element};"));
            }
        }
        self.close();
    }

    pub(super) fn about_memory(&mut self) -> String {
        let (row, length, walker, list) = (self.row, LENGTH, self.walker(), self.list());
        match self.rng.below(8) {
            0 => format!("({walker} < {row} + {})", self.rng_to(length)),
            1 => "(u0 == u1)".to_owned(),
            2 => "(u0 < u1)".to_owned(),
            3 => format!("(!{list})"),
            4 => "(h0 == h1)".to_owned(),
            5 => format!("({list} && {list}->next)"),
            6 => format!("({walker} >= &{row}[{}])", self.rng_to(length)),
            _ => format!("({list} != 0)"),
        }
    }

    /// A number that comes from memory.
    pub(super) fn number_in_memory(&mut self) -> String {
        let (row, length, walker, list) = (self.row, LENGTH, self.walker(), self.list());
        match self.rng.below(7) {
            0 => format!("(int)({walker} - {row})"),
            1 => "(int)(u1 - u0)".to_owned(),
            2 => format!("({walker} < {row} + {length} ? *{walker} : 0)"),
            3 => format!("{row}[{}]", self.rng.range(0, length - 1)),
            4 => format!("({list} ? {list}->{} : 0)", self.field()),
            5 => format!("({list} && {list}->next ? {list}->next->{} : 0)", self.field()),
            _ => self.about_memory(),
        }
    }
}
