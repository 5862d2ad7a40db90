//! Statements.

use super::effect::Effect;
use super::init::Moment;
use super::place::{Use, Want};
use super::types::Ty;
use super::{Generator, Role, Var};

#[derive(Clone, Copy, Debug)]
enum Shape {
    Change,
    Float,
    Record,
    Pointer,
    Call,
    If,
    Switch,
    Loop,
    Block,
    Skip,
    Repeat,
    IntoLoop,
    Leave,
    Print,
    Fold,
    Memory,
    Indirect,
    HideType,
}

const SHAPES: [(u32, Shape); 18] = [
    (30, Shape::Change),
    (5, Shape::Float),
    (6, Shape::Record),
    (7, Shape::Pointer),
    (7, Shape::Call),
    (10, Shape::If),
    (6, Shape::Switch),
    (11, Shape::Loop),
    (5, Shape::Block),
    (4, Shape::Skip),
    (3, Shape::Repeat),
    (2, Shape::IntoLoop),
    (6, Shape::Leave),
    (5, Shape::Print),
    (5, Shape::Fold),
    (9, Shape::Memory),
    (6, Shape::Indirect),
    (1, Shape::HideType),
];

/// No statement is nested deeper.
const MOST_NESTING: u32 = 4;

impl Generator {
    /// One statement (a few lines).
    pub fn statement(&mut self) {
        self.spend(4);
        let room = self.here.nesting < MOST_NESTING && self.can_spend(60);
        let done = match self.rng.weighted(&SHAPES) {
            Shape::Change => false,
            Shape::Float => self.float_statement(),
            Shape::Record => self.record_statement(),
            Shape::Pointer => self.on.pointers && self.move_pointer(),
            Shape::Call => self.call_statement(),
            Shape::If if room => self.branch(),
            Shape::Switch if room => self.switch(),
            Shape::Loop if room => self.counted_loop(),
            Shape::Block if room => self.block("{", "}"),
            Shape::Skip if room && self.on.jumps => self.forward_jump(),
            Shape::Repeat if room && self.on.jumps => self.backward_jump(),
            Shape::IntoLoop if room && self.on.jumps => self.jump_into_loop(),
            Shape::Leave => self.leave(),
            Shape::Print => self.print(),
            Shape::Fold => self.fold_something(),
            Shape::Memory if room => self.memory_statement(),
            Shape::Indirect if room => self.indirect_statement(),
            Shape::HideType if room => self.hide_typedef(),
            _ => false,
        };
        if !done {
            self.change();
        }
    }

    /// An expression statement, with a side effect if possible.
    pub fn change(&mut self) {
        let on = std::mem::replace(&mut self.on.side_effects, true);
        let e = match self.rng.below(5) {
            0 => self.step(),
            1..3 => self.compound(3),
            _ => self.assignment(3),
        };
        self.on.side_effects = on;
        match e {
            Some(e) => self.line(format!("{};", e.text)),
            None => self.line(";"),
        }
    }

    fn float_statement(&mut self) -> bool {
        if !self.on.floats {
            return false;
        }
        let Some(place) = self.place(&Want::Float, Use::Write) else { return false };
        let value = self.calmly(|g| g.float(2));
        let op = self.rng.pick(&["=", "+=", "-=", "*="]);
        self.line(format!("{} {op} {};", place.text, value.argument()));
        true
    }

    fn record_statement(&mut self) -> bool {
        let records: Vec<usize> = (0..self.types.records.len())
            .filter(|&r| !self.types.records[r].tag.is_empty())
            .collect();
        if records.is_empty() {
            return false;
        }
        let record = *self.rng.pick(&records);
        let ty = Ty::Record(record);
        let Some(place) = self.place(&Want::Exactly(&ty), Use::Write) else { return false };
        let value = self.record_value(record, 2);
        if value.effect.clashes(&place.effect) || value.effect.writes(place.object) {
            return false;
        }
        self.line(format!("{} = {};", place.text, value.argument()));
        true
    }

    fn call_statement(&mut self) -> bool {
        let on = std::mem::replace(&mut self.on.side_effects, true);
        let call = self.call(|_| true, 3);
        self.on.side_effects = on;
        let Some(call) = call else { return false };
        let cast = if self.rng.percent(20) { "(void)" } else { "" };
        self.line(format!("{cast}{};", call.text));
        true
    }

    /// Some declarations, some statements, the checksum of what was declared.
    pub fn block(&mut self, open: &str, close: &str) -> bool {
        self.braces(open, close, |g| g.within(|here| here.nesting += 1, Generator::body));
        true
    }

    pub fn body(&mut self) {
        let before = self.vars.len();
        for _ in 0..self.rng.below(3) {
            self.local();
        }
        for _ in 0..self.rng.below(4) + 1 {
            if !self.can_spend(20) {
                break;
            }
            self.statement();
            if self.rng.percent(10) {
                self.local();
            }
        }
        self.fold_from(before);
    }

    /// Adds the variables declared since then to the checksum.
    pub fn fold_from(&mut self, first: usize) {
        if self.here.pure || !self.can_spend(30) {
            return;
        }
        let declared = self.vars[first..].to_vec();
        for var in &declared {
            self.spend(2);
            self.fold_var(var);
        }
    }

    fn branch(&mut self) -> bool {
        let condition = self.condition();
        self.block(&format!("if ({}) {{", condition.text), "}");
        for _ in 0..self.rng.below(3) {
            if !self.can_spend(40) || self.rng.percent(40) {
                break;
            }
            let condition = self.condition();
            self.block(&format!("else if ({}) {{", condition.text), "}");
        }
        match self.rng.below(4) {
            0..2 => self.block("else {", "}"),
            2 => {
                self.line("else");
                self.indent += 1;
                self.change();
                self.indent -= 1;
                true
            }
            _ => true,
        }
    }

    fn switch(&mut self) -> bool {
        let e = self.int(2);
        let subject = match self.rng.below(4) {
            0 => format!("{} & 7", e.at(8)),
            1 => format!("{} % 6", e.at(13)),
            2 => {
                let ty = self.int_type();
                match ty {
                    Ty::Int(kind) if kind.is_wide() => format!("(int){}", e.at(14)),
                    _ => format!("({}){}", self.type_name(&ty), e.at(14)),
                }
            }
            _ => format!("(short)({})", e.text),
        };
        let mut free: Vec<i64> = (-3..9).collect();
        let arms = self.rng.below(4) + 1;
        let default = self.rng.below(arms + 2);
        self.braces(&format!("switch ({subject}) {{"), "}", |g| {
            let change = |here: &mut super::Here| {
                here.can_break = true;
                here.nesting += 1;
            };
            g.within(change, |g| {
                for arm in 0..arms {
                    if arm == default {
                        g.line("default:");
                    }
                    g.case_labels(&mut free);
                    g.block("{", "}");
                    if g.rng.percent(60) {
                        g.line("break;");
                    }
                }
            });
        });
        true
    }

    fn case_labels(&mut self, free: &mut Vec<i64>) {
        for _ in 0..self.rng.below(2) + 1 {
            if free.is_empty() {
                return;
            }
            let at = self.rng.below(free.len());
            let low = free.remove(at);
            let named = self
                .types
                .enums
                .iter()
                .flat_map(|e| &e.constants)
                .find(|(_, value)| *value == low)
                .map(|(name, _)| name.clone());
            if low >= 0 && free.get(at) == Some(&(low + 1)) && self.rng.percent(30) {
                let high = free.remove(at);
                self.line(format!("case {low} ... {high}:"));
            } else if let Some(name) = named {
                self.line(format!("case {name}:"));
            } else if self.rng.percent(20) {
                self.line(format!("case {low} + 2 * 3 - 6:"));
            } else {
                self.line(format!("case {low}:"));
            }
        }
    }

    /// `if (…) goto l; { … } l: …`: everything inside may jump to `l`, too.
    fn forward_jump(&mut self) -> bool {
        if !self.here.can_leave {
            return false;
        }
        let label = self.fresh_name("skip");
        let condition = self.condition();
        self.line(format!("if ({}) goto {label};", condition.text));
        let name = label.clone();
        self.within(|here| here.labels.push(name), |g| g.block("{", "}"));
        self.line(format!("{label}:;"));
        true
    }

    /// Leaves a loop, a switch, or the function, under a condition.
    fn leave(&mut self) -> bool {
        if !self.here.can_leave {
            return false;
        }
        let mut ways = Vec::new();
        if self.here.can_break {
            ways.push("break;".to_string());
        }
        if self.here.can_continue {
            ways.push("continue;".to_string());
        }
        if self.on.jumps {
            ways.extend(self.here.labels.iter().map(|l| format!("goto {l};")));
        }
        if ways.is_empty() || self.rng.percent(10) {
            if self.here.nesting == 0 || !self.here.can_return {
                return false;
            }
            ways = vec![self.return_text()];
        }
        let way = self.rng.pick(&ways).clone();
        let condition = self.condition();
        self.line(format!("if ({}) {way}", condition.text));
        true
    }

    pub fn return_text(&mut self) -> String {
        match self.here.result.clone() {
            None => "return;".to_string(),
            Some(ty) => {
                let value = match &ty {
                    Ty::Record(r) => self.record_value(*r, 1),
                    Ty::Float | Ty::Double => self.calmly(|g| g.float(2)),
                    _ => self.int(2),
                };
                format!("return {};", value.text)
            }
        }
    }

    fn print(&mut self) -> bool {
        if self.here.pure || self.here.weight > 16 {
            return false;
        }
        let mut format = self.fresh_name("#");
        let mut arguments = String::new();
        for _ in 0..self.rng.below(4) + 1 {
            let (directive, kind) = self.directive();
            let e = self.calmly(|g| g.int(2));
            format.push(' ');
            format.push_str(directive);
            let name = self.type_name(&Ty::Int(kind));
            arguments.push_str(&format!(", ({name}){}", e.at(14)));
        }
        self.line(format!("printf(\"{format}\\n\"{arguments});"));
        true
    }

    fn fold_something(&mut self) -> bool {
        if self.here.pure {
            return false;
        }
        let vars: Vec<Var> = self.visible();
        if vars.is_empty() || self.rng.percent(30) {
            let e = self.calmly(|g| g.int(3));
            self.line(format!("fold({});", e.argument()));
            return true;
        }
        let var = self.rng.pick(&vars).clone();
        self.spend(u64::from(self.types.leaves(&var.ty)) * 3);
        self.fold_var(&var);
        true
    }

    /// A variable that hides a type's name.
    fn hide_typedef(&mut self) -> bool {
        let shown: Vec<usize> =
            (0..self.types.typedefs.len()).filter(|&t| !self.types.typedefs[t].hidden).collect();
        if shown.is_empty() || self.here.pure {
            return false;
        }
        let hidden = *self.rng.pick(&shown);
        let name = self.types.typedefs[hidden].name.clone();
        self.braces("{", "}", |g| {
            g.types.typedefs[hidden].hidden = true;
            let ty = g.int_type();
            let mut effect = Effect::none();
            let value = g.initialiser(&ty, Moment::Static, &mut effect);
            let declared = g.declaration(&ty, &name);
            g.line(format!("{declared} = {value};"));
            g.add_var(name.clone(), ty, Role::Plain, false);
            g.within(|here| here.nesting += 1, Generator::body);
            g.line(format!("fold({name} * 3);"));
            g.types.typedefs[hidden].hidden = false;
        });
        true
    }
}
