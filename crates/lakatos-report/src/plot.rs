//! Plots of times: lines over a horizontal axis of counts and a vertical, logarithmic one of
//! seconds, as SVG on a light background. Lines differ in colour and in the shape of their marks,
//! so that nobody needs to see colours.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::excerpt::shortened;
use crate::markup::{escaped, num};

/// What to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    pub title: Option<String>,
    /// What the axes count.
    pub across: String,
    pub up: String,
    pub series: Vec<Series>,
    /// A time that is marked over the whole width.
    pub limit: Option<f64>,
    /// Of the horizontal axis.
    pub scale: Scale,
}

/// How an axis counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    #[default]
    Linear,
    /// By powers of ten; counts below 1 are drawn as 1.
    Logarithmic,
}

/// A line, with its name and what to say beside that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    pub name: String,
    pub note: String,
    /// From left to right; times below [`LEAST`] are drawn as if they were that long.
    pub points: Vec<(f64, f64)>,
}

/// The shortest time that is told apart from none.
pub const LEAST: f64 = 0.01;

const STYLE: &str = "\
text { font-family: system-ui, \"DejaVu Sans\", Helvetica, Arial, sans-serif; fill: #24292f; }
.page { fill: #ffffff; }
.title { font-size: 16px; font-weight: 600; }
.label { fill: #57606a; font-size: 13px; }
.tick { fill: #57606a; font-size: 12px; }
.note { fill: #57606a; }
.axis { stroke: #8a939d; fill: none; }
.grid { stroke: #d8dee4; }
.fine { stroke: #eff2f5; }
.limit { stroke: #57606a; stroke-dasharray: 5 4; }
.curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.mark { fill: #ffffff; stroke-width: 1.8; }
";

/// Okabe and Ito's colours, which people with any kind of colour vision can tell apart, without
/// the yellow, which is too light for lines.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// The area of the lines.
const LEFT: f64 = 68.0;
const RIGHT: f64 = 732.0;
const HEIGHT: f64 = 380.0;
const WIDTH: f64 = 760.0;
/// Below it: ticks and the name of the axis.
const BOTTOM: f64 = 58.0;
const LEGEND_LINE: f64 = 22.0;
/// So many marks on a line, so that they do not hide it.
const MARKS: usize = 24;

pub fn svg(plot: &Plot) -> String {
    let top = 20.0
        + if plot.title.is_some() { 30.0 } else { 0.0 }
        + plot.series.len() as f64 * LEGEND_LINE
        + 10.0;
    let frame = Frame { top, scale: plot.scale, across: across(plot), up: up(plot) };
    let height = top + HEIGHT + BOTTOM;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH:.0} {height:.0}\" font-size=\"13\">\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    head(&mut out, plot);
    frame.write(&mut out, plot);
    for (number, series) in plot.series.iter().enumerate() {
        frame.curve(&mut out, number, series);
    }
    out.push_str("</svg>\n");
    out
}

/// From where to where the axes go: counts, and exponents of ten.
struct Frame {
    top: f64,
    scale: Scale,
    across: (f64, f64),
    up: (f64, f64),
}

fn across(plot: &Plot) -> (f64, f64) {
    let values = plot.series.iter().flat_map(|series| &series.points).map(|(x, _)| *x);
    if plot.scale == Scale::Logarithmic {
        let exponents = values.map(|x| x.max(1.0).log10());
        let (low, high) = exponents.fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
        let low = low.min(high).floor();
        return (low, high.max(low + 1.0) + 0.08);
    }
    let (low, high) = values.fold((0.0f64, 1.0f64), |(a, b), x| (a.min(x), b.max(x)));
    // A little air beside the last mark.
    (low, high + (high - low) * 0.02)
}

fn up(plot: &Plot) -> (f64, f64) {
    let values = plot.series.iter().flat_map(|series| &series.points).map(|(_, y)| *y);
    let values = values.chain(plot.limit).map(|y| y.max(LEAST));
    let (low, high) =
        values.fold((f64::INFINITY, LEAST), |(low, high), y| (low.min(y), high.max(y)));
    let low = low.min(high).log10().floor();
    (low, (high.log10() + 0.08).max(low + 1.0))
}

fn head(out: &mut String, plot: &Plot) {
    let mut y = 20.0;
    if let Some(title) = &plot.title {
        let title = escaped(&shortened(title, 80));
        let _ =
            writeln!(out, "<text class=\"title\" x=\"{LEFT}\" y=\"{}\">{title}</text>", y + 8.0);
        y += 30.0;
    }
    let names = plot.series.iter().map(|series| shortened(&series.name, 60));
    let names: Vec<String> = names.collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    // Wide enough for any font.
    let notes = num(LEFT + 62.0 + widest as f64 * 8.0);
    for (number, (series, name)) in plot.series.iter().zip(&names).enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let middle = num(y + LEGEND_LINE / 2.0);
        let _ =
            writeln!(out, "<path class=\"curve\" stroke=\"{colour}\" d=\"M{LEFT} {middle}h34\"/>");
        mark(out, number, LEFT + 17.0, middle);
        let (base, note) = (num(middle + 4.5), escaped(&series.note));
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{base}\">{}</text>\
             <text class=\"note\" x=\"{notes}\" y=\"{base}\">{note}</text>",
            LEFT + 46.0,
            escaped(name)
        );
        y += LEGEND_LINE;
    }
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.across;
        let value = match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(1.0).log10(),
        };
        num(LEFT + (value - low) / (high - low) * (RIGHT - LEFT))
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.up;
        num(self.top + HEIGHT - (value.max(LEAST).log10() - low) / (high - low) * HEIGHT)
    }

    fn write(&self, out: &mut String, plot: &Plot) {
        let bottom = num(self.top + HEIGHT);
        self.times(out);
        for value in self.ticks() {
            let x = self.x(value);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{x} {}V{bottom}\"/>\
                 <text class=\"tick\" text-anchor=\"middle\" x=\"{x}\" y=\"{}\">{value}</text>",
                num(self.top),
                bottom + 18.0
            );
        }
        let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {}V{bottom}H{RIGHT}\"/>", self.top);
        if let Some(limit) = plot.limit {
            let y = self.y(limit);
            let _ = writeln!(
                out,
                "<path class=\"limit\" d=\"M{LEFT} {y}H{RIGHT}\"/>\
                 <text class=\"tick\" x=\"{}\" y=\"{}\">limit {limit} s</text>",
                LEFT + 6.0,
                num(y + 15.0)
            );
        }
        let (across, up) = (escaped(&plot.across), escaped(&plot.up));
        let (middle, side) = ((LEFT + RIGHT) / 2.0, num(self.top + HEIGHT / 2.0));
        let _ = writeln!(
            out,
            "<text class=\"label\" text-anchor=\"middle\" x=\"{middle}\" y=\"{}\">{across}</text>\n\
             <text class=\"label\" text-anchor=\"middle\" \
             transform=\"translate(18 {side}) rotate(-90)\">{up}</text>",
            bottom + 42.0
        );
    }

    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => ticks(self.across),
            Scale::Logarithmic => {
                let (low, high) = self.across;
                (low as i32..=high as i32).map(|power| 10f64.powi(power)).collect()
            }
        }
    }

    /// A line for each power of ten, and finer ones between.
    fn times(&self, out: &mut String) {
        let (low, high) = self.up;
        let mut power = low as i32;
        while f64::from(power) <= high {
            let unit = 10f64.powi(power);
            let y = self.y(unit);
            let fine = (2..10).map(|n| unit * f64::from(n)).filter(|v| v.log10() <= high);
            for value in fine {
                let y = self.y(value);
                let _ = writeln!(out, "<path class=\"fine\" d=\"M{LEFT} {y}H{RIGHT}\"/>");
            }
            let decimals = usize::try_from(-power).unwrap_or(0);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y}H{RIGHT}\"/>\
                 <text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{}\">{unit:.decimals$}</text>",
                LEFT - 8.0,
                num(y + 4.0)
            );
            power += 1;
        }
    }

    fn curve(&self, out: &mut String, number: usize, series: &Series) {
        let Some(last) = series.points.len().checked_sub(1) else { return };
        let colour = COLOURS[number % COLOURS.len()];
        let _ = write!(out, "<path class=\"curve\" stroke=\"{colour}\" d=\"");
        for (at, (x, y)) in series.points.iter().enumerate() {
            let _ = write!(out, "{}{} {}", if at == 0 { 'M' } else { 'L' }, self.x(*x), self.y(*y));
        }
        let _ = writeln!(out, "\"/>");
        let step = series.points.len().div_ceil(MARKS);
        for (at, (x, y)) in series.points.iter().enumerate() {
            if (last - at).is_multiple_of(step) {
                mark(out, number, self.x(*x), self.y(*y));
            }
        }
    }
}

/// Each line has a shape of its own.
fn mark(out: &mut String, number: usize, x: f64, y: f64) {
    let colour = COLOURS[number % COLOURS.len()];
    let _ = match number % 4 {
        0 => writeln!(
            out,
            "<circle class=\"mark\" stroke=\"{colour}\" cx=\"{x}\" cy=\"{y}\" r=\"3.4\"/>"
        ),
        shape => {
            let d = match shape {
                1 => "m-3.2 -3.2h6.4v6.4h-6.4z",
                2 => "m0 -4.2l4 7h-8z",
                _ => "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z",
            };
            writeln!(out, "<path class=\"mark\" stroke=\"{colour}\" d=\"M{x} {y}{d}\"/>")
        }
    };
}

/// Round numbers, at most ten of them.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 9.0;
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * unit).into_iter().find(|step| *step >= rough);
    // They count something: there is nothing between.
    let step = step.unwrap_or(unit * 10.0).max(1.0);
    let (from, to) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (from..=to).map(|n| n as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Plot {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            name: name.to_owned(),
            note: "a note".to_owned(),
            points: points.to_vec(),
        };
        Plot {
            title: Some("loops & <more>".to_owned()),
            across: "tasks".to_owned(),
            up: "seconds".to_owned(),
            series: vec![
                series("one", &[(1.0, 0.0), (2.0, 0.5), (3.0, 8.0)]),
                series("two", &[(1.0, 0.2)]),
                series("none", &[]),
            ],
            limit: Some(10.0),
            scale: Scale::Linear,
        }
    }

    #[test]
    fn it_is_well_formed_and_nothing_lies_outside() {
        let text = svg(&sample());
        let document = roxmltree::Document::parse(&text).unwrap();
        let marks = document.descendants().filter(|n| n.attribute("class") == Some("mark"));
        // One for each point, and one for each line of the legend.
        assert_eq!(marks.count(), 4 + 3);
        let title = document.descendants().find(|n| n.attribute("class") == Some("title"));
        assert_eq!(title.unwrap().text(), Some("loops & <more>"));
        for circle in document.descendants().filter(|n| n.has_tag_name("circle")) {
            let at = |name| circle.attribute(name).unwrap().parse::<f64>().unwrap();
            assert!((LEFT..=RIGHT).contains(&at("cx")) && at("cy") > 0.0);
        }
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    /// Ten times as much is as far, wherever it begins.
    #[test]
    fn powers_of_ten() {
        let points = vec![(10.0, 0.1), (1000.0, 1.0), (100_000.0, 10.0)];
        let series = vec![Series { points, ..Series::default() }];
        let text = svg(&Plot { series, scale: Scale::Logarithmic, ..Plot::default() });
        let document = roxmltree::Document::parse(&text).unwrap();
        let circles = document.descendants().filter(|n| n.has_tag_name("circle")).skip(1);
        let at =
            |n: roxmltree::Node<'_, '_>, name| n.attribute(name).unwrap().parse::<f64>().unwrap();
        let places: Vec<(f64, f64)> = circles.map(|n| (at(n, "cx"), at(n, "cy"))).collect();
        let [(a, top), (b, middle), (c, bottom)] = places[..] else { panic!("{places:?}") };
        assert!(((b - a) - (c - b)).abs() < 0.2 && b - a > 100.0, "{places:?}");
        assert!(((middle - top) - (bottom - middle)).abs() < 0.2, "{places:?}");
        let ticks = document.descendants().filter(|n| n.attribute("class") == Some("tick"));
        let ticks: Vec<&str> = ticks.filter_map(|n| n.text()).collect();
        for tick in ["10", "100", "1000", "10000", "100000"] {
            assert!(ticks.contains(&tick), "{tick}: {ticks:?}");
        }
    }

    #[test]
    fn an_empty_plot_is_drawn() {
        let limit = Some(0.001);
        let empty = Plot { scale: Scale::Logarithmic, ..Plot::default() };
        for plot in [Plot::default(), Plot { limit, ..Plot::default() }, empty] {
            let text = svg(&plot);
            assert!(roxmltree::Document::parse(&text).is_ok());
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }

    #[test]
    fn ticks_are_round() {
        let check =
            |low: f64, high: f64, expected: &[f64]| assert_eq!(ticks((low, high)), expected);
        check(0.0, 1.0, &[0.0, 1.0]);
        check(0.0, 9.0, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        check(0.0, 155.0, &[0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0, 140.0]);
        check(-48.0, 70.0, &[-40.0, -20.0, 0.0, 20.0, 40.0, 60.0]);
    }

    #[test]
    fn long_lines_have_few_marks() {
        let points = (1..=1000).map(|n| (f64::from(n), f64::from(n) / 10.0)).collect();
        let series = Series { points, ..Series::default() };
        let text = svg(&Plot { series: vec![series], ..Plot::default() });
        let marks = text.matches("class=\"mark\"").count();
        assert!((10..=MARKS + 1).contains(&marks), "{marks}");
    }
}
