//! Truth values: connectives, and bounds of the same thing next to each other.

use lakatos_logic::term::{Node, Sort, Term};

use super::compare::{Comparison, Op};
use super::text::{AND, CHOICE, EQUAL, IFF, IMPLIES, OR, POSTFIX, Text, joined};
use super::{Dialect, Printer};

/// A formula in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Printed {
    /// What types decide.
    Constant(bool),
    Comparison(Comparison),
    Text(Text),
}

impl Printed {
    pub fn is_true(&self) -> bool {
        *self == Printed::Constant(true)
    }

    pub fn into_text(self, dialect: Dialect) -> Text {
        let constant = |acsl: &str, c: &str| {
            Text::new(POSTFIX, if dialect == Dialect::Acsl { acsl } else { c })
        };
        match self {
            Printed::Constant(true) => constant("\\true", "1"),
            Printed::Constant(false) => constant("\\false", "0"),
            Printed::Comparison(comparison) => comparison.text(),
            Printed::Text(text) => text,
        }
    }
}

impl Printer<'_> {
    pub(super) fn truth(&self, formula: Term) -> Option<Printed> {
        self.nested(|| self.truth_inside(formula))
    }

    fn truth_inside(&self, formula: Term) -> Option<Printed> {
        match self.terms.node(formula) {
            Node::Bool(value) => Some(Printed::Constant(*value)),
            Node::Symbol(_) => self.flag(formula, true),
            Node::Not(inner) => self.negation(*inner),
            Node::And(parts) => self.conjunction(parts),
            Node::Or(parts) => self.disjunction(parts),
            Node::Ite(condition, yes, no) => self.choice(*condition, *yes, *no),
            Node::Eq(a, b) if self.terms.sort(*a) == Sort::Bool => self.equivalence(*a, *b, true),
            Node::Eq(a, b) => self.equal_bits(*a, *b, Op::Eq),
            Node::NonPositive(_) | Node::Zero(_) => self.linear(formula, false),
            Node::BvCompare(op, a, b) => self.compare_bits(*op, *a, *b, false),
            Node::Quantified(quantifier, variables, body) => {
                self.quantified(*quantifier, variables, *body)
            }
            Node::Apply(function, args) => self.applied(*function, args).map(Printed::Text),
            _ => None,
        }
    }

    fn negation(&self, inner: Term) -> Option<Printed> {
        match self.terms.node(inner) {
            Node::Symbol(_) => self.flag(inner, false),
            Node::Zero(_) => self.linear(inner, true),
            Node::Eq(a, b) if self.terms.sort(*a) == Sort::Bool => self.equivalence(*a, *b, false),
            Node::Eq(a, b) => self.equal_bits(*a, *b, Op::Ne),
            Node::BvCompare(op, a, b) => self.compare_bits(*op, *a, *b, true),
            _ => None,
        }
    }

    /// A variable that is a truth value, or its negation.
    fn flag(&self, symbol: Term, holds: bool) -> Option<Printed> {
        let name = Text::new(POSTFIX, (self.name)(self.terms.as_symbol(symbol)?)?.name);
        Some(Printed::Text(match (self.is_c(), holds) {
            (true, true) => name,
            (true, false) => name.prefixed("!"),
            (false, _) => {
                let zero = Text::new(POSTFIX, "0");
                name.then(if holds { "!=" } else { "==" }, EQUAL, &zero)
            }
        }))
    }

    pub(super) fn conjunction(&self, parts: &[Term]) -> Option<Printed> {
        let parts: Option<Vec<Printed>> = parts.iter().map(|part| self.truth(*part)).collect();
        let parts = parts?;
        if parts.contains(&Printed::Constant(false)) {
            return Some(Printed::Constant(false));
        }
        let parts = chained(parts.into_iter().filter(|part| !part.is_true()).collect());
        Some(self.all_of(parts))
    }

    pub(super) fn all_of(&self, mut parts: Vec<Printed>) -> Printed {
        match parts.len() {
            0 => Printed::Constant(true),
            1 => parts.remove(0),
            _ => {
                let parts: Vec<Text> =
                    parts.into_iter().map(|part| part.into_text(self.dialect)).collect();
                Printed::Text(joined(&parts, " && ", AND, AND))
            }
        }
    }

    /// What is excluded comes first, in ACSL as a premise: `x == 0 ==> y == 1`.
    pub(super) fn disjunction(&self, parts: &[Term]) -> Option<Printed> {
        let is_negation = |part: &&Term| matches!(self.terms.node(**part), Node::Not(_));
        let (negated, plain): (Vec<&Term>, Vec<&Term>) = parts.iter().partition(is_negation);
        if !self.is_c() && !negated.is_empty() && !plain.is_empty() {
            let premises = negated.iter().map(|part| match self.terms.node(**part) {
                Node::Not(inner) => self.truth(*inner),
                _ => None,
            });
            let premises: Option<Vec<Printed>> = premises.collect();
            let premises = premises?.into_iter().filter(|p| !p.is_true()).collect();
            return self.implication(self.all_of(chained(premises)), self.any_of(&plain)?);
        }
        let ordered: Vec<&Term> = negated.into_iter().chain(plain).collect();
        self.any_of(&ordered)
    }

    pub(super) fn implication(&self, premise: Printed, conclusion: Printed) -> Option<Printed> {
        Some(match (premise, conclusion) {
            (Printed::Constant(false), _) | (_, Printed::Constant(true)) => Printed::Constant(true),
            (Printed::Constant(true), conclusion) => conclusion,
            (premise, conclusion) => {
                let premise = premise.into_text(self.dialect).at(IMPLIES + 1);
                let conclusion = conclusion.into_text(self.dialect).at(IMPLIES);
                Printed::Text(Text::new(IMPLIES, format!("{premise} ==> {conclusion}")))
            }
        })
    }

    /// A disjunction: cases that others include are left out, and what all cases say is said once.
    fn any_of(&self, parts: &[&Term]) -> Option<Printed> {
        let cases: Vec<Vec<Term>> = parts.iter().map(|part| self.terms.conjuncts(**part)).collect();
        let cases = maximal(cases);
        let common: Vec<Term> = match &cases[..] {
            [first, rest @ ..] if !rest.is_empty() => {
                let everywhere = |term: &&Term| rest.iter().all(|case| case.contains(*term));
                first.iter().filter(everywhere).copied().collect()
            }
            _ => Vec::new(),
        };
        let rest = cases.iter().map(|case| {
            let own: Vec<Term> =
                case.iter().filter(|term| !common.contains(term)).copied().collect();
            self.conjunction(&own)
        });
        let either = self.either(rest.collect::<Option<Vec<Printed>>>()?);
        if common.is_empty() {
            return Some(either);
        }
        let mut all = Vec::new();
        for term in common {
            all.push(self.truth(term)?);
        }
        all.push(either);
        if all.contains(&Printed::Constant(false)) {
            return Some(Printed::Constant(false));
        }
        Some(self.all_of(chained(all.into_iter().filter(|part| !part.is_true()).collect())))
    }

    fn either(&self, mut parts: Vec<Printed>) -> Printed {
        if parts.iter().any(Printed::is_true) {
            return Printed::Constant(true);
        }
        parts.retain(|part| *part != Printed::Constant(false));
        if let Some(bounds) = self.interval(&parts) {
            return bounds;
        }
        match parts.len() {
            0 => Printed::Constant(false),
            1 => parts.remove(0),
            _ => {
                let parts: Vec<Text> =
                    parts.into_iter().map(|part| part.into_text(self.dialect)).collect();
                // Compilers ask for parentheses around `&&` in `||`.
                let texts = parts.iter().map(|part| match part.level {
                    AND => Text::new(POSTFIX, format!("({})", part.text)),
                    _ => part.clone(),
                });
                Printed::Text(joined(&texts.collect::<Vec<_>>(), " || ", OR, OR))
            }
        }
    }

    /// `x == 3 || x == 4 || x == 5` as bounds.
    fn interval(&self, parts: &[Printed]) -> Option<Printed> {
        let mut values = Vec::with_capacity(parts.len());
        let mut subject: Option<&Text> = None;
        for part in parts {
            let Printed::Comparison(Comparison { left, op: Op::Eq, right }) = part else {
                return None;
            };
            if subject.get_or_insert(left) != &left {
                return None;
            }
            values.push((right.text.parse::<i32>().ok()?, right));
        }
        values.sort_by_key(|(value, _)| *value);
        let ((low, least), (high, greatest)) = (values.first()?, values.last()?);
        let gaps = values.windows(2).any(|pair| pair[1].0 != pair[0].0 + 1);
        if gaps || high.checked_sub(*low)? < 2 {
            return None;
        }
        let subject = subject?;
        let bound = |op, right: &Text| {
            Printed::Comparison(Comparison { left: subject.clone(), op, right: right.clone() })
        };
        Some(self.all_of(chained(vec![bound(Op::Ge, least), bound(Op::Le, greatest)])))
    }

    fn choice(&self, condition: Term, yes: Term, no: Term) -> Option<Printed> {
        let [condition, yes, no] =
            [condition, yes, no].map(|part| self.truth(part).map(|p| p.into_text(self.dialect)));
        Some(Printed::Text(choose(&condition?, &yes?, &no?)))
    }

    /// Whether two truth values are equal, or differ.
    fn equivalence(&self, a: Term, b: Term, same: bool) -> Option<Printed> {
        let (a, b) =
            (self.truth(a)?.into_text(self.dialect), self.truth(b)?.into_text(self.dialect));
        if self.is_c() {
            // Both are 0 or 1; what compares binds no tighter than `==` only by its own level.
            let op = if same { "==" } else { "!=" };
            let text = format!("{} {op} {}", a.at(POSTFIX - 1), b.at(POSTFIX - 1));
            return Some(Printed::Text(Text::new(EQUAL, text)));
        }
        let text = format!("{} <==> {}", a.at(IFF + 1), b.at(IFF + 1));
        Some(Printed::Text(match same {
            true => Text::new(IFF, text),
            false => Text::new(super::text::UNARY, format!("!({text})")),
        }))
    }
}

/// The cases that no other case includes: a case is included by one that says less.
fn maximal(cases: Vec<Vec<Term>>) -> Vec<Vec<Term>> {
    let says = |case: &[Term], other: &[Term]| other.iter().all(|term| case.contains(term));
    let mut kept: Vec<Vec<Term>> = Vec::new();
    for case in cases {
        if kept.iter().any(|other| says(&case, other)) {
            continue;
        }
        kept.retain(|other| !says(other, &case));
        kept.push(case);
    }
    kept
}

pub(super) fn choose(condition: &Text, yes: &Text, no: &Text) -> Text {
    let text = format!("{} ? {} : {}", condition.at(OR), yes.at(OR), no.at(CHOICE));
    Text::new(CHOICE, text)
}

/// Puts upper bounds of a thing behind its lower ones, which then read `0 <= i`.
pub(super) fn chained(mut open: Vec<Printed>) -> Vec<Printed> {
    let mut done = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let first = open.remove(0);
        let Printed::Comparison(comparison) = &first else {
            done.push(first);
            continue;
        };
        let subject = &comparison.left.text;
        let about = |op: [Op; 2], part: &Printed| match part {
            Printed::Comparison(other) => op.contains(&other.op) && other.left.text == *subject,
            _ => false,
        };
        let (lower, upper) = ([Op::Ge, Op::Gt], [Op::Le, Op::Lt]);
        let wanted = if lower.contains(&comparison.op) { upper } else { lower };
        let found = match upper.contains(&comparison.op) || lower.contains(&comparison.op) {
            true => open.iter().position(|part| about(wanted, part)),
            false => None,
        };
        match found {
            None => done.push(first),
            Some(at) => {
                let second = open.remove(at);
                let (low, high) =
                    if lower.contains(&comparison.op) { (first, second) } else { (second, first) };
                done.extend([low.mirrored(), high]);
            }
        }
    }
    done
}

impl Printed {
    fn mirrored(self) -> Printed {
        match self {
            Printed::Comparison(comparison) => Printed::Comparison(comparison.mirrored()),
            other => other,
        }
    }
}
