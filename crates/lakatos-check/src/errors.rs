//! Which errors a proof in the making says nothing about.
//!
//! Nothing here is trusted: who leaves the others out has to check the whole proof in the end.

use lakatos_evidence::Proof;
use lakatos_ir::{ProcId, SignedOverflow, Span};
use lakatos_logic::smt::{Answer, Reason, Smt};

use crate::check::{Flaw, Instrumented, Ways};
use crate::condition::Kind;

/// Somebody wants an end, or a cycle has no invariant.
enum End {
    Stopped(Reason),
    Flaw,
}

impl From<Flaw> for End {
    fn from(_: Flaw) -> End {
        End::Flaw
    }
}

/// The errors, by procedure and place, that may be reached as far as the claims of a proof tell.
/// `None` where that cannot be told. An error if somebody wants an end.
pub fn open_errors(
    subject: &Instrumented,
    proof: &Proof,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Result<Option<Vec<(ProcId, Span)>>, Reason> {
    let mut open = Vec::new();
    let walked = Ways::new(subject.program(), proof, signed_overflow).walk(|maker, segment| {
        for obligation in &segment.obligations {
            if !matches!(obligation.condition.kind, Kind::Unreachable(_)) {
                continue;
            }
            let mut query = segment.facts.clone();
            query.extend(obligation.denied(&mut maker.terms));
            let query = subject.grounded(&mut maker.terms, query);
            match smt.model(&maker.terms, &query).0 {
                Answer::Unsat => {}
                Answer::Unknown(reason) if reason.is_end() => return Err(End::Stopped(reason)),
                _ => open.push((obligation.condition.proc, obligation.condition.span)),
            }
        }
        Ok(())
    });
    match walked {
        Ok(()) => Ok(Some(open)),
        Err(End::Flaw) => Ok(None),
        Err(End::Stopped(reason)) => Err(reason),
    }
}
