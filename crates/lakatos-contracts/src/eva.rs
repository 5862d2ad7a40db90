//! Reports of Frama-C's plug-in Eva, an analysis of values: the alarms about a function that is
//! called with anything, and which of them its contract removes.
//!
//! Alarms are what Eva cannot exclude: an overflow, a division by zero. They have no names, so those
//! of two runs are compared by what they say, in order of the source.

use crate::frama_c::{Row, Unreadable, properties};

/// As Frama-C calls alarms. Other rows of its report are about annotations.
const ALARMS: [&str; 20] = [
    "bool_value",
    "dangling_pointer",
    "differing_blocks",
    "division_by_zero",
    "float_to_int",
    "function_pointer",
    "index_bound",
    "initialization",
    "is_nan",
    "is_nan_or_infinite",
    "mem_access",
    "overlap",
    "pointer_downcast",
    "pointer_value",
    "ptr_comparison",
    "separation",
    "shift",
    "signed_downcast",
    "signed_overflow",
    "unsigned_overflow",
];

/// What Eva says of one function, called with anything and called as its contract demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarms {
    pub function: String,
    /// Only without the contract. The lines are those of the source without annotations.
    pub removed: Vec<Row>,
    /// In both runs; the lines likewise.
    pub left: Vec<Row>,
    /// Only with the contract. The lines are those of the annotated source.
    pub new: Vec<Row>,
    /// Annotations of the function that Eva says are false.
    pub wrong: Vec<Row>,
}

impl Alarms {
    /// From the reports (`-report-csv`) of two runs that begin with the function.
    pub fn new(function: &str, without: &str, with: &str) -> Result<Alarms, Unreadable> {
        let own = |text: &str| {
            let mut rows = properties(text)?;
            rows.retain(|row| row.function == function);
            rows.sort_by_key(|row| row.line);
            Ok::<Vec<Row>, Unreadable>(rows)
        };
        let (without, mut with) = (own(without)?, own(with)?);
        let is_false = |row: &Row| !is_alarm(row) && row.status.starts_with("Invalid");
        let wrong = with.iter().filter(|row| is_false(row)).cloned().collect();
        with.retain(is_open);
        let mut alarms = Alarms {
            function: function.to_owned(),
            removed: vec![],
            left: vec![],
            new: vec![],
            wrong,
        };
        for row in without.into_iter().filter(is_open) {
            let same = |other: &Row| (&other.kind, &other.text) == (&row.kind, &row.text);
            match with.iter().position(same) {
                Some(place) => {
                    with.remove(place);
                    alarms.left.push(row);
                }
                None => alarms.removed.push(row),
            }
        }
        alarms.new = with;
        Ok(alarms)
    }

    pub fn without(&self) -> usize {
        self.removed.len() + self.left.len()
    }

    pub fn with(&self) -> usize {
        self.new.len() + self.left.len()
    }
}

fn is_alarm(row: &Row) -> bool {
    ALARMS.contains(&row.kind.as_str())
}

/// An alarm that Eva has not excluded after all.
fn is_open(row: &Row) -> bool {
    is_alarm(row) && row.status != "Valid" && row.status != "Dead"
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "directory\tfile\tline\tfunction\tproperty kind\tstatus\tproperty\n";

    fn report(rows: &[(u32, &str, &str, &str, &str)]) -> String {
        let row = |(line, function, kind, status, text): &(u32, &str, &str, &str, &str)| {
            format!(".\ta.i\t{line}\t{function}\t{kind}\t{status}\t{text}\n")
        };
        rows.iter().fold(HEADER.to_owned(), |all, fields| all + &row(fields))
    }

    fn lines(rows: &[Row]) -> Vec<u32> {
        rows.iter().map(|row| row.line).collect()
    }

    #[test]
    fn alarms_are_compared_by_what_they_say() {
        let without = report(&[
            (9, "f", "signed_overflow", "Unknown", "x + 1 ≤ 2147483647"),
            (5, "f", "signed_overflow", "Unknown", "x + 1 ≤ 2147483647"),
            (6, "f", "division_by_zero", "Invalid or unreachable", "y ≢ 0"),
            (7, "g", "division_by_zero", "Unknown", "y ≢ 0"),
            (8, "f", "shift", "Valid", "0 ≤ y"),
        ]);
        let with = report(&[
            (2, "f", "precondition", "Valid", "y ≡ 1"),
            (8, "f", "signed_overflow", "Unknown", "x + 1 ≤ 2147483647"),
            (9, "f", "index_bound", "Unknown", "x < 3"),
            (3, "f", "postcondition", "Invalid", "\\result ≡ 0"),
        ]);
        let alarms = Alarms::new("f", &without, &with).unwrap();
        assert_eq!((alarms.without(), alarms.with()), (3, 2));
        assert_eq!(lines(&alarms.left), [5]);
        assert_eq!(lines(&alarms.removed), [6, 9]);
        assert_eq!(lines(&alarms.new), [9]);
        assert_eq!(lines(&alarms.wrong), [3]);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let good = report(&[]);
        assert_eq!(Alarms::new("f", "", &good), Err(Unreadable::NoHeader));
        let short = format!("{HEADER}a\tb\n");
        assert!(matches!(
            Alarms::new("f", &good, &short),
            Err(Unreadable::Properties { line: 2, .. })
        ));
    }
}
