//! Engines that take turns.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use lakatos_check::{Verdict, Why};
use lakatos_ir::{Program, Property, SignedOverflow, large_stack};
use lakatos_logic::smt::z3::work_done;
use lakatos_logic::smt::{Cancel, Pace, Reason, terms_made};

use super::is_answer;
use super::plan::Member;
use crate::history::{Event, History, What};
use crate::horn::why;
use crate::{End, News, Report, Statistics, Task, Tried, Watch};

/// The work of a first turn; every round of turns is twice as long as the one before.
const FIRST: u64 = 2_000_000;
/// So many times as long is a turn in which a result is judged: it may be the answer.
const RESULT: u64 = 4;
/// What a node of a graph counts, and so many steps of concrete runs.
const NODE: u64 = 1_000;
const STEPS: u64 = 4_000;
/// What a term counts that was made between queries.
const TERM: u64 = 4;
/// How often whoever watches is asked whether to go on.
const TICK: Duration = Duration::from_millis(20);

/// What the threads share.
#[derive(Default)]
struct Shared {
    table: Mutex<Table>,
    changed: Condvar,
}

/// Who is where.
#[derive(Default)]
struct Table {
    seats: Vec<Seat>,
    /// Who waits for a turn, the next one first.
    waiting: VecDeque<usize>,
    /// Nobody is to go on.
    is_over: bool,
    /// The first that gave an answer.
    winner: Option<usize>,
    /// Where somebody listens.
    history: Option<History>,
    /// What engines have told each other.
    board: Vec<Arc<News>>,
}

#[derive(Default)]
struct Seat {
    engine: &'static str,
    state: State,
    turns: u32,
    cancel: Option<Cancel>,
    statistics: Statistics,
    report: Option<Report>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Waiting,
    AtWork,
    Done,
}

impl Shared {
    /// Nobody panics while holding the lock.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn at_work(&self) -> usize {
        self.seats.iter().filter(|seat| seat.state == State::AtWork).count()
    }

    /// Ends all that are at work, and those that wait.
    fn end(&mut self) {
        self.is_over = true;
        for cancel in self.seats.iter().filter_map(|seat| seat.cancel.as_ref()) {
            cancel.cancel();
        }
    }

    /// What became of one of them.
    fn end_of(&self, number: usize) -> End {
        let seat = &self.seats[number];
        match &seat.report {
            Some(Report { verdict: Verdict::Unknown(why), .. }) => End::GaveUp(why.clone()),
            Some(_) if self.winner == Some(number) => End::Answered,
            None if seat.turns == 0 => End::Waiting,
            _ => End::Stopped,
        }
    }

    /// Those whose turn it is now. The first turn of all is one that nobody else is at work in.
    fn next(&mut self, jobs: usize) -> Vec<usize> {
        let mut chosen = Vec::new();
        loop {
            let is_first = self.seats[0].turns <= 1 && self.seats[0].state == State::AtWork;
            let most = if is_first { 1 } else { jobs.max(1) };
            if self.is_over || self.at_work() >= most {
                return chosen;
            }
            let Some(next) = self.waiting.pop_front() else { return chosen };
            self.seats[next].state = State::AtWork;
            self.seats[next].turns += 1;
            self.happened(next, What::Turn(self.seats[next].turns));
            chosen.push(next);
        }
    }

    fn happened(&mut self, seat: usize, what: What) {
        let engine = self.seats[seat].engine;
        if let Some(history) = &mut self.history {
            history.add(Event { engine, what });
        }
    }

    /// An engine for which there is no thread; the others go on.
    fn leave_out(&mut self, number: usize, error: &io::Error) {
        let why = Why::NoThread { error: error.to_string() };
        let report = Report::new(Verdict::Unknown(why), Statistics::default());
        self.seats[number].state = State::Done;
        self.seats[number].report = Some(report);
        self.happened(number, What::Ended(self.end_of(number)));
    }

    /// What the one that works longest says.
    fn statistics(&self) -> Statistics {
        let at_work = self.seats.iter().filter(|seat| seat.state == State::AtWork);
        at_work.max_by_key(|seat| seat.turns).map(|seat| seat.statistics).unwrap_or_default()
    }
}

/// Asks the members until one of them has an answer. Their threads are not waited for: a query
/// may take its time to hear that it is over.
pub(super) fn relay(
    members: Vec<Member>,
    jobs: usize,
    task: &Task<'_>,
    watch: &mut dyn Watch,
) -> Report {
    let shared = Arc::new(Shared::default());
    let program = Arc::new(task.program.clone());
    let question = (program, task.property, task.signed_overflow);
    let mut table = shared.lock();
    let seat = |member: &Member| Seat { engine: member.engine.name(), ..Seat::default() };
    table.seats = members.iter().map(seat).collect();
    table.history = watch.listens().then(History::default);
    table.waiting = (0..members.len()).collect();
    let mut threads: Vec<Option<JoinHandle<()>>> = members.iter().map(|_| None).collect();
    let listens = table.history.is_some();
    loop {
        let is_done = table.seats.iter().all(|seat| seat.state == State::Done);
        if table.winner.is_some() || is_done {
            table.end();
            shared.changed.notify_all();
            return summary(&mut table, watch, None);
        }
        for next in table.next(jobs) {
            if threads[next].is_none() {
                match start(&shared, next, &members[next], question.clone(), listens) {
                    Ok(thread) => threads[next] = Some(thread),
                    Err(error) => table.leave_out(next, &error),
                }
            }
            shared.changed.notify_all();
        }
        if let Err(reason) = watch.progress(table.statistics()) {
            table.end();
            shared.changed.notify_all();
            return summary(&mut table, watch, Some(why(reason)));
        }
        let waited = shared.changed.wait_timeout(table, TICK);
        table = waited.unwrap_or_else(PoisonError::into_inner).0;
        fail_with_them(&mut threads, &mut table);
    }
}

/// A panic in a thread is one here.
fn fail_with_them(threads: &mut [Option<JoinHandle<()>>], table: &mut MutexGuard<'_, Table>) {
    for (thread, seat) in threads.iter_mut().zip(&table.seats) {
        if seat.state != State::Done
            && let Some(ended) = thread.take_if(|thread| thread.is_finished())
            && let Err(panic) = ended.join()
        {
            resume_unwind(panic);
        }
    }
}

fn start(
    shared: &Arc<Shared>,
    seat: usize,
    member: &Member,
    (program, property, signed_overflow): (Arc<Program>, Property, SignedOverflow),
    listens: bool,
) -> io::Result<JoinHandle<()>> {
    let (shared, member) = (Arc::clone(shared), member.clone());
    let job = move || {
        let turn = FIRST * member.share;
        let turn = Turn::new(Arc::clone(&shared), seat, turn);
        let turn = Rc::new(RefCell::new(turn));
        let mut turns = Turns { turn: Rc::clone(&turn), listens };
        let _pace = Pace::new(move |has_result| turn.borrow_mut().query(has_result));
        let task = Task { program: &program, property, signed_overflow };
        let report = member.engine.solve(&task, &mut turns);
        let mut table = shared.lock();
        if is_answer(&report.verdict) && table.winner.is_none() {
            table.winner = Some(seat);
        }
        table.seats[seat].state = State::Done;
        table.seats[seat].statistics = report.statistics;
        table.seats[seat].report = Some(report);
        // What the others say when they are told to end is no news.
        if !table.is_over {
            let end = table.end_of(seat);
            table.happened(seat, What::Ended(end));
        }
        shared.changed.notify_all();
    };
    large_stack::spawn(job)
}

/// The answer, or why there is none: `why` if all were ended, else the reason of the first that had
/// one.
fn summary(table: &mut Table, watch: &mut dyn Watch, why: Option<Why>) -> Report {
    let mut tried = Vec::new();
    for (number, seat) in table.seats.iter().enumerate() {
        let &Seat { engine, turns, statistics, .. } = seat;
        tried.push(Tried { engine, turns, end: table.end_of(number), statistics });
    }
    for event in table.history.take().into_iter().flat_map(History::into_events) {
        watch.happened(event);
    }
    let statistics = table.statistics();
    let first = table.winner.unwrap_or(0);
    match (table.seats[first].report.take(), why) {
        (Some(report), _) if table.winner.is_some() => Report { tried, ..report },
        (_, Some(why)) => Report { verdict: Verdict::Unknown(why), statistics, tried },
        (Some(report), None) => Report { tried, ..report },
        (None, None) => Report { verdict: Verdict::Unknown(Why::Cancelled), statistics, tried },
    }
}

/// A turn of one engine. It ends at a query, or where the engine says how far it is.
struct Turn {
    shared: Arc<Shared>,
    seat: usize,
    length: u64,
    /// What was done when it began.
    begin: Work,
    /// What the engine said last.
    statistics: Statistics,
}

#[derive(Clone, Copy)]
struct Work {
    solver: u32,
    terms: u64,
    nodes: usize,
    steps: u64,
}

impl Work {
    fn now(statistics: Statistics) -> Work {
        let Statistics { nodes, steps, .. } = statistics;
        Work { solver: work_done().unwrap_or(0), terms: terms_made(), nodes, steps }
    }

    fn since(self, begin: Work) -> u64 {
        let nodes = self.nodes.saturating_sub(begin.nodes) as u64;
        let steps = self.steps.saturating_sub(begin.steps) / STEPS;
        let terms = (self.terms - begin.terms) * TERM;
        u64::from(self.solver.wrapping_sub(begin.solver)) + terms + (nodes + steps) * NODE
    }
}

impl Turn {
    fn new(shared: Arc<Shared>, seat: usize, length: u64) -> Turn {
        let statistics = Statistics::default();
        Turn { shared, seat, length, begin: Work::now(statistics), statistics }
    }

    /// Waits for the next turn if this one is over, and somebody else waits.
    fn look(&mut self, length: u64) {
        let now = Work::now(self.statistics);
        if now.since(self.begin) < length {
            return;
        }
        self.length *= 2;
        self.begin = now;
        let mut table = self.shared.lock();
        if table.waiting.is_empty() || table.is_over {
            return;
        }
        table.waiting.push_back(self.seat);
        table.seats[self.seat].state = State::Waiting;
        self.shared.changed.notify_all();
        while table.seats[self.seat].state == State::Waiting && !table.is_over {
            let waited = self.shared.changed.wait(table);
            table = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A query comes, which may take as much as a turn. With a result at hand there is more time.
    fn query(&mut self, has_result: bool) -> u32 {
        self.look(if has_result { self.length * RESULT } else { self.length });
        u32::try_from(self.length).unwrap_or(u32::MAX)
    }

    fn go_on(&mut self, statistics: Statistics) -> Result<(), Reason> {
        self.statistics = statistics;
        self.shared.lock().seats[self.seat].statistics = statistics;
        self.look(self.length);
        match self.shared.lock().is_over {
            true => Err(Reason::Cancelled),
            false => Ok(()),
        }
    }
}

/// The turns of one engine, as it sees them: now and then it has to wait.
struct Turns {
    turn: Rc<RefCell<Turn>>,
    listens: bool,
}

impl Watch for Turns {
    fn started(&mut self, cancel: Cancel) {
        let turn = self.turn.borrow();
        let mut table = turn.shared.lock();
        if table.is_over {
            cancel.cancel();
        }
        table.seats[turn.seat].cancel = Some(cancel);
    }

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        self.turn.borrow_mut().go_on(statistics)
    }

    fn listens(&self) -> bool {
        self.listens
    }

    fn happened(&mut self, event: Event) {
        let turn = self.turn.borrow();
        let mut table = turn.shared.lock();
        if !table.is_over {
            table.happened(turn.seat, event.what);
        }
    }

    fn shares(&self) -> bool {
        true
    }

    fn tell(&mut self, news: News) {
        self.turn.borrow().shared.lock().board.push(Arc::new(news));
    }

    fn heard(&self) -> Vec<Arc<News>> {
        let turn = self.turn.borrow();
        let table = turn.shared.lock();
        let own = table.seats[turn.seat].engine;
        table.board.iter().filter(|news| news.from != own).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use lakatos_ir::{DataModel, Source};

    use super::*;
    use crate::{Engine, Unwatched};

    /// What an engine of a test does after so many nodes.
    #[derive(Clone, Copy)]
    enum Then {
        /// It has no answer.
        GiveUp,
        /// It has one, which the tests cannot make: nobody can without a proof or a run.
        Panic,
        /// It never ends.
        GoOn,
    }

    /// An engine that makes nodes, and writes down when.
    struct Fake {
        name: &'static str,
        nodes: usize,
        then: Then,
        log: Arc<Mutex<Vec<(&'static str, usize)>>>,
    }

    impl Engine for Fake {
        fn name(&self) -> &'static str {
            self.name
        }

        fn solve(&self, _task: &Task<'_>, watch: &mut dyn Watch) -> Report {
            let mut statistics = Statistics::default();
            loop {
                if let Err(reason) = watch.progress(statistics) {
                    return Report::new(Verdict::Unknown(why(reason)), statistics);
                }
                self.log.lock().unwrap().push((self.name, statistics.nodes));
                statistics.nodes += 1_000;
                match self.then {
                    Then::GoOn => {}
                    _ if statistics.nodes < self.nodes => {}
                    Then::GiveUp => {
                        return Report::new(Verdict::Unknown(Why::NoProgress), statistics);
                    }
                    Then::Panic => panic!("{} fails", self.name),
                }
            }
        }
    }

    type Log = Vec<(&'static str, usize)>;

    fn run(
        engines: &[(&'static str, usize, Then)],
        jobs: usize,
        watch: &mut dyn Watch,
    ) -> (Report, Log) {
        let source = Source::new("empty.c", "int main(void) { return 0; }");
        let options = lakatos_c::Options::of_model(DataModel::Lp64);
        let program = lakatos_c::compile(source, &options).expect("it is C");
        let log = Arc::new(Mutex::new(Vec::new()));
        let member = |(name, nodes, then): (&'static str, usize, Then)| -> Member {
            let engine = Arc::new(Fake { name, nodes, then, log: Arc::clone(&log) });
            Member { engine, share: 1 }
        };
        let members = engines.iter().copied().map(member).collect();
        let task = Task {
            program: &program,
            property: Property::UnreachCall,
            signed_overflow: SignedOverflow::Undefined,
        };
        let report = relay(members, jobs, &task, watch);
        let log = log.lock().unwrap().clone();
        (report, log)
    }

    /// Ends after so many looks.
    struct Patience(u32);

    impl Watch for Patience {
        fn started(&mut self, _cancel: Cancel) {}

        fn progress(&mut self, _statistics: Statistics) -> Result<(), Reason> {
            self.0 = self.0.checked_sub(1).ok_or(Reason::Time)?;
            Ok(())
        }
    }

    #[test]
    fn turns_grow_and_are_the_same_every_time() {
        let engines = [("a", 9_000, Then::GiveUp), ("b", 5_000, Then::GiveUp)];
        let (report, log) = run(&engines, 1, &mut Unwatched);
        // Two thousand nodes are the first turn, four thousand the second.
        let expected = "a0 a1 b0 b1 a2 a3 a4 a5 b2 b3 b4 a6 a7 a8";
        let text: Vec<String> =
            log.iter().map(|(name, nodes)| format!("{name}{}", nodes / 1_000)).collect();
        assert_eq!(text.join(" "), expected);
        assert!(matches!(report.verdict, Verdict::Unknown(Why::NoProgress)));
        let turns: Vec<u32> = report.tried.iter().map(|tried| tried.turns).collect();
        assert_eq!(turns, [3, 2]);
        for _ in 0..5 {
            assert_eq!(run(&engines, 1, &mut Unwatched).1, log);
        }
    }

    #[test]
    fn the_first_turn_is_for_one_alone() {
        let engines = [("a", 2_000, Then::GiveUp), ("b", 1_000, Then::GiveUp)];
        let (_, log) = run(&engines, 2, &mut Unwatched);
        assert_eq!(log, [("a", 0), ("a", 1_000), ("b", 0)]);
    }

    #[test]
    fn whoever_watches_ends_all() {
        for jobs in [1, 2, 3] {
            let engines = [("a", 0, Then::GoOn), ("b", 0, Then::GoOn), ("c", 0, Then::GoOn)];
            let (report, _) = run(&engines, jobs, &mut Patience(5));
            assert!(matches!(report.verdict, Verdict::Unknown(Why::TimeLimit)));
            assert!(report.tried.iter().all(|tried| tried.end != End::Answered));
        }
    }

    /// Hears everything.
    #[derive(Default)]
    struct Ear(Vec<String>);

    impl Watch for Ear {
        fn started(&mut self, _cancel: Cancel) {}

        fn progress(&mut self, _statistics: Statistics) -> Result<(), Reason> {
            Ok(())
        }

        fn listens(&self) -> bool {
            true
        }

        fn happened(&mut self, Event { engine, what }: Event) {
            self.0.push(match what {
                What::Turn(turn) => format!("{engine}{turn}"),
                What::Ended(End::GaveUp(_)) => format!("{engine} gave up"),
                other => panic!("{other:?}"),
            });
        }
    }

    #[test]
    fn turns_are_told_in_order() {
        let engines = [("a", 9_000, Then::GiveUp), ("b", 5_000, Then::GiveUp)];
        let mut ear = Ear::default();
        run(&engines, 1, &mut ear);
        assert_eq!(ear.0, ["a1", "b1", "a2", "b2", "b gave up", "a3", "a gave up"]);
    }

    #[test]
    fn a_panic_is_not_lost() {
        for jobs in [1, 2] {
            let engines = [("a", 0, Then::GoOn), ("b", 3_000, Then::Panic)];
            let run = AssertUnwindSafe(|| run(&engines, jobs, &mut Unwatched));
            let panic = catch_unwind(run).unwrap_err();
            assert_eq!(panic.downcast_ref::<String>().unwrap(), "b fails");
        }
    }
}
