//! Equations that rows of numbers have in common.
//!
//! Rows are reduced modulo a large prime, and coefficients are read back as small fractions. What is
//! found is a guess, which somebody checks; a coincidence modulo the prime does no harm.

const BITS: u32 = 61;
/// 2^61 - 1, modulo which products are reduced by shifts.
const PRIME: u64 = (1 << BITS) - 1;
/// Numerators and denominators of coefficients.
const LARGEST: i128 = 1_000;

/// A linear combination of columns that is zero in every row: whole numbers by column.
pub(crate) type Equation = Vec<(usize, i64)>;

/// The span of some rows, reduced.
#[derive(Debug)]
pub(crate) struct Span {
    columns: usize,
    /// Each has a one in its pivot column, and the others have a zero there.
    rows: Vec<(usize, Vec<u64>)>,
}

impl Span {
    pub fn new(columns: usize) -> Span {
        Span { columns, rows: Vec::new() }
    }

    /// The number of rows that are independent.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    pub fn add(&mut self, row: &[i128]) {
        debug_assert_eq!(row.len(), self.columns);
        let mut row: Vec<u64> = row.iter().map(|value| modulo(*value)).collect();
        for (pivot, known) in &self.rows {
            let factor = row[*pivot];
            subtract(&mut row, known, factor);
        }
        let Some(pivot) = row.iter().position(|value| *value != 0) else { return };
        let inverse = power(row[pivot], PRIME - 2);
        for value in &mut row {
            *value = times(*value, inverse);
        }
        for (_, known) in &mut self.rows {
            let factor = known[pivot];
            subtract(known, &row, factor);
        }
        self.rows.push((pivot, row));
    }

    /// No row tells anything about the column by the ones before it.
    pub fn is_free(&self, column: usize) -> bool {
        self.rows.iter().any(|(pivot, _)| *pivot == column)
    }

    /// Each column that the ones before it determine, as an equation with them.
    pub fn equations(&self) -> Vec<Equation> {
        (0..self.columns).filter_map(|column| self.equation(column)).collect()
    }

    /// The equation that tells a column by others, if there is one with small coefficients.
    pub fn equation(&self, column: usize) -> Option<Equation> {
        if self.is_free(column) {
            return None;
        }
        let mut parts = vec![(column, (-1, 1))];
        for (pivot, row) in &self.rows {
            if row[column] != 0 {
                parts.push((*pivot, fraction(row[column])?));
            }
        }
        let common = parts.iter().try_fold(1, |common, (_, (_, below))| least(common, *below))?;
        parts.sort_unstable();
        let whole = |(column, (above, below)): (usize, (i128, i128))| {
            Some((column, i64::try_from(above * (common / below)).ok()?))
        };
        parts.into_iter().map(whole).collect()
    }
}

fn modulo(value: i128) -> u64 {
    u64::try_from(value.rem_euclid(PRIME.into())).expect("it is less than the prime")
}

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    // 2^61 is 1.
    let low = (product as u64) & PRIME;
    let high = (product >> BITS) as u64;
    let sum = low + high;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// A multiple of a known row, the factor of which is in the row.
fn subtract(row: &mut [u64], known: &[u64], factor: u64) {
    if factor == 0 {
        return;
    }
    let negative = PRIME - factor;
    for (value, known) in row.iter_mut().zip(known) {
        let sum = *value + times(negative, *known);
        *value = if sum >= PRIME { sum - PRIME } else { sum };
    }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// The small fraction that a number is modulo the prime, by Euclid's algorithm.
fn fraction(number: u64) -> Option<(i128, i128)> {
    let (mut r, mut t) = ((i128::from(PRIME), i128::from(number)), (0, 1));
    while r.1.abs() > LARGEST {
        let quotient = r.0 / r.1;
        r = (r.1, r.0 - quotient * r.1);
        t = (t.1, t.0 - quotient * t.1);
    }
    let (above, below) = if t.1 < 0 { (-r.1, -t.1) } else { (r.1, t.1) };
    (below != 0 && below <= LARGEST).then_some((above, below))
}

/// The least common multiple, if it is small.
fn least(a: i128, b: i128) -> Option<i128> {
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    Some(a / gcd(a, b) * b).filter(|common| *common <= LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&[i128]], expect: &[&[(usize, i64)]]) {
        let mut span = Span::new(rows[0].len());
        for row in rows {
            span.add(row);
        }
        let found = span.equations();
        let found: Vec<&[(usize, i64)]> = found.iter().map(Vec::as_slice).collect();
        assert_eq!(found, expect, "{rows:?}");
    }

    #[test]
    fn numbers_modulo_the_prime() {
        let values = [0, 1, 2, 3, PRIME / 2, PRIME / 2 + 1, PRIME - 2, PRIME - 1];
        for (a, b) in values.into_iter().flat_map(|a| values.map(|b| (a, b))) {
            let (wide_a, wide_b, prime) = (i128::from(a), i128::from(b), i128::from(PRIME));
            assert_eq!(i128::from(times(a, b)), wide_a * wide_b % prime, "{a} * {b}");
            let mut row = [a, b];
            subtract(&mut row, &[b, a], a);
            let expect = [wide_a - wide_a * wide_b, wide_b - wide_a * wide_a].map(modulo);
            assert_eq!(row, expect, "{a}, {b}");
            assert!(a == 0 || times(a, power(a, PRIME - 2)) == 1, "{a}");
        }
        assert_eq!(
            [-1, 0, i128::from(PRIME), i128::from(PRIME) + 5].map(modulo),
            [PRIME - 1, 0, 0, 5]
        );
    }

    #[test]
    fn equations_of_rows() {
        // 1, i, s with s = 2 i + 3.
        check(&[&[1, 0, 3], &[1, 1, 5], &[1, 4, 11]], &[&[(0, 3), (1, 2), (2, -1)]]);
        // With fractions: 2 t = i (i - 1).
        check(
            &[&[1, 1, 1, 0], &[1, 2, 4, 1], &[1, 3, 9, 3], &[1, 4, 16, 6], &[1, 7, 49, 21]],
            &[&[(1, -1), (2, 1), (3, -2)]],
        );
        check(&[&[1, 0, 3], &[1, 1, -5], &[1, 4, 11]], &[]);
        check(&[&[1, -2, 2], &[1, 5, -5]], &[&[(1, -1), (2, -1)]]);
    }

    #[test]
    fn large_coefficients_are_no_equations() {
        check(&[&[1, 0, 1_000_003], &[1, 1, 5_000_017]], &[]);
    }
}
