//! Source text, byte spans, positions through `#line` markers, and diagnostics as data.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::original::Original;

/// A half-open range of bytes in the one buffer that was parsed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Where something is for a person: the user's file, 1-based line and column (in characters).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position<'s> {
    pub file: &'s str,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A `#line` marker: physical lines from `from_line` on are counted from `line` of `file`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Marker {
    /// First physical line (0-based) after the marker.
    from_line: usize,
    line: u32,
    file: String,
    /// The file is a header of the system.
    is_system: bool,
}

/// One translation unit's text with its line table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
    /// The user's file, if a preprocessor stands between.
    original: Option<Arc<Original>>,
    /// Bytes of the text that are the user's; what is behind them is ours.
    own_length: usize,
}

impl Source {
    /// Files beyond 4 GB have no span; they are refused before they get here.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let (name, text) = (name.into(), text.into());
        assert!(u32::try_from(text.len()).is_ok(), "source text beyond 4 GB");
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        let own_length = text.len();
        Source { name, text, line_starts, markers: Vec::new(), original: None, own_length }
    }

    /// A preprocessor made the text from the user's file, which holds this.
    pub fn made_from(self, file: impl Into<String>) -> Source {
        let file = file.into();
        let original = (file != self.text).then(|| Arc::new(Original::new(file, &self.text)));
        Source { original, ..self }
    }

    /// The text with our own behind it, before markers are known.
    pub fn followed_by(self, ours: &str) -> Source {
        let Source { name, mut text, original, own_length, .. } = self;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text += ours;
        Source { original, own_length, ..Source::new(name, text) }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text without what is ours.
    pub fn own_text(&self) -> &str {
        &self.text[..self.own_length]
    }

    /// The user's text, as it was before markers were known.
    pub fn own(&self) -> Source {
        Source::new(self.name.clone(), self.own_text())
    }

    /// Whether something stands in the user's text.
    pub fn is_own(&self, offset: u32) -> bool {
        offset as usize <= self.own_length
    }

    /// Records that the physical line after the one containing `offset` is line `line` of `file`
    /// (the same file as before if `None`). Markers must come in order of offset.
    pub fn add_line_marker(&mut self, offset: u32, line: u32, file: Option<String>) {
        let from_line = self.physical_line(offset) + 1;
        let file = file
            .or_else(|| self.markers.last().map(|m| m.file.clone()))
            .unwrap_or_else(|| self.name.clone());
        self.markers.push(Marker { from_line, line, file, is_system: false });
    }

    /// The file that the last marker names is a header of the system.
    pub fn mark_system_header(&mut self) {
        if let Some(marker) = self.markers.last_mut() {
            marker.is_system = true;
        }
    }

    /// Whether something stands in a header of the system.
    pub fn is_in_system_header(&self, offset: u32) -> bool {
        let line = self.physical_line(offset);
        let before = self.markers.partition_point(|m| m.from_line <= line);
        before.checked_sub(1).is_some_and(|last| self.markers[last].is_system)
    }

    /// The 0-based line of the buffer that contains `offset`.
    pub fn physical_line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    pub fn physical_line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The byte range of a physical line, without its line break.
    pub fn physical_line_span(&self, line: usize) -> Span {
        let start = self.line_starts[line];
        let end = self.line_starts.get(line + 1).map_or(self.text.len() as u32, |&next| next - 1);
        Span { start, end: end.max(start) }
    }

    /// File and line, as a person counts them, of a physical line.
    pub fn logical_line(&self, physical: usize) -> (&str, u32) {
        match self.markers.partition_point(|m| m.from_line <= physical) {
            0 => (&self.name, physical as u32 + 1),
            n => {
                let marker = &self.markers[n - 1];
                (&marker.file, marker.line + (physical - marker.from_line) as u32)
            }
        }
    }

    pub fn position(&self, offset: u32) -> Position<'_> {
        let physical = self.physical_line(offset);
        let (file, line) = self.logical_line(physical);
        let start = self.line_starts[physical] as usize;
        let end = self.text.floor_char_boundary(offset as usize).max(start);
        let column = self.text[start..end].chars().count() as u32 + 1;
        Position { file, line, column }
    }

    /// The byte of the user's file at which the token stands that begins here; `None` if a macro has
    /// made it, it comes from another file, or its origin is not certain.
    pub fn offset_in_file(&self, offset: u32) -> Option<usize> {
        let Some(original) = &self.original else {
            return self.is_own(offset).then_some(offset as usize);
        };
        let (file, line) = self.logical_line(self.physical_line(offset));
        if file != self.name && file.strip_prefix("./") != Some(&self.name) {
            return None;
        }
        original.offset(&self.text, &self.made_of(file, line), offset, line)
    }

    /// The column in the user's file, in characters from 1, where it is certain.
    pub fn column_in_file(&self, offset: u32) -> Option<u32> {
        match &self.original {
            None => self.is_own(offset).then(|| self.position(offset).column),
            Some(original) => self.offset_in_file(offset).map(|at| original.column(at)),
        }
    }

    /// The bytes that were made of a line of a file.
    fn made_of(&self, file: &str, line: u32) -> Vec<Range<u32>> {
        // The line of a marker belongs to no file.
        let mut ends = self.markers.iter().map(|marker| marker.from_line.saturating_sub(1));
        // Before the first marker the text is its own.
        let own = self.name.clone();
        let begin = Marker { from_line: 0, line: 1, file: own, is_system: false };
        let first = ends.next().unwrap_or(self.line_starts.len());
        let ends = ends.chain([self.line_starts.len()]);
        let all = [(&begin, first)].into_iter().chain(self.markers.iter().zip(ends));
        let mut ranges = Vec::new();
        for (marker, end) in all {
            let Some(behind) = line.checked_sub(marker.line) else { continue };
            let physical = marker.from_line + behind as usize;
            if marker.file == file && physical < end {
                let Span { start, end } = self.physical_line_span(physical);
                ranges.push(start..end);
            }
        }
        ranges
    }

    pub fn snippet(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Warning,
    /// A construct Lakatos does not reason about: the verdict is unknown, the file is not at fault.
    Unsupported,
    Error,
}

/// Something to tell the user about a place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    pub span: Span,
    /// Secondary places: "previous declaration is here".
    pub notes: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
    /// The decision of docs/semantics.md that the construct makes a verdict depend on.
    pub decision: Option<Decision>,
}

/// What Lakatos decides about C where a program cannot show it in its automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Operands whose order C leaves open, and that matters, are evaluated left to right.
    EvaluationOrder,
    /// Assembly changes nothing but its outputs.
    Assembly,
    /// A weak definition is the one that the linker takes.
    WeakDefinition,
    /// Volatile memory is ordinary memory.
    Volatile,
    /// Volatile memory that is read through a pointer without `volatile` is ordinary memory.
    PlainAccess,
    /// Arrays in temporaries live until the function returns.
    Lifetime,
    /// Floating-point arithmetic has the precision of its type also where x87 would have more.
    Precision,
    /// `qsort` and `bsearch` compare in an order of their own.
    Sorting,
    /// Every locale is like the C locale.
    Locale,
    /// Objects in memory keep their values over `longjmp`.
    NonlocalJump,
    /// Signal handlers run between statements.
    Signals,
}

impl Diagnostic {
    pub fn new(severity: Severity, span: Span, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic { severity, message, span, notes: Vec::new(), help: None, decision: None }
    }

    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, message)
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span, message)
    }

    pub fn unsupported(span: Span, construct: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Unsupported, span, construct)
    }

    pub fn note(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.notes.push((span, message.into()));
        self
    }

    pub fn decision(mut self, decision: Decision) -> Diagnostic {
        self.decision = Some(decision);
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
