//! What is proved holds: the typed tree of ACSL is evaluated on small random arrays and numbers,
//! without terms and without a solver.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lakatos_acsl::tree::{
    Arithmetic, Builtin, Call, Comparison, Definition, Label, Lemma, PlaceKind, Pred, PredKind,
    Term, TermKind, Theory, Variable,
};
use lakatos_lemmas::Standing;
use support::read;

/// Quantifiers look at these integers; everything else is zero in all arrays.
const WINDOW: std::ops::Range<i128> = -4..9;

#[derive(Clone, Debug)]
enum Value {
    Number(i128),
    Truth(bool),
    /// Which array, and how far behind its beginning.
    Pointer(usize, i128),
}

impl Value {
    fn number(&self) -> i128 {
        match self {
            Value::Number(number) => *number,
            other => panic!("{other:?}"),
        }
    }
}

/// The arrays of a state, by the number of the pointer.
type State = Vec<BTreeMap<i128, i128>>;

struct World<'w> {
    theory: &'w Theory,
    states: Vec<State>,
}

/// The names of a declaration.
#[derive(Clone, Default)]
struct Names {
    values: BTreeMap<u32, Value>,
    labels: BTreeMap<String, usize>,
    current: Option<usize>,
}

impl Names {
    fn label(&self, label: &Label) -> usize {
        self.labels[label.name()]
    }

    fn at(&self, label: &Label) -> Names {
        Names { current: Some(self.label(label)), ..self.clone() }
    }

    fn with(&self, variable: &Variable, value: Value) -> Names {
        let mut names = self.clone();
        names.values.insert(variable.id, value);
        names
    }
}

impl World<'_> {
    fn pred(&self, names: &Names, pred: &Pred) -> bool {
        match &pred.kind {
            PredKind::True => true,
            PredKind::False => false,
            PredKind::Holds(term) => match self.term(names, term) {
                Value::Truth(truth) => truth,
                other => panic!("{other:?}"),
            },
            PredKind::Compare { first, rest } => {
                let mut left = self.term(names, first).number();
                rest.iter().all(|(comparison, right)| {
                    let right = self.term(names, right).number();
                    let holds = match comparison {
                        Comparison::Eq => left == right,
                        Comparison::Ne => left != right,
                        Comparison::Lt => left < right,
                        Comparison::Le => left <= right,
                        Comparison::Gt => left > right,
                        Comparison::Ge => left >= right,
                    };
                    left = right;
                    holds
                })
            }
            PredKind::Not(inner) => !self.pred(names, inner),
            PredKind::And(parts) => parts.iter().all(|part| self.pred(names, part)),
            PredKind::Or(parts) => parts.iter().any(|part| self.pred(names, part)),
            PredKind::Implies(a, b) => !self.pred(names, a) || self.pred(names, b),
            PredKind::Iff(parts) => {
                parts.iter().fold(true, |all, part| all == self.pred(names, part))
            }
            PredKind::Let { variable, value, body } => {
                let value = self.term(names, value);
                self.pred(&names.with(variable, value), body)
            }
            PredKind::Forall(variables, body) => {
                !self.some(names, variables, &|names| !self.pred(names, body))
            }
            PredKind::Exists(variables, body) => {
                self.some(names, variables, &|names| self.pred(names, body))
            }
            PredKind::At(inner, label) => self.pred(&names.at(label), inner),
            PredKind::Named(_, inner) => self.pred(names, inner),
            PredKind::Call(call) => match self.call(names, call) {
                Value::Truth(truth) => truth,
                other => panic!("{other:?}"),
            },
            other => panic!("not evaluated: {other:?}"),
        }
    }

    fn some(&self, names: &Names, variables: &[Variable], f: &dyn Fn(&Names) -> bool) -> bool {
        let [first, rest @ ..] = variables else { return f(names) };
        let mut window = WINDOW;
        window.any(|value| self.some(&names.with(first, Value::Number(value)), rest, f))
    }

    fn term(&self, names: &Names, term: &Term) -> Value {
        let number = |term: &Term| self.term(names, term).number();
        match &term.kind {
            TermKind::Int(value) => Value::Number(value.to_string().parse().unwrap()),
            TermKind::Variable(variable) => names.values[&variable.id].clone(),
            TermKind::Load(place) => {
                let (pointer, index) = match &place.kind {
                    PlaceKind::Element { pointer, index } => (pointer, number(index)),
                    PlaceKind::Deref(pointer) => (pointer, 0),
                    other => panic!("not evaluated: {other:?}"),
                };
                let Value::Pointer(array, offset) = self.term(names, pointer) else { panic!() };
                let state = &self.states[names.current.unwrap()];
                Value::Number(state[array].get(&(offset + index)).copied().unwrap_or(0))
            }
            TermKind::Truth(pred) => Value::Truth(self.pred(names, pred)),
            TermKind::Coerce(inner) => self.term(names, inner),
            TermKind::Neg(inner) => Value::Number(-number(inner)),
            TermKind::Arithmetic { first, rest } => {
                let mut value = number(first);
                for (op, right) in rest {
                    let right = number(right);
                    value = match op {
                        Arithmetic::Add => value + right,
                        Arithmetic::Sub => value - right,
                        Arithmetic::Mul => value * right,
                        Arithmetic::Div => value / right,
                        Arithmetic::Rem => value % right,
                        other => panic!("not evaluated: {other:?}"),
                    };
                }
                Value::Number(value)
            }
            TermKind::Cond(condition, yes, no) => match self.pred(names, condition) {
                true => self.term(names, yes),
                false => self.term(names, no),
            },
            TermKind::Let { variable, value, body } => {
                let value = self.term(names, value);
                self.term(&names.with(variable, value), body)
            }
            TermKind::At(inner, label) => self.term(&names.at(label), inner),
            TermKind::Call(call) => self.call(names, call),
            TermKind::Builtin(builtin, args) => {
                let args: Vec<i128> = args.iter().map(number).collect();
                Value::Number(match builtin {
                    Builtin::Min => args[0].min(args[1]),
                    Builtin::Max => args[0].max(args[1]),
                    Builtin::Abs => args[0].abs(),
                })
            }
            other => panic!("not evaluated: {other:?}"),
        }
    }

    fn call(&self, names: &Names, call: &Call) -> Value {
        let logic = &self.theory.functions[call.function];
        let labels: Vec<usize> = call.labels.iter().map(|label| names.label(label)).collect();
        let inner = Names {
            values: logic
                .params
                .iter()
                .zip(&call.args)
                .map(|(param, arg)| (param.id, self.term(names, arg)))
                .collect(),
            labels: logic.labels.iter().cloned().zip(labels.iter().copied()).collect(),
            current: labels.first().copied().filter(|_| labels.len() == 1),
        };
        match &logic.definition {
            Definition::Term(body) => self.term(&inner, body),
            Definition::Pred(body) => Value::Truth(self.pred(&inner, body)),
            other => panic!("not evaluated: {other:?}"),
        }
    }

    /// Whether a lemma's premises hold, and whether its conclusion does.
    fn lemma(&self, names: &Names, pred: &Pred) -> (bool, bool) {
        match &pred.kind {
            PredKind::Forall(variables, body)
                if variables.iter().all(|v| names.values.contains_key(&v.id)) =>
            {
                self.lemma(names, body)
            }
            PredKind::Implies(premise, conclusion) => {
                let (others, conclusion) = self.lemma(names, conclusion);
                (others && self.pred(names, premise), conclusion)
            }
            _ => (true, self.pred(names, pred)),
        }
    }
}

/// Memory in several states, each often like the one before with something written to it.
fn states(rng: &mut fastrand::Rng, states: usize, arrays: usize) -> Vec<State> {
    let largest = rng.i128(0..5);
    let lowest = if rng.bool() { 0 } else { -largest };
    let any = |rng: &mut fastrand::Rng| rng.i128(lowest..=largest);
    let mut all: Vec<State> = Vec::new();
    for number in 0..states {
        let mut state: State = match number > 0 && rng.u8(0..4) > 0 {
            true => all[number - 1].clone(),
            false => Vec::new(),
        };
        for array in state.len()..arrays {
            let copied = array > 0 && rng.bool();
            let mut elements: BTreeMap<i128, i128> = match copied {
                true => state[array - 1].clone(),
                false => WINDOW.map(|index| (index, any(rng))).collect(),
            };
            if rng.u8(0..3) == 0 {
                let mut values: Vec<i128> = elements.values().copied().collect();
                values.sort_unstable();
                elements = WINDOW.zip(values).collect();
            }
            state.push(elements);
        }
        for _ in 0..rng.usize(0..3) {
            let (array, index) = (rng.usize(0..arrays.max(1)), rng.i128(-1..5));
            if let Some(elements) = state.get_mut(array) {
                // Also what is elsewhere in it, so that elements change places.
                let value = match rng.bool() {
                    true => any(rng),
                    false => elements[&rng.i128(-1..5)],
                };
                elements.insert(index, value);
            }
        }
        all.push(state);
    }
    all
}

/// The variables of a lemma, those of premises not included.
fn variables(pred: &Pred) -> Vec<Variable> {
    match &pred.kind {
        PredKind::Forall(variables, body) => [variables.clone(), self::variables(body)].concat(),
        PredKind::Implies(_, body) => variables(body),
        _ => Vec::new(),
    }
}

/// How often the premises held; the conclusion did then, too.
fn holds(theory: &Theory, lemma: &Lemma, rng: &mut fastrand::Rng, rounds: usize) -> usize {
    let variables = variables(&lemma.body);
    let pointers = variables.iter().filter(|v| v.ty.is_pointer()).count();
    let mut held = 0;
    for _ in 0..rounds {
        let world = World { theory, states: states(rng, lemma.labels.len(), pointers) };
        let mut names = Names::default();
        for (number, label) in lemma.labels.iter().enumerate() {
            names.labels.insert(label.clone(), number);
        }
        names.current = (lemma.labels.len() == 1).then_some(0);
        let mut pointer = 0;
        for variable in &variables {
            let value = match variable.ty.is_pointer() {
                true => {
                    pointer += 1;
                    Value::Pointer(pointer - 1, 0)
                }
                false => Value::Number(rng.i128(-2..6)),
            };
            names.values.insert(variable.id, value);
        }
        let (premises, conclusion) = world.lemma(&names, &lemma.body);
        assert!(
            !premises || conclusion,
            "{}: {:?} {:?}",
            lemma.name.node,
            names.values,
            world.states
        );
        held += usize::from(premises);
    }
    held
}

#[test]
fn the_library_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lemmas");
    let mut rng = fastrand::Rng::with_seed(9);
    let mut count = 0;
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "acsl")) {
        let mut theory = Theory::default();
        let source = lakatos_ir::Source::new("t.acsl", fs::read_to_string(path).unwrap());
        lakatos_acsl::read_file(&mut theory, source, &lakatos_acsl::env::Table::default()).unwrap();
        for lemma in theory.lemmas() {
            let held = holds(&theory, lemma, &mut rng, 1500);
            assert!(held >= 5, "{}: its premises held {held} times", lemma.name.node);
            count += 1;
        }
    }
    assert!(count >= 60, "{count}");
}

/// Formulas about a sum, a maximum and a count, put together at random: of most nothing is true.
#[test]
fn random_lemmas_that_are_proved_hold() {
    const FUNCTIONS: &str = "
logic integer sum{L}(int *a, integer n) = n <= 0 ? 0 : sum(a, n - 1) + a[n - 1];
logic integer max{L}(int *a, integer n) =
  n <= 1 ? a[0] : (a[n - 1] > max(a, n - 1) ? a[n - 1] : max(a, n - 1));
logic integer count{L}(int *a, integer n) = n <= 0 ? 0 : count(a, n - 1) + (a[n - 1] == 0 ? 1 : 0);
";
    let mut rng = fastrand::Rng::with_seed(99);
    let (mut proved, mut others) = (0, 0);
    for _ in 0..12 {
        let mut text = FUNCTIONS.to_owned();
        for number in 0..4 {
            let mut number_of = || {
                let n = *rng.choice(&["n", "n - 1", "n + 1", "m", "0", "1"]).unwrap();
                let function = *rng.choice(&["sum", "max", "count"]).unwrap();
                let rest =
                    *rng.choice(&["", " + 1", " - 1", " + a[n]", " + n", " + 0 * n"]).unwrap();
                format!("{function}(a, {n}){rest}")
            };
            let (left, right) = (number_of(), number_of());
            let premises = ["0 <= n", "n <= 0", "1 <= m <= n", "m <= n", "n == m"];
            let premise = *rng.choice(&premises).unwrap();
            let compare = *rng.choice(&["==", "<=", ">=", "!="]).unwrap();
            text += &format!(
                "lemma l{number}{{L}}: \\forall int *a, integer m, integer n; {premise} ==> {left} {compare} {right};\n"
            );
        }
        let found = read("t.acsl", &text).unwrap();
        for lemma in found.theory.lemmas() {
            let items = found.translation.items.iter().zip(&found.judged.standings);
            let (_, standing) = items.clone().find(|(i, _)| i.name == lemma.name.node).unwrap();
            match standing {
                Standing::Proved(_) => {
                    proved += 1;
                    holds(&found.theory, lemma, &mut rng, 300);
                }
                _ => others += 1,
            }
        }
    }
    assert!(proved >= 3 && others >= 10, "{proved} proved, {others} not");
}
