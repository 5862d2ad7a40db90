//! Random C programs that are closed, terminating and defined by construction.
//!
//! Every object is initialised where it is declared, indices are reduced into bounds, divisors
//! and shift amounts are guarded, loops count, recursion burns fuel, and unsequenced operands
//! never touch what another one writes (`effect`). Signed arithmetic may overflow: such
//! programs mean what `-fwrapv` says. A program prints numbers as it goes and a checksum of every
//! variable at the end; the exit code is made of the checksum.
//!
//! Each seed leaves out a random part of the language (swarm testing), so that what remains
//! meets more often.

mod call;
mod constant;
mod declare;
mod effect;
mod expr;
mod indirect;
mod init;
mod loops;
mod memory;
mod place;
mod program;
mod rng;
mod stmt;
mod types;

use lakatos_ir::DataModel;

pub use rng::Rng;
pub use types::Kind;

use effect::{ObjectId, SHARED};
use types::{Len, Ty, Universe};

/// The program that a seed names.
pub fn program(seed: u64, model: DataModel) -> String {
    let mut generator = Generator::new(seed, model);
    generator.program();
    generator.out
}

/// Declarations of enumerations, and constant expressions that use them.
pub fn constant_expressions(seed: u64, model: DataModel, count: usize) -> (String, Vec<String>) {
    let mut generator = Generator::new(seed, model);
    generator.enumeration();
    generator.enumeration();
    let expressions = (0..count).map(|_| generator.constant_expression(2).text).collect();
    (generator.out, expressions)
}

/// What this seed's programs may contain.
#[derive(Clone, Debug)]
struct Features {
    floats: bool,
    wide: bool,
    records: bool,
    pointers: bool,
    heap: bool,
    variable_arrays: bool,
    jumps: bool,
    statement_expressions: bool,
    library: bool,
    side_effects: bool,
}

/// What is known about a variable besides its type.
#[derive(Clone, Debug, PartialEq)]
enum Role {
    Plain,
    /// Never written after its declaration; if `below` is there, from 0 to less than that.
    Fixed {
        below: Option<u32>,
    },
    /// Points to an object at all times.
    Single,
    /// Points to an element of the array `base` at all times.
    Cursor {
        base: String,
        len: Len,
    },
    /// Points to the first of some elements, and is never written.
    Base {
        len: Len,
    },
    /// Its name may not be used yet (in its own initialiser) but hides others.
    Hidden,
}

#[derive(Clone, Debug)]
struct Var {
    object: ObjectId,
    name: String,
    ty: Ty,
    /// How deep the scope is that ends its life; 0: static storage.
    life: usize,
    role: Role,
}

#[derive(Clone, Debug)]
struct Param {
    name: String,
    ty: Ty,
}

/// Whether the first parameter of a function is the fuel of a recursion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fuel {
    None,
    /// The function is being written: calls of it are recursive.
    Open,
    Ready,
}

#[derive(Clone, Debug)]
struct Function {
    name: String,
    params: Vec<Param>,
    result: Option<Ty>,
    /// About how many steps a call takes.
    cost: u64,
    /// Touches nothing but its parameters.
    pure: bool,
    old_style: bool,
    fuel: Fuel,
    /// Not a function but a table of so many.
    table: Option<u32>,
    /// An argument that stands before all others: a function to call.
    leading: Option<String>,
}

/// Where in a function the generator is.
#[derive(Clone, Debug)]
struct Here {
    /// How often this place is passed in one call of the function.
    weight: u64,
    cost: u64,
    limit: u64,
    can_break: bool,
    can_continue: bool,
    /// Not inside a statement expression.
    can_leave: bool,
    /// Not in `main`, which is to print its checksum.
    can_return: bool,
    /// Labels further down that may be jumped to.
    labels: Vec<String>,
    result: Option<Ty>,
    pure: bool,
    /// No side effects now.
    calm: bool,
    /// Inside an index: the next one is simple.
    indexing: bool,
    /// Inside an aggregate literal: the next one is constant, so that expressions end.
    in_literal: bool,
    recursive_calls: u32,
    nesting: u32,
}

impl Here {
    /// At the beginning of a function.
    fn new(limit: u64, result: Option<Ty>, pure: bool) -> Here {
        Here {
            weight: 1,
            cost: 0,
            limit,
            can_break: false,
            can_continue: false,
            can_leave: true,
            can_return: true,
            labels: Vec::new(),
            result,
            pure,
            calm: false,
            indexing: false,
            in_literal: false,
            recursive_calls: 0,
            nesting: 0,
        }
    }
}

#[derive(Debug)]
struct Generator {
    rng: Rng,
    model: DataModel,
    on: Features,
    out: String,
    indent: usize,
    types: Universe,
    /// Visible variables, innermost last.
    vars: Vec<Var>,
    /// How many variables there were when each open scope began.
    scopes: Vec<usize>,
    functions: Vec<Function>,
    /// Functions that return one of two pointers, with what these point to.
    choosers: Vec<(String, Ty)>,
    here: Here,
    fresh: u32,
}

impl Generator {
    fn new(seed: u64, model: DataModel) -> Generator {
        let mut rng = Rng::new(seed);
        let mut often = |percent| rng.percent(percent);
        let on = Features {
            floats: often(25),
            wide: often(40) && model == DataModel::Lp64,
            records: often(80),
            pointers: often(80),
            heap: often(50),
            variable_arrays: often(30),
            jumps: often(60),
            statement_expressions: often(60),
            library: often(50),
            side_effects: often(85),
        };
        Generator {
            rng,
            model,
            on,
            out: String::new(),
            indent: 0,
            types: Universe::default(),
            vars: Vec::new(),
            scopes: Vec::new(),
            functions: Vec::new(),
            choosers: Vec::new(),
            here: Here::new(0, None, false),
            fresh: 0,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text.as_ref());
        self.out.push('\n');
    }

    /// An opening line, what is inside, and a closing line.
    fn braces(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Generator)) {
        self.line(open);
        self.indent += 1;
        self.scopes.push(self.vars.len());
        inside(self);
        self.close_scope();
        self.indent -= 1;
        self.line(close);
    }

    fn close_scope(&mut self) {
        let vars = self.scopes.pop().expect("a scope was opened");
        self.vars.truncate(vars);
    }

    fn fresh_name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// Runs with another context and comes back to this one; only the cost stays.
    fn within<T>(
        &mut self,
        change: impl FnOnce(&mut Here),
        run: impl FnOnce(&mut Generator) -> T,
    ) -> T {
        let saved = self.here.clone();
        change(&mut self.here);
        let result = run(self);
        let (cost, recursive_calls) = (self.here.cost, self.here.recursive_calls);
        self.here = Here { cost, recursive_calls, ..saved };
        result
    }

    fn spend(&mut self, steps: u64) {
        self.here.cost += self.here.weight * steps;
    }

    fn can_spend(&self, steps: u64) -> bool {
        self.here.cost + self.here.weight.saturating_mul(steps) < self.here.limit
    }

    fn add_var(&mut self, name: String, ty: Ty, role: Role, shared: bool) -> usize {
        self.fresh += 1;
        let object = if shared { SHARED } else { self.fresh };
        self.vars.push(Var { object, name, ty, life: self.scopes.len(), role });
        self.vars.len() - 1
    }

    /// The variables that a name at this point can mean.
    fn visible(&self) -> Vec<Var> {
        let mut found: Vec<Var> = Vec::new();
        let mut names = Vec::new();
        for var in self.vars.iter().rev() {
            if names.contains(&&var.name) {
                continue;
            }
            names.push(&var.name);
            let forbidden = self.here.pure && var.object == SHARED && var.life == 0;
            if var.role != Role::Hidden && !forbidden {
                found.push(var.clone());
            }
        }
        found
    }

    /// A scalar integer type.
    fn int_kind(&mut self) -> Kind {
        let small = [Kind::Int, Kind::UInt, Kind::Long, Kind::ULong];
        let any = if self.on.wide { &Kind::ALL[..] } else { &Kind::ALL[..12] };
        let from = if self.rng.percent(40) { &small[..] } else { any };
        *self.rng.pick(from)
    }

    fn int_type(&mut self) -> Ty {
        if !self.types.enums.is_empty() && self.rng.percent(8) {
            return Ty::Enum(self.rng.below(self.types.enums.len()));
        }
        Ty::Int(self.int_kind())
    }

    fn scalar_type(&mut self) -> Ty {
        match self.on.floats && self.rng.percent(20) {
            true if self.rng.percent(50) => Ty::Float,
            true => Ty::Double,
            false => self.int_type(),
        }
    }

    /// A type name for a cast or `sizeof`.
    fn type_name(&mut self, ty: &Ty) -> String {
        self.types.declare(&mut self.rng, ty, "")
    }

    fn declaration(&mut self, ty: &Ty, name: &str) -> String {
        self.types.declare(&mut self.rng, ty, name)
    }
}
