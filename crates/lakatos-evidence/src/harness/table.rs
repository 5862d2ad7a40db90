//! The inputs as tables of the C file: for each slot the bits that come in, pass by pass.

use std::fmt::Write as _;

use lakatos_ir::interpret::{Input, Leaf, leaves};
use lakatos_ir::{FloatType, IntType, Program, SiteId, Type};
use rustc_hash::FxHashMap;

use super::NoHarness;
use super::plan::{Plan, Slot};
use crate::refutation::Refutation;

/// Some bits that are not all zero.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// How often the slot was passed before.
    pass: u32,
    offset: u64,
    bit: u8,
    width: u16,
    value: u128,
}

/// The tables; what is zero is not in them.
pub(super) fn tables(
    program: &Program,
    plan: &Plan,
    refutation: &Refutation,
) -> Result<String, NoHarness> {
    let rows = rows(program, plan, refutation)?;
    let prefix = plan.prefix;
    let mut text = format!(
        "static const struct {{\n  unsigned pass;\n  unsigned long long offset;\n  unsigned char bit, \
         width;\n  unsigned long long low, high;\n}} {prefix}_rows[] = {{\n"
    );
    let mut first = vec![0];
    for (slot, rows) in plan.slots.iter().zip(&rows) {
        if !rows.is_empty() {
            let _ = writeln!(text, "  /* {} */", heading(program, slot));
        }
        for Row { pass, offset, bit, width, value } in rows {
            let (low, high) = (*value as u64, (value >> 64) as u64);
            let _ = writeln!(text, "  {{{pass}, {offset}, {bit}, {width}, {low}u, {high}u}},");
        }
        first.push(first.last().copied().unwrap_or(0) + rows.len());
    }
    text += "  {0}\n};\n";
    let first: Vec<String> = first.iter().map(usize::to_string).collect();
    let _ = writeln!(text, "static const unsigned {prefix}_first[] = {{{}}};", first.join(", "));
    let count = plan.slots.len().max(1);
    let _ = writeln!(text, "static unsigned {prefix}_passed[{count}], {prefix}_taken[{count}];");
    Ok(text)
}

/// Where the slot is in the user's file; nothing in it may end the comment.
fn heading(program: &Program, slot: &Slot) -> String {
    let site = &program.sites[slot.sites[0]];
    let at = program.source.position(site.span.start);
    format!("{} at {at}", site.name).replace("*/", "* /")
}

fn rows(
    program: &Program,
    plan: &Plan,
    refutation: &Refutation,
) -> Result<Vec<Vec<Row>>, NoHarness> {
    let mut rows: Vec<Vec<Row>> = plan.slots.iter().map(|_| Vec::new()).collect();
    let mut passes: Vec<Vec<(SiteId, u32)>> = plan.slots.iter().map(|_| Vec::new()).collect();
    let mut known: FxHashMap<SiteId, Vec<Leaf>> = FxHashMap::default();
    for input in refutation.inputs() {
        let Some(&slot) = plan.slot_of.get(&input.site) else { continue };
        let shared = plan.slots[slot].sites.len() > 1;
        let pass = if shared { shared_pass(&mut passes[slot], input) } else { input.occurrence };
        if input.value == 0 {
            continue;
        }
        let site = &program.sites[input.site];
        if shared && site.ty.is_aggregate() {
            let reason = "this place stands for several of the program's automata".to_owned();
            return Err(plan.no_harness(site.span, reason));
        }
        let (offset, bit) = match site.ty {
            _ if plan.slots[slot].allocated => (input.element, 0),
            ty if ty.is_scalar() => (0, 0),
            ty => {
                let leaves = known.entry(input.site).or_insert_with(|| leaves(&program.types, ty));
                let leaf = &leaves[input.element as usize];
                (leaf.offset, leaf.bit.unwrap_or(0))
            }
        };
        let Some(width) = width(program, input.ty) else {
            let reason = "a value of type `long double` or `__float128`".to_owned();
            return Err(plan.no_harness(site.span, reason));
        };
        let value = input.value as u128 & (u128::MAX >> (128 - width));
        rows[slot].push(Row { pass, offset, bit, width, value });
    }
    Ok(rows)
}

/// Passes of a slot that several sites share are counted in the order of the run.
fn shared_pass(passes: &mut Vec<(SiteId, u32)>, input: &Input) -> u32 {
    let this = (input.site, input.occurrence);
    if passes.last() != Some(&this) {
        passes.push(this);
    }
    passes.len() as u32 - 1
}

fn width(program: &Program, ty: Type) -> Option<u16> {
    match ty {
        Type::Int(IntType { bits, .. }) => Some(bits),
        Type::Float(FloatType::F32) => Some(32),
        Type::Float(FloatType::F64) => Some(64),
        Type::Pointer(_) => Some(program.types.model.pointer_bits()),
        _ => None,
    }
}
