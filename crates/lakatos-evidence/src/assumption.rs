//! What a proof does not prove: the closed list of assumptions that a verdict names
//! (DESIGN.md section 7; in docs/semantics.md they are marked with a dagger).

use std::collections::BTreeSet;
use std::fmt;

use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::library::Effects;
use lakatos_ir::undefined;
use lakatos_ir::{
    Allocation, Builtin, Call, Callee, Decision, InputKind, Instr, Procedure, Program, Property,
    SignedOverflow, Undefined,
};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assumption {
    /// A path ends where a signed integer overflows.
    SignedOverflow,
    /// A path ends at any other undefined behaviour that the property is not about.
    UndefinedBehaviour,
    /// Operands whose order C leaves open, and that matters, are evaluated left to right.
    EvaluationOrder,
    /// A function of another file returns, does not violate the property, and calls no function of
    /// this file by its name.
    ExternalFunction(String),
    /// A function of the C library without a model returns, and keeps to its effects.
    LibraryFunction(String),
    /// Assembly changes nothing but its outputs.
    Assembly,
    /// No other file defines what is weak here.
    WeakDefinition,
    /// Objects of other files are objects by themselves.
    ExternalObject(String),
    /// Volatile memory is ordinary memory.
    Volatile,
    /// Volatile memory that is read through a pointer without `volatile` is ordinary memory.
    PlainAccess,
    /// Arrays in temporaries live until the function returns.
    Lifetime,
    /// Floating-point arithmetic has the precision of its type also where x87 would have more.
    Precision,
    /// `qsort` and `bsearch` compare in the order of the models.
    Sorting,
    /// Every locale is like the C locale.
    Locale,
    /// Objects in memory keep their values over `longjmp`.
    NonlocalJump,
    /// Signal handlers run between statements, never inside one.
    Signals,
    /// An allocation of at most `PTRDIFF_MAX` bytes succeeds.
    Allocation,
    /// `alloca` and arrays of variable length get the memory that they ask for.
    StackSpace,
    /// What `printf` is given is what its format says.
    Format,
    /// A function of another file accesses nothing that is not there, frees nothing, and loses no memory.
    ExternalAccess(String),
    /// A lemma of the user, by name, that was not proved.
    Lemma(String),
}

impl Assumption {
    /// What a verdict on a program assumes whichever engine finds it. Errs on the side of naming
    /// too much: what is never executed may count.
    pub fn of(
        program: &Program,
        property: impl Into<Option<Property>>,
        signed_overflow: SignedOverflow,
    ) -> BTreeSet<Assumption> {
        let mut found = BTreeSet::new();
        let property = property.into();
        found.extend(of_operations(program, property, signed_overflow));
        found.extend(of_calls(program, property.is_some_and(Property::is_about_memory)));
        let outside = program
            .sites
            .iter()
            .filter(|(_, site)| site.kind == InputKind::External && site.proc == program.start);
        found.extend(outside.map(|(_, site)| Assumption::ExternalObject(site.name.clone())));
        found.extend(program.warnings.iter().filter_map(|warning| match warning.decision? {
            Decision::EvaluationOrder => Some(Assumption::EvaluationOrder),
            Decision::Assembly => Some(Assumption::Assembly),
            Decision::WeakDefinition => Some(Assumption::WeakDefinition),
            Decision::Volatile => Some(Assumption::Volatile),
            Decision::PlainAccess => Some(Assumption::PlainAccess),
            Decision::Lifetime => Some(Assumption::Lifetime),
            Decision::Precision => Some(Assumption::Precision),
            Decision::Sorting => Some(Assumption::Sorting),
            Decision::Locale => Some(Assumption::Locale),
            Decision::NonlocalJump => Some(Assumption::NonlocalJump),
            Decision::Signals => Some(Assumption::Signals),
        }));
        found
    }
}

impl Assumption {
    /// The function or object outside of the program that it is about.
    pub fn outsider(&self) -> Option<&str> {
        match self {
            Assumption::ExternalFunction(name)
            | Assumption::LibraryFunction(name)
            | Assumption::ExternalObject(name)
            | Assumption::ExternalAccess(name) => Some(name),
            Assumption::SignedOverflow
            | Assumption::UndefinedBehaviour
            | Assumption::EvaluationOrder
            | Assumption::Assembly
            | Assumption::WeakDefinition
            | Assumption::Volatile
            | Assumption::Lifetime
            | Assumption::Precision
            | Assumption::Sorting
            | Assumption::Locale
            | Assumption::NonlocalJump
            | Assumption::Signals
            | Assumption::Allocation
            | Assumption::Format
            | Assumption::PlainAccess
            | Assumption::StackSpace
            | Assumption::Lemma(_) => None,
        }
    }
}

fn of_operations(
    program: &Program,
    property: Option<Property>,
    signed_overflow: SignedOverflow,
) -> BTreeSet<Assumption> {
    let classify = |kind: Undefined| match (kind, property) {
        (Undefined::SignedOverflow, Some(Property::NoOverflow)) => None,
        (Undefined::SignedOverflow, _) => match signed_overflow {
            SignedOverflow::Undefined => Some(Assumption::SignedOverflow),
            SignedOverflow::Wrap => None,
        },
        (Undefined::DivByZero, Some(Property::DivByZero)) => None,
        _ => Some(Assumption::UndefinedBehaviour),
    };
    let kinds = program.exprs.ids().flat_map(|expr| undefined::of_operation(program, expr));
    let mut found: BTreeSet<Assumption> = kinds.filter_map(classify).collect();
    if program.places.ids().any(|place| undefined::possible_in_place(program, place)) {
        found.insert(Assumption::UndefinedBehaviour);
    }
    found
}

fn of_calls(program: &Program, is_about_memory: bool) -> BTreeSet<Assumption> {
    let calls = CallGraph::new(program);
    let mut found = BTreeSet::new();
    for (_, procedure) in program.procs.iter().filter(|(proc, _)| calls.is_reachable(*proc)) {
        let Some(body) = &procedure.body else {
            found.extend(of_external(procedure, is_about_memory));
            continue;
        };
        found.extend(body.edges.iter().filter_map(|(_, edge)| of_allocation(program, &edge.instr)));
        let prints = |instr: &Instr| match instr {
            Instr::Call(call) => matches!(call.callee, Callee::Builtin(Builtin::Printf)),
            _ => false,
        };
        if is_about_memory && body.edges.iter().any(|(_, edge)| prints(&edge.instr)) {
            found.insert(Assumption::Format);
        }
        // The pointer may mean no function of its type.
        let by_pointer = |instr: &Instr| match instr {
            Instr::Call(call) => matches!(call.callee, Callee::Pointer(_)),
            _ => false,
        };
        if body.edges.iter().any(|(_, edge)| by_pointer(&edge.instr)) {
            found.insert(Assumption::UndefinedBehaviour);
        }
    }
    found
}

/// What is assumed of a procedure without a body.
fn of_external(procedure: &Procedure, is_about_memory: bool) -> Vec<Assumption> {
    let name = || procedure.name.clone();
    if procedure.is_error {
        return Vec::new();
    }
    match procedure.unmodelled() {
        // A proof excludes the call.
        Some(effects) if effects.needs_model(is_about_memory) => Vec::new(),
        Some(Effects::Unbounded) => Vec::new(),
        Some(Effects::Value | Effects::Reads | Effects::Writes) => {
            vec![Assumption::LibraryFunction(name())]
        }
        None if is_about_memory => {
            vec![Assumption::ExternalFunction(name()), Assumption::ExternalAccess(name())]
        }
        None => vec![Assumption::ExternalFunction(name())],
    }
}

fn of_allocation(program: &Program, instr: &Instr) -> Option<Assumption> {
    let Instr::Call(Call { callee: Callee::Builtin(builtin), .. }) = instr else { return None };
    match builtin {
        Builtin::Malloc | Builtin::Calloc | Builtin::Realloc => {
            match program.environment.allocation {
                Allocation::Succeeds => Some(Assumption::Allocation),
                Allocation::MayFail => None,
            }
        }
        Builtin::Alloca => Some(Assumption::StackSpace),
        _ => None,
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::SignedOverflow => f.write_str(
                "no signed overflow: a path ends where one happens (check it with \
                 `--property no-overflow`)",
            ),
            Assumption::UndefinedBehaviour => {
                f.write_str("no other undefined behaviour: a path ends where it happens")
            }
            Assumption::EvaluationOrder => f.write_str(
                "operands are evaluated left to right where C leaves the order open and it matters",
            ),
            Assumption::ExternalFunction(name) => {
                write!(
                    f,
                    "`{name}`, which is not defined, returns, does not violate the property, and \
                     calls no function of this file by name"
                )
            }
            Assumption::LibraryFunction(name) => {
                write!(f, "`{name}`, of which there is no model, returns and does nothing unusual")
            }
            Assumption::Assembly => f.write_str("assembly changes nothing but its outputs"),
            Assumption::WeakDefinition => {
                f.write_str("no other file defines what is declared weak here")
            }
            Assumption::ExternalObject(name) => {
                write!(f, "`{name}`, which another file defines, is no other object of the program")
            }
            Assumption::Volatile => f.write_str("volatile memory behaves like ordinary memory"),
            Assumption::PlainAccess => f.write_str(
                "volatile memory that is read through a pointer without `volatile` behaves like \
                 ordinary memory",
            ),
            Assumption::Lifetime => {
                f.write_str("arrays in temporaries live until the function returns")
            }
            Assumption::Precision => f.write_str(
                "floating-point operations round to their type (`gcc -m32 -msse2 -mfpmath=sse`), not to x87's",
            ),
            Assumption::Sorting => f.write_str(
                "`qsort` sorts by insertion, so that equal elements keep their order, and `bsearch` \
                 halves the array",
            ),
            Assumption::Locale => f.write_str("every locale is like the C locale"),
            Assumption::NonlocalJump => f.write_str(
                "automatic objects that are changed through their address after `setjmp` keep their \
                 values over `longjmp` where they are not `volatile`",
            ),
            Assumption::Signals => {
                f.write_str("a signal handler runs between statements, never inside one")
            }
            Assumption::Allocation => f.write_str(
                "memory that is asked for is there, if it is not more than PTRDIFF_MAX bytes \
                 (check it with `--malloc may-fail`)",
            ),
            Assumption::StackSpace => f.write_str("there is enough memory for `alloca` and arrays"),
            Assumption::Format => f.write_str("arguments of `printf` are what its format says"),
            Assumption::ExternalAccess(name) => {
                write!(
                    f,
                    "`{name}` accesses nothing that is not there, frees nothing, and loses no memory"
                )
            }
            Assumption::Lemma(name) => write!(f, "the lemma `{name}`, which was not proved"),
        }
    }
}
