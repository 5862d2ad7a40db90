//! Conditions of errors that are just false, or just true for some input: the values that are
//! possible at a place were printed there.

use std::collections::BTreeMap;

use super::program::Slot;
use crate::generate::Rng;

/// How often a value was seen at a place.
pub type Seen = BTreeMap<i128, usize>;

/// A statement that prints the value at a place; see [`seen`].
pub fn probe(number: usize, slot: &Slot) -> String {
    format!("printf(\"{number} %ld\\n\", (long){});", slot.value())
}

/// What the statements of [`probe`] printed, for each place.
pub fn seen(slots: usize, printed: &BTreeMap<String, usize>) -> Vec<Seen> {
    let mut all = vec![Seen::new(); slots];
    for (line, count) in printed {
        let numbers = line.split_once(' ').and_then(|(slot, value)| {
            Some((slot.parse::<usize>().ok()?, value.parse::<i128>().ok()?))
        });
        if let Some((slot, value)) = numbers
            && slot < slots
        {
            *all[slot].entry(value).or_default() += count;
        }
    }
    all
}

/// An error that no run reaches, if the values are all that there are.
pub fn unreachable(rng: &mut Rng, slot: &Slot, seen: &Seen) -> String {
    let (Some((&min, _)), Some((&max, _))) = (seen.first_key_value(), seen.last_key_value()) else {
        let value = i128::from(rng.range(-1, 3));
        return error(rng, slot, "==", value);
    };
    let gaps: Vec<i128> = (min..=max).take(50).filter(|v| !seen.contains_key(v)).collect();
    match rng.below(8) {
        0..=2 => error(rng, slot, ">", max),
        3 | 4 => error(rng, slot, "<", min),
        5 if seen.len() == 1 => error(rng, slot, "!=", min),
        _ if !gaps.is_empty() => {
            let gap = *rng.pick(&gaps);
            error(rng, slot, "==", gap)
        }
        6 => error(rng, slot, "==", min - 1),
        _ => error(rng, slot, "==", max + 1),
    }
}

/// An error that some run reaches, preferably few.
pub fn reachable(rng: &mut Rng, slot: &Slot, seen: &Seen) -> Option<String> {
    let (&min, _) = seen.first_key_value()?;
    let (&max, _) = seen.last_key_value()?;
    let rarest = seen.iter().min_by_key(|(_, count)| **count).map(|(value, _)| *value)?;
    Some(match rng.below(6) {
        0 | 1 => error(rng, slot, "==", rarest),
        2 => error(rng, slot, ">=", max),
        3 => error(rng, slot, "<=", min),
        4 => error(rng, slot, "!=", rarest + 1),
        _ => {
            let values: Vec<i128> = seen.keys().copied().collect();
            let value = *rng.pick(&values);
            error(rng, slot, "==", value)
        }
    })
}

fn error(rng: &mut Rng, slot: &Slot, op: &str, value: i128) -> String {
    let number = match value {
        0.. => format!("{value}{}", if value > i128::from(i32::MAX) { "L" } else { "" }),
        _ => format!("(-{}{})", -value, if value <= i128::from(i32::MIN) { "L" } else { "" }),
    };
    let condition = match &slot.right {
        Some(right) if rng.percent(50) => format!("{} {op} ({right} + {number})", slot.left),
        _ => format!("{} {op} {number}", slot.value()),
    };
    format!("if ({condition}) reach_error();")
}
