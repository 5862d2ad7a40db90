//! Systems from SMT-LIB text of the logic `HORN`, as CHC-COMP writes it and [`super::text`] prints
//! it: declared predicates, defined functions, and one clause an assertion.

mod term;

use rustc_hash::FxHashMap;

use self::term::{Error, Names, Reader};
use super::{Application, Clause, Predicate, PredicateId, System};
use crate::smt::sexpr::{Sexpr, SexprError, Sexprs, line_and_column};
use crate::term::{Function, Node, Sort, Symbol, Term, Terms};

/// Why a text is no system, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ReadError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl From<SexprError> for ReadError {
    fn from(error: SexprError) -> ReadError {
        let SexprError { line, column, problem } = error;
        ReadError { line, column, message: problem.to_string() }
    }
}

/// The system that a text describes in the end. A clause's note is the line of its assertion.
pub fn read(terms: &mut Terms, text: &str) -> Result<System, ReadError> {
    Ok(script(terms, text)?.now.system)
}

/// The systems that a text asks about: what is asserted at each `check-sat`, or in the end if there is
/// none.
pub fn questions(terms: &mut Terms, text: &str) -> Result<Vec<System>, ReadError> {
    let script = script(terms, text)?;
    Ok(match script.asked.is_empty() {
        true => vec![script.now.system],
        false => script.asked,
    })
}

fn script<'a>(terms: &'a mut Terms, text: &'a str) -> Result<Script<'a>, ReadError> {
    let sexprs = Sexprs::parse(text)?;
    let (now, before, asked) = (State::default(), Vec::new(), Vec::new());
    let mut script = Script { text, terms, now, before, asked, has_ended: false };
    for command in sexprs.items() {
        script.command(command).map_err(|Error { at, message }| {
            let (line, column) = line_and_column(text, at);
            ReadError { line, column, message }
        })?;
        if script.has_ended {
            break;
        }
    }
    Ok(script)
}

/// What has been declared and asserted.
#[derive(Clone, Default)]
struct State {
    system: System,
    names: Names,
    functions: FxHashMap<Function, PredicateId>,
    /// Predicates without parameters are symbols.
    plain: FxHashMap<Symbol, PredicateId>,
}

struct Script<'a> {
    text: &'a str,
    terms: &'a mut Terms,
    now: State,
    /// What `pop` goes back to, the last one last.
    before: Vec<State>,
    asked: Vec<System>,
    /// There was an `exit`.
    has_ended: bool,
}

/// More levels are refused: each keeps what was asserted before it.
const MOST_LEVELS: usize = 1000;

fn refuse<T>(at: Sexpr<'_>, message: impl Into<String>) -> Result<T, Error> {
    Err(Error { at: at.start(), message: message.into() })
}

/// `(push)`, `(push 2)`
fn levels(command: Sexpr<'_>) -> Result<usize, Error> {
    let number = match (command.list::<1>(), command.list::<2>()) {
        (Some(_), _) => Some(1),
        (None, Some([_, number])) => term::number(number).and_then(|n| usize::try_from(n).ok()),
        (None, None) => None,
    };
    match number.filter(|number| *number <= MOST_LEVELS) {
        Some(number) => Ok(number),
        None => refuse(command, format!("a number of levels up to {MOST_LEVELS} is expected")),
    }
}

impl Script<'_> {
    fn command(&mut self, command: Sexpr<'_>) -> Result<(), Error> {
        let name = command.items().and_then(|mut items| items.next()).and_then(Sexpr::symbol);
        match name {
            Some("set-logic") => match command.list::<2>() {
                Some([_, logic]) if logic.is_symbol("HORN") => Ok(()),
                _ => refuse(command, "the logic must be HORN: write `(set-logic HORN)`"),
            },
            Some("set-info" | "set-option" | "get-model" | "get-proof") => Ok(()),
            Some("check-sat") => match command.list::<1>() {
                Some(_) => {
                    self.asked.push(self.now.system.clone());
                    Ok(())
                }
                None => refuse(command, "`check-sat` takes nothing"),
            },
            Some("push") => self.push(command),
            Some("pop") => self.pop(command),
            Some("reset") => {
                self.now = State::default();
                self.before.clear();
                Ok(())
            }
            Some("exit") => {
                self.has_ended = true;
                Ok(())
            }
            Some("declare-fun") => self.declare(command),
            Some("define-fun") => self.define(command),
            Some("assert") => match command.list::<2>() {
                Some([_, formula]) => self.assert(command, formula),
                None => refuse(command, "`assert` takes one formula"),
            },
            Some(other) => refuse(command, format!("the command `{other}` is not supported")),
            None => refuse(command, "a command like `(assert …)` is expected"),
        }
    }

    fn push(&mut self, command: Sexpr<'_>) -> Result<(), Error> {
        let levels = levels(command)?;
        if self.before.len() + levels > MOST_LEVELS {
            return refuse(command, format!("there are more than {MOST_LEVELS} levels"));
        }
        for _ in 0..levels {
            self.before.push(self.now.clone());
        }
        Ok(())
    }

    fn pop(&mut self, command: Sexpr<'_>) -> Result<(), Error> {
        for _ in 0..levels(command)? {
            match self.before.pop() {
                Some(state) => self.now = state,
                None => return refuse(command, "nothing was pushed that could be popped"),
            }
        }
        Ok(())
    }

    fn declare(&mut self, command: Sexpr<'_>) -> Result<(), Error> {
        let Some([_, name, sorts, result]) = command.list::<4>() else {
            return refuse(command, "write `(declare-fun name (sorts) Bool)`");
        };
        let (Some(name_text), Some(sorts)) = (name.symbol(), sorts.items()) else {
            return refuse(command, "write `(declare-fun name (sorts) Bool)`");
        };
        let mut reader = Reader { terms: self.terms, names: &mut self.now.names };
        if reader.sort(result)? != Sort::Bool {
            return refuse(
                result,
                "only predicates can be declared in Horn clauses: the result must be Bool",
            );
        }
        if reader.names.is_function(name_text) {
            return refuse(name, format!("`{name_text}` is declared twice"));
        }
        let mut parameters = Vec::new();
        for (number, sort) in sorts.enumerate() {
            let sort = reader.sort(sort)?;
            let symbol = reader.terms.symbol(&format!("{name_text}!{number}"), sort);
            parameters.push(reader.terms.as_symbol(symbol).expect("just made"));
        }
        let predicate = Predicate::new(self.terms, name_text, parameters);
        let function = predicate.function;
        if predicate.parameters.is_empty() {
            let symbol = self.terms.apply(function, &[]);
            let symbol = self.terms.as_symbol(symbol).expect("a constant");
            self.now.plain.insert(symbol, PredicateId(self.now.system.predicates.len()));
        }
        let id = self.now.system.add_predicate(predicate);
        self.now.functions.insert(function, id);
        self.now.names.declare(name_text, function);
        Ok(())
    }

    fn define(&mut self, command: Sexpr<'_>) -> Result<(), Error> {
        let Some([_, name, parameters, result, body]) = command.list::<5>() else {
            return refuse(command, "write `(define-fun name ((x Sort)) Sort body)`");
        };
        let Some(name_text) = name.symbol() else {
            return refuse(name, "a name is expected");
        };
        let mut reader = Reader { terms: self.terms, names: &mut self.now.names };
        let bound = reader.bind(parameters)?;
        let value = reader.term(body, 0)?;
        let sort = reader.sort(result)?;
        if reader.terms.sort(value) != sort {
            return refuse(body, "the body has another sort than the function");
        }
        reader.unbind(&bound);
        let symbols = bound.into_iter().map(|(_, symbol)| symbol).collect();
        self.now.names.define(name_text, symbols, value);
        Ok(())
    }

    /// One clause: `forall` in front, or `not exists`, then an implication.
    fn assert(&mut self, command: Sexpr<'_>, formula: Sexpr<'_>) -> Result<(), Error> {
        let mut reader = Reader { terms: self.terms, names: &mut self.now.names };
        let mut bound = Vec::new();
        let mut at = formula;
        let mut negated = false;
        loop {
            let (word, inside) = match negated {
                true => ("exists", "a body that is negated"),
                false => ("forall", "a clause"),
            };
            if let Some(mut parts) = at.call(word) {
                let (Some(variables), Some(body), None) =
                    (parts.next(), parts.next(), parts.next())
                else {
                    return refuse(at, format!("write `({word} ((x Sort)) {inside})`"));
                };
                bound.extend(reader.bind(variables)?);
                at = body;
            } else if let (false, Some([_, inner])) =
                (negated, at.list::<2>().filter(|[not, _]| not.is_symbol("not")))
                && inner.call("exists").is_some()
            {
                negated = true;
                at = inner;
            } else {
                break;
            }
        }
        let matrix = reader.term(at, 0)?;
        if reader.terms.sort(matrix) != Sort::Bool {
            return refuse(at, "a clause must be a truth value");
        }
        let matrix = if negated { reader.terms.not(matrix) } else { matrix };
        reader.unbind(&bound);
        let (line, _) = line_and_column(self.text, command.start());
        self.clause(at, matrix, format!("line {line}"))
    }

    fn clause(&mut self, at: Sexpr<'_>, matrix: Term, note: String) -> Result<(), Error> {
        let mut clause = Clause {
            body: Vec::new(),
            constraint: Term::TRUE,
            head: None,
            marks: Vec::new(),
            note,
        };
        let mut constraint = Vec::new();
        for part in self.terms.disjuncts(matrix) {
            if let Some(head) = self.application(part) {
                if clause.head.replace(head).is_some() {
                    return refuse(
                        at,
                        "not a Horn clause: two predicates may follow from the same body",
                    );
                }
                continue;
            }
            let premise = self.terms.not(part);
            for premise in self.terms.conjuncts(premise) {
                match self.application(premise) {
                    Some(application) => clause.body.push(application),
                    None if self.mentions(premise) => {
                        return refuse(
                            at,
                            "not a Horn clause: a predicate stands under a connective other than \
                             the conjunction of a body; split the clause",
                        );
                    }
                    None => constraint.push(premise),
                }
            }
        }
        clause.constraint = self.terms.and(constraint);
        self.now.system.clauses.push(clause);
        Ok(())
    }

    fn application(&self, term: Term) -> Option<Application> {
        if let Some(symbol) = self.terms.as_symbol(term) {
            let predicate = *self.now.plain.get(&symbol)?;
            return Some(Application { predicate, arguments: Vec::new() });
        }
        match self.terms.node(term) {
            Node::Apply(function, arguments) => {
                let predicate = *self.now.functions.get(function)?;
                Some(Application { predicate, arguments: arguments.to_vec() })
            }
            _ => None,
        }
    }

    /// Whether a predicate is anywhere in a term.
    fn mentions(&self, term: Term) -> bool {
        self.terms.parts_first(&[term]).into_iter().any(|part| self.application(part).is_some())
    }
}
