//! Objects, cells and regions as text: one line for each region.

use std::fmt;

use super::layout::{EVERYWHERE, Layout};
use super::{Cell, CellId, ObjectId, Offset, Origin, PointsTo, Region, RegionId, Shape, Target};
use crate::program::{EdgeId, ProcId, Program, VarId, VarKind};
use crate::source::Span;
use crate::ty::{Field, Record, Type, Types};

/// Text that is made when it is printed.
struct Show<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Show<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

impl PointsTo {
    /// All regions with their cells, a line for each.
    pub fn show<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        Show(move |f: &mut fmt::Formatter<'_>| {
            let ids = self.regions().ids();
            ids.into_iter().try_for_each(|id| writeln!(f, "{}", self.show_region(program, id)))
        })
    }

    /// A region: its name, how it is accessed, its cells.
    pub fn show_region<'a>(&'a self, program: &'a Program, id: RegionId) -> impl fmt::Display + 'a {
        Show(move |f: &mut fmt::Formatter<'_>| {
            let region = &self.regions()[id];
            write!(f, "{id:?} {}", self.shape(program, region))?;
            flags(region).into_iter().try_for_each(|flag| write!(f, ", {flag}"))?;
            write!(f, ": ")?;
            for (number, &cell) in region.cells.iter().enumerate() {
                let comma = if number > 0 { ", " } else { "" };
                write!(f, "{comma}{}", self.show_cell(program, cell))?;
            }
            Ok(())
        })
    }

    fn shape(&self, program: &Program, region: &Region) -> String {
        match region.shape {
            Shape::Typed(Type::Pointer(_)) => "pointer".to_owned(),
            Shape::Typed(ty) => program.show_type(ty).to_string(),
            Shape::Sized(1) => "1 byte".to_owned(),
            Shape::Sized(bytes) => format!("{bytes} bytes"),
            Shape::Bytes => "mixed".to_owned(),
        }
    }

    pub fn show_cell<'a>(&'a self, program: &'a Program, cell: CellId) -> impl fmt::Display + 'a {
        Show(move |f: &mut fmt::Formatter<'_>| {
            let Cell { object, offset, size, .. } = self.cells()[cell];
            write!(f, "{}", self.name(program, object))?;
            let part = Part { offset, size, spread: EVERYWHERE };
            write!(f, "{}", self.path(&program.types, object, part))
        })
    }

    /// Where a pointer points to.
    pub fn show_target<'a>(
        &'a self,
        program: &'a Program,
        target: Target,
    ) -> impl fmt::Display + 'a {
        Show(move |f: &mut fmt::Formatter<'_>| {
            write!(f, "{}", self.name(program, target.object))?;
            match target.offset {
                Offset::At(..) if self.objects()[target.object].ty.is_none() => Ok(()),
                Offset::At(offset, spread) => {
                    let part = Part { offset, size: Some(1), spread };
                    write!(f, "{}", self.path(&program.types, target.object, part))
                }
                Offset::Beyond => write!(f, " (beyond)"),
                Offset::Out { .. } => write!(f, " (outside)"),
                Offset::End if !self.objects()[target.object].is_data() => Ok(()),
                Offset::End => write!(f, " (end)"),
                Offset::Any => write!(f, " (anywhere)"),
            }
        })
    }

    pub fn show_object<'a>(
        &'a self,
        program: &'a Program,
        object: ObjectId,
    ) -> impl fmt::Display + 'a {
        Show(move |f: &mut fmt::Formatter<'_>| write!(f, "{}", self.name(program, object)))
    }

    fn name(&self, program: &Program, object: ObjectId) -> String {
        match &self.objects()[object].origin {
            Origin::Var(var) => var_name(program, *var),
            Origin::Heap(chain) => format!("heap@{}", calls(program, chain)),
            Origin::Alloca(chain) => format!("alloca@{}", calls(program, chain)),
            Origin::Function(proc) => program.procs[*proc].name.clone(),
            Origin::Outside => "outside".to_owned(),
        }
    }

    /// How to get from an object to a part of it.
    fn path(&self, types: &Types, object: ObjectId, part: Part) -> String {
        let data = &self.objects()[object];
        let Some(ty) = data.ty else {
            return String::new();
        };
        let is_declared = matches!(data.origin, Origin::Var(_));
        match *data.layout {
            Layout::Array { stride, .. } if !is_declared => {
                let (index, part) = part.element(stride);
                format!("{index}{}", path_in(types, ty, part))
            }
            _ => path_in(types, ty, part),
        }
    }
}

/// Some bytes of something.
#[derive(Clone, Copy)]
struct Part {
    offset: u64,
    size: Option<u64>,
    /// Of how many of the arrays on the way any element is meant.
    spread: u8,
}

impl Part {
    /// How to get into an array, and the part of its element.
    fn element(self, stride: u64) -> (&'static str, Part) {
        let index = if self.spread == 0 { "[0]" } else { "[]" };
        let spread = match self.spread {
            EVERYWHERE => EVERYWHERE,
            spread => spread.saturating_sub(1),
        };
        (index, Part { offset: self.offset % stride, spread, ..self })
    }

    /// Nothing if it is all of the type.
    fn show(self, types: &Types, ty: Type) -> String {
        let Part { offset, size, .. } = self;
        match size {
            Some(size) if offset == 0 && size == types.size(ty) => String::new(),
            Some(1) if offset == 0 => String::new(),
            Some(1) => format!("+{offset}"),
            Some(size) => format!("+{offset}..{}", offset + size),
            None => format!("+{offset}.."),
        }
    }
}

/// The calls that made an object, the innermost first.
fn calls(program: &Program, chain: &[(ProcId, EdgeId)]) -> String {
    let call = |&(proc, edge): &(ProcId, EdgeId)| {
        let span = program.procs[proc].body.as_ref().map(|body| body.edges[edge].span);
        span.map_or(String::new(), |span| place(program, span))
    };
    chain.iter().rev().map(call).collect::<Vec<_>>().join("<")
}

/// Line and column; a program is one file, nearly always.
fn place(program: &Program, span: Span) -> String {
    let position = program.source.position(span.start);
    format!("{}:{}", position.line, position.column)
}

fn var_name(program: &Program, var: VarId) -> String {
    let data = &program.vars[var];
    let name = match data.name.as_str() {
        "" => program.var_name(var),
        name => name.to_owned(),
    };
    match data.kind {
        VarKind::Global => name,
        VarKind::Literal => {
            format!("literal@{}", place(program, data.span))
        }
        VarKind::Result(proc) => format!("{}::return", program.procs[proc].name),
        VarKind::Static(proc) => format!("{}::{name}", program.procs[proc].name),
        kind => match kind.frame() {
            Some(proc) => format!("{}::{name}", program.procs[proc].name),
            None => name,
        },
    }
}

fn flags(region: &Region) -> Vec<&'static str> {
    let mut flags = Vec::new();
    let mut flag = |on: bool, name| flags.extend(on.then_some(name));
    flag(region.single, "single");
    flag(!region.written, "never written");
    flag(!region.read, "never read");
    flag(region.freed, "freed");
    flag(region.bytewise, "bytewise");
    flags
}

/// The fields and elements on the way to a part of a type.
fn path_in(types: &Types, ty: Type, part: Part) -> String {
    match ty {
        Type::Array(element, Some(1)) => format!("[0]{}", path_in(types, types.get(element), part)),
        Type::Array(element, _) => {
            let element = types.get(element);
            let (index, part) = part.element(types.size(element).max(1));
            format!("{index}{}", path_in(types, element, part))
        }
        Type::Record(id) => match only_field(types, &types.records[id], part) {
            Some(field) => {
                let name = field.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
                let offset = part.offset - field.offset;
                name + &path_in(types, field.ty, Part { offset, ..part })
            }
            None => part.show(types, ty),
        },
        _ => part.show(types, ty),
    }
}

/// The field that a part is in, if it is in one only.
fn only_field<'t>(types: &Types, record: &'t Record, part: Part) -> Option<&'t Field> {
    let start = part.offset;
    let end = start.saturating_add(part.size.unwrap_or(1));
    let holds = |field: &&Field| {
        let flexible = matches!(field.ty, Type::Array(_, None));
        field.offset <= start && (end <= field.offset + types.size(field.ty) || flexible)
    };
    let overlaps =
        |field: &&Field| field.offset < end && start < field.offset + types.size(field.ty).max(1);
    let field = record.fields.iter().find(holds)?;
    let is_only = record.fields.iter().filter(overlaps).count() <= 1;
    (is_only && field.bit.is_none()).then_some(field)
}
