//! What happens in a run, in order, for people: turns of engines, refinements with what they taught
//! and where, bounds. Plain data like [`crate::graph`], and bounded: of many refinements the first
//! and the last are kept, and of many lessons the first.

mod tell;

use lakatos_analysis::cegar::How;
use lakatos_ir::Span;

use crate::End;

pub(crate) use self::tell::Tell;

/// Refinements of one engine that are kept: the first and the last ones.
const FIRST: usize = 100;
const LAST: usize = 200;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// As [`crate::Engine::name`] calls it.
    pub engine: &'static str,
    pub what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Its turn begins, the first one, the second one, ...
    Turn(u32),
    Refined(Refined),
    /// So many refinements that are not kept.
    LeftOut(u64),
    /// Nothing is violated within so many turns of each loop.
    Bound(u32),
    /// It has ended by itself.
    Ended(End),
}

/// A refinement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refined {
    /// From 1; 0 is what the engine began with.
    pub number: u64,
    /// Nodes that had been made by then.
    pub nodes: usize,
    pub how: How,
    /// Where the counterexample ends, and its length where that is known.
    pub target: Option<Place>,
    pub steps: Option<usize>,
    pub learned: Vec<Learned>,
    /// Lessons that are not listed.
    pub left_out: usize,
}

/// The same lesson in a function, at all places where it was learned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learned {
    pub kind: Kind,
    /// A formula, or the name of a variable.
    pub text: String,
    pub function: String,
    /// Places in the source.
    pub spans: Vec<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Predicate,
    /// The values of a variable are followed.
    Variable,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub function: String,
    /// None for what is not in the source.
    pub span: Option<Span>,
}

/// Events as far as they are kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    events: Vec<Event>,
}

impl History {
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn into_events(self) -> Vec<Event> {
        self.events
    }

    pub fn add(&mut self, event: Event) {
        let engine = event.engine;
        let is_refinement = matches!(event.what, What::Refined(_));
        self.events.push(event);
        if is_refinement {
            self.trim(engine);
        }
    }

    /// Removes the refinement in the middle if there are too many.
    fn trim(&mut self, engine: &'static str) {
        let is_one =
            |event: &Event| event.engine == engine && matches!(event.what, What::Refined(_));
        let kept: Vec<usize> =
            (0..self.events.len()).filter(|at| is_one(&self.events[*at])).collect();
        if kept.len() <= FIRST + LAST {
            return;
        }
        let is_gap =
            |event: &&mut Event| event.engine == engine && matches!(event.what, What::LeftOut(_));
        let gone = kept[FIRST];
        match self.events.iter_mut().find(is_gap) {
            Some(Event { what: What::LeftOut(number), .. }) => {
                *number += 1;
                self.events.remove(gone);
            }
            _ => self.events[gone].what = What::LeftOut(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refined(engine: &'static str, number: u64) -> Event {
        let (nodes, how) = (number as usize * 10, How::Contradiction);
        let (target, steps, learned) = (None, None, Vec::new());
        let refined = Refined { number, nodes, how, target, steps, learned, left_out: 0 };
        Event { engine, what: What::Refined(refined) }
    }

    /// Numbers of refinements, `-n` for those left out, `t` for turns.
    fn text(history: &History, engine: &str) -> Vec<String> {
        let of = history.events().iter().filter(|event| event.engine == engine);
        of.map(|event| match &event.what {
            What::Refined(refined) => refined.number.to_string(),
            What::LeftOut(number) => format!("-{number}"),
            _ => "t".to_owned(),
        })
        .collect()
    }

    #[test]
    fn the_first_and_the_last_are_kept() {
        let mut history = History::default();
        history.add(refined("b", 1));
        for number in 1..=1000 {
            if number == 150 || number == 1000 {
                history.add(Event { engine: "a", what: What::Turn(1) });
            }
            history.add(refined("a", number));
        }
        history.add(refined("b", 2));
        let mut expected: Vec<String> = (1..=100).map(|number: u64| number.to_string()).collect();
        expected.extend(["-700".to_owned(), "t".to_owned()]);
        expected.extend((801..1000).map(|number: u64| number.to_string()));
        expected.extend(["t".to_owned(), "1000".to_owned()]);
        assert_eq!(text(&history, "a"), expected);
        assert_eq!(text(&history, "b"), ["1", "2"]);
    }

    #[test]
    fn few_are_all_kept() {
        let mut history = History::default();
        (1..=300).for_each(|number| history.add(refined("a", number)));
        assert_eq!(history.events().len(), 300);
        history.add(refined("a", 301));
        assert_eq!(text(&history, "a")[99..102], ["100", "-1", "102"]);
    }
}
