//! Arrays of arrays, whose elements stand one behind the other: how far a run has come is a sum of
//! products, `i * n + j`, which the indices of the program tell.

use std::collections::BTreeSet;

use lakatos_ir::walk::{self, Node};
use lakatos_ir::{BinOp, Cfa, ExprId, ExprKind, Instr, PlaceKind, Program, VarId, VarKind};

use super::columns::Number;

const MOST: usize = 6;
/// Products of one index.
const MOST_PARTS: usize = 4;

/// The sums in indices that begin with a product, and what they begin with: in the loop over rows
/// only the first part counts.
pub(super) fn rows(program: &Program, parameters: &[i128]) -> Vec<Number> {
    let Some(body) = &program.procs[program.start].body else { return Vec::new() };
    let finder = Finder { program, body, parameters };
    let mut found: Vec<Number> = Vec::new();
    for index in finder.indices() {
        let Some(parts) = finder.parts(index) else { continue };
        for end in 1..=parts.len() {
            let sum = Number::Sum(parts[..end].to_vec());
            let has_product = parts[..end].iter().any(|p| matches!(p, Number::Product(..)));
            if has_product && !found.contains(&sum) {
                found.push(sum);
            }
        }
    }
    found.truncate(MOST);
    found
}

struct Finder<'a> {
    program: &'a Program,
    body: &'a Cfa,
    parameters: &'a [i128],
}

impl Finder<'_> {
    /// The indices at which arrays are accessed.
    fn indices(&self) -> Vec<ExprId> {
        let (program, mut found) = (self.program, Vec::new());
        let mut see = |node: Node| {
            if let Node::Place(place) = node
                && let PlaceKind::Index(base, index) = program.places[place].kind
                && let PlaceKind::Var(var) = program.places[base].kind
                && program.whole_array(var).is_some()
                && !found.contains(&index)
            {
                found.push(index);
            }
        };
        for (_, edge) in self.body.edges.iter() {
            let written = walk::written(&edge.instr).map(Node::Place);
            let operands = walk::operands(&edge.instr).into_iter().map(Node::Expr);
            operands.chain(written).for_each(|node| walk::walk(program, node, &mut see));
        }
        found
    }

    /// A sum as its parts; `None` for what is none, or has too many.
    fn parts(&self, e: ExprId) -> Option<Vec<Number>> {
        let found = match self.program.exprs[e].kind {
            ExprKind::Int(0) => Vec::new(),
            ExprKind::Int(value) => vec![self.constant(value)],
            ExprKind::Cast(inner) => self.parts(inner)?,
            ExprKind::Load(place) => match self.program.places[place].kind {
                PlaceKind::Var(var) => self.value(var)?,
                _ => return None,
            },
            ExprKind::Binary(BinOp::Add, a, b) => [self.parts(a)?, self.parts(b)?].concat(),
            ExprKind::Binary(BinOp::Sub, a, b) => {
                let minus = [Number::Constant(-1)];
                [self.parts(a)?, products(&minus, &self.parts(b)?)].concat()
            }
            ExprKind::Binary(BinOp::Mul, a, b) => products(&self.parts(a)?, &self.parts(b)?),
            _ => return None,
        };
        (found.len() <= MOST_PARTS).then_some(found)
    }

    fn constant(&self, value: i128) -> Number {
        match self.parameters.iter().position(|parameter| *parameter == value) {
            Some(number) => Number::Parameter(number),
            None => Number::Constant(value),
        }
    }

    /// A variable, or what a temporary one was given.
    fn value(&self, var: VarId) -> Option<Vec<Number>> {
        match given(self.program, self.body, var) {
            Some(value) => self.parts(value),
            None => Some(vec![Number::Var(var)]),
        }
    }
}

/// What a temporary variable was given, once.
fn given(program: &Program, body: &Cfa, var: VarId) -> Option<ExprId> {
    let mut given = body.edges.iter().filter_map(|(_, edge)| match edge.instr {
        Instr::Assign(place, value) if program.places[place].kind == PlaceKind::Var(var) => {
            Some(value)
        }
        _ => None,
    });
    let is_temporary = matches!(program.vars[var].kind, VarKind::Temp(_));
    match (is_temporary, given.next(), given.next()) {
        (true, Some(value), None) => Some(value),
        _ => None,
    }
}

/// The variable whose value a temporary one was given, once.
pub(super) fn source(program: &Program, var: VarId) -> Option<VarId> {
    let body = program.procs[program.start].body.as_ref()?;
    let mut value = given(program, body, var)?;
    while let ExprKind::Cast(inner) = program.exprs[value].kind {
        value = inner;
    }
    match program.exprs[value].kind {
        ExprKind::Load(place) => match program.places[place].kind {
            PlaceKind::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

fn products(a: &[Number], b: &[Number]) -> Vec<Number> {
    let times = |x: &Number, y: &Number| Number::Product(x.clone().into(), y.clone().into());
    a.iter().flat_map(|x| b.iter().map(move |y| times(x, y))).collect()
}

/// The variables that are indices.
pub(super) fn index_vars(program: &Program) -> BTreeSet<VarId> {
    let Some(body) = &program.procs[program.start].body else { return BTreeSet::new() };
    let finder = Finder { program, body, parameters: &[] };
    let parts = finder.indices().into_iter().filter_map(|index| finder.parts(index));
    let var = |parts: Vec<Number>| match parts[..] {
        [Number::Var(var)] => Some(var),
        _ => None,
    };
    parts.filter_map(var).collect()
}

/// Of how many numbers the elements are the product, at least.
pub(super) fn depth(row: &Number) -> usize {
    match row {
        Number::Sum(parts) => {
            let is_constant = |number: &Number| matches!(number, Number::Constant(_));
            let grows = |part: &&Number| match part {
                Number::Product(a, b) => !is_constant(a) && !is_constant(b),
                _ => false,
            };
            parts.iter().filter(grows).count() + 1
        }
        _ => 1,
    }
}

/// What the numbers of rows are multiplied by.
pub(super) fn widths(rows: &[Number]) -> Vec<Number> {
    let mut found: Vec<Number> = Vec::new();
    for row in rows {
        let Number::Sum(parts) = row else { continue };
        for part in parts {
            if let Number::Product(_, width) = part
                && !found.contains(width)
            {
                found.push((**width).clone());
            }
        }
    }
    found
}
