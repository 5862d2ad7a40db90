//! `--witness`: a verdict as a file in the exchange format of verifiers.

use std::env;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Result, ensure};
use lakatos_check::{Instrumented, Verdict};
use lakatos_evidence::{Form, Refutation};
use lakatos_ir::interpret::{self, Keyed};
use lakatos_ir::pass;
use lakatos_ir::{DataModel, InputKind, Program, Property, SignedOverflow};
use lakatos_logic::smt::{Limits, Smt};
use lakatos_witness::format::{self, Content, Metadata, Producer, Task, Witness};
use lakatos_witness::outline::Outline;
use lakatos_witness::{invariants, run};

use crate::input;
use crate::lemmas;
use crate::load::Choice;
use crate::terminal::note;
use crate::whole;

/// What the solver may do to compare a formula with its text.
const WORK: u32 = 2_000_000;

/// Where a witness goes and which file it is about.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: String,
    hash: String,
    model: DataModel,
    signed_overflow: SignedOverflow,
}

impl Writer {
    /// For the file that was chosen. Reads it, since a witness names its hash.
    pub fn new(
        path: &Path,
        choice: &Choice,
        properties: usize,
        signed_overflow: SignedOverflow,
    ) -> Result<Writer> {
        ensure!(
            choice.path != Path::new("-"),
            "a witness names the file it is about, and standard input has no name\n  \
             Give the program as a file."
        );
        ensure!(
            properties <= 1,
            "a witness is about one property, and {properties} are asked for\n  \
             Choose one with `--property`."
        );
        let bytes = input::read(&choice.path)?;
        Ok(Writer {
            path: path.to_owned(),
            file: file_name(&choice.path),
            hash: format::hash(&bytes),
            model: choice.model,
            signed_overflow,
        })
    }

    /// Writes the witness of a verdict; there is none for `unknown`.
    pub fn write(&self, program: &Program, property: Property, verdict: &Verdict) -> Result<()> {
        let outline = Outline::new(program);
        let (content, notes) = match verdict {
            Verdict::Proved(checked) if lemmas::rests_on_some(checked.proof()) => {
                let names = lemmas::assumed(checked.proof());
                note(&format!(
                    "there is no witness, as none can say that the proof rests on {names}"
                ));
                return Ok(());
            }
            Verdict::Proved(checked) => {
                let subject = Instrumented::of(program, property, checked);
                let limits = Limits { resources: Some(WORK), time: None };
                let mut smt = Smt::new(limits);
                let (said, notes) = match checked.proof().form() {
                    Form::Arrays => {
                        let (subject, proof) = (subject.program(), checked.proof());
                        invariants::from_proof_of_arrays(program, subject, &outline, proof)
                    }
                    Form::Program | Form::Unrolled(_) | Form::Inductive(_) => {
                        let (subject, proof) = (subject.program(), checked.proof());
                        invariants::from_proof(subject, &outline, proof, &mut smt)
                    }
                };
                (Content::Correctness(said), notes)
            }
            Verdict::Refuted(refutation) => {
                let calm = self.calm(program, property, refutation);
                let refutation = calm.as_ref().unwrap_or(refutation);
                let (segments, notes) = run::from_refutation(program, &outline, refutation);
                (Content::Violation(segments), notes)
            }
            Verdict::Unknown(_) => {
                note("there is no witness, as nothing is known");
                return Ok(());
            }
        };
        for message in notes {
            note(&message);
        }
        let witness = Witness { metadata: self.metadata(property, &content), content };
        whole::write(&self.path, &format::write(&witness))
    }

    /// The same run with zeros where variables are not initialised, if it ends in the violation as
    /// well: then there is nothing to say about them.
    fn calm(
        &self,
        program: &Program,
        property: Property,
        refutation: &Refutation,
    ) -> Option<Refutation> {
        let inputs = refutation.inputs().iter();
        let said = inputs.filter(|input| input.kind != InputKind::Uninitialised);
        let keyed: Keyed = said.map(|i| ((i.site, i.occurrence, i.element), i.value)).collect();
        let options = interpret::Options {
            signed_overflow: self.signed_overflow,
            ..interpret::Options::default()
        };
        let replayed = pass::replayed(program, Some(property));
        Refutation::replay(&replayed, property, &options, &keyed).ok()
    }

    fn metadata(&self, property: Property, content: &Content) -> Metadata {
        Metadata {
            format_version: content.version().to_owned(),
            uuid: String::new(),
            creation_time: humantime::format_rfc3339_seconds(now()).to_string(),
            producer: Producer {
                name: "Lakatos".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            task: Task {
                files: vec![(self.file.clone(), Some(self.hash.clone()))],
                specification: format::specification(property),
                data_model: format::model_name(self.model).to_owned(),
                language: "C".to_owned(),
            },
        }
    }
}

/// A file without its folders, which are no one else's.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The time; `SOURCE_DATE_EPOCH`, where it is set, so that a file can be made again.
fn now() -> SystemTime {
    let given = env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    match given {
        Some(seconds) => SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
        None => SystemTime::now(),
    }
}
