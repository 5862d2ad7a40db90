//! Pointers and what they point to.

use std::collections::btree_map::Entry;

use lakatos_acsl::env::CVariable;
use lakatos_acsl::tree::{Label, Place, PlaceKind, Term as Acsl, TermKind, Variable};
use lakatos_acsl::types::{CType, Type};
use lakatos_ir::{IntType, Span};
use lakatos_logic::term::{Sort, Symbol, Term};

use super::formula::{Bound, Scope};
use super::{POINTERS, Res, Shape, Translator, refuse};

/// A pointer variable, by its number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    Logic(u32),
    /// Of the program, an array as well.
    Program(u32),
}

/// A pointer variable, and how many elements behind it.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    base: Base,
    name: String,
    element: IntType,
    offset: Term,
}

impl Translator<'_> {
    /// The arrays of a parameter, one for each state.
    pub(super) fn arrays(
        &mut self,
        scope: &mut Scope,
        param: &Variable,
        labels: &[String],
        element: IntType,
    ) -> Vec<Symbol> {
        self.pointer_variable(scope, param, element);
        let mut symbols = Vec::with_capacity(labels.len());
        for label in labels {
            let symbol = self.array_symbol(&param.name);
            scope.arrays.insert((Base::Logic(param.id), label.clone()), symbol);
            symbols.push(symbol);
        }
        symbols
    }

    pub(super) fn pointer_variable(
        &mut self,
        scope: &mut Scope,
        variable: &Variable,
        element: IntType,
    ) {
        let offset = self.terms.int(0);
        let (base, name) = (Base::Logic(variable.id), variable.name.clone());
        let pointer = Pointer { base, name, element, offset };
        scope.bound.insert(variable.id, Bound::Pointer(pointer));
    }

    fn array_symbol(&mut self, name: &str) -> Symbol {
        let sort = self.terms.array_sort(Sort::Int, Sort::Int);
        self.fresh(name, sort)
    }

    /// A pointer or an array of the program, of which a remark speaks.
    fn of_remark(&mut self, scope: &mut Scope, place: &Place) -> Res<Pointer> {
        let (Some(known), PlaceKind::Variable(variable)) = (&mut scope.program, &place.kind) else {
            return refuse(place.span, of_program(place), POINTERS);
        };
        let CVariable { id, name, ty, .. } = variable;
        let pointer = match ty {
            CType::Array(element, _) => Type::C(CType::Pointer(element.clone())),
            other => Type::C(other.clone()),
        };
        let Shape::Array(element) = self.shape(&pointer, place.span)? else {
            return refuse(place.span, of_program(place), POINTERS);
        };
        let key = (Base::Program(*id), Label::Here.name().to_owned());
        if let Entry::Vacant(entry) = scope.arrays.entry(key) {
            let symbol = self.array_symbol(name);
            known.push((symbol, variable.clone()));
            entry.insert(symbol);
        }
        let offset = self.terms.int(0);
        Ok(Pointer { base: Base::Program(*id), name: name.clone(), element, offset })
    }

    /// A number of the program, of which a remark speaks.
    fn number_of_remark(&mut self, scope: &mut Scope, place: &Place) -> Res<Term> {
        let refused =
            || refuse(place.span, of_program(place), "lemmas are about their own variables");
        let (Some(known), PlaceKind::Variable(variable)) = (&mut scope.program, &place.kind) else {
            return refused();
        };
        if !matches!(self.shape(&place.ty, place.span)?, Shape::Number(Some(_))) {
            return refused();
        }
        let found = known.iter().find(|(_, other)| other.id == variable.id);
        let symbol = match found {
            Some((symbol, _)) => *symbol,
            None => {
                let symbol = self.fresh(&variable.name, Sort::Int);
                known.push((symbol, variable.clone()));
                symbol
            }
        };
        Ok(self.terms.symbol_term(symbol))
    }

    /// What a pointer variable points to in a state.
    fn array(
        &mut self,
        scope: &mut Scope,
        pointer: &Pointer,
        label: &str,
        span: Span,
    ) -> Res<Term> {
        let key = (pointer.base.clone(), label.to_owned());
        if let Some(symbol) = scope.arrays.get(&key) {
            return Ok(self.terms.symbol_term(*symbol));
        }
        if !scope.is_lemma {
            return refuse(span, format!("the state `{label}` here"), POINTERS);
        }
        let symbol = self.array_symbol(&pointer.name);
        scope.arrays.insert(key, symbol);
        scope.variables.push(symbol);
        scope.elements.push((symbol, pointer.element));
        Ok(self.terms.symbol_term(symbol))
    }

    /// A pointer as a variable and an offset.
    pub(super) fn pointer(&mut self, scope: &mut Scope, term: &Acsl) -> Res<Pointer> {
        match &term.kind {
            TermKind::Variable(variable) => match scope.bound.get(&variable.id) {
                Some(Bound::Pointer(pointer)) => Ok(pointer.clone()),
                _ => refuse(term.span, format!("the variable `{}`", variable.name), POINTERS),
            },
            TermKind::PointerAdd { pointer, index, subtract } => {
                let pointer = self.pointer(scope, pointer)?;
                let index = self.term(scope, index)?;
                let offset = match subtract {
                    true => self.terms.sub(pointer.offset, index),
                    false => self.terms.add(pointer.offset, index),
                };
                Ok(Pointer { offset, ..pointer })
            }
            // A pointer variable of the logic is the same in all states; an offset may not be.
            TermKind::At(inner, label) => {
                scope.in_state(label, term.span, |scope| self.pointer(scope, inner))
            }
            TermKind::Load(place) | TermKind::Decay(place) => self.of_remark(scope, place),
            TermKind::AddressOf(place) => refuse(term.span, of_program(place), POINTERS),
            TermKind::Coerce(_) | TermKind::Cast(_) => {
                refuse(term.span, "a conversion of a pointer", POINTERS)
            }
            TermKind::Null => refuse(term.span, "`\\null`", POINTERS),
            _ => refuse(term.span, "a pointer that is computed", POINTERS),
        }
    }

    /// The value of an element in the current state.
    pub(super) fn load(&mut self, scope: &mut Scope, place: &Place) -> Res<Term> {
        let span = place.span;
        let (pointer, index) = match &place.kind {
            PlaceKind::Element { pointer, index } => {
                let pointer = self.pointer(scope, pointer)?;
                (pointer, Some(self.term(scope, index)?))
            }
            PlaceKind::ArrayElement { array, index } => {
                let pointer = self.of_remark(scope, array)?;
                (pointer, Some(self.term(scope, index)?))
            }
            PlaceKind::Deref(pointer) => (self.pointer(scope, pointer)?, None),
            _ => return self.number_of_remark(scope, place),
        };
        let at = match index {
            Some(index) => self.terms.add(pointer.offset, index),
            None => pointer.offset,
        };
        let Some(label) = scope.label.clone() else {
            return refuse(span, "memory in a state that is not named", "say `\\at(…, L)`");
        };
        let array = self.array(scope, &pointer, &label, span)?;
        Ok(self.terms.select(array, at))
    }

    /// A place of which `reads` speaks is an element of a parameter; more is not said by it.
    pub(super) fn reads(&mut self, scope: &mut Scope, places: &[Place]) -> Res<()> {
        for place in places {
            match &place.kind {
                PlaceKind::Element { pointer, .. } | PlaceKind::Deref(pointer) => {
                    self.base(scope, pointer)?;
                }
                _ => {
                    return refuse(
                        place.span,
                        of_program(place),
                        "only elements of parameters are",
                    );
                }
            }
        }
        Ok(())
    }

    fn base(&mut self, scope: &mut Scope, pointer: &Acsl) -> Res<()> {
        match &pointer.kind {
            TermKind::PointerAdd { pointer, .. } => self.base(scope, pointer),
            _ => self.pointer(scope, pointer).map(drop),
        }
    }

    /// A pointer as an argument: what it points to in each of the states.
    pub(super) fn array_arguments(
        &mut self,
        scope: &mut Scope,
        arg: &Acsl,
        labels: &[Label],
    ) -> Res<Vec<Term>> {
        let pointer = self.pointer(scope, arg)?;
        let zero = self.terms.int(0);
        if pointer.offset != zero {
            return refuse(
                arg.span,
                "a pointer into an array as an argument",
                "give the function an index to begin at, and pass the array itself",
            );
        }
        let mut arrays = Vec::with_capacity(labels.len());
        for label in labels {
            let label = scope.state(label, arg.span)?;
            arrays.push(self.array(scope, &pointer, &label, arg.span)?);
        }
        Ok(arrays)
    }
}

fn of_program(place: &Place) -> String {
    match &place.kind {
        PlaceKind::Variable(variable) => format!("the program's variable `{}`", variable.name),
        PlaceKind::Result => "`\\result`".to_owned(),
        PlaceKind::Field { name, .. } => format!("the member `{name}`"),
        _ => "memory that is not an element of an array of integers".to_owned(),
    }
}
