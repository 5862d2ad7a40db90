//! The picture: one SVG with its own style sheet, no script and no external file.

use std::fmt::Write as _;

use lakatos_ir::{LocId, Program, Span};
use unicode_width::UnicodeWidthStr;

use super::Drawn;
use super::chart::{COLUMN, Chart, FONT_SIZE, LINE_HEIGHT, Link, Node, stub_text};
use super::marks::Kind;
use crate::excerpt::{Excerpt, shortened};
use crate::layout::{Area, Direction, HEAD, Layout, Line, Segment, layout};

const STYLE: &str = include_str!("style.css");
const MARGIN: f64 = 24.0;
/// Room for a procedure's heading.
const HEADING: f64 = 44.0;
/// Room for file name and legend.
const TOP: f64 = 64.0;

/// A procedure with its picture, and where on the page it is.
struct Panel<'p> {
    drawn: Drawn<'p>,
    title: String,
    chart: Chart,
    layout: Layout,
    width: f64,
    height: f64,
    x: f64,
    y: f64,
}

pub(super) fn svg(program: &Program, procs: &[Drawn<'_>]) -> String {
    let mut panels: Vec<Panel<'_>> = procs.iter().map(|&p| Panel::new(program, p)).collect();
    let (width, height) = arrange(&mut panels);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" \
         viewBox=\"0 0 {0:.0} {1:.0}\" font-size=\"{FONT_SIZE}\">\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        width, height
    );
    head(&mut out, program);
    for panel in &panels {
        panel.write(&mut out, program);
    }
    out.push_str("</svg>\n");
    out
}

/// Side by side in rows, so that the page is not much wider than high.
fn arrange(panels: &mut [Panel<'_>]) -> (f64, f64) {
    let area: f64 = panels.iter().map(|p| (p.width + MARGIN) * (p.height + MARGIN)).sum();
    let widest = panels.iter().map(|p| p.width).fold(0.0, f64::max);
    let limit = (area * 1.6).sqrt().max(widest).max(700.0) + MARGIN;
    let (mut x, mut y, mut row) = (MARGIN, TOP, 0.0f64);
    let mut right = 700.0f64;
    for panel in panels {
        if x > MARGIN && x + panel.width > limit {
            (x, y, row) = (MARGIN, y + row + MARGIN, 0.0);
        }
        (panel.x, panel.y) = (x, y);
        x += panel.width + MARGIN;
        row = row.max(panel.height);
        right = right.max(x);
    }
    (right, y + row + MARGIN)
}

/// The file's name and what the colours mean.
fn head(out: &mut String, program: &Program) {
    let name = escaped(&shortened(program.source.name(), 90));
    let _ = writeln!(out, "<text class=\"file\" x=\"{MARGIN}\" y=\"26\">{name}</text>");
    let mut x = MARGIN;
    for (class, word) in [
        ("entry", "entry"),
        ("exit", "exit"),
        ("loop", "loop head"),
        ("error", "error"),
        ("end", "run ends"),
        ("stub", "→ continued"),
    ] {
        let width = word.chars().count() as f64 * 6.4 + 16.0;
        let _ = write!(out, "<g class=\"key {class}\">");
        pill(out, x, 36.0, width, 18.0, class == "loop");
        let _ = writeln!(out, "<text x=\"{}\" y=\"49\">{word}</text></g>", num(x + width / 2.0));
        x += width + 8.0;
    }
    let _ = writeln!(
        out,
        "<text class=\"hint\" x=\"{}\" y=\"49\">l3:12 = location 3, line 12</text>",
        num(x + 4.0)
    );
}

fn pill(out: &mut String, x: f64, y: f64, width: f64, height: f64, is_double: bool) {
    let (x1, y1, w, h, r) = (num(x), num(y), num(width), num(height), num(height / 2.0));
    let _ = write!(
        out,
        "<rect class=\"box\" x=\"{x1}\" y=\"{y1}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
    );
    if is_double {
        let (x1, y1, w, h) = (num(x + 2.5), num(y + 2.5), num(width - 5.0), num(height - 5.0));
        let r = num(height / 2.0 - 2.5);
        let _ = write!(
            out,
            "<rect class=\"inner\" x=\"{x1}\" y=\"{y1}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
        );
    }
}

impl<'p> Panel<'p> {
    fn new(program: &'p Program, drawn: Drawn<'p>) -> Panel<'p> {
        let chart = Chart::new(program, &drawn);
        let layout = layout(&chart.graph);
        let title = shortened(&program.show_signature(drawn.id).to_string(), 70);
        let title_width = title.width() as f64 * 8.6 + 30.0;
        let width = layout.size.width.max(title_width) + 2.0 * MARGIN;
        let height = layout.size.height + HEADING + MARGIN;
        Panel { drawn, title, chart, layout, width, height, x: 0.0, y: 0.0 }
    }

    fn write(&self, out: &mut String, program: &Program) {
        let (x, y) = (num(self.x), num(self.y));
        let (w, h) = (num(self.width), num(self.height));
        let name = escaped(&self.drawn.proc.name);
        let _ = writeln!(
            out,
            "<g class=\"proc\" data-proc=\"{name}\" transform=\"translate({x} {y})\">"
        );
        let _ = writeln!(out, "<rect class=\"panel\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>");
        let whole = escaped(&program.show_signature(self.drawn.id).to_string());
        let title = escaped(&self.title);
        let _ = writeln!(
            out,
            "<text class=\"title\" x=\"{MARGIN}\" y=\"30\">{title}<title>{whole}</title></text>"
        );
        let shift = (self.width - 2.0 * MARGIN - self.layout.size.width) / 2.0 + MARGIN;
        let top = num(HEADING + MARGIN / 2.0);
        let _ = writeln!(out, "<g transform=\"translate({} {top})\">", num(shift));
        for (link, line) in self.chart.links.iter().zip(&self.layout.edges) {
            self.line(out, link, line);
        }
        for (node, area) in self.chart.nodes.iter().zip(&self.layout.nodes) {
            self.node(out, program, node, area);
        }
        for (link, line) in self.chart.links.iter().zip(&self.layout.edges) {
            if let Some(area) = &line.label {
                self.label(out, program, link, area);
            }
            if let Some(area) = &line.stub {
                self.stub(out, link, area);
            }
        }
        out.push_str("</g>\n</g>\n");
    }

    fn line(&self, out: &mut String, link: &Link, line: &Line) {
        let class = match self.chart.nodes[link.to].kind {
            _ if !self.chart.nodes[link.from].is_reached => "edge unreachable",
            Kind::Error => "edge to-error",
            _ => "edge",
        };
        let (edges, locs) = (names(&link.edges), names(&link.passed));
        let _ = write!(
            out,
            "<g class=\"{class}\" data-edges=\"{edges}\" data-locs=\"{locs}\"><path class=\"line\" d=\""
        );
        path(out, &line.path);
        let (x, y) = (line.tip.x, line.tip.y);
        let (dx, dy) = match line.tip.direction {
            Direction::Down => (0.0, -HEAD),
            Direction::Left => (HEAD, 0.0),
            Direction::Right => (-HEAD, 0.0),
        };
        let (half_x, half_y) = (dy * 0.5, dx * 0.5);
        let _ = writeln!(
            out,
            "\"/><path class=\"tip\" d=\"M{} {}L{} {}L{} {}Z\"/></g>",
            num(x),
            num(y),
            num(x + dx + half_x),
            num(y + dy + half_y),
            num(x + dx - half_x),
            num(y + dy - half_y),
        );
    }

    fn node(&self, out: &mut String, program: &Program, node: &Node, area: &Area) {
        let class = match node.kind {
            Kind::Plain if node.is_head => "loop",
            kind => kind.name(),
        };
        let dim = if node.is_reached { "" } else { " unreachable" };
        let locs = names(&[node.loc]) + &names_after(node.absorbed.iter().map(|a| a.0));
        let edges = names(&node.absorbed.iter().map(|a| a.1).collect::<Vec<_>>());
        let id = self.anchor(node.loc);
        let _ = write!(
            out,
            "<g class=\"node {class}{dim}\" id=\"{id}\" data-locs=\"{locs}\" data-edges=\"{edges}\">"
        );
        pill(out, area.left(), area.top(), area.size.width, area.size.height, node.is_head);
        let (name, line) = node.texts();
        let (x, y) = (num(area.x), num(area.y + 4.0));
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y}\">{}<tspan class=\"at\">{line}</tspan></text>",
            escaped(&name)
        );
        let data = &self.drawn.cfa.locs[node.loc];
        let mut title = format!("{:?}", node.loc);
        for (loc, _) in &node.absorbed {
            let _ = write!(title, " = {loc:?}");
        }
        title += dim;
        if let Some(error) = &data.error {
            let _ = write!(title, "\n{}: {}", error.property, error.message);
        }
        title += &place(program, data.span);
        let _ = writeln!(out, "<title>{}</title></g>", escaped(&title));
    }

    /// One step as bare text, several in a box with their line numbers.
    fn label(&self, out: &mut String, program: &Program, link: &Link, area: &Area) {
        let is_box = link.lines.len() > 1;
        let class = match self.chart.nodes[link.from].is_reached {
            true if is_box => "label steps",
            true => "label",
            false => "label unreachable",
        };
        let _ = write!(out, "<g class=\"{class}\" data-edges=\"{}\">", names(&link.edges));
        let (x, y) = (num(area.left()), num(area.top()));
        let (w, h) = (num(area.size.width), num(area.size.height));
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"4\"/>");
        let gutter = link.gutter();
        let left = area.left() + if is_box { 7.0 } else { 3.0 };
        let mut y = area.top() + if is_box { 4.0 } else { 1.0 } + LINE_HEIGHT * 0.75;
        let mut before = None;
        for step in &link.lines {
            let data = &self.drawn.cfa.edges[step.edge];
            if gutter > 0 && step.line != before {
                let number = step.line.map_or(String::new(), |n| n.to_string());
                let x = num(left + (gutter - 1) as f64 * COLUMN);
                let _ = write!(
                    out,
                    "<text class=\"at\" text-anchor=\"end\" x=\"{x}\" y=\"{}\">{number}</text>",
                    num(y)
                );
            }
            before = step.line;
            let class = if step.is_condition { " class=\"condition\"" } else { "" };
            let x = num(left + gutter as f64 * COLUMN);
            let title = format!("{}{}", program.show_instr(&data.instr), place(program, data.span));
            let _ = writeln!(
                out,
                "<text{class} x=\"{x}\" y=\"{}\">{}<title>{}</title></text>",
                num(y),
                escaped(&step.text),
                escaped(&title)
            );
            y += LINE_HEIGHT;
        }
        out.push_str("</g>\n");
    }

    fn stub(&self, out: &mut String, link: &Link, area: &Area) {
        let target = &self.chart.nodes[link.to];
        let _ = write!(out, "<a class=\"node stub\" href=\"#{}\">", self.anchor(target.loc));
        pill(out, area.left(), area.top(), area.size.width, area.size.height, false);
        let (x, y, text) = (num(area.x), num(area.y + 4.0), escaped(&stub_text(target)));
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{text}</text></a>");
    }

    fn anchor(&self, loc: LocId) -> String {
        format!("{:?}-{loc:?}", self.drawn.id)
    }
}

/// For a tooltip: file, line, column and the source line.
fn place(program: &Program, span: Span) -> String {
    if span == Span::default() {
        return String::new();
    }
    let excerpt = Excerpt::new(&program.source, span, 120);
    format!("\n{}:{}:{}\n{}", excerpt.file, excerpt.line, excerpt.column, excerpt.text.trim())
}

fn path(out: &mut String, segments: &[Segment]) {
    for segment in segments {
        let _ = match segment {
            Segment::Move(x, y) => write!(out, "M{} {}", num(*x), num(*y)),
            Segment::Line(x, y) => write!(out, "L{} {}", num(*x), num(*y)),
            Segment::Curve([(a, b), (c, d), (x, y)]) => write!(
                out,
                "C{} {} {} {} {} {}",
                num(*a),
                num(*b),
                num(*c),
                num(*d),
                num(*x),
                num(*y)
            ),
        };
    }
}

/// One decimal at most, and no `-0`.
fn num(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

fn names<T: std::fmt::Debug>(ids: &[T]) -> String {
    ids.iter().map(|id| format!("{id:?}")).collect::<Vec<_>>().join(" ")
}

fn names_after<T: std::fmt::Debug>(ids: impl Iterator<Item = T>) -> String {
    ids.map(|id| format!(" {id:?}")).collect()
}

/// Text for XML 1.0, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
