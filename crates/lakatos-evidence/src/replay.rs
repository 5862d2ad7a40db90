//! Replay: the interpreter decides what is a refutation (DESIGN.md section 7).
//!
//! The program is run with the inputs that an engine believes in. If it ends in a violation of
//! the property, it is run once more to record the trace; both runs are the same, since a run is
//! a function of program, options and inputs. Everything else is [`NotReplayed`]: another end, a
//! limit, and a run that took an output of assembly, which nobody knows. The same goes, for the
//! properties of memory, for pointers from outside: they may point to something.

use lakatos_ir::interpret::{
    self, Input, Interpreter, Keyed, Lost, Options, Oracle, Outcome, Request, Run, leaves,
};
use lakatos_ir::library::{Gap, LibraryRole};
use lakatos_ir::{
    Callee, InputKind, Instr, PlaceKind, ProcId, Program, Property, SiteId, Source, Span, Type,
    Violation,
};

use crate::refutation::{Refutation, Step, Trace};

/// Steps of a trace that are kept at its beginning, and as many at its end.
const KEPT: u64 = 10_000;

/// Why the inputs refute nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReplayed {
    /// The run did not end in a violation of the property, but so.
    Ended(Outcome),
    /// The run used an output of this `asm` statement, or went through it, or used a value that
    /// depends on the compiler.
    Assembly(Span),
    /// The run called a function after which nothing is known.
    NoModel { gap: Gap, span: Span },
    /// The run had a pointer, or an array, from outside.
    Outside(Span),
}

impl Refutation {
    /// Runs an instrumented program (on which no pass was applied that drops something) with
    /// these inputs; all others are zero. The options say what a run may use and what signed
    /// overflow means; what they say about traces is ignored.
    pub fn replay(
        program: &Program,
        property: Property,
        options: &Options,
        inputs: &Keyed,
    ) -> Result<Refutation, Box<NotReplayed>> {
        let interpreter = Interpreter::new(program);
        let options = &options.clone().watching(property);
        let mut oracle = Told(inputs.clone());
        let silent = Options { record_trace: false, ..options.clone() };
        let first = interpreter.run(&silent, &mut oracle);
        violation(program, property, &first)?;
        let unrecorded = match first.steps.checked_sub(2 * KEPT) {
            Some(1..) => KEPT..first.steps - KEPT,
            _ => 0..0,
        };
        let recorded =
            Options { record_trace: true, unrecorded: unrecorded.clone(), ..options.clone() };
        let run = interpreter.run(&recorded, &mut oracle);
        let violation = violation(program, property, &run)?;
        let mut head: Vec<Step> =
            run.trace.into_iter().map(|step| recorded_step(program, step)).collect();
        let tail = match unrecorded.is_empty() {
            true => Vec::new(),
            false => head.split_off(head.partition_point(|step| step.number < unrecorded.start)),
        };
        let omitted = unrecorded.end - unrecorded.start;
        let trace = Trace { head, omitted, tail };
        Ok(Refutation { violation, inputs: run.inputs, trace, stack: run.stack })
    }
}

/// The violation that a run shows.
fn violation(
    program: &Program,
    property: Property,
    run: &Run,
) -> Result<Violation, Box<NotReplayed>> {
    let violation = match &run.outcome {
        Outcome::Violated(violation) if violation.property == property => violation.clone(),
        Outcome::ErrorReached { function, span } if property == Property::UnreachCall => {
            let message = format!("`{function}` is called");
            Violation { property, undefined: None, span: *span, message }
        }
        Outcome::Undefined { kind, span, message }
            if property.is_about_memory() && property.is_violated_by(*kind) =>
        {
            let (span, message) = (*span, message.clone());
            Violation { property, undefined: Some(*kind), span, message }
        }
        Outcome::Exited(_)
            if property.includes(Property::ValidMemtrack) && !run.lost.is_empty() =>
        {
            lost(program, property, &run.lost)
        }
        other => {
            let ended = || NotReplayed::Ended(other.clone());
            return Err(Box::new(nothing_shown(program, run).unwrap_or_else(ended)));
        }
    };
    // Whatever a pointer from outside points to, nothing of it is indeterminate here.
    if property.is_about_memory()
        && property != Property::UninitialisedRead
        && let Some(span) = memory_from_outside(program, run)
    {
        return Err(Box::new(NotReplayed::Outside(span)));
    }
    match nothing_shown(program, run) {
        Some(reason) => Err(Box::new(reason)),
        None => Ok(violation),
    }
}

/// Why the run may be one that no machine makes: it took a value, or went on with memory, of which
/// nothing is known.
fn nothing_shown(program: &Program, run: &Run) -> Option<NotReplayed> {
    let of_input = |input: &Input| {
        let site = &program.sites[input.site];
        match input.kind {
            InputKind::Assembly => Some(NotReplayed::Assembly(site.span)),
            InputKind::Library => {
                let gap = match program.procs[site.proc].library {
                    Some(LibraryRole::Model) => Gap::Open,
                    Some(
                        LibraryRole::Forwarder
                        | LibraryRole::Unmodelled(_)
                        | LibraryRole::CallsBack(_)
                        | LibraryRole::LostJump,
                    )
                    | None => Gap::Unmodelled(site.name.clone()),
                };
                Some(NotReplayed::NoModel { gap, span: site.span })
            }
            InputKind::Nondet
            | InputKind::Uninitialised
            | InputKind::External
            | InputKind::Volatile
            | InputKind::Allocation => None,
        }
    };
    let of_writes =
        |(proc, span): (ProcId, Span)| NotReplayed::NoModel { gap: Gap::of(program, proc), span };
    run.inputs.iter().find_map(of_input).or(run.unknown_writes.map(of_writes))
}

/// Memory that is lost in the end, the first of it.
fn lost(program: &Program, property: Property, lost: &[Lost]) -> Violation {
    let Lost { span, bytes } = lost[0];
    let call = program.source.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let others = match lost.len() - 1 {
        0 => String::new(),
        1 => ", and 1 other object is".to_owned(),
        more => format!(", and {more} other objects are"),
    };
    let message = format!("the {bytes} bytes of `{call}` are lost when `main` returns{others}");
    Violation { property, undefined: None, span, message }
}

/// Where a run got a pointer from outside, which may point to something that is not known here: an
/// external function or object, what stands for any pointer, or an argument of `main` that the
/// program uses. An external function may also have left one in memory that it was given. Nor is it
/// known how large an external array without a length is.
fn memory_from_outside(program: &Program, run: &Run) -> Option<Span> {
    if run.lent.is_some() {
        return run.lent;
    }
    let used = |site: SiteId| {
        let params = program.procs[program.main].params.iter();
        let own = params.filter(|param| program.vars[**param].name == program.sites[site].name);
        let mut places = program.places.iter();
        let own: Vec<_> = own.collect();
        places.any(|(_, place)| matches!(&place.kind, PlaceKind::Var(var) if own.contains(&var)))
    };
    let mut taken = run.inputs.iter().filter(|input| matches!(input.ty, Type::Pointer(_)));
    let taken = taken.find(|input| match input.kind {
        InputKind::External | InputKind::Nondet | InputKind::Volatile => true,
        InputKind::Uninitialised => {
            program.sites[input.site].proc == program.start && used(input.site)
        }
        InputKind::Assembly | InputKind::Library | InputKind::Allocation => false,
    });
    // What is in an object of another file is not listed, as long as it is zero.
    let objects = program.sites.iter().find(|(_, site)| {
        let holds = || leaves(&program.types, site.ty).into_iter();
        matches!(site.kind, InputKind::External | InputKind::Volatile)
            && site.ty.is_aggregate()
            && holds().any(|leaf| matches!(leaf.ty, Type::Pointer(_)))
    });
    let mut mentioned = program.places.iter().filter_map(|(_, place)| match place.kind {
        PlaceKind::Var(var) => Some(&program.vars[var]),
        _ => None,
    });
    let endless = mentioned.find(|var| matches!(var.ty, Type::Array(_, None)));
    let site = taken.map(|input| input.site).or(objects.map(|(site, _)| site));
    site.map(|site| program.sites[site].span).or(endless.map(|var| var.span))
}

fn recorded_step(program: &Program, step: interpret::Step) -> Step {
    let interpret::Step { number, proc, edge, span, assigned } = step;
    let body = |proc: ProcId| program.procs[proc].body.as_ref();
    let turns = match body(proc).map(|body| &body.edges[edge].instr) {
        Some(Instr::Return(_)) => true,
        Some(Instr::Call(call)) => match call.callee {
            Callee::Proc(callee) => body(callee).is_some(),
            Callee::Pointer(_) => true,
            Callee::Builtin(_) => false,
        },
        _ => false,
    };
    Step { number, proc, edge, span, turns, assigned }
}

/// The inputs that were given, and a question for every scalar of which nothing is known, so
/// that each of them is seen.
struct Told(Keyed);

impl Oracle for Told {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        self.0.input(request)
    }

    fn wants_elements(&self, site: SiteId, kind: InputKind) -> bool {
        kind.shows_nothing() || self.0.wants_elements(site, kind)
    }
}

impl NotReplayed {
    /// There is no model of a function, so no run shows anything.
    pub fn is_about_model(&self) -> bool {
        matches!(self, NotReplayed::NoModel { .. } | NotReplayed::Ended(Outcome::NoModel { .. }))
    }

    /// For a person: how the run ended instead.
    pub fn describe(&self, source: &Source) -> String {
        let at = |span: &Span| source.position(span.start);
        match self {
            NotReplayed::Assembly(span)
                if ["asm", "__asm"].iter().any(|asm| source.snippet(*span).starts_with(asm)) =>
            {
                format!("it takes an output of the assembly at {}, which can be anything", at(span))
            }
            NotReplayed::Assembly(span) => {
                format!("it takes a value at {} that depends on the compiler", at(span))
            }
            NotReplayed::NoModel { gap, span } => format!("{gap} at {}", at(span)),
            NotReplayed::Outside(span) => {
                format!("it has memory from outside, at {}, of which nothing is known", at(span))
            }
            NotReplayed::Ended(outcome) => match outcome {
                Outcome::Exited(code) => format!("the program ends by itself and returns {code}"),
                Outcome::ErrorReached { function, span } => {
                    format!("it ends at {}, where `{function}` is called", at(span))
                }
                Outcome::NoModel { gap, span } => format!("{gap} at {}", at(span)),
                Outcome::Violated(Violation { span, message, .. }) => {
                    format!("it ends at {}, where {message}", at(span))
                }
                Outcome::Undefined { span, message, .. } => {
                    format!("it ends in undefined behaviour at {}: {message}", at(span))
                }
                Outcome::Blocked { span } => {
                    format!("it ends at {}, where an assumption does not hold", at(span))
                }
                Outcome::Aborted { span } => format!("the program calls abort at {}", at(span)),
                Outcome::StepLimit => "it takes too many steps".to_owned(),
                Outcome::DepthLimit => "its calls are nested too deeply".to_owned(),
                Outcome::MemoryLimit => "it needs too much memory".to_owned(),
                Outcome::Unsupported { what, span } => {
                    format!("the interpreter does not support {what} at {}", at(span))
                }
                Outcome::Open { what, span } => {
                    format!("it depends on what a run does not tell: {what} at {}", at(span))
                }
            },
        }
    }
}
