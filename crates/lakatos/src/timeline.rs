//! What happened in a run, as a report shows it: listening to an engine, and its words for people.

use lakatos_analysis::cegar::How;
use lakatos_check::Why;
use lakatos_engine::history::{self, Event, History, Kind, Place};
use lakatos_engine::{End, Report, Statistics, Tried, Watch};
use lakatos_ir::{Program, Span};
use lakatos_logic::smt::{Cancel, Reason};
use lakatos_report::outcome::Position;
use lakatos_report::timeline::{self, Asked, Learned, Refined, Timeline, What};

/// Whoever watches, and somebody who writes down what happens.
pub struct Listening<'a> {
    watch: &'a mut dyn Watch,
    history: History,
}

impl<'a> Listening<'a> {
    pub fn new(watch: &'a mut dyn Watch) -> Listening<'a> {
        Listening { watch, history: History::default() }
    }

    /// What there is to show.
    pub fn timeline(self, program: &Program, report: &Report) -> Timeline {
        let events = self.history.into_events();
        Timeline {
            engines: report.tried.iter().map(|one| asked(program, &report.tried, one)).collect(),
            events: events.into_iter().map(|event| plain(program, event)).collect(),
        }
    }
}

impl Watch for Listening<'_> {
    fn started(&mut self, cancel: Cancel) {
        self.watch.started(cancel);
    }

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        self.watch.progress(statistics)
    }

    fn listens(&self) -> bool {
        true
    }

    fn happened(&mut self, event: Event) {
        self.history.add(event);
    }
}

/// What became of one of the engines that were asked.
pub fn became(program: &Program, tried: &[Tried], end: &End) -> String {
    let is_answered = tried.iter().any(|one| one.end == End::Answered);
    match end {
        End::Answered => "gave the answer".to_owned(),
        End::GaveUp(why) => format!("gave up: {}", why.describe(&program.source)),
        End::Stopped => "was stopped".to_owned(),
        End::Waiting if is_answered => "was not needed".to_owned(),
        End::Waiting => "had no turn yet".to_owned(),
    }
}

/// What may be true at a place, for all that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub engine: String,
    pub function: String,
    pub at: Option<Position>,
    pub text: String,
}

/// The formulas that engines looked at, each once, the last ones first.
pub fn candidates(timeline: &Timeline) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for event in timeline.events.iter().rev() {
        let What::Refined(refined) = &event.what else { continue };
        for one in refined.learned.iter().filter(|one| one.kind == timeline::Kind::Predicate) {
            let (engine, function, text) =
                (event.engine.clone(), one.function.clone(), one.text.clone());
            let at = one.places.first().cloned();
            let candidate = Candidate { engine, function, at, text };
            let is_same = |other: &Candidate| {
                (&other.text, &other.function) == (&candidate.text, &candidate.function)
            };
            if !found.iter().any(is_same) {
                found.push(candidate);
            }
        }
    }
    found
}

fn asked(program: &Program, tried: &[Tried], one: &Tried) -> Asked {
    Asked {
        engine: one.engine.to_owned(),
        turns: one.turns,
        refinements: one.statistics.refinements,
        nodes: one.statistics.nodes as u64,
        end: became(program, tried, &one.end),
        answered: one.end == End::Answered,
    }
}

fn plain(program: &Program, event: Event) -> timeline::Event {
    let what = match event.what {
        history::What::Turn(turn) => What::Turn(turn),
        history::What::LeftOut(number) => What::LeftOut(number),
        history::What::Bound(turns) => {
            What::Said(Why::Bounded { turns }.describe(&program.source), false)
        }
        history::What::Ended(end) => What::Said(became(program, &[], &end), end == End::Answered),
        history::What::Refined(refined) => What::Refined(plain_refined(program, refined)),
    };
    timeline::Event { engine: event.engine.to_owned(), what }
}

fn plain_refined(program: &Program, refined: history::Refined) -> Refined {
    let at = |span: Span| Position::new(&program.source, span);
    let learned = |one: history::Learned| Learned {
        kind: match one.kind {
            Kind::Predicate => timeline::Kind::Predicate,
            Kind::Variable => timeline::Kind::Variable,
        },
        text: one.text,
        function: one.function,
        places: one.spans.into_iter().map(at).collect(),
    };
    Refined {
        number: refined.number,
        nodes: refined.nodes as u64,
        how: words(refined.how).to_owned(),
        steps: refined.steps.map(|steps| steps as u64),
        target: refined.target.and_then(|Place { span, .. }| span).map(at),
        learned: refined.learned.into_iter().map(learned).collect(),
        left_out: refined.left_out as u64,
    }
}

fn words(how: How) -> &'static str {
    match how {
        How::Initially => "Known before the first counterexample",
        How::Contradiction => "A counterexample is no run, and this is why",
        How::Values => "A counterexample is no run with the values that its states know",
        How::Turns => "With other numbers of turns of its loops a counterexample is no run either",
        How::Facts => "What always holds is made use of",
        How::Core => {
            "A counterexample is too long for interpolants: variables that contradict each other \
             from step to step get values"
        }
        How::All => "A counterexample is too long for formulas: all variables get values",
        How::Dropped => "Variables that have too many values are not followed any more",
        How::Apart => "States that were taken for each other are told apart",
        How::Skips => "What had been skipped is looked at",
    }
}
