//! A refutation as data: what came in, what happened step by step and under which calls, and where
//! it went wrong.

use lakatos_evidence::{self as evidence, Refutation};
use lakatos_ir::interpret::{self, Assigned, StackEntry, Target, leaf_path};
use lakatos_ir::{
    Callee, EdgeId, ExprKind, Instr, IntType, PlaceId, PlaceKind, ProcId, Program, Span, Type,
    VarId,
};
use serde::Serialize;

use super::Position;

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    pub violation: Violation,
    /// What the compiled program did with these inputs, if it was executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<String>,
    pub inputs: Vec<Input>,
    pub trace: Trace,
    /// The calls in progress at the end, the outermost first.
    pub stack: Vec<Frame>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    pub message: String,
    pub position: Position,
}

/// A scalar from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Input {
    pub kind: InputKind,
    /// `__VERIFIER_nondet_int()`, `x`, `get().rows[0]`.
    pub source: String,
    /// From 1: the how-manieth value from this place.
    pub occurrence: u64,
    pub position: Position,
    pub value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    Nondet,
    External,
    Assembly,
    Library,
    Uninitialised,
    Volatile,
    Allocation,
}

/// The steps of a run; of a long one the beginning and the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// How many steps are left out.
    pub omitted: u64,
    /// Where they are left out: that many of `steps` come before them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted_after: Option<usize>,
    /// The calls in progress behind them, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack_after_omitted: Vec<Frame>,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// How many steps of the run came before it.
    pub number: u64,
    pub function: String,
    /// How many calls it is under; `main` is under none.
    pub depth: usize,
    pub event: Event,
    pub position: Position,
    pub assigned: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    Step,
    /// The next step is in the function that is called, whose parameters are assigned.
    Call,
    /// The next step is in the caller.
    Return,
    /// The value that a call handed back is assigned.
    Result,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Value {
    /// As in the source: `x`, `a[i]`, `return`.
    pub name: String,
    pub value: String,
    pub scope: Scope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// A variable, or a field of one, of the function's call.
    Local,
    /// Of the function that is called.
    Parameter,
    Global,
    /// What changes without being named, or has a name that means different places at different
    /// times: `a[i]`, `*p`, a variable whose address is taken.
    Memory,
    /// What a function returns.
    Result,
}

/// A call in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    pub function: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_at: Option<Position>,
}

impl Run {
    /// The program is the instrumented one, which was replayed.
    pub fn new(program: &Program, refutation: &Refutation, execution: Option<String>) -> Run {
        let violation = refutation.violation();
        Run {
            violation: Violation {
                message: violation.message.clone(),
                position: Position::new(&program.source, violation.span),
            },
            execution,
            inputs: refutation.inputs().iter().map(|input| Input::new(program, input)).collect(),
            trace: Recorder { program }.trace(refutation),
            stack: frames(program, refutation.stack()),
        }
    }
}

impl Input {
    pub(crate) fn new(program: &Program, input: &interpret::Input) -> Input {
        use lakatos_ir::InputKind as Kind;
        let site = &program.sites[input.site];
        let name = &site.name;
        let path = leaf_path(&program.types, site.ty, input.element);
        let (kind, source) = match input.kind {
            Kind::Nondet => (InputKind::Nondet, format!("{name}(){path}")),
            Kind::External => (InputKind::External, format!("{name}(){path}")),
            Kind::Assembly => (InputKind::Assembly, format!("{name}{path}")),
            Kind::Library => (InputKind::Library, format!("{name}(){path}")),
            Kind::Volatile => (InputKind::Volatile, format!("{name}{path}")),
            Kind::Allocation => (InputKind::Allocation, format!("the failure of {name}")),
            // Fresh memory has no type yet.
            Kind::Uninitialised
                if matches!(site.ty, Type::Pointer(_)) && input.ty == Type::Int(IntType::U8) =>
            {
                let source = format!("byte {} of the memory from {name}", input.element);
                (InputKind::Uninitialised, source)
            }
            Kind::Uninitialised => (InputKind::Uninitialised, format!("{name}{path}")),
        };
        Input {
            kind,
            source,
            occurrence: u64::from(input.occurrence) + 1,
            position: Position::new(&program.source, site.span),
            value: input.shown(),
        }
    }
}

impl InputKind {
    /// What a source of values has done.
    pub fn verb(self) -> &'static str {
        match self {
            InputKind::Nondet | InputKind::External | InputKind::Library => "returned",
            InputKind::Assembly => "gave",
            InputKind::Volatile => "was read as",
            InputKind::Allocation => "was",
            InputKind::Uninitialised => "started as",
        }
    }
}

impl std::fmt::Display for Input {
    /// `__VERIFIER_nondet_int() #1 at file.c:5:11 returned 5`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Input { kind, source, occurrence, position, value } = self;
        write!(f, "{source} #{occurrence} at {position} {} {value}", kind.verb())
    }
}

/// Our own procedure, which calls `main`, is left out.
fn frames(program: &Program, stack: &[StackEntry]) -> Vec<Frame> {
    let shown = stack.iter().filter(|frame| frame.proc != program.start);
    shown.map(|frame| Frame::new(program, frame.proc, frame.call)).collect()
}

impl Frame {
    /// `main` is called by nobody.
    fn new(program: &Program, proc: ProcId, call: Option<Span>) -> Frame {
        let call = call.filter(|_| proc != program.main);
        Frame {
            function: program.procs[proc].name.clone(),
            called_at: call.map(|call| Position::new(&program.source, call)),
        }
    }
}

/// Follows the calls of a recorded run.
struct Recorder<'p> {
    program: &'p Program,
}

/// A call that waits for its end: whether it takes a value then.
struct Waiting {
    edge: EdgeId,
    takes_result: bool,
}

impl Recorder<'_> {
    fn trace(&self, refutation: &Refutation) -> Trace {
        let evidence::Trace { head, omitted, tail } = refutation.trace();
        let mut steps = self.forward(head);
        let before = steps.len();
        let (stack, rest) = self.backward(tail, refutation.stack());
        steps.extend(rest);
        let cut = *omitted > 0;
        Trace {
            omitted: *omitted,
            omitted_after: cut.then_some(before),
            stack_after_omitted: if cut { frames(self.program, &stack) } else { Vec::new() },
            steps,
        }
    }

    /// From the start of the run.
    fn forward(&self, steps: &[evidence::Step]) -> Vec<Step> {
        let mut depth = 0usize;
        let mut told = Vec::new();
        for (step, event) in steps.iter().zip(self.events(steps)) {
            if step.proc != self.program.start {
                told.push(self.step(step, depth, event));
            }
            match event {
                // The call of `main` by what is before it leads to depth 0.
                Event::Call if step.proc != self.program.start => depth += 1,
                Event::Return => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        told
    }

    /// To the end of the run, where the calls in progress are known; and those before the steps.
    fn backward(
        &self,
        steps: &[evidence::Step],
        end: &[StackEntry],
    ) -> (Vec<StackEntry>, Vec<Step>) {
        let mut stack = end.to_vec();
        let mut told = Vec::new();
        let events: Vec<Event> = self.events(steps).collect();
        for (step, event) in steps.iter().zip(events).rev() {
            match event {
                Event::Call => {
                    stack.pop();
                }
                Event::Return => stack.push(StackEntry { proc: step.proc, call: None }),
                Event::Step | Event::Result => {}
            }
            let own = stack.iter().filter(|frame| frame.proc != self.program.start).count();
            if step.proc != self.program.start {
                told.push(self.step(step, own.saturating_sub(1), event));
            }
        }
        told.reverse();
        (stack, told)
    }

    /// What each step does to the calls in progress. A call that takes a value is there twice; of
    /// one through a pointer only the next step tells whether it went anywhere.
    fn events<'s>(&'s self, steps: &'s [evidence::Step]) -> impl Iterator<Item = Event> + 's {
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut returned = false;
        steps.iter().enumerate().map(move |(at, step)| {
            let event = match self.instr(step) {
                Some(Instr::Return(_)) => Event::Return,
                Some(Instr::Call(call)) if step.turns => {
                    let back = returned
                        && match waiting.last() {
                            Some(last) => last.edge == step.edge && last.takes_result,
                            // It was called before what is recorded.
                            None => call.result.is_some(),
                        };
                    match back {
                        true => Event::Result,
                        false if self.enters(step, steps.get(at + 1), &call.callee) => Event::Call,
                        false => Event::Step,
                    }
                }
                _ => Event::Step,
            };
            if returned {
                waiting.pop();
            }
            returned = event == Event::Return;
            if let (Event::Call, Some(Instr::Call(call))) = (event, self.instr(step)) {
                waiting.push(Waiting { edge: step.edge, takes_result: call.result.is_some() });
            }
            event
        })
    }

    fn enters(&self, step: &evidence::Step, next: Option<&evidence::Step>, to: &Callee) -> bool {
        let Some(next) = next else { return false };
        if matches!(to, Callee::Proc(_)) {
            return true;
        }
        let body = self.program.procs[next.proc].body.as_ref();
        let begins = body.is_some_and(|body| body.edges[next.edge].from == body.entry);
        next.proc != step.proc || begins
    }

    fn instr(&self, step: &evidence::Step) -> Option<&Instr> {
        let body = self.program.procs[step.proc].body.as_ref()?;
        Some(&body.edges.get(step.edge)?.instr)
    }

    fn step(&self, step: &evidence::Step, depth: usize, event: Event) -> Step {
        let named = step.assigned.iter().filter(|set| !set.name.is_empty());
        Step {
            number: step.number,
            function: self.program.procs[step.proc].name.clone(),
            depth,
            event,
            position: Position::new(&self.program.source, step.span),
            assigned: named.map(|set| self.value(set)).collect(),
        }
    }

    fn value(&self, set: &Assigned) -> Value {
        let program = self.program;
        let exposed = |var: VarId| program.vars[var].address_taken;
        let scope = match set.target {
            Target::Param(var) if exposed(var) => Scope::Memory,
            Target::Param(_) => Scope::Parameter,
            Target::Result => Scope::Result,
            Target::Place(place) => match program.places[place].kind {
                PlaceKind::Var(var) if !exposed(var) && program.vars[var].ty.is_scalar() => {
                    match program.vars[var].kind.frame() {
                        Some(_) => Scope::Local,
                        None => Scope::Global,
                    }
                }
                _ => Scope::Memory,
            },
        };
        let name = match set.target {
            Target::Place(place) => self.path(place),
            Target::Param(_) | Target::Result => None,
        };
        let name = name.unwrap_or_else(|| one_line(&set.name));
        Value { name, value: set.shown.clone(), scope }
    }

    /// `a[0].f`, whatever the source says: an initialiser names no place at all.
    fn path(&self, place: PlaceId) -> Option<String> {
        let program = self.program;
        match program.places[place].kind {
            PlaceKind::Var(var) => Some(program.vars[var].name.clone()).filter(|n| !n.is_empty()),
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = program.places[base].ty else { return None };
                let field = program.types.records[record].fields.get(field as usize)?;
                Some(format!("{}.{}", self.path(base)?, field.name.as_ref()?))
            }
            PlaceKind::Index(base, index) => match program.exprs[index].kind {
                ExprKind::Int(index) => Some(format!("{}[{index}]", self.path(base)?)),
                _ => None,
            },
            PlaceKind::Deref(_) => None,
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Steps on one line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    pub steps: &'t [Step],
    /// So many steps before it are left out.
    pub omitted: u64,
}

impl<'t> Line<'t> {
    pub fn first(&self) -> &'t Step {
        &self.steps[0]
    }

    /// The last value of each name.
    pub fn values(&self) -> Vec<&'t Value> {
        let mut values: Vec<&Value> = Vec::new();
        for set in self.steps.iter().flat_map(|step| &step.assigned) {
            values.retain(|known| known.name != set.name || known.scope != set.scope);
            values.push(set);
        }
        values
    }
}

impl Trace {
    /// The steps, those together that a person sees as one: on one line of one call, from left to
    /// right, until another function is entered or left.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = Vec::new();
        let mut begin = 0;
        let cut = |at: usize| self.omitted_after == Some(at);
        for at in 1..=self.steps.len() {
            let ends =
                at == self.steps.len() || cut(at) || !goes_on(&self.steps[at - 1], &self.steps[at]);
            if ends {
                let omitted = if cut(begin) { self.omitted } else { 0 };
                lines.push(Line { steps: &self.steps[begin..at], omitted });
                begin = at;
            }
        }
        lines
    }
}

fn goes_on(step: &Step, next: &Step) -> bool {
    let (here, there) = (&step.position, &next.position);
    let place = |step: &Step| (step.depth, step.position.line);
    matches!(step.event, Event::Step | Event::Result)
        && place(step) == place(next)
        && step.function == next.function
        && here.file == there.file
        // A loop on one line goes back, and begins another turn.
        && (next.assigned.is_empty() || here.column <= there.end_column)
}
