//! The writer of pictures: one SVG with its own style sheet, no script and no external file.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::picture::{COLUMN, Data, FONT_SIZE, LINE_HEIGHT, Link, Node, Panel, Picture, Shape};
use crate::excerpt::shortened;
use crate::layout::{Area, Direction, HEAD, Layout, Line, Segment, layout};
use crate::markup::{escaped, num};

pub(super) const STYLE: &str = include_str!("style.css");
const MARGIN: f64 = 24.0;
/// Room for a panel's heading.
const HEADING: f64 = 44.0;
/// Room for file name and legend.
const TOP: f64 = 64.0;

/// How a panel is written into something larger.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    /// Before every anchor: there may be several drawings.
    pub prefix: &'a str,
    /// Whether lines of the source are attributes, so that the page can lead there.
    pub has_lines: bool,
}

/// A picture of its own.
const ALONE: Within<'static> = Within { prefix: "", has_lines: false };

/// One panel for a page that has the style and its own headings.
pub(super) fn embedded(panel: &Panel, within: Within<'_>) -> String {
    let mut placed = Placed::new(panel);
    (placed.x, placed.y) = (0.0, 0.0);
    let (width, height) = (placed.width, placed.height);
    let mut out = format!(
        "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-size=\"{FONT_SIZE}\">\n"
    );
    placed.write(&mut out, within);
    out.push_str("</svg>\n");
    out
}

/// A panel, and where on the page it is.
struct Placed<'p> {
    panel: &'p Panel,
    layout: Layout,
    width: f64,
    height: f64,
    x: f64,
    y: f64,
}

pub(super) fn svg(picture: &Picture) -> String {
    let mut panels: Vec<Placed<'_>> = picture.panels.iter().map(Placed::new).collect();
    let (width, height) = arrange(&mut panels);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" \
         viewBox=\"0 0 {0:.0} {1:.0}\" font-size=\"{FONT_SIZE}\">\n<style>\n{STYLE}{2}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        width, height, picture.style
    );
    head(&mut out, picture);
    for panel in &panels {
        panel.write(&mut out, ALONE);
    }
    out.push_str("</svg>\n");
    out
}

/// Side by side in rows, so that the page is not much wider than high.
fn arrange(panels: &mut [Placed<'_>]) -> (f64, f64) {
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
fn head(out: &mut String, picture: &Picture) {
    let name = escaped(&shortened(&picture.heading, 90));
    let _ = writeln!(out, "<text class=\"file\" x=\"{MARGIN}\" y=\"26\">{name}</text>");
    let mut x = MARGIN;
    for key in &picture.keys {
        let width = key.word.chars().count() as f64 * 6.4 + 16.0;
        let _ = write!(out, "<g class=\"key {}\">", key.class);
        outline(out, x, 36.0, width, 18.0, key.shape);
        let middle = num(x + width / 2.0);
        let _ = writeln!(out, "<text x=\"{middle}\" y=\"49\">{}</text></g>", key.word);
        x += width + 8.0;
    }
    let (x, hint) = (num(x + 4.0), picture.hint);
    let _ = writeln!(out, "<text class=\"hint\" x=\"{x}\" y=\"49\">{hint}</text>");
}

/// The border of a box. The corners of one with a single line of text are half circles.
fn outline(out: &mut String, x: f64, y: f64, width: f64, height: f64, shape: Shape) {
    let radius = if shape == Shape::Square { 0.0 } else { (height / 2.0).min(12.0) };
    let (x1, y1, w, h, r) = (num(x), num(y), num(width), num(height), num(radius));
    let _ = write!(
        out,
        "<rect class=\"box\" x=\"{x1}\" y=\"{y1}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
    );
    if shape == Shape::Double {
        let (x1, y1, w, h) = (num(x + 2.5), num(y + 2.5), num(width - 5.0), num(height - 5.0));
        let r = num(radius - 2.5);
        let _ = write!(
            out,
            "<rect class=\"inner\" x=\"{x1}\" y=\"{y1}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
        );
    }
}

impl Within<'_> {
    fn line(self, line: Option<u32>) -> String {
        line.filter(|_| self.has_lines).map_or(String::new(), |n| format!(" data-line=\"{n}\""))
    }
}

impl<'p> Placed<'p> {
    fn new(panel: &'p Panel) -> Placed<'p> {
        let layout = layout(&panel.graph());
        let title_width = panel.title.width() as f64 * 8.6 + 30.0;
        let width = layout.size.width.max(title_width) + 2.0 * MARGIN;
        let height = layout.size.height + HEADING + MARGIN;
        Placed { panel, layout, width, height, x: 0.0, y: 0.0 }
    }

    fn write(&self, out: &mut String, within: Within<'_>) {
        let (x, y) = (num(self.x), num(self.y));
        let (w, h) = (num(self.width), num(self.height));
        let Panel { class, title, whole_title, nodes, links, .. } = self.panel;
        let data = data(&self.panel.data);
        let _ = writeln!(out, "<g class=\"{class}\"{data} transform=\"translate({x} {y})\">");
        let _ = writeln!(out, "<rect class=\"panel\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>");
        let (title, whole) = (escaped(title), escaped(whole_title));
        let _ = writeln!(
            out,
            "<text class=\"title\" x=\"{MARGIN}\" y=\"30\">{title}<title>{whole}</title></text>"
        );
        let shift = (self.width - 2.0 * MARGIN - self.layout.size.width) / 2.0 + MARGIN;
        let top = num(HEADING + MARGIN / 2.0);
        let _ = writeln!(out, "<g transform=\"translate({} {top})\">", num(shift));
        for (link, line) in links.iter().zip(&self.layout.edges) {
            write_line(out, link, line);
        }
        for (node, area) in nodes.iter().zip(&self.layout.nodes) {
            write_node(out, node, area, within);
        }
        for (link, line) in links.iter().zip(&self.layout.edges) {
            if let Some(area) = &line.label {
                write_label(out, link, area, within);
            }
            if let Some(area) = &line.stub {
                write_stub(out, &nodes[link.to], area, within);
            }
        }
        out.push_str("</g>\n</g>\n");
    }
}

fn write_line(out: &mut String, link: &Link, line: &Line) {
    let (class, data) = (link.class, data(&link.data));
    let _ = write!(out, "<g class=\"{class}\"{data}><path class=\"line\" d=\"");
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

fn write_node(out: &mut String, node: &Node, area: &Area, within: Within<'_>) {
    let (class, id, data) = (&node.class, escaped(&node.anchor), data(&node.data));
    let (prefix, line) = (within.prefix, within.line(node.line));
    let _ = write!(out, "<g class=\"node {class}\" id=\"{prefix}{id}\"{data}{line}>");
    outline(out, area.left(), area.top(), area.size.width, area.size.height, node.shape);
    let x = num(area.x);
    let mut y = area.y + 4.0 - node.lines.len().saturating_sub(1) as f64 * LINE_HEIGHT / 2.0;
    for line in &node.lines {
        let (text, at) = (escaped(&line.text), num(y));
        let class = match line.class {
            "" => String::new(),
            class => format!(" class=\"{class}\""),
        };
        let aside = escaped(&line.aside);
        let _ = write!(
            out,
            "<text{class} x=\"{x}\" y=\"{at}\">{text}<tspan class=\"at\">{aside}</tspan></text>"
        );
        y += LINE_HEIGHT;
    }
    let _ = writeln!(out, "<title>{}</title></g>", escaped(&node.tooltip));
}

/// One step as bare text, several in a box with their line numbers.
fn write_label(out: &mut String, link: &Link, area: &Area, within: Within<'_>) {
    let (class, data) = (link.label_class, data(&link.label_data));
    let _ = write!(out, "<g class=\"{class}\"{data}>");
    let (x, y) = (num(area.left()), num(area.top()));
    let (w, h) = (num(area.size.width), num(area.size.height));
    let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"4\"/>");
    let gutter = link.gutter();
    let left = area.left() + if link.is_box() { 7.0 } else { 3.0 };
    let mut y = area.top() + if link.is_box() { 4.0 } else { 1.0 } + LINE_HEIGHT * 0.75;
    let mut before = None;
    for step in &link.steps {
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
        let line = within.line(step.line);
        let _ = writeln!(
            out,
            "<text{class}{line} x=\"{x}\" y=\"{}\">{}<title>{}</title></text>",
            num(y),
            escaped(&step.text),
            escaped(&step.tooltip)
        );
        y += LINE_HEIGHT;
    }
    out.push_str("</g>\n");
}

fn write_stub(out: &mut String, target: &Node, area: &Area, within: Within<'_>) {
    let (prefix, anchor) = (within.prefix, escaped(&target.anchor));
    let _ = write!(out, "<a class=\"node stub\" href=\"#{prefix}{anchor}\">");
    outline(out, area.left(), area.top(), area.size.width, area.size.height, Shape::Round);
    let (x, y, text) = (num(area.x), num(area.y + 4.0), escaped(&target.stub));
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{text}</text></a>");
}

fn data(data: &Data) -> String {
    data.iter().map(|(name, value)| format!(" data-{name}=\"{}\"", escaped(value))).collect()
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
