//! Control-flow automata, and in [`reach`] abstract reachability graphs, for the eye and for other
//! tools: Graphviz, SVG, JSON.
//!
//! `dot` and `json` give the automaton as it is; `svg` is a picture for a person, in which runs of
//! straight-line steps share a box (every location and edge is still named in `data-locs` and
//! `data-edges`). No system package is needed for any of them. Both kinds of graph become one
//! `picture`, which one layout and one writer of SVG draw.

mod automata;
mod chart;
mod dot;
mod json;
mod marks;
mod picture;
pub mod reach;
mod svg;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use lakatos_ir::{Cfa, ProcId, Procedure, Program};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Dot,
    Svg,
    Json,
}

/// Draws one procedure, or all that have a body.
pub fn draw(program: &Program, proc: Option<ProcId>, format: Format) -> String {
    match format {
        Format::Dot => dot(program, proc),
        Format::Svg => svg(program, proc),
        Format::Json => json(program, proc),
    }
}

/// For Graphviz: one cluster per procedure.
pub fn dot(program: &Program, proc: Option<ProcId>) -> String {
    dot::dot(program, &selected(program, proc))
}

/// A picture that stands alone: light and dark, tooltips, no script, no external file.
pub fn svg(program: &Program, proc: Option<ProcId>) -> String {
    svg::svg(&automata::picture(program, &selected(program, proc)))
}

/// The automata as data, schema `lakatos-cfa/1`.
pub fn json(program: &Program, proc: Option<ProcId>) -> String {
    json::json(program, &selected(program, proc))
}

/// The rules that drawings in a page need.
pub(crate) const STYLES: [&str; 2] = [svg::STYLE, reach::STYLE];

/// An automaton as part of a page.
pub(crate) struct Embedded {
    pub name: String,
    panel: picture::Panel,
    has_lines: bool,
}

impl Embedded {
    pub fn boxes(&self) -> usize {
        self.panel.nodes.len()
    }

    pub fn svg(&self) -> String {
        svg::embedded(&self.panel, svg::Within { prefix: "cfa-", has_lines: self.has_lines })
    }
}

/// The automata of the functions that the source defines, for a page that has the style.
pub(crate) fn embedded(program: &Program) -> Vec<Embedded> {
    let mut drawn = selected(program, None);
    drawn.retain(|drawn| drawn.id != program.start);
    let picture = automata::picture(program, &drawn);
    let source = &program.source;
    let embed = |(drawn, panel): (&Drawn<'_>, picture::Panel)| {
        // Lines of another file are no lines of the page.
        let has_lines = source.position(drawn.proc.span.start).file == source.name();
        Embedded { name: drawn.proc.name.clone(), panel, has_lines }
    };
    drawn.iter().zip(picture.panels).map(embed).collect()
}

/// The procedures to draw: in source order, and our own `start` last.
fn selected(program: &Program, only: Option<ProcId>) -> Vec<Drawn<'_>> {
    let drawn = |(id, proc, cfa)| Drawn { id, proc, cfa };
    let mut all: Vec<_> = program.defined().map(drawn).collect();
    all.retain(|d| only.is_none_or(|only| only == d.id));
    all.sort_by_key(|d| d.id == program.start);
    all
}

/// A procedure with a body.
#[derive(Clone, Copy)]
struct Drawn<'p> {
    id: ProcId,
    proc: &'p Procedure,
    cfa: &'p Cfa,
}
