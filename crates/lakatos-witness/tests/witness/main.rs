//! Witnesses: expressions, files, and what they claim.

mod claims;
mod expression;
mod format;
mod printing;
mod runs;

use std::collections::BTreeMap;

use lakatos_ir::{DataModel, IntType, Program, Source, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Assignment, Sort, Symbol, Term, Terms, Value};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";

fn compile(text: &str, model: DataModel) -> Program {
    let source = Source::new("t.c", text);
    lakatos_c::compile(source, &lakatos_c::Options::of_model(model))
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

/// The variable of that name.
fn var(program: &Program, name: &str) -> VarId {
    program.vars.iter().find(|(_, v)| v.name == name).unwrap_or_else(|| panic!("no {name}")).0
}

/// A condition of a program, over symbols that are called like its variables.
struct Formula {
    terms: Terms,
    term: Term,
}

impl Formula {
    fn of(program: &Program, condition: lakatos_ir::ExprId) -> Formula {
        let mut terms = Terms::new();
        let truth = lakatos_check::truth(program, &mut terms, condition, |terms, var| {
            let info = &program.vars[var];
            let boolean = info.ty.as_int() == Some(IntType::BOOL);
            terms.symbol(&info.name, if boolean { Sort::Bool } else { Sort::Int })
        });
        let truth = truth.expect("only integers");
        let term = terms.and([truth.defined, truth.holds]);
        Formula { terms, term }
    }

    fn holds(&self, values: &BTreeMap<String, i128>) -> bool {
        holds(&self.terms, self.term, values)
    }
}

/// Whether a formula over named symbols holds.
fn holds(terms: &Terms, formula: Term, values: &BTreeMap<String, i128>) -> bool {
    let value = |symbol: Symbol| {
        let value = values.get(terms.symbol_name(symbol)).copied().unwrap_or(0);
        match terms.symbol_sort(symbol) {
            Sort::Bool => Value::Bool(value != 0),
            Sort::BitVec(width) => {
                let bits = lakatos_logic::number::wrap_unsigned(&Int::from(value), width);
                Value::BitVec(bits, width)
            }
            _ => Value::Int(Int::from(value)),
        }
    };
    let symbols = terms.free_symbols(formula).into_iter().map(|s| (s, value(s))).collect();
    let assignment = Assignment { symbols, ..Assignment::default() };
    terms.holds(formula, &assignment).expect("all symbols have values")
}
