//! Queries as files, for bug reports: each a script of its own that any solver reads.
//!
//! A file is written before its query is asked and again with the answer, so that a query from
//! which nobody comes back is there as well. What Spacer and quantifier elimination are asked is
//! not written.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::{fs, io};

use super::{Answer, Features, Logic};
use crate::term::{Session, Term, Terms};

/// That queries could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", .path.display())]
pub struct DumpError {
    pub path: PathBuf,
    pub error: io::Error,
}

/// Where the queries of some solvers go: `query-000001.smt2` and so on, in the order in which they
/// are asked. Files of these names that are there are overwritten.
#[derive(Clone, Debug)]
pub(super) struct Dumps(Rc<RefCell<Folder>>);

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    queries: u32,
    error: Option<DumpError>,
    /// There was an error: it is told once, and nothing more is tried.
    failed: bool,
}

impl Dumps {
    pub(super) fn new(folder: PathBuf) -> Dumps {
        let folder = Folder { path: folder, queries: 0, error: None, failed: false };
        Dumps(Rc::new(RefCell::new(folder)))
    }

    pub(super) fn take_error(&self) -> Option<DumpError> {
        self.0.borrow_mut().error.take()
    }

    fn next(&self) -> u32 {
        let mut folder = self.0.borrow_mut();
        folder.queries += 1;
        folder.queries
    }

    fn write(&self, number: u32, text: &str) {
        let mut folder = self.0.borrow_mut();
        if folder.failed {
            return;
        }
        let path = folder.path.join(format!("query-{number:06}.smt2"));
        if let Err(error) = write(&folder.path, &path, text) {
            folder.failed = true;
            folder.error = Some(DumpError { path, error });
        }
    }
}

fn write(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let beside = path.with_extension("part");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    written.inspect_err(|_| {
        // Nothing is left of what could not be written as a whole.
        let _ = fs::remove_file(&beside);
    })
}

/// What a solver has been told, as terms.
#[derive(Debug)]
pub(super) struct Record {
    dumps: Dumps,
    /// Clauses, by level.
    levels: Vec<Vec<Box<[Term]>>>,
}

/// A query that has been written, without an answer.
#[derive(Debug)]
pub(super) struct Query {
    dumps: Dumps,
    number: u32,
    title: String,
    script: String,
}

impl Record {
    /// Of a solver at a level, with nothing asserted.
    pub(super) fn new(dumps: Dumps, levels: usize) -> Record {
        Record { dumps, levels: vec![Vec::new(); levels] }
    }

    pub(super) fn assert_any(&mut self, formulas: &[Term]) {
        self.levels.last_mut().expect("there is a base level").push(formulas.into());
    }

    pub(super) fn push(&mut self) {
        self.levels.push(Vec::new());
    }

    pub(super) fn truncate(&mut self, levels: usize) {
        self.levels.truncate(levels);
    }

    pub(super) fn reset(&mut self) {
        self.levels = vec![Vec::new()];
    }

    /// A query that a solver for a logic is asked now; it may change to a wider one for that.
    pub(super) fn query(&self, terms: &Terms, logic: Logic, assumptions: &[Term]) -> Query {
        let asserted = self.levels.iter().flatten().flatten();
        let all: Vec<Term> = asserted.chain(assumptions).copied().collect();
        let needed = Features::of(terms, &all);
        let logic = match logic.covers(needed) {
            true => logic,
            false => logic.features().union(needed).logic(),
        };
        let mut session = Session::new(terms);
        let mut script = format!("(set-logic {})\n", logic.name());
        for clause in self.levels.iter().flatten() {
            let texts: Vec<String> =
                clause.iter().map(|f| session.term(terms, *f, &mut script)).collect();
            let _ = match &texts[..] {
                [formula] => writeln!(script, "(assert {formula})"),
                [] => writeln!(script, "(assert false)"),
                _ => writeln!(script, "(assert (or {}))", texts.join(" ")),
            };
        }
        if !assumptions.is_empty() {
            script.push_str("; assumptions\n");
        }
        for assumption in assumptions {
            let text = session.term(terms, *assumption, &mut script);
            let _ = writeln!(script, "(assert {text})");
        }
        script.push_str("(check-sat)\n");
        let number = self.dumps.next();
        let title = format!("Lakatos, query {number}, {}", logic.name());
        let query = Query { dumps: self.dumps.clone(), number, title, script };
        query.write("none", "unknown");
        query
    }
}

impl Query {
    pub(super) fn answered(&self, answer: &Answer, solver: &str) {
        match answer {
            Answer::Sat => self.write(&format!("sat ({solver})"), "sat"),
            Answer::Unsat => self.write(&format!("unsat ({solver})"), "unsat"),
            Answer::Unknown(reason) => {
                let reason = reason.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                self.write(&format!("unknown ({solver}: {reason})"), "unknown");
            }
        }
    }

    fn write(&self, answer: &str, status: &str) {
        let (title, script) = (&self.title, &self.script);
        let text = format!("; {title}\n; answer: {answer}\n(set-info :status {status})\n{script}");
        self.dumps.write(self.number, &text);
    }
}
