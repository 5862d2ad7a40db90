//! Terms of one arena in another: what an engine found outlives the engine.
//!
//! Symbols, functions and sorts keep their names; everything is rebuilt with the constructors,
//! whose normal forms depend on the order of ids, so the copy is equivalent and not always the
//! mirror image.

use rustc_hash::FxHashMap;

use super::{Function, Node, Parts, Sort, Symbol, Term, Terms};

impl Terms {
    /// The terms of another arena in this one.
    pub fn import(&mut self, from: &Terms, roots: &[Term]) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in from.parts_first(roots) {
            let parts: Parts = from.node(term).parts().iter().map(|part| done[part]).collect();
            let sort = self.import_sort(from, from.sort(term));
            let new = self.import_node(from, from.node(term), sort, &parts);
            done.insert(term, new);
        }
        roots.iter().map(|root| done[root]).collect()
    }

    /// A term of another arena with this arena's terms for its free symbols. `symbol` gets the
    /// other arena's symbol, and the sort that the term for it must have.
    pub fn import_as<E>(
        &mut self,
        from: &Terms,
        term: Term,
        mut symbol: impl FnMut(&mut Terms, Symbol, Sort) -> Result<Term, E>,
    ) -> Result<Term, E> {
        let copy = self.import(from, &[term])[0];
        let mut map = FxHashMap::default();
        for old in from.free_symbols(term) {
            let own = self.import_symbol(from, old);
            let new = symbol(self, old, self.symbol_sort(own))?;
            map.insert(own, new);
        }
        Ok(self.substitute(copy, &map))
    }

    fn import_node(&mut self, from: &Terms, node: &Node, sort: Sort, parts: &[Term]) -> Term {
        match node {
            Node::Bool(_) | Node::Int(_) | Node::Real(_) | Node::BitVec(..) => {
                self.intern(node.clone(), sort)
            }
            Node::Symbol(symbol) => self.symbol(from.symbol_name(*symbol), sort),
            Node::Apply(function, _) => {
                let function = self.import_function(from, *function);
                self.apply(function, parts)
            }
            Node::Quantified(quantifier, bound, _) => {
                let bound: Vec<Symbol> =
                    bound.iter().map(|symbol| self.import_symbol(from, *symbol)).collect();
                self.quantified(*quantifier, &bound, parts[0])
            }
            // Names nothing of its arena besides its parts and its sort.
            node => self.with_parts(node, sort, parts),
        }
    }

    pub(crate) fn import_symbol(&mut self, from: &Terms, symbol: Symbol) -> Symbol {
        let sort = self.import_sort(from, from.symbol_sort(symbol));
        let term = self.symbol(from.symbol_name(symbol), sort);
        self.as_symbol(term).expect("just made")
    }

    pub(crate) fn import_function(&mut self, from: &Terms, function: Function) -> Function {
        let signature = from.signature(function);
        let arguments: Vec<Sort> =
            signature.arguments.iter().map(|sort| self.import_sort(from, *sort)).collect();
        let result = self.import_sort(from, signature.result);
        self.function(&signature.name, &arguments, result)
    }

    fn import_sort(&mut self, from: &Terms, sort: Sort) -> Sort {
        let Sort::Array(array) = sort else { return sort };
        let (index, element) = from.array_parts(array);
        let (index, element) = (self.import_sort(from, index), self.import_sort(from, element));
        self.array_sort(index, element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Int;
    use crate::term::{BvBinary, BvCompare, Quantifier};

    /// A term of every kind that a program needs, in an arena where `prepare` was there first.
    fn build(prepare: impl Fn(&mut Terms)) -> (Terms, Vec<Term>) {
        let mut t = Terms::new();
        prepare(&mut t);
        let [x, y, z] = ["x", "y", "z"].map(|name| t.symbol(name, Sort::Int));
        let b = t.symbol("b", Sort::Bool);
        let v = t.symbol("v", Sort::BitVec(8));
        let inner = t.array_sort(Sort::Int, Sort::BitVec(8));
        let sort = t.array_sort(Sort::Int, inner);
        let a = t.symbol("a", sort);
        let f = t.function("f", &[Sort::Int, inner], Sort::Int);

        let (three, scaled) = (t.int(3), t.scale(&Int::from(-2), y));
        let sum = t.add(x, scaled);
        let le = t.le(sum, three);
        let product = t.mul(x, z);
        let (div, modulo) = (t.div(product, three), t.modulo(z, three));
        let eq = t.eq(div, modulo);
        let row = t.select(a, x);
        let applied = t.apply(f, &[y, row]);
        let chosen = t.ite(b, applied, x);
        let lt = t.lt(chosen, z);
        let cell = t.select(row, z);
        let shifted = t.bv_binary(BvBinary::Shl, v, cell);
        let (low, number) = (t.extract(3, 0, shifted), t.bv_to_int(v));
        let wide = t.sign_extend(4, low);
        let less = t.bv_compare(BvCompare::Slt, wide, v);
        let same = t.eq(number, y);
        let stored = t.store(a, y, row);
        let written = t.eq(stored, a);
        let not = t.not(written);
        let parts = t.or([le, eq, lt]);
        let bound = t.as_symbol(y).unwrap();
        let all = t.quantified(Quantifier::Forall, &[bound], parts);
        let whole = t.and([all, less, same, not, le]);
        (t, vec![whole, all, product, shifted, stored])
    }

    #[test]
    fn a_copy_says_the_same() {
        let (from, roots) = build(|_| ());
        let mut to = Terms::new();
        let copies = to.import(&from, &roots);
        for (root, copy) in roots.iter().zip(&copies) {
            assert_eq!(from.smtlib(*root), to.smtlib(*copy));
        }
        // Importing back is finding what is there.
        let (mut from, roots) = build(|_| ());
        assert_eq!(from.import(&to, &copies), roots);
    }

    /// Free symbols get new names, bound ones keep theirs and capture nothing.
    #[test]
    fn symbols_are_replaced_on_the_way() {
        let mut from = Terms::new();
        let [x, y] = ["x", "y"].map(|name| from.symbol(name, Sort::Int));
        let (less, bound) = (from.lt(x, y), from.as_symbol(y).unwrap());
        let some = from.quantified(Quantifier::Exists, &[bound], less);
        let both = from.and([some, less]);
        let mut to = Terms::new();
        let swapped = to
            .import_as(&from, both, |to, symbol, sort| {
                let name = if from.symbol_name(symbol) == "x" { "y" } else { "x" };
                Ok::<_, ()>(to.symbol(name, sort))
            })
            .unwrap();
        let expected = "y <= x - 1 && (exists y!!0. y <= y!!0 - 1)";
        assert_eq!(to.display(swapped).to_string(), expected);
        let none = to.import_as(&from, less, |_, symbol, _| Err::<Term, _>(symbol));
        assert_eq!(none, Err(from.as_symbol(x).unwrap()));
    }

    /// Where the arena has other ids, the copy is what the constructors make there.
    #[test]
    fn ids_do_not_matter() {
        let backwards = |t: &mut Terms| {
            for name in ["z", "y", "x", "!"] {
                let symbol = t.symbol(name, Sort::Int);
                t.scale(&Int::from(7), symbol);
            }
        };
        let (from, roots) = build(|_| ());
        let (mut to, expected) = build(backwards);
        assert_eq!(to.import(&from, &roots), expected);
    }
}
