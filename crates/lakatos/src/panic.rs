//! A panic is a bug in Lakatos: say so, say where to report it, and end with its own exit code.

use std::panic::PanicHookInfo;

use lakatos_logic::smt::z3::catches_panics;

use crate::exit::Exit;
use crate::terminal;

/// From here on a panic in any thread ends the process with [`Exit::Internal`]. Calls to Z3 that
/// fail, for want of memory say, panic too; those are caught and no bug.
pub fn install_hook() {
    std::panic::set_hook(Box::new(|info| {
        if catches_panics() {
            return;
        }
        say(&what(info));
        std::process::exit(Exit::Internal as i32);
    }));
}

/// What is said of a bug.
pub fn say(what: &str) {
    terminal::say(&format!(
        "internal error: {what}\n\
         This is a bug in lakatos {}, not in your program, and no verdict was reached.\n\
         Please report it with the command line, the input file and the lines above.\n",
        env!("CARGO_PKG_VERSION"),
    ));
}

fn what(info: &PanicHookInfo<'_>) -> String {
    let what = info.payload_as_str().unwrap_or("(no message)");
    let place = info.location().map_or_else(String::new, |at| format!(" at {at}"));
    format!("{what}{place}")
}
