//! Which clauses hold. No clause is called false without a run that was replayed.

use lakatos_check::{Checked, Verdict};
use lakatos_contracts::user::{Scene, User};
use lakatos_evidence::Refutation;
use lakatos_ir::{Program, Property};

use super::{Session, shown};

/// What was found out about the clauses.
pub(super) struct Judged {
    /// Those that are false, with a run.
    pub wrong: Vec<(usize, String)>,
    /// Those that hold in the program, but not in every call that the contracts allow.
    pub weak: Vec<(usize, String)>,
    /// Of the calls that the rest is about.
    pub scene: Scene,
    /// The proof that they all hold.
    pub help: Option<Box<Checked>>,
    /// Those that the proof is about.
    pub shown: Vec<usize>,
    /// Why there is none.
    pub unknown: Option<String>,
}

/// An answer about some clauses.
enum Answer {
    Hold(Box<Checked>),
    /// Of one of them, with the run.
    Fails(usize, String),
    Unknown(String),
}

impl Session<'_> {
    pub(super) fn judge(&self) -> Judged {
        let mut judged = Judged {
            wrong: Vec::new(),
            weak: Vec::new(),
            scene: Scene::Open,
            help: None,
            shown: Vec::new(),
            unknown: None,
        };
        let all: Vec<usize> = (0..self.user.number()).collect();
        let mut left = all.clone();
        loop {
            match self.ask(&left, Scene::Open) {
                Answer::Hold(help) => {
                    judged.help = Some(help);
                    break;
                }
                Answer::Unknown(why) => {
                    judged.unknown = Some(why);
                    break;
                }
                Answer::Fails(index, shown) => {
                    self.fails(index, shown, &mut judged);
                    left.retain(|other| *other != index);
                }
            }
        }
        let by_contract = judged.weak.is_empty() && judged.unknown.is_none();
        if judged.wrong.is_empty() && !by_contract {
            self.in_program(&all, &mut judged);
        }
        if judged.help.is_some() {
            judged.shown = all;
        }
        judged.wrong.sort_by_key(|(index, _)| self.user.clause(*index).span);
        judged
    }

    /// A clause fails in a call that contracts allow. Does the program make such a call?
    fn fails(&self, index: usize, shown: String, judged: &mut Judged) {
        match self.ask(&[index], Scene::Closed) {
            Answer::Fails(_, shown) => judged.wrong.push((index, shown)),
            Answer::Hold(_) if self.user.is_called(index) => judged.weak.push((index, shown)),
            Answer::Hold(_) | Answer::Unknown(_) => judged.wrong.push((index, shown)),
        }
    }

    /// All clauses, in the calls of the program.
    fn in_program(&self, all: &[usize], judged: &mut Judged) {
        judged.scene = Scene::Closed;
        judged.help = None;
        let mut left = all.to_vec();
        loop {
            match self.ask(&left, Scene::Closed) {
                Answer::Fails(index, shown) => {
                    judged.wrong.push((index, shown));
                    left.retain(|other| *other != index);
                }
                Answer::Hold(help) => {
                    judged.unknown = None;
                    judged.help = Some(help);
                    return;
                }
                Answer::Unknown(why) => {
                    judged.unknown = Some(why);
                    return;
                }
            }
        }
    }

    fn ask(&self, which: &[usize], scene: Scene) -> Answer {
        let program = self.user.judged(which, scene);
        match self.proving.by_engines(&program, Property::UnreachCall) {
            Verdict::Proved(checked) => {
                Answer::Hold(self.proving.shorter(&program, Property::UnreachCall, checked))
            }
            Verdict::Unknown(why) => Answer::Unknown(self.explain(why)),
            Verdict::Refuted(run) => self.violated(which, &program, &run),
        }
    }

    fn violated(&self, which: &[usize], program: &Program, run: &Refutation) -> Answer {
        let message = &run.violation().message;
        let Some(index) = User::violated(which, message) else {
            return Answer::Unknown(message.clone());
        };
        if self.user.clauses().is_open {
            let told = self.told(index);
            return Answer::Unknown(format!(
                "{told} fails in a run, but something that the user believes is not supported"
            ));
        }
        let told = format!("{} does not hold", self.user.clause(index).what);
        Answer::Fails(index, shown(program, run).replace(message, &told))
    }
}
