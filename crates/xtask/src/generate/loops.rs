//! Loops: each counts, and its counter is written by nothing else.

use super::types::Ty;
use super::{Generator, Here, Kind, Role};

fn in_loop(here: &mut Here, trips: u64) {
    here.weight *= trips;
    here.can_break = true;
    here.can_continue = true;
    here.nesting += 1;
}

impl Generator {
    fn counter_type(&mut self) -> Ty {
        match self.int_kind() {
            Kind::Bool => Ty::Int(Kind::Int),
            kind => Ty::Int(kind),
        }
    }

    fn trips(&mut self) -> u32 {
        let most = match self.rng.below(6) {
            0 => 40,
            _ => 7,
        };
        let trips = self.rng.range(1, most) as u32;
        if self.can_spend(u64::from(trips) * 30) { trips } else { 2 }
    }

    /// A loop in one of several forms; inside, the counter is less than the number of trips.
    pub fn counted_loop(&mut self) -> bool {
        let trips = self.trips();
        let ty = self.counter_type();
        let i = self.fresh_name("j");
        let declared = self.declaration(&ty, &i);
        let extra = match self.rng.percent(20) {
            true => format!(" && {}", self.calmly(|g| g.condition()).at(6)),
            false => String::new(),
        };
        match self.rng.below(7) {
            5 => {
                let down = self.fresh_name("j");
                let open = format!(
                    "for ({declared} = 0, {down} = {trips}; {i} < {trips} && {down}; {i}++, {down}--) {{"
                );
                self.loop_block(&open, "}", &i, ty, trips);
            }
            0 => {
                self.line(format!("{declared} = {trips};"));
                let open = match self.signed_counter(&ty) {
                    true => format!("while ({i}-- > 0{extra}) {{"),
                    false => format!("while ({i} > 0 && {i}-- > 0{extra}) {{"),
                };
                self.loop_block(&open, "}", &i, ty, trips);
            }
            1 => {
                self.line(format!("{declared} = 0;"));
                self.loop_block(
                    "do {",
                    &format!("}} while (++{i} < {trips}{extra});"),
                    &i,
                    ty,
                    trips,
                );
            }
            2 => {
                let open = format!("for ({declared} = {trips}; {i}-- > 0{extra};) {{");
                self.loop_block(&open, "}", &i, ty, trips);
            }
            3 => {
                let step = self.rng.range(1, 3);
                let open = format!("for ({declared} = 0; {i} < {trips}{extra}; {i} += {step}) {{");
                self.loop_block(&open, "}", &i, ty, trips);
            }
            4 => {
                self.line(format!("{declared} = 0;"));
                let open = format!("for (;;) {{ if ({i}++ >= {trips}) break;");
                self.loop_block(&open, "}", &i, ty, trips + 1);
            }
            _ => {
                let open = format!("for ({declared} = 0; {i} < {trips}{extra}; {i}++) {{");
                self.loop_block(&open, "}", &i, ty, trips);
            }
        }
        true
    }

    fn signed_counter(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Int(kind) if kind.signed())
    }

    fn loop_block(&mut self, open: &str, close: &str, i: &str, ty: Ty, trips: u32) {
        self.scopes.push(self.vars.len());
        self.add_var(i.to_string(), ty, Role::Fixed { below: Some(trips) }, false);
        self.within(
            |here| in_loop(here, u64::from(trips)),
            |g| {
                g.braces(open, close, Generator::body);
            },
        );
        self.close_scope();
    }

    /// `l: { … } if (fuel-- > 0 && …) goto l;`
    pub fn backward_jump(&mut self) -> bool {
        if !self.here.can_leave {
            return false;
        }
        let label = self.fresh_name("again");
        let count = self.fresh_name("left");
        let trips = self.rng.range(1, 4) as u64;
        self.line(format!("int {count} = {trips};"));
        self.line(format!("{label}:"));
        let change = |here: &mut Here| here.weight *= trips + 1;
        self.within(change, |g| g.block("{", "}"));
        let condition = self.calmly(|g| g.condition());
        self.line(format!("if ({count}-- > 0 && {}) goto {label};", condition.at(6)));
        true
    }

    /// A jump into the middle of a loop, or a switch whose cases are inside one.
    pub fn jump_into_loop(&mut self) -> bool {
        if !self.here.can_leave {
            return false;
        }
        let count = self.fresh_name("left");
        let into = self.fresh_name("into");
        let trips = self.rng.range(2, 5) as u64;
        let change = |here: &mut Here| in_loop(here, trips + 1);
        if self.rng.percent(50) {
            let condition = self.condition();
            self.line(format!("int {count} = {trips};"));
            self.line(format!("if ({}) goto {into};", condition.text));
            self.braces(&format!("while ({count}-- > 0) {{"), "}", |g| {
                g.within(change, |g| {
                    g.change();
                    g.line(format!("{into}:"));
                    g.change();
                    g.change();
                });
            });
            return true;
        }
        let e = self.calmly(|g| g.int(2));
        self.line(format!("int {count} = {trips};"));
        self.braces(&format!("switch ({} & 3) {{", e.at(8)), "}", |g| {
            g.line("case 0: do {");
            g.within(change, |g| {
                g.change();
                for case in [3, 2, 1] {
                    g.line(format!("case {case}:"));
                    g.change();
                }
            });
            g.line(format!("}} while (--{count} > 0);"));
        });
        true
    }
}
