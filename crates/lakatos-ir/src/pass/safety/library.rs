//! Library functions: what they do to objects, and what they access.

use std::collections::BTreeSet;

use super::flow::argument;
use super::objects::{Kind, OFFSET, ghost};
use super::pointer::{Pair, Pointer};
use super::rewrite::{Rewriter, Step};
use super::{NULL, OTHER, UNKNOWN};
use crate::expr::{BinOp, ExprId, ExprKind, Undefined};
use crate::library::Use;
use crate::program::{Builtin, Bytes, Call, EdgeId};
use crate::property::Property;
use crate::ty::Type;

/// The properties that are about accesses.
pub(super) const WATCHED: [Property; 3] =
    [Property::ValidDeref, Property::NullDeref, Property::UseAfterFree];

/// The steps of a call of a library function.
pub(super) fn call(
    rewriter: &mut Rewriter<'_>,
    id: EdgeId,
    call: &Call,
    builtin: Builtin,
) -> Vec<Step> {
    let mut steps = Vec::new();
    if WATCHED.iter().any(|property| rewriter.cx.property.includes(*property)) {
        steps.extend(accesses(rewriter, call, builtin));
    }
    steps.extend(rewriter.watched_library(call, builtin));
    let frees = matches!(builtin, Builtin::Free | Builtin::Realloc);
    let old = argument(rewriter.make.program, call, 0).filter(|_| frees);
    let old = old.map(|old| (rewriter.make.program.exprs[old].span, rewriter.make.pointer(old)));
    if let Some((span, old)) = &old
        && rewriter.cx.property.includes(Property::ValidFree)
    {
        let fine = rewriter.make.may_free(old);
        steps.extend(rewriter.require(fine, Undefined::InvalidFree, *span, "frees"));
    }
    if builtin.ends() {
        steps.extend(rewriter.nothing_lost(&BTreeSet::new()));
    }
    // All that is computed from what was before is computed now.
    let given = call.result.and_then(|place| rewriter.followed(place));
    let made = rewriter.cx.objects.of_call(rewriter.proc, id);
    let first = argument(rewriter.make.program, call, 0).filter(|_| builtin.gives_its_first());
    let first = first.map(|first| rewriter.make.pointer(first));
    let bytes = made.and_then(|_| size(rewriter, call, builtin));
    let none = made.map(|_| gives_null(rewriter, call, builtin, old.as_ref().map(|(_, p)| p)));
    steps.push(Step::Do(rewriter.rewritten(call)));
    if let Some((_, old)) = &old {
        steps.extend(ends(rewriter, old));
    }
    match (made, bytes, none) {
        (Some(number), Some(bytes), Some(none)) => {
            // Whether there was something is not known, and then whether there is nothing now.
            let is_open = old.as_ref().is_some_and(|(_, old)| old.ids.contains(&UNKNOWN))
                && rewriter.make.value(bytes).is_none_or(|bytes| bytes == 0);
            let known = given.filter(|_| !is_open);
            let kept = rewriter.kept_by_realloc(old.as_ref().map(|(_, p)| p));
            steps.extend(makes(rewriter, number, [bytes, none, kept], known));
            if let Some(pair) = given.filter(|_| is_open) {
                let unknown = rewriter.make.constant(UNKNOWN);
                steps.extend(rewriter.keep(pair, unknown));
            }
        }
        _ => {
            if let Some(pair) = given {
                let unknown = rewriter.make.constant(UNKNOWN);
                steps.extend(rewriter.keep(pair, first.unwrap_or(unknown)));
            }
        }
    }
    steps
}

/// What is freed ends. Of what is not known, all that can be freed may be it; where it matters
/// that everything is freed, nothing is.
fn ends(rewriter: &mut Rewriter<'_>, old: &Pointer) -> Vec<Step> {
    let mut steps = Vec::new();
    let heap = rewriter.cx.objects.iter().filter(|(_, object)| object.kind == Kind::Heap);
    for (number, object) in heap {
        let Some(alive) = object.alive else { continue };
        let mut hit = rewriter.make.truth(false);
        let loses = rewriter.cx.property == Property::ValidMemtrack;
        let may_be = |id: &i128| old.ids.contains(id) && !(loses && *id == UNKNOWN);
        for id in [number, UNKNOWN].into_iter().filter(may_be) {
            let is_it = rewriter.make.is(old.object, id);
            hit = rewriter.make.or(hit, is_it);
        }
        let was = rewriter.make.load(alive);
        let spared = rewriter.make.not(hit);
        let still = rewriter.make.and(was, spared);
        if rewriter.make.value(spared) != Some(1) {
            steps.push(rewriter.assign(alive, still));
        }
    }
    steps
}

/// The bytes of a new object.
fn size(rewriter: &mut Rewriter<'_>, call: &Call, builtin: Builtin) -> Option<ExprId> {
    let argument = |number: usize| call.args.get(number).copied();
    match builtin {
        Builtin::Calloc => {
            let (count, size) = (argument(0)?, argument(1)?);
            let (count, size) = (number(rewriter, count), number(rewriter, size));
            Some(product(rewriter, count, size))
        }
        Builtin::Realloc => argument(1).map(|size| number(rewriter, size)),
        _ => argument(0).map(|size| number(rewriter, size)),
    }
}

/// Of two sizes. It is taken modulo 2^64, say, since more is not there to be had.
fn product(rewriter: &mut Rewriter<'_>, count: ExprId, size: ExprId) -> ExprId {
    let make = &mut rewriter.make;
    let is_small = |value: Option<i128>| value.is_some_and(|value| value < 1 << 60);
    if is_small(make.value(size)) {
        return make.arithmetic(BinOp::Mul, count, size);
    }
    if is_small(make.value(count)) {
        return make.arithmetic(BinOp::Mul, size, count);
    }
    let ty = Type::Int(make.program.types.model.size_type());
    let (count, size) = (make.cast(count, ty), make.cast(size, ty));
    let product = make.make(ExprKind::Binary(BinOp::Mul, count, size), ty);
    make.cast(product, OFFSET)
}

/// More than the largest size is asked for.
fn is_too_much(rewriter: &mut Rewriter<'_>, count: ExprId, size: ExprId) -> ExprId {
    let make = &mut rewriter.make;
    let (zero, one) = (make.bytes(0), make.bytes(1));
    let is_none = make.compare(BinOp::Eq, size, zero);
    let divisor = make.choice(is_none, one, size);
    let most = make.program.types.model.size_type().max();
    let most = match make.value(divisor) {
        Some(divisor) => make.bytes(most / divisor),
        None => {
            let most = make.bytes(most);
            make.make(ExprKind::Binary(BinOp::Div, most, divisor), OFFSET)
        }
    };
    make.compare(BinOp::Gt, count, most)
}

/// A number of type `size_t` as an offset.
pub(super) fn number(rewriter: &mut Rewriter<'_>, e: ExprId) -> ExprId {
    let ty = Type::Int(rewriter.make.program.types.model.size_type());
    if let Some(value) = rewriter.make.value(e) {
        let value = rewriter.make.program.types.model.size_type().wrap(value);
        return rewriter.make.bytes(value);
    }
    let e = rewriter.make.expr(e);
    let e = rewriter.make.cast(e, ty);
    rewriter.make.cast(e, OFFSET)
}

/// When there is no new object, whatever is left in memory.
fn gives_null(
    rewriter: &mut Rewriter<'_>,
    call: &Call,
    builtin: Builtin,
    old: Option<&Pointer>,
) -> ExprId {
    match (builtin, old, size(rewriter, call, builtin)) {
        (Builtin::Calloc, ..) => {
            let [count, size] = [0, 1].map(|argument| number(rewriter, call.args[argument]));
            is_too_much(rewriter, count, size)
        }
        (Builtin::Realloc, Some(old), Some(bytes)) => {
            let zero = rewriter.make.bytes(0);
            let nothing = rewriter.make.compare(BinOp::Eq, bytes, zero);
            let was = rewriter.make.is(old.object, NULL);
            let was_there = rewriter.make.not(was);
            rewriter.make.and(nothing, was_there)
        }
        _ => rewriter.make.truth(false),
    }
}

/// A new object, if there is not `none`; its byte that is followed was `kept`.
fn makes(
    rewriter: &mut Rewriter<'_>,
    number: i128,
    [bytes, none, kept]: [ExprId; 3],
    given: Option<Pair>,
) -> Vec<Step> {
    let object = rewriter.cx.objects.get(number).clone();
    let (Some(alive), Bytes::Held(size)) = (object.alive, object.size) else { return Vec::new() };
    // What was computed before the call must not be computed again from what comes now.
    let proc = Some(rewriter.proc);
    let new =
        |rewriter: &mut Rewriter<'_>, name: &str, ty| ghost(rewriter.make.program, name, ty, proc);
    let mut steps = Vec::new();
    let mut hold = |rewriter: &mut Rewriter<'_>, name: &str, value: ExprId| {
        if rewriter.make.value(value).is_some() {
            return value;
        }
        let var = new(rewriter, name, rewriter.make.program.exprs[value].ty);
        steps.push(rewriter.assign(var, value));
        rewriter.make.load(var)
    };
    let bytes = hold(rewriter, "bytes", bytes);
    let none = hold(rewriter, "no memory", none);
    let kept = hold(rewriter, "kept", kept);
    let mut chosen = rewriter.make.truth(true);
    match &object.several {
        Some(several) => {
            steps.extend(rewriter.choose(several, alive));
            chosen = rewriter.make.load(several.chosen);
        }
        None => steps.push(rewriter.flag(alive, true)),
    }
    let before = rewriter.make.load(size);
    let held = rewriter.make.choice(chosen, bytes, before);
    steps.push(rewriter.assign(size, held));
    steps.extend(rewriter.makes_unwritten(number, chosen, kept));
    if let Some(own) = object.own {
        let was = rewriter.make.load(own);
        let own_now = rewriter.make.or(was, chosen);
        steps.push(rewriter.assign(own, own_now));
    }
    if let Some(pair) = given {
        let (it, other) = (rewriter.make.constant(number), rewriter.make.constant(OTHER));
        let pointer = match object.several {
            Some(_) => rewriter.make.either(chosen, it, other),
            None => it,
        };
        let null = rewriter.make.constant(NULL);
        let may_be_none = rewriter.make.value(none) != Some(0);
        let pointer = match may_be_none {
            true => rewriter.make.either(none, null, pointer),
            false => pointer,
        };
        steps.extend(rewriter.set(pair, pointer));
    }
    steps
}

/// What a library function accesses must be there, as its row says.
fn accesses(rewriter: &mut Rewriter<'_>, call: &Call, builtin: Builtin) -> Vec<Step> {
    let row = builtin.row();
    let mut steps = Vec::new();
    let mut unknown_length = false;
    for number in 0..call.args.len() {
        match row.use_of(number) {
            // What is freed is looked at by itself.
            Use::Value | Use::Frees => {}
            Use::Reads(count) => steps.extend(bytes_at(rewriter, call, number, count, false)),
            Use::Writes(count) => steps.extend(bytes_at(rewriter, call, number, count, true)),
            Use::ReadsText | Use::Format => steps.extend(text_at(rewriter, call, number)),
            Use::WritesText | Use::AppendsText => {
                steps.extend(text_at(rewriter, call, number));
                unknown_length = true;
            }
        }
    }
    // How long the string is that is written is not known.
    if unknown_length && rewriter.cx.property.includes(Property::ValidDeref) {
        let fine = rewriter.make.truth(false);
        let span = rewriter.make.span;
        steps.extend(rewriter.require(fine, Undefined::OutOfBounds, span, "writes"));
    }
    steps
}

/// As many bytes as an argument says are where a pointer points to, if they are any.
fn bytes_at(
    rewriter: &mut Rewriter<'_>,
    call: &Call,
    pointer: usize,
    count: usize,
    write: bool,
) -> Option<Step> {
    let (pointer, count) = (*call.args.get(pointer)?, *call.args.get(count)?);
    let span = rewriter.make.program.exprs[pointer].span;
    let p = rewriter.make.pointer(pointer);
    let count = number(rewriter, count);
    let zero = rewriter.make.bytes(0);
    let none = rewriter.make.compare(BinOp::Eq, count, zero);
    let there = rewriter.make.may_access(rewriter.cx.property, &p, count, write);
    let fine = rewriter.make.or(none, there);
    rewriter.require(fine, Undefined::OutOfBounds, span, "accesses")
}

/// An argument that is a pointer points to a string.
fn text_at(rewriter: &mut Rewriter<'_>, call: &Call, pointer: usize) -> Option<Step> {
    let pointer = argument(rewriter.make.program, call, pointer)?;
    let span = rewriter.make.program.exprs[pointer].span;
    let p = rewriter.make.pointer(pointer);
    let fine = match rewriter.cx.property.includes(Property::ValidDeref) {
        true => rewriter.make.is_text(&p),
        // Somewhere behind its first byte a string ends.
        false => {
            let one = rewriter.make.bytes(1);
            rewriter.make.may_access(rewriter.cx.property, &p, one, false)
        }
    };
    rewriter.require(fine, Undefined::OutOfBounds, span, "reads")
}
