//! What is followed: regions of memory, each by a variable or several.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::once::Once;
use super::path::{Into, Path, Position};
use super::{Pointers, Wanted};
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::interpret::Accessor;
use crate::pass::has_loops;
use crate::points_to::{ObjectId, Offset, Origin, PointsTo, RegionId, Shape};
use crate::program::{InputKind, ProcId, Program, Site, SiteId, Var, VarId, VarKind};
use crate::source::Span;
use crate::ty::Type;

/// All elements of arrays with at most so many are followed.
const MOST_ELEMENTS: u64 = 3;
/// The same, where elements are named by constants only.
const MOST_NAMED: u64 = 32;
/// The same, in a program without loops: what happens to each element is written out there.
const MOST_WITHOUT_LOOPS: u64 = 64;

/// Elements of an array variable for an array of which the length is not known.
const UNKNOWN_LENGTH: u64 = 4096;

/// How a region is followed.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// A scalar.
    Whole(VarId),
    /// An array, element by element.
    Each(Vec<VarId>),
    /// The element at the group's keys, and the one that was read or written last.
    One { cell: VarId, group: usize, recent: Recent },
    /// An array, by a variable that is one.
    Array(VarId),
}

impl Cells {
    /// Those of fixed elements.
    pub fn all(&self) -> &[VarId] {
        match self {
            Cells::Whole(cell) | Cells::One { cell, .. } | Cells::Array(cell) => {
                std::slice::from_ref(cell)
            }
            Cells::Each(cells) => cells,
        }
    }
}

/// An element that was read or written, so that a second read in the same turn of a loop finds the
/// same value.
#[derive(Clone, Debug)]
pub(super) struct Recent {
    pub cell: VarId,
    /// Its indices; the first is negative if it is none.
    pub indices: Vec<VarId>,
}

/// Arrays that are followed at the same element.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// One for each index.
    pub keys: Vec<VarId>,
    /// Keys are less than these, where it is known.
    pub lengths: Vec<Option<u64>>,
    /// The last read was at the keys.
    pub hit: VarId,
}

#[derive(Debug)]
pub(super) struct Followed {
    pub regions: BTreeMap<RegionId, Cells>,
    pub groups: Vec<Group>,
    /// The regions that are one position of a variable.
    pub at: BTreeMap<Position, RegionId>,
    /// For cells of which nothing is known any more.
    pub sites: FxHashMap<VarId, SiteId>,
    /// Arrays with more elements are followed at one of them, or as a whole.
    most: u64,
    wanted: Wanted,
}

impl Followed {
    pub fn new(program: &mut Program, memory: &PointsTo, wanted: Wanted) -> Followed {
        let calls = memory.call_graph(program);
        let most = if wanted.arrays { 0 } else { most_elements(program, &calls) };
        let mut followed = Followed {
            regions: BTreeMap::new(),
            groups: Vec::new(),
            at: BTreeMap::new(),
            sites: FxHashMap::default(),
            most,
            wanted,
        };
        let pointers = wanted.pointers != Pointers::Ignored;
        let once = Once::new(program, &calls);
        // A sum that overflows ends a path, which has gone wrong before; but if that is the question,
        // it must not.
        let accessed = accessed(program, memory, wanted.pointers);
        for (region, data) in memory.regions().iter() {
            let ty = match data.shape {
                Shape::Typed(ty @ Type::Int(_)) => ty,
                Shape::Typed(ty @ Type::Pointer(_)) if pointers => ty,
                _ => continue,
            };
            if data.bytewise || !data.read || !is_unique(memory, &once, region) {
                continue;
            }
            let is_named = matches!(origin(memory, region), Origin::Var(_));
            match accessed.get(&region) {
                _ if data.scalar && !is_named => {
                    followed.follow_whole(program, memory, region, ty);
                }
                Some(Some(accessed)) => followed.follow(program, memory, region, ty, accessed),
                _ if data.single => followed.follow_whole(program, memory, region, ty),
                _ => {}
            }
        }
        followed.name(program, memory);
        followed
    }

    /// Gives cells and keys the names that C has for them.
    fn name(&self, program: &mut Program, memory: &PointsTo) {
        for (number, group) in self.groups.iter().enumerate() {
            for (index, key) in group.keys.iter().enumerate() {
                let var = &mut program.vars[*key];
                var.kind = VarKind::Key(self.length(number, index));
                if group.keys.len() == 1 {
                    var.name = "key".to_owned();
                }
            }
            for key in &group.keys {
                while program
                    .vars
                    .iter()
                    .any(|(other, var)| other != *key && var.name == program.vars[*key].name)
                {
                    program.vars[*key].name.push('_');
                }
            }
        }
        for (region, cells) in &self.regions {
            if let Cells::Whole(cell) = cells
                && !matches!(origin(memory, *region), Origin::Var(_))
                && let Some((name, root)) = written(program, memory, *region)
            {
                let cell = &mut program.vars[*cell];
                (cell.name, cell.kind) = (name, VarKind::Cell(root));
            }
        }
        let positions =
            self.at.iter().map(|((object, steps), region)| (*object, &steps[..], region));
        for (object, steps, region) in positions {
            let cells = &self.regions[region];
            let root = match (&memory.objects()[object].origin, cells) {
                (Origin::Var(root), _) => *root,
                (_, Cells::Array(_)) => match pointer_to(program, memory, object) {
                    Some(pointer) => pointer,
                    None => continue,
                },
                _ => continue,
            };
            let object = program.vars[root].name.clone();
            if let Cells::Array(array) = cells {
                let name = whole_name(program, object, steps);
                let array = &mut program.vars[*array];
                (array.name, array.kind) = (name, VarKind::Cell(root));
                continue;
            }
            for (number, cell) in cells.all().iter().enumerate() {
                let name = match cells {
                    Cells::One { group, .. } => {
                        let keys = &self.groups[*group].keys;
                        place(program, object.clone(), steps, |at| {
                            program.vars[keys[at]].name.clone()
                        })
                    }
                    _ => place(program, object.clone(), steps, |_| number.to_string()),
                };
                program.vars[*cell].name = name;
                program.vars[*cell].kind = VarKind::Cell(root);
            }
        }
    }

    /// The number of elements for an index of a group, if all its arrays have the same.
    fn length(&self, group: usize, index: usize) -> Option<u64> {
        let own = |cells: &Cells| matches!(cells, Cells::One { group: own, .. } if *own == group);
        let mut lengths = self.at.iter().filter(|(_, region)| own(&self.regions[region]));
        let length = |steps: &[Into]| steps.iter().filter_map(|step| step.length()).nth(index)?;
        let first = length(&lengths.next()?.0.1)?;
        lengths.all(|((_, steps), _)| length(steps) == Some(first)).then_some(first)
    }

    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// The type of indices.
    pub fn index(&self, program: &Program) -> Type {
        self.wanted.index(program)
    }

    /// A place in the only object that it can be in.
    pub fn path(&self, program: &Program, memory: &PointsTo, place: PlaceId) -> Option<Path> {
        Path::of(program, memory, place, self.wanted.pointers == Pointers::Compared)
    }

    /// A region that is accessed by its position in an object only.
    fn follow(
        &mut self,
        program: &mut Program,
        memory: &PointsTo,
        region: RegionId,
        ty: Type,
        Accessed { at, named }: &Accessed,
    ) {
        let most = if *named { MOST_NAMED.max(self.most) } else { self.most };
        let lengths: Vec<Option<u64>> = at.1.iter().filter_map(|step| step.length()).collect();
        let object = memory.show_object(program, at.0).to_string();
        let name = place(program, object, &at.1, |_| String::new());
        let cells = match lengths[..] {
            [] => Cells::Whole(self.cell(program, name, ty)),
            // An array without elements has none that could be followed.
            _ if lengths.contains(&Some(0)) => return,
            [Some(length)] if length <= most => {
                let element = |number: u64| name.replacen("[]", &format!("[{number}]"), 1);
                let cells = (0..length).map(|number| self.cell(program, element(number), ty));
                Cells::Each(cells.collect())
            }
            // Of many pointers none is followed.
            _ if ty.as_int().is_none() => return,
            _ if self.wanted.arrays => match self.array(program, &name, ty, &lengths) {
                Some(array) => Cells::Array(array),
                None => return,
            },
            _ => {
                let group = self.group(program, &lengths);
                let cell = self.cell(program, name.replace("[]", "[key]"), ty);
                Cells::One { cell, group, recent: self.recent(program, &name, ty, lengths.len()) }
            }
        };
        self.regions.insert(region, cells);
        self.at.insert(at.clone(), region);
    }

    /// A variable that is an array; rows of rows stand one behind the other. Where the length is not
    /// known it matters to nobody but those who run the program.
    fn array(
        &mut self,
        program: &mut Program,
        name: &str,
        element: Type,
        lengths: &[Option<u64>],
    ) -> Option<VarId> {
        let (first, rest) = lengths.split_first()?;
        if element == Type::BOOL {
            return None;
        }
        let mut length = first.unwrap_or(UNKNOWN_LENGTH);
        for inner in rest {
            length = length.checked_mul((*inner)?)?;
        }
        let ty = program.types.array_of(element, Some(length));
        Some(self.cell(program, name.replace("[]", ""), ty))
    }

    /// One scalar, wherever it is.
    fn follow_whole(
        &mut self,
        program: &mut Program,
        memory: &PointsTo,
        region: RegionId,
        ty: Type,
    ) {
        let cell = memory.regions()[region].cells[0];
        let name = memory.show_cell(program, cell).to_string();
        let cell = self.cell(program, name, ty);
        self.regions.insert(region, Cells::Whole(cell));
    }

    fn recent(&mut self, program: &mut Program, name: &str, ty: Type, indices: usize) -> Recent {
        let index = self.index(program);
        let cell = self.cell(program, name.replace("[]", "[recent]"), ty);
        let indices = (0..indices).map(|_| self.cell(program, format!("recent of {name}"), index));
        Recent { cell, indices: indices.collect() }
    }

    fn group(&mut self, program: &mut Program, lengths: &[Option<u64>]) -> usize {
        let known = self.groups.iter().position(|group| group.keys.len() == lengths.len());
        let number = known.unwrap_or_else(|| {
            let index = self.index(program);
            let keys = (0..lengths.len()).map(|n| format!("key{}", n + 1));
            let keys = keys.map(|name| self.cell(program, name, index)).collect();
            let hit = self.cell(program, "hit".to_owned(), Type::BOOL);
            self.groups.push(Group { keys, lengths: vec![Some(0); lengths.len()], hit });
            self.groups.len() - 1
        });
        for (most, length) in self.groups[number].lengths.iter_mut().zip(lengths) {
            *most = most.zip(*length).map(|(most, length)| most.max(length));
        }
        number
    }

    /// A new variable, and a site for what becomes of it when that is not known.
    fn cell(&mut self, program: &mut Program, name: String, ty: Type) -> VarId {
        let (span, proc) = (Span::default(), program.start);
        let kind = InputKind::Uninitialised;
        let site = program.sites.push(Site { kind, proc, span, name: name.clone(), ty });
        let var = program.vars.push(Var {
            name,
            ty,
            kind: VarKind::Ghost,
            span,
            address_taken: false,
            c_type: String::new(),
        });
        self.sites.insert(var, site);
        var
    }

    /// The regions in the variables of a procedure's frame, and in a variable.
    pub fn of_frame(&self, program: &Program, memory: &PointsTo, proc: ProcId) -> Vec<RegionId> {
        let frame = |var: VarId| program.vars[var].kind.frame() == Some(proc);
        self.rooted(memory, frame)
    }

    pub fn of_var(&self, memory: &PointsTo, var: VarId) -> Vec<RegionId> {
        self.rooted(memory, |root| root == var)
    }

    fn rooted(&self, memory: &PointsTo, is_it: impl Fn(VarId) -> bool) -> Vec<RegionId> {
        let regions = self.regions.keys().copied();
        regions
            .filter(|region| match origin(memory, *region) {
                Origin::Var(var) => is_it(*var),
                _ => false,
            })
            .collect()
    }
}

/// The first variable that points to an object without a name, and to nothing else.
fn pointer_to(program: &Program, memory: &PointsTo, object: ObjectId) -> Option<VarId> {
    let loads = program.exprs.iter().filter_map(|(e, expr)| match expr.kind {
        ExprKind::Load(place) => match program.places[place].kind {
            PlaceKind::Var(var) if matches!(expr.ty, Type::Pointer(_)) => Some((var, e)),
            _ => None,
        },
        _ => None,
    });
    let is_named = |var: VarId| !matches!(program.vars[var].kind, VarKind::Temp(_));
    let points = |e: ExprId| match memory.pointees(e)[..] {
        [target] => target.object == object && matches!(target.offset, Offset::At(0, 0)),
        _ => false,
    };
    loads.filter(|(var, e)| is_named(*var) && points(*e)).map(|(var, _)| var).min()
}

/// A scalar that is always in a region, as the source writes it most often, and the variable that it
/// begins with.
fn written(program: &Program, memory: &PointsTo, region: RegionId) -> Option<(String, VarId)> {
    let mut times: BTreeMap<VarId, (usize, String)> = BTreeMap::new();
    for (by, access) in memory.accesses() {
        if let Accessor::Place(place) = by
            && program.places[place].ty.is_scalar()
            && access.regions == [region]
            && let Some((text, root)) = text(program, place)
        {
            times.entry(root).or_insert((0, text)).0 += 1;
        }
    }
    let most = times.into_iter().rev().max_by_key(|(_, (times, _))| *times);
    most.map(|(root, (_, text))| (text, root))
}

/// Variables, fields, and what pointers point to, as C writes them.
fn text(program: &Program, place: PlaceId) -> Option<(String, VarId)> {
    let pointer = |e: ExprId| match program.exprs[e].kind {
        ExprKind::Load(place) => text(program, place),
        _ => None,
    };
    match program.places[place].kind {
        PlaceKind::Var(var) => match program.vars[var].kind {
            VarKind::Temp(_) | VarKind::Result(_) | VarKind::Literal => None,
            _ => Some((program.vars[var].name.clone(), var)),
        },
        PlaceKind::Deref(to) => pointer(to).map(|(text, root)| (format!("(*{text})"), root)),
        PlaceKind::Field(base, field) => {
            let Type::Record(record) = program.places[base].ty else { return None };
            let field = program.types.records[record].fields[field as usize].name.as_ref()?;
            match program.places[base].kind {
                PlaceKind::Deref(to) => {
                    pointer(to).map(|(text, root)| (format!("{text}->{field}"), root))
                }
                _ => text(program, base).map(|(text, root)| (format!("{text}.{field}"), root)),
            }
        }
        PlaceKind::Index(..) => None,
    }
}

/// The elements of an array that are all followed.
fn most_elements(program: &Program, calls: &CallGraph) -> u64 {
    let is_recursive = program.procs.ids().any(|proc| calls.is_recursive(proc));
    match is_recursive || has_loops(program) {
        true => MOST_ELEMENTS,
        false => MOST_WITHOUT_LOOPS,
    }
}

/// The origin of a region's first cell.
fn origin(memory: &PointsTo, region: RegionId) -> &Origin {
    let cell = memory.regions()[region].cells[0];
    &memory.objects()[memory.cells()[cell].object].origin
}

/// It is all in one object of which there is one at a time.
fn is_unique(memory: &PointsTo, once: &Once, region: RegionId) -> bool {
    let mut cells = memory.regions()[region].cells.iter().map(|cell| memory.cells()[*cell].object);
    let Some(first) = cells.next() else { return false };
    let object = &memory.objects()[first];
    let unique = match &object.origin {
        Origin::Var(_) => object.unique,
        Origin::Heap(calls) | Origin::Alloca(calls) => once.are(calls),
        Origin::Function(_) | Origin::Outside => false,
    };
    unique && cells.all(|other| other == first)
}

/// How a region is accessed.
struct Accessed {
    at: Position,
    /// Indices are constants.
    named: bool,
}

/// The regions with the position that all their accesses as scalars have in common, if there is
/// one; where accesses are checked indices are no sums.
fn accessed(
    program: &Program,
    memory: &PointsTo,
    pointers: Pointers,
) -> BTreeMap<RegionId, Option<Accessed>> {
    let mut found: BTreeMap<RegionId, Option<Accessed>> = BTreeMap::new();
    for (by, access) in memory.accesses() {
        let Accessor::Place(place) = by else { continue };
        if !matches!(program.places[place].ty, Type::Int(_) | Type::Pointer(_)) {
            continue;
        }
        let path = Path::of(program, memory, place, pointers == Pointers::Compared);
        let path = path.filter(|path| pointers != Pointers::Checked || !path.has_sums());
        for region in &access.regions {
            let known = found.entry(*region).or_insert_with(|| {
                let at = path.as_ref()?.position.clone();
                Some(Accessed { at, named: true })
            });
            match (known.as_mut(), &path) {
                (Some(known), Some(path)) if known.at == path.position => {
                    known.named &= path.is_named(program);
                }
                _ => *known = None,
            }
        }
    }
    found
}

/// An array that is all of an object, or one in it, as C writes its elements one behind the other:
/// `(*a)[i]` for an array of arrays.
fn whole_name(program: &Program, object: String, steps: &[Into]) -> String {
    let rows = steps.iter().filter(|step| step.length().is_some()).count();
    match steps.len() == rows && rows > 1 {
        true => format!("({}{object})", "*".repeat(rows - 1)),
        false => place(program, object, steps, |_| String::new()).replace("[]", ""),
    }
}

/// A place in an object, as C writes it.
fn place(
    program: &Program,
    object: String,
    steps: &[Into],
    index: impl Fn(usize) -> String,
) -> String {
    let (mut name, mut indices) = (object, 0);
    for step in steps {
        match step {
            Into::Field(record, number) => {
                let field = &program.types.records[*record].fields[*number as usize];
                name.extend(field.name.iter().flat_map(|field| [".", field]));
            }
            Into::Element(_) => {
                name += &format!("[{}]", index(indices));
                indices += 1;
            }
        }
    }
    name
}
