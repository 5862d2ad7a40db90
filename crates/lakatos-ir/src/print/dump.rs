//! A whole program as text: stable and exact, the form that snapshot tests compare.

use std::collections::HashMap;
use std::fmt::{self, Formatter};

use super::{Printer, Show};
use crate::program::{Cfa, InputKind, Loc, LocId, ProcId, Procedure, Program, VarId, VarKind};
use crate::source::Span;
use crate::ty::{RecordId, Type};

/// The whole program: records, static variables, inputs, then every procedure with its automaton.
/// Each conversion is shown, and variables of one name in one scope are told apart by `#2`, `#3`.
pub fn program(program: &Program) -> impl fmt::Display + '_ {
    let names = unique_names(program);
    Show(move |f: &mut Formatter<'_>| {
        Dump { print: Printer { program, names: Some(&names) } }.program(f)
    })
}

fn unique_names(program: &Program) -> Vec<String> {
    let mut seen: HashMap<(Option<ProcId>, String), u32> = HashMap::new();
    let ids = program.vars.iter().map(|(id, var)| (id, var.kind.frame()));
    ids.map(|(id, frame)| {
        let name = program.var_name(id);
        let count = seen.entry((frame, name.clone())).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name}#{count}") }
    })
    .collect()
}

struct Dump<'p> {
    print: Printer<'p>,
}

impl<'p> Dump<'p> {
    fn ir(&self) -> &'p Program {
        self.print.program
    }

    fn program(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = self.ir();
        for id in program.types.records.ids() {
            self.record(f, id)?;
        }
        for (id, var) in program.vars.iter().filter(|(_, v)| v.kind.frame().is_none()) {
            let owner = match var.kind {
                VarKind::Static(proc) => format!("static in {} ", program.procs[proc].name),
                VarKind::Literal => "literal ".to_owned(),
                VarKind::Ghost | VarKind::Cell(_) | VarKind::Key(_) => "ghost ".to_owned(),
                _ => String::new(),
            };
            writeln!(f, "{owner}{}{}", self.declared(id), taken(var.address_taken))?;
        }
        for (id, site) in program.sites.iter() {
            let kind = match site.kind {
                InputKind::Nondet => "nondet",
                InputKind::Uninitialised => "uninitialised",
                InputKind::External => "external",
                InputKind::Assembly => "assembly",
                InputKind::Library => "library",
                InputKind::Volatile => "volatile",
                InputKind::Allocation => "allocation",
            };
            let ty = program.show_type(site.ty);
            let proc = &program.procs[site.proc].name;
            writeln!(f, "{id:?}: {kind} {ty} {} in {proc}{}", site.name, self.at(site.span))?;
        }
        for (id, proc) in program.procs.iter() {
            self.procedure(f, id, proc)?;
        }
        Ok(())
    }

    fn record(&self, f: &mut Formatter<'_>, id: RecordId) -> fmt::Result {
        let types = &self.ir().types;
        let record = &types.records[id];
        let head = types.declare(Type::Record(id), "");
        if record.incomplete {
            return writeln!(f, "{head}, incomplete");
        }
        writeln!(f, "{head}, {} bytes, aligned to {}", record.size, record.align)?;
        for field in &record.fields {
            let bit = field.bit.map_or(String::new(), |bit| format!(" bit {bit}"));
            let name = field.name.as_deref().unwrap_or("");
            writeln!(f, "    {}{bit}: {}", field.offset, types.declare(field.ty, name))?;
        }
        Ok(())
    }

    fn procedure(&self, f: &mut Formatter<'_>, id: ProcId, proc: &Procedure) -> fmt::Result {
        let error = if proc.is_error { ", error" } else { "" };
        let head = self.print.signature(id);
        let Some(body) = &proc.body else {
            return writeln!(f, "\nextern {head}{error}{}", taken(proc.address_taken));
        };
        writeln!(f, "\n{head}{error}{}", taken(proc.address_taken))?;
        for &var in proc.params.iter().filter(|&&v| self.ir().vars[v].address_taken) {
            writeln!(f, "    param {}, address taken", self.declared(var))?;
        }
        for &var in &proc.locals {
            let var_data = &self.ir().vars[var];
            let kind = if matches!(var_data.kind, VarKind::Temp(_)) { "temp" } else { "local" };
            writeln!(f, "    {kind} {}{}", self.declared(var), taken(var_data.address_taken))?;
        }
        body.locs.iter().try_for_each(|(id, loc)| self.location(f, body, id, loc))
    }

    fn location(&self, f: &mut Formatter<'_>, cfa: &Cfa, id: LocId, loc: &Loc) -> fmt::Result {
        write!(f, "  {id:?}")?;
        if id == cfa.entry {
            f.write_str(" entry")?;
        }
        if id == cfa.exit {
            f.write_str(" exit")?;
        }
        for (label, _) in cfa.labels.iter().filter(|(_, at)| *at == id) {
            write!(f, " {label}:")?;
        }
        if let Some(error) = &loc.error {
            write!(f, " error {}: {}", error.property, error.message)?;
        }
        writeln!(f, "{}", self.at(loc.span))?;
        for &edge in &loc.out {
            let edge = &cfa.edges[edge];
            let print = self.print;
            let text = Show(move |f: &mut Formatter<'_>| print.instr(f, &edge.instr));
            writeln!(f, "    {text} -> {:?}", edge.to)?;
        }
        Ok(())
    }

    fn declared(&self, var: VarId) -> String {
        self.ir().types.declare(self.ir().vars[var].ty, &self.print.var(var))
    }

    /// ` @line:column`, or nothing for a span that is not in the source.
    fn at(&self, span: Span) -> String {
        if span == Span::default() {
            return String::new();
        }
        let position = self.ir().source.position(span.start);
        format!(" @{}:{}", position.line, position.column)
    }
}

fn taken(address_taken: bool) -> &'static str {
    if address_taken { ", address taken" } else { "" }
}
