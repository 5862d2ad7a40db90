//! Values that waypoints fix: with them a first run needs no search.

use lakatos_ir::InputKind;
use lakatos_ir::interpret::{Oracle, Request};

use crate::format::{Segment, WaypointKind};

/// Values that waypoints fix, for a first run.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// What is asked for (the end of a call, or a variable) and the value, in order.
    values: Vec<(Asked, i128)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    Call { line: u32, column: Option<u32> },
    Variable(String),
}

impl Guide {
    /// What the waypoints to follow fix.
    pub(super) fn new(segments: &[Segment]) -> Guide {
        Guide { values: values(segments) }
    }
}

fn values(segments: &[Segment]) -> Vec<(Asked, i128)> {
    let mut values = Vec::new();
    for waypoint in segments.iter().filter_map(|segment| segment.follow.as_ref()) {
        let Some(constraint) = &waypoint.constraint else { continue };
        for (name, value) in equalities(&constraint.value) {
            match waypoint.kind {
                WaypointKind::FunctionReturn if name == "\\result" => {
                    let line = waypoint.location.line;
                    values.push((Asked::Call { line, column: waypoint.location.column }, value));
                }
                WaypointKind::Assumption => values.push((Asked::Variable(name), value)),
                _ => {}
            }
        }
    }
    values
}

/// `x == 1 && y == -2` as pairs; what has another form is passed over.
fn equalities(text: &str) -> Vec<(String, i128)> {
    let parts = text.split("&&").filter_map(|part| {
        let (name, value) = part.split_once("==")?;
        let (value, less) = match value.trim().strip_suffix("- 1") {
            Some(value) => (value, 1),
            None => (value, 0),
        };
        let value = value.trim().trim_end_matches(['u', 'U', 'l', 'L']);
        Some((name.trim().to_owned(), value.parse::<i128>().ok()? - less))
    });
    parts.collect()
}

impl Oracle for Guide {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        let Request { program, kind, site, .. } = request;
        let site = &program.sites[*site];
        let end = site.span.end.saturating_sub(1);
        let line_of_end = program.source.position(end).line;
        let own = program.source.column_in_file(end);
        // The values are only tried.
        let is_near = |column: u32| own.is_none_or(|own| own == column || own == column + 1);
        let is_meant = |asked: &Asked| match (asked, kind) {
            (Asked::Variable(name), InputKind::Uninitialised) => *name == site.name,
            (Asked::Call { line, column }, InputKind::Nondet | InputKind::External) => {
                *line == line_of_end && column.is_none_or(is_near)
            }
            _ => false,
        };
        match self.values.iter().position(|(asked, _)| is_meant(asked)) {
            Some(at) => self.values.remove(at).1,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        let check = |text: &str, expected: &[(&str, i128)]| {
            let found = equalities(text);
            let found: Vec<(&str, i128)> = found.iter().map(|(n, v)| (n.as_str(), *v)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("\\result == 5", &[("\\result", 5)]);
        check("\\result == -2147483647 - 1", &[("\\result", -2_147_483_648)]);
        check("x == 1U && y == -2LL", &[("x", 1), ("y", -2)]);
        check("x > 1", &[]);
        check("x == y", &[]);
    }
}
