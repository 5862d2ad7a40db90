//! Random regions: the formula of a block is true for the runs through it and for nothing else.

use std::collections::BTreeSet;

use lakatos_encode::Machine;
use lakatos_encode::ssa::{FrameId, Instance, Origin, Ssa, Step, Versions};
use lakatos_ir::pass::way_through;
use lakatos_ir::*;
use lakatos_logic::term::{Assignment, Symbol, Term, Terms, Value};

use crate::program::{State, add, expression, meaning, program};
use crate::support::*;

const SMALL: [IntType; 5] = [IntType::I32, unsigned(8), signed(8), IntType::BOOL, unsigned(3)];

/// Makes a region of locations 0 to `size`, the last of which is the exit.
struct Maker<'a> {
    program: &'a mut Program,
    rng: &'a mut Rng,
    vars: Vec<VarId>,
    size: usize,
    edges: Vec<Edge>,
}

impl Maker<'_> {
    fn region(mut self, cyclic: bool) -> Region {
        for at in 0..self.size {
            match self.rng.below(10) {
                0..4 => {
                    let instr = self.instr();
                    self.edge(at, instr);
                }
                4..8 => {
                    let condition = self.truth();
                    let otherwise = self.not(condition);
                    self.edge(at, Instr::Assume(condition));
                    self.edge(at, Instr::Assume(otherwise));
                }
                8 => self.switch(at),
                _ => {
                    for _ in 0..2 {
                        let instr = self.instr();
                        self.edge(at, instr);
                    }
                }
            }
        }
        let exit = LocId(self.size as u32);
        let entry = LocId(0);
        if cyclic {
            for edge in self.edges.iter_mut().filter(|e| e.to == exit) {
                edge.to = entry;
            }
        }
        Region { entry, exit: if cyclic { entry } else { exit }, edges: self.edges }
    }

    /// To some later location, most often the next.
    fn edge(&mut self, from: usize, instr: Instr) {
        let further = if self.rng.below(3) == 0 { self.rng.below(self.size - from) } else { 0 };
        let (from, to) = (LocId(from as u32), LocId((from + 1 + further) as u32));
        let to = match instr {
            Instr::Return(_) => LocId(self.size as u32),
            _ => to,
        };
        self.edges.push(Edge { from, to, instr, span: Span::default() });
    }

    fn instr(&mut self) -> Instr {
        let var = self.rng.pick(&self.vars);
        let place = self.program.var_place(var, Span::default());
        let ty = self.program.vars[var].ty.as_int().expect("integers");
        match self.rng.below(16) {
            0 => Instr::Skip,
            1 => Instr::Assume(self.truth()),
            2 => Instr::Dead(var),
            3..5 => Instr::Havoc(place, SiteId(0)),
            5 => {
                let value = expression(self.program, self.rng, &self.vars, IntType::I32, 2);
                Instr::Return(Some(value))
            }
            _ => Instr::Assign(place, expression(self.program, self.rng, &self.vars, ty, 2)),
        }
    }

    fn truth(&mut self) -> ExprId {
        expression(self.program, self.rng, &self.vars, IntType::BOOL, 2)
    }

    fn not(&mut self, condition: ExprId) -> ExprId {
        add(self.program, ExprKind::Unary(UnOp::Not, condition), IntType::BOOL)
    }

    /// Cases of a value, and all others.
    fn switch(&mut self, at: usize) {
        let value = expression(self.program, self.rng, &self.vars, unsigned(3), 1);
        let mut others = None;
        for case in [1, 2, 5] {
            let case = add(self.program, ExprKind::Int(case), unsigned(3));
            let equal = ExprKind::Binary(BinOp::Eq, value, case);
            let equal = add(self.program, equal, IntType::BOOL);
            self.edge(at, Instr::Assume(equal));
            let differs = self.not(equal);
            others = Some(match others {
                None => differs,
                Some(others) => {
                    let both = ExprKind::Binary(BinOp::And, others, differs);
                    add(self.program, both, IntType::BOOL)
                }
            });
        }
        self.edge(at, Instr::Assume(others.expect("there are cases")));
    }
}

/// One way of running through a region.
#[derive(Clone, Debug)]
struct Run {
    way: Vec<u32>,
    state: State,
    /// All values that variables had.
    history: BTreeSet<(VarId, i128)>,
}

/// All runs to the end; `inputs` are the values that edges bring in.
fn runs(
    program: &Program,
    region: &Region,
    start: &State,
    inputs: &[i128],
    wraps: bool,
) -> Vec<Run> {
    let history = start.iter().map(|(var, value)| (*var, *value)).collect();
    let mut open = vec![(region.entry, Run { way: Vec::new(), state: start.clone(), history })];
    let mut done = Vec::new();
    while let Some((at, run)) = open.pop() {
        for (number, edge) in region.edges.iter().enumerate().filter(|(_, e)| e.from == at) {
            let mut next = run.clone();
            next.way.push(number as u32);
            if !take(program, edge, inputs[number], wraps, &mut next) {
                continue;
            }
            match edge.to == region.exit {
                true => done.push(next),
                false => open.push((edge.to, next)),
            }
        }
    }
    done
}

fn take(program: &Program, edge: &Edge, input: i128, wraps: bool, run: &mut Run) -> bool {
    let evaluate = |run: &Run, e| meaning(program, &run.state, e, wraps).ok();
    let target = |place: PlaceId| match program.places[place].kind {
        PlaceKind::Var(var) => var,
        _ => unreachable!("variables only"),
    };
    let wrapped = |var: VarId| program.vars[var].ty.as_int().expect("integers").wrap(input);
    let assigned = match edge.instr {
        Instr::Assume(condition) => return evaluate(run, condition) == Some(1),
        Instr::Assign(place, e) => evaluate(run, e).map(|value| (target(place), value)),
        Instr::Return(Some(e)) => {
            let result = program.procs[program.main].result.expect("an `int`");
            evaluate(run, e).map(|value| (result, value))
        }
        Instr::Havoc(place, _) => Some((target(place), wrapped(target(place)))),
        _ => return true,
    };
    if let Some((var, value)) = assigned {
        run.state.insert(var, value);
        run.history.insert((var, value));
    }
    assigned.is_some()
}

/// A region, encoded.
struct Encoded<'p> {
    program: &'p Program,
    machine: Machine,
    terms: Terms,
    ssa: Ssa<'p>,
    frame: FrameId,
    before: Versions,
    after: Versions,
    step: Step,
}

fn encode<'p>(program: &'p Program, machine: Machine, region: &Region) -> Encoded<'p> {
    let mut terms = Terms::new();
    let mut ssa = Ssa::new(program, machine);
    let frame = ssa.frame(program.main, "main");
    let mut before = Versions::default();
    // Some variables have been assigned before.
    for var in program.vars.ids().filter(|var| var.index() % 2 == 0) {
        before.advance(ssa.instance(frame, var));
    }
    let mut after = before.clone();
    let instr = match &region.edges[..] {
        [only] => only.instr.clone(),
        _ => Instr::Block(Box::new(region.clone())),
    };
    let step = ssa.step(&mut terms, frame, &mut after, &instr, Span::default()).expect("integers");
    Encoded { program, machine, terms, ssa, frame, before, after, step }
}

impl Encoded<'_> {
    fn instance(&self, var: VarId) -> Instance {
        self.ssa.instance(self.frame, var)
    }

    fn literal(&self, var: VarId, value: i128) -> Value {
        self.machine.literal(value, self.program.vars[var].ty.as_int().expect("integers"))
    }

    /// What a symbol may be, given the states before and after.
    fn candidates(
        &self,
        symbol: Symbol,
        start: &State,
        end: &State,
        inputs: &[i128],
        history: &BTreeSet<(VarId, i128)>,
    ) -> Vec<Value> {
        let Some(Origin::Version(instance, version)) = self.ssa.origin(symbol) else {
            return vec![Value::Bool(false), Value::Bool(true)];
        };
        let var = instance.var;
        if version == self.before.get(instance) {
            return vec![self.literal(var, start[&var])];
        }
        if version == self.after.get(instance) {
            return vec![self.literal(var, end[&var])];
        }
        let is_own = |t: Term| self.terms.as_symbol(t) == Some(symbol);
        if let Some(input) = self.step.inputs.iter().find(|i| is_own(i.value.term)) {
            return vec![self.literal(var, input.value.ty.wrap(inputs[input.edge]))];
        }
        let had = history.iter().filter(|(v, _)| *v == var);
        had.map(|(_, value)| self.literal(var, *value)).collect()
    }

    /// The assignments, of all there may be, that satisfy the formula; `None` for too many.
    fn models(
        &self,
        start: &State,
        end: &State,
        inputs: &[i128],
        history: &BTreeSet<(VarId, i128)>,
    ) -> Option<Vec<Assignment>> {
        let roots = [&self.step.guards[..], &[self.step.formula, self.step.ranges]].concat();
        let mut assignments = vec![Assignment::default()];
        for symbol in self.terms.free_symbols_of(&roots) {
            let values = self.candidates(symbol, start, end, inputs, history);
            assignments = assignments
                .iter()
                .flat_map(|a| values.iter().map(|v| with(a, symbol, v.clone())))
                .collect();
            if assignments.len() > 300 {
                return None;
            }
        }
        let both = [self.step.formula, self.step.ranges];
        let satisfied = |a: &Assignment| {
            both.iter().all(|f| self.terms.holds(*f, a).expect("the formula is decided"))
        };
        // An input that is the last version of its variable must have its last value.
        let consistent = self.step.inputs.iter().all(|input| {
            let symbol = self.terms.as_symbol(input.value.term).expect("a symbol");
            let Some(Origin::Version(of, version)) = self.ssa.origin(symbol) else { return false };
            let value = input.value.ty.wrap(inputs[input.edge]);
            version != self.after.get(of) || end[&of.var] == value
        });
        Some(assignments.into_iter().filter(|a| consistent && satisfied(a)).collect())
    }

    fn way(&self, region: &Region, model: &Assignment) -> Vec<u32> {
        let number = |edge: &Edge| {
            region.edges.iter().position(|e| std::ptr::eq(e, edge)).expect("of the region")
        };
        let take = |_: &(), edge: &Edge| {
            self.terms.holds(self.step.guards[number(edge)], model)?.then_some(())
        };
        way_through(region, (), take).expect("a model has a way").0
    }
}

fn with(assignment: &Assignment, symbol: Symbol, value: Value) -> Assignment {
    let mut assignment = assignment.clone();
    assignment.symbols.insert(symbol, value);
    assignment
}

#[derive(Default, Debug)]
struct Count {
    runs: u32,
    wrong: u32,
    skipped: u32,
    blocked: u32,
}

fn check(program: &Program, region: &Region, rng: &mut Rng, count: &mut Count) {
    for machine in machines() {
        let encoded = encode(program, machine, region);
        for _ in 0..4 {
            let random = |rng: &mut Rng| -> State {
                let value =
                    |(id, var): (VarId, &Var)| (id, rng.value(var.ty.as_int().expect("integers")));
                program.vars.iter().map(value).collect()
            };
            let start = random(rng);
            let inputs: Vec<i128> = region.edges.iter().map(|_| rng.value(signed(32))).collect();
            let runs = runs(program, region, &start, &inputs, wraps(machine));
            let history: BTreeSet<_> = runs.iter().flat_map(|r| r.history.clone()).collect();
            check_runs(&encoded, region, &start, &inputs, &runs, &history, count);
            let mut ends: Vec<State> = vec![random(rng), start.clone()];
            for run in &runs {
                let var = rng.pick(&program.vars.ids().collect::<Vec<_>>());
                let other = rng.value(program.vars[var].ty.as_int().expect("integers"));
                let mut end = run.state.clone();
                end.insert(var, other);
                ends.push(end);
            }
            for end in ends {
                if encoded.sees_no_difference(&runs, &end) {
                    continue;
                }
                match encoded.models(&start, &end, &inputs, &history) {
                    None => count.skipped += 1,
                    Some(models) => {
                        assert!(
                            models.is_empty(),
                            "from {start:?} to {end:?}, inputs {inputs:?}, runs {runs:?}\n{}",
                            encoded.show(region, &models)
                        );
                        count.wrong += 1;
                    }
                }
            }
        }
    }
}

impl Encoded<'_> {
    fn show(&self, region: &Region, models: &[Assignment]) -> String {
        let edges = region.edges.iter().enumerate().map(|(number, edge)| {
            let Edge { from, to, instr, .. } = edge;
            let guard = self.terms.smtlib(self.step.guards[number]);
            let instr = self.program.show_instr(instr);
            format!("{number}: {from:?} -> {to:?}: {instr}\n    {guard}\n")
        });
        let ways = models.iter().map(|m| format!("{:?}: {m:?}\n", self.way(region, m)));
        let lines: String = edges.chain(ways).collect();
        format!("{:?}\n{lines}{}", self.machine, self.terms.smtlib(self.step.formula))
    }

    /// Whether a state differs from the end of some run only in variables that no path assigns:
    /// they have one symbol.
    fn sees_no_difference(&self, runs: &[Run], end: &State) -> bool {
        let unassigned = |var: VarId| {
            let instance = self.instance(var);
            self.before.get(instance) == self.after.get(instance)
        };
        let same =
            |run: &Run| end.iter().all(|(v, value)| run.state[v] == *value || unassigned(*v));
        runs.iter().any(same)
    }
}

fn check_runs(
    encoded: &Encoded<'_>,
    region: &Region,
    start: &State,
    inputs: &[i128],
    runs: &[Run],
    history: &BTreeSet<(VarId, i128)>,
    count: &mut Count,
) {
    count.blocked += u32::from(runs.is_empty());
    for run in runs {
        let Some(models) = encoded.models(start, &run.state, inputs, history) else {
            count.skipped += 1;
            continue;
        };
        count.runs += 1;
        let ways: Vec<Vec<u32>> = models.iter().map(|m| encoded.way(region, m)).collect();
        assert!(
            ways.contains(&run.way),
            "from {start:?}, inputs {inputs:?}, {run:?}\n{}",
            encoded.show(region, &models)
        );
        // Every way that a model shows is one of a run to this state.
        let same: Vec<_> = runs.iter().filter(|r| r.state == run.state).map(|r| &r.way).collect();
        assert!(ways.iter().all(|way| same.contains(&way)), "{:?}", encoded.machine);
    }
}

#[test]
fn random_regions() {
    let mut rng = Rng(11);
    let mut count = Count::default();
    for number in 0..700 {
        let (mut program, vars) = program(&SMALL);
        let maker = Maker {
            program: &mut program,
            rng: &mut rng,
            vars,
            size: 1 + number % 9,
            edges: Vec::new(),
        };
        let region = maker.region(number % 4 == 0);
        check(&program, &region, &mut rng, &mut count);
    }
    let Count { runs, wrong, skipped, blocked } = count;
    let total = runs + wrong;
    assert!(runs > 3000 && wrong > 8000 && blocked > 1000 && skipped < total / 10, "{count:?}");
}

/// A hundred branches and joins make a formula of some hundred terms, not of 2^100.
#[test]
fn diamonds_are_linear() {
    for machine in machines() {
        let sizes = [50, 100].map(|length| {
            let (mut program, vars) = program(&SMALL);
            let mut rng = Rng(3);
            let mut edges = Vec::new();
            for at in 0..length {
                diamond(&mut program, &vars, &mut rng, at, &mut edges);
            }
            let region = Region { entry: LocId(0), exit: LocId(3 * length), edges };
            let encoded = encode(&program, machine, &region);
            assert!(encoded.step.inputs.is_empty());
            encoded.terms.len()
        });
        assert!(sizes[1] < sizes[0] * 5 / 2, "{machine:?} {sizes:?}");
    }
}

/// `if (x != k) y = y + x; else z = z - x;`
fn diamond(program: &mut Program, vars: &[VarId], rng: &mut Rng, at: u32, edges: &mut Vec<Edge>) {
    let ty = unsigned(8);
    let x = vars[1];
    let place = program.var_place(x, Span::default());
    let load = add(program, ExprKind::Load(place), ty);
    let k = add(program, ExprKind::Int(rng.value(ty)), ty);
    let condition = add(program, ExprKind::Binary(BinOp::Ne, load, k), IntType::BOOL);
    let otherwise = add(program, ExprKind::Unary(UnOp::Not, condition), IntType::BOOL);
    let sum = add(program, ExprKind::Binary(BinOp::Add, load, k), ty);
    let difference = add(program, ExprKind::Binary(BinOp::Mul, load, k), ty);
    let [start, left, right, end] = [3 * at, 3 * at + 1, 3 * at + 2, 3 * at + 3].map(LocId);
    let mut edge = |from, to, instr| edges.push(Edge { from, to, instr, span: Span::default() });
    edge(start, left, Instr::Assume(condition));
    edge(start, right, Instr::Assume(otherwise));
    edge(left, end, Instr::Assign(place, sum));
    edge(right, end, Instr::Assign(place, difference));
}

/// Where a value would be copied without end it gets a name, on its own path only.
#[test]
fn large_values_are_named() {
    let (mut program, vars) = program(&[IntType::BOOL, IntType::I32]);
    let place = program.var_place(vars[1], Span::default());
    let load = add(&mut program, ExprKind::Load(place), IntType::I32);
    let square = add(&mut program, ExprKind::Binary(BinOp::Mul, load, load), IntType::I32);
    let flag = program.var_place(vars[0], Span::default());
    let flag = add(&mut program, ExprKind::Load(flag), IntType::BOOL);
    let unset = add(&mut program, ExprKind::Unary(UnOp::Not, flag), IntType::BOOL);
    let mut edges = vec![];
    let mut edge = |from, to, instr| {
        edges.push(Edge { from: LocId(from), to: LocId(to), instr, span: Span::default() });
    };
    edge(0, 1, Instr::Assume(flag));
    edge(0, 40, Instr::Assume(unset));
    for at in 1..40 {
        edge(at, at + 1, Instr::Assign(place, square));
    }
    let region = Region { entry: LocId(0), exit: LocId(40), edges };
    let encoded = encode(&program, Machine::default(), &region);
    assert!(encoded.terms.len() < 3000, "{}", encoded.terms.len());
    // Squares of 5 overflow soon, which is of no concern to a run that makes none.
    let result = program.procs[program.main].result.expect("an `int`");
    for (flag, x, ends) in [(1, 1, true), (0, 5, true), (1, 5, false), (1, 0, true)] {
        let start = State::from([(vars[0], flag), (vars[1], x), (result, 0)]);
        let inputs = vec![0; region.edges.len()];
        let runs = runs(&program, &region, &start, &inputs, false);
        assert_eq!(runs.len(), usize::from(ends));
        let history = BTreeSet::from([(vars[1], x)]);
        let models = encoded.models(&start, &start, &inputs, &history).expect("few symbols");
        assert_eq!(!models.is_empty(), ends, "{flag} {x}");
    }
}

/// A variable in memory that has died holds anything; one that is not keeps its value.
#[test]
fn the_end_of_a_variable() {
    for (in_memory, keeps) in [(false, true), (true, false)] {
        let (mut program, vars) = program(&[IntType::BOOL, IntType::I32]);
        program.vars[vars[1]].address_taken = in_memory;
        let mut terms = Terms::new();
        let mut ssa = Ssa::new(&program, Machine::default());
        let frame = ssa.frame(program.main, "main");
        let mut versions = Versions::default();
        let end = Instr::Dead(vars[1]);
        let step = ssa.step(&mut terms, frame, &mut versions, &end, Span::default()).unwrap();
        assert_eq!(step.formula, Term::TRUE);
        assert_eq!(versions.get(ssa.instance(frame, vars[1])) == 0, keeps);
    }
}
