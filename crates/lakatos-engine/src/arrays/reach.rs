//! How far guesses go: cheap ones first.

/// How far guesses go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    pub functions: Functions,
    /// Squares, and what holds for some values of flags or where conditions of the program hold.
    pub is_far: bool,
}

/// The functions of the user that are asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Functions {
    None,
    /// Of arrays and one number.
    Simple,
    All,
}

impl Reach {
    pub const PLAIN: Reach = Reach { functions: Functions::None, is_far: false };
    /// One after the other.
    pub const STAGES: [Reach; 4] = [
        Reach::PLAIN,
        Reach { functions: Functions::Simple, is_far: false },
        Reach { functions: Functions::None, is_far: true },
        Reach { functions: Functions::All, is_far: true },
    ];
}
