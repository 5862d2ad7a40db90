//! States as text: formulas with the names of the source.

use std::collections::BTreeMap;
use std::convert::Infallible;

use lakatos_analysis::core::Cx;
use lakatos_analysis::semantics::Role;
use lakatos_ir::{ProcId, Program, VarId};
use lakatos_logic::term::{Term, Terms};

pub(crate) struct Names<'p> {
    program: &'p Program,
    /// What was said of a function's formula before: many nodes have the same state.
    said: BTreeMap<(ProcId, Term), Vec<String>>,
    /// What a variable is called in a function: all others are looked at to find that out.
    called: BTreeMap<(ProcId, VarId), String>,
}

impl<'p> Names<'p> {
    pub fn new(program: &'p Program) -> Names<'p> {
        Names { program, said: BTreeMap::new(), called: BTreeMap::new() }
    }

    /// The conjuncts of a state of one of the function's frames. Values at its entry are
    /// `\old(x)`, as in ACSL.
    pub fn state(&mut self, cx: &Cx<'_>, proc: ProcId, formula: Term) -> Vec<String> {
        if let Some(said) = self.said.get(&(proc, formula)) {
            return said.clone();
        }
        let mut terms = Terms::new();
        let renamed = terms.import_as(&cx.terms, formula, |terms, symbol, sort| {
            let name = match cx.semantics.role(symbol) {
                Some((Role::Pre, var)) => format!("\\old({})", self.name(proc, var)),
                Some((_, var)) => self.name(proc, var),
                None => cx.terms.symbol_name(symbol).to_string(),
            };
            Ok::<_, Infallible>(terms.symbol(&name, sort))
        });
        let renamed = renamed.unwrap_or_else(|never| match never {});
        let said: Vec<String> =
            terms.conjuncts(renamed).iter().map(|c| terms.display(*c).to_string()).collect();
        self.said.insert((proc, formula), said.clone());
        said
    }

    fn name(&mut self, proc: ProcId, id: VarId) -> String {
        if let Some(name) = self.called.get(&(proc, id)) {
            return name.clone();
        }
        let name = self.new_name(proc, id);
        self.called.insert((proc, id), name.clone());
        name
    }

    /// The name in the source; with its line, or its number, where the function knows two of them.
    fn new_name(&self, proc: ProcId, id: VarId) -> String {
        let name = self.program.var_name(id);
        let line = |id: VarId| self.program.source.position(self.program.vars[id].span.start).line;
        let others = || {
            let vars = self.program.vars.iter();
            let vars = vars.filter(|(_, v)| v.kind.frame().is_none_or(|frame| frame == proc));
            vars.map(|(other, _)| other)
                .filter(|other| *other != id && self.program.var_name(*other) == name)
        };
        match others().next() {
            None => name,
            Some(_) if others().any(|other| line(other) == line(id)) => format!("{name}#{}", id.0),
            Some(_) => format!("{name}@{}", line(id)),
        }
    }
}
