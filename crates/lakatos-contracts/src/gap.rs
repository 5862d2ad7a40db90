//! What is missing from a set of contracts, and why.

/// Something that a proof rests on and the annotations do not say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Gap {
    #[error(
        "{at}: {what} says something that has no text in ACSL (parts that are left out: {lost})"
    )]
    Formula { at: String, what: String, lost: usize },
    #[error(
        "{at}: an invariant is needed here, and ACSL has no place for one: this is no `for`, \
         `while` or `do` loop\n  Write the loop as one of these."
    )]
    NoLoop { at: String },
    #[error(
        "{at}: {what} may change memory that pointers reach, so there is no `assigns` for it\n  \
         Write down what it assigns."
    )]
    Memory { at: String, what: String },
    #[error("{at}: {what} changes `{name}`, which has no name there, so it is not in `assigns`")]
    Hidden { at: String, what: String, name: String },
    #[error(
        "{at}: {what} has annotations already; they are kept as they are, and nothing is added\n  \
         Remove them to get the inferred ones."
    )]
    Annotated { at: String, what: String },
    #[error(
        "{at}: `{name}` is declared without its parameters, so no contract can speak of them\n  \
         Declare them."
    )]
    NoPrototype { at: String, name: String },
    #[error(
        "{at}: there is no place for the contract of `{name}`: other functions with other contracts \
         are declared together with it\n  Give it a declaration of its own."
    )]
    Together { at: String, name: String },
    #[error(
        "{at}: there is no place for {what}: it is not in the file itself (a macro, or an included \
         file)\n  Preprocess the file with `cc -E -C` and take the result."
    )]
    Elsewhere { at: String, what: String },
}
