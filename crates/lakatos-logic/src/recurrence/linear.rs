//! Linear algebra with exact numbers.

use super::form::divides;
use super::polynomial::Polynomial;
use crate::number::{Int, Rational};

/// The coefficients of a matrix' characteristic polynomial, lowest first; the last is one
/// (Faddeev and LeVerrier).
pub(super) fn characteristic(matrix: &[Vec<Rational>]) -> Vec<Rational> {
    let size = matrix.len();
    let mut coefficients = vec![Rational::ZERO; size + 1];
    coefficients[size] = Rational::ONE;
    let mut product = vec![vec![Rational::ZERO; size]; size];
    for k in 1..=size {
        for (i, row) in product.iter_mut().enumerate() {
            row[i] += coefficients[size - k + 1].clone();
        }
        product = times(matrix, &product);
        let trace: Rational = (0..size).fold(Rational::ZERO, |sum, i| sum + product[i][i].clone());
        coefficients[size - k] = -trace / Rational::from(Int::from(k));
    }
    coefficients
}

fn times(a: &[Vec<Rational>], b: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
    let entry =
        |i: usize, j: usize| (0..b.len()).fold(Rational::ZERO, |sum, k| sum + &a[i][k] * &b[k][j]);
    (0..a.len()).map(|i| (0..b.len()).map(|j| entry(i, j)).collect()).collect()
}

/// Larger roots of polynomials of more than the first degree are not looked for.
const LARGEST_ROOT: u32 = 1_000;

/// The integer roots of a monic polynomial, each with how often it is one; `None` if it has
/// others. (A monic polynomial over the integers has no other rational roots.)
pub(super) fn roots(coefficients: &[Rational]) -> Option<Vec<(Int, u32)>> {
    let mut rest: Vec<Int> = Vec::with_capacity(coefficients.len());
    for coefficient in coefficients {
        rest.push(integer(coefficient)?);
    }
    let mut found: Vec<(Int, u32)> = Vec::new();
    let mut add = |root: Int| match found.iter_mut().find(|(known, _)| *known == root) {
        Some((_, times)) => *times += 1,
        None => found.push((root, 1)),
    };
    while rest.len() > 2 {
        let root = root(&rest)?;
        rest = divided(&rest, &root);
        add(root);
    }
    if rest.len() == 2 {
        add(-rest[0].clone());
    }
    Some(found)
}

fn integer(value: &Rational) -> Option<Int> {
    value.is_int().then(|| value.numerator().clone())
}

fn root(coefficients: &[Int]) -> Option<Int> {
    if coefficients[0].is_zero() {
        return Some(Int::ZERO);
    }
    let candidates = (1..=LARGEST_ROOT).map(Int::from).filter(|c| divides(c, &coefficients[0]));
    candidates.flat_map(|c| [c.clone(), -c]).find(|c| value(coefficients, c).is_zero())
}

fn value(coefficients: &[Int], at: &Int) -> Int {
    coefficients.iter().rev().fold(Int::ZERO, |sum, c| sum * at + c)
}

/// Without one of its roots.
fn divided(coefficients: &[Int], root: &Int) -> Vec<Int> {
    let mut quotient = vec![Int::ZERO; coefficients.len() - 1];
    let mut carry = Int::ZERO;
    for at in (0..quotient.len()).rev() {
        carry = &coefficients[at + 1] + carry * root;
        quotient[at] = carry.clone();
    }
    quotient
}

/// The solution of equations whose right sides are polynomials; `None` if they do not have
/// exactly one.
pub(super) fn solved(
    mut matrix: Vec<Vec<Rational>>,
    mut right: Vec<Polynomial>,
) -> Option<Vec<Polynomial>> {
    let size = matrix.len();
    for column in 0..size {
        let pivot = (column..size).find(|row| matrix[*row][column] != Rational::ZERO)?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let inverse = Rational::ONE / &matrix[column][column];
        matrix[column].iter_mut().for_each(|entry| *entry *= &inverse);
        right[column] = right[column].scaled(&inverse);
        for row in 0..size {
            let factor = -matrix[row][column].clone();
            if row != column && factor != Rational::ZERO {
                let pivot = matrix[column].clone();
                for (entry, own) in matrix[row].iter_mut().zip(&pivot) {
                    *entry += own * &factor;
                }
                right[row] = right[row].plus(&right[column].scaled(&factor));
            }
        }
    }
    Some(right)
}
