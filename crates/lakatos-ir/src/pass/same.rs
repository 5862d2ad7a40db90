//! Structural equality of expressions: two ids for the same expression have one representative.

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::program::Program;
use crate::ty::Type;
use crate::walk::{self, Node};

/// The representatives met so far.
#[derive(Default)]
pub(super) struct Same {
    exprs: FxHashMap<(ExprKind, Type), ExprId>,
    places: FxHashMap<(PlaceKind, Type), PlaceId>,
}

impl Same {
    /// The first expression that was asked for and equals this one but for spans.
    pub fn expr(&mut self, program: &Program, e: ExprId) -> ExprId {
        let kind = walk::map_parts(&program.exprs[e].kind, &mut |part| self.node(program, part));
        *self.exprs.entry((kind, program.exprs[e].ty)).or_insert(e)
    }

    fn node(&mut self, program: &Program, node: Node) -> Node {
        match node {
            Node::Expr(e) => Node::Expr(self.expr(program, e)),
            Node::Place(p) => {
                let kind = program.places[p].kind;
                let kind = walk::map_place_parts(kind, &mut |part| self.node(program, part));
                Node::Place(*self.places.entry((kind, program.places[p].ty)).or_insert(p))
            }
        }
    }
}
