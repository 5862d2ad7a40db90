//! Points as SV-COMP gives them: a wrong verdict costs more than many right ones bring.

use super::answer::Answer;

/// Of one answer, given what is expected.
pub fn score(answer: Answer, expected: bool) -> i64 {
    match (answer, expected) {
        (Answer::True, true) => 2,
        (Answer::False, false) => 1,
        (Answer::True, false) => -32,
        (Answer::False, true) => -16,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_rules_say() {
        for (answer, if_true, if_false) in [
            (Answer::True, 2, -32),
            (Answer::False, -16, 1),
            (Answer::Unknown, 0, 0),
            (Answer::Timeout, 0, 0),
            (Answer::Memory, 0, 0),
            (Answer::Error, 0, 0),
        ] {
            assert_eq!((score(answer, true), score(answer, false)), (if_true, if_false));
        }
    }
}
