//! Functions that the program calls and does not define: what Lakatos knows or assumes of them, as
//! contracts at their declarations.

use lakatos_ir::{InputKind, Program};

use crate::Gap;
use crate::model::{Function, Parameter};
use crate::unit::Declared;

/// What a function without a body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A call is what `unreach-call` is about.
    Error,
    /// `assert(condition)`, which is no macro here.
    Assert,
    /// `__VERIFIER_assume(condition)`.
    Assume,
    /// `abort`, `exit`: no way back.
    End,
    /// Any result, and nothing changes.
    Input,
    /// It may change what its arguments point to.
    Unknown,
}

/// A parameter without a name gets this one where its contract speaks of it.
const CONDITION: &str = "condition";

/// The contract of a function that is called, first in the function that begins at `caller`; `None`
/// if there is nothing to say, or no place. Calls of error functions are errors if `errors_count`.
pub(crate) fn contract(
    program: &Program,
    declared: Declared<'_>,
    caller: u32,
    errors_count: bool,
    gaps: &mut Vec<Gap>,
) -> Option<Function> {
    let name = declared.name();
    let role = role(program, declared);
    if declared.is_annotated() {
        return None;
    }
    let mut function = declared_at(declared, caller);
    if role == Role::Unknown {
        // Nothing is said of it, also not by a contract of what is declared together with it.
        function.assigns = None;
        function.declaration = None;
        return (!declared.declarations.is_empty()).then_some(function);
    }
    match role {
        Role::Error if errors_count => function.requires.push("\\false".to_owned()),
        // Nothing happens after it.
        Role::Error | Role::End => function.ensures.push("\\false".to_owned()),
        Role::Assert | Role::Assume => {
            let Some(condition) = condition(&mut function, declared) else {
                let at = program.source.position(declared.span().start).to_string();
                gaps.push(Gap::NoPrototype { at, name: name.to_owned() });
                return None;
            };
            match role == Role::Assert && errors_count {
                true => function.requires.push(condition),
                false => function.ensures.push(condition),
            }
        }
        Role::Input | Role::Unknown => {}
    }
    Some(function)
}

fn role(program: &Program, declared: Declared<'_>) -> Role {
    let name = declared.name();
    if let Some(proc) = program.proc_named(name) {
        return match (program.procs[proc].is_error, declared.has_pointers()) {
            (true, _) => Role::Error,
            (false, true) => Role::Unknown,
            (false, false) => Role::Input,
        };
    }
    let is_input =
        |(_, site): (_, &lakatos_ir::Site)| site.kind == InputKind::Nondet && site.name == name;
    match name {
        "__VERIFIER_assume" => Role::Assume,
        "assert" => Role::Assert,
        "abort" | "exit" | "_exit" | "_Exit" => Role::End,
        _ if program.sites.iter().any(is_input) => Role::Input,
        _ if declared.has_pointers() => Role::Unknown,
        _ => Role::Input,
    }
}

/// The function without a contract, at its declaration or where that has to be.
fn declared_at(declared: Declared<'_>, caller: u32) -> Function {
    let declaration = declared.declarations.first();
    Function {
        name: declared.name().to_owned(),
        parameters: declaration.map(|d| declared.parameters(&d.params)).unwrap_or_default(),
        result: declared.result(),
        has_body: false,
        globals: Vec::new(),
        requires: Vec::new(),
        decreases: None,
        assigns: Some(Vec::new()),
        ensures: Vec::new(),
        cases: None,
        loops: Vec::new(),
        at: declaration.map_or(caller, |d| d.span.start),
        declaration: declaration.is_none().then(|| format!("{};", declared.declaration())),
        named: None,
    }
}

/// `condition != 0`, of the first parameter, which gets a name if it has none. Where the function
/// is not declared at all any scalar may be given to it, and a truth value arrives.
fn condition(function: &mut Function, declared: Declared<'_>) -> Option<String> {
    let text = || format!("{CONDITION} != 0");
    let Some(declaration) = declared.declarations.first() else {
        let parameter = Parameter { name: CONDITION.to_owned(), ty: "_Bool".to_owned() };
        function.parameters = vec![parameter];
        let name = declared.name();
        function.declaration =
            Some(format!("extern {} {name}(_Bool {CONDITION});", function.result));
        return Some(text());
    };
    let first = *declaration.params.first()?;
    let parameter = &mut function.parameters[0];
    if !parameter.name.is_empty() {
        return Some(format!("{} != 0", parameter.name));
    }
    parameter.name = CONDITION.to_owned();
    function.named = Some((declared.parameter_span(first).end, format!(" {CONDITION}")));
    Some(text())
}
