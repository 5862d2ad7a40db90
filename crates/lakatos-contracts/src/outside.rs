//! Functions that the program calls and does not define: what Lakatos knows or assumes of them, as
//! contracts at their declarations.

use lakatos_c::ast::Declaration;
use lakatos_ir::{InputKind, Program};

use crate::Gap;
use crate::model::Function;
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

/// The contract of a function that is called; `None` if there is nothing to say, or no place.
/// Calls of error functions are errors if `errors_count`.
pub(crate) fn contract(
    program: &Program,
    declared: Declared<'_>,
    errors_count: bool,
    gaps: &mut Vec<Gap>,
) -> Option<Function> {
    let name = declared.name();
    let role = role(program, declared);
    if role == Role::Unknown || declared.is_annotated() {
        return None;
    }
    let Some(declaration) = declared.declarations.first() else {
        if matches!(role, Role::Error | Role::Assert | Role::Assume | Role::End) {
            let at = program.source.position(declared.span().start).to_string();
            gaps.push(Gap::Undeclared { at, name: name.to_owned() });
        }
        return None;
    };
    let mut function = Function {
        name: name.to_owned(),
        parameters: declared.parameters(&declaration.params),
        result: declared.result(),
        has_body: false,
        requires: Vec::new(),
        assigns: Some(Vec::new()),
        ensures: Vec::new(),
        loops: Vec::new(),
        at: declaration.span.start,
        named: None,
    };
    match role {
        Role::Error if errors_count => function.requires.push("\\false".to_owned()),
        // Nothing happens after it.
        Role::Error | Role::End => function.ensures.push("\\false".to_owned()),
        Role::Assert | Role::Assume => {
            let Some(condition) = condition(&mut function, declared, declaration) else {
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
    let is_input = |(_, site): (_, &lakatos_ir::Site)| {
        site.kind == InputKind::Nondet && site.name == name
    };
    match name {
        "__VERIFIER_assume" => Role::Assume,
        "assert" => Role::Assert,
        "abort" | "exit" | "_exit" | "_Exit" => Role::End,
        _ if program.sites.iter().any(is_input) => Role::Input,
        _ if declared.has_pointers() => Role::Unknown,
        _ => Role::Input,
    }
}

/// `condition != 0`, of the first parameter, which gets a name if it has none.
fn condition(
    function: &mut Function,
    declared: Declared<'_>,
    declaration: &Declaration,
) -> Option<String> {
    let first = *declaration.params.first()?;
    let parameter = &mut function.parameters[0];
    if parameter.name.is_empty() {
        parameter.name = CONDITION.to_owned();
        function.named = Some((declared.parameter_span(first).end, format!(" {CONDITION}")));
    }
    Some(format!("{} != 0", parameter.name))
}
