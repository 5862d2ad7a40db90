//! How far guesses go: cheap ones first.

/// How far guesses go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    pub functions: Functions,
    /// Squares, and what holds for some values of flags or where conditions of the program hold.
    pub is_far: bool,
    /// Guesses are about what variables were made of, not about those ([`Kept`](super::kept::Kept)),
    /// and about squares.
    pub keeps: bool,
    /// Functions are asked of arrays with another value at an index, too, and with zero as a number;
    /// of their values only whether they are those of variables.
    pub replaces: bool,
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
    pub const PLAIN: Reach =
        Reach { functions: Functions::None, is_far: false, keeps: false, replaces: false };
    const SIMPLE: Reach = Reach { functions: Functions::Simple, ..Reach::PLAIN };
    const ALL: Reach = Reach { functions: Functions::All, ..Reach::PLAIN };
    /// One after the other.
    pub const STAGES: [Reach; 7] = [
        Reach::PLAIN,
        Reach::SIMPLE,
        Reach { keeps: true, ..Reach::SIMPLE },
        Reach { is_far: true, ..Reach::PLAIN },
        Reach { keeps: true, replaces: true, ..Reach::ALL },
        Reach { is_far: true, ..Reach::ALL },
        Reach { is_far: true, keeps: true, ..Reach::ALL },
    ];
}
