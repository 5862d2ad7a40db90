//! Typed trees with all that is invisible in the text: conversions, labels, what is a predicate.

use lakatos_acsl::erase::Eraser;
use lakatos_acsl::tree::{Call, Place, PlaceKind, Pred, PredKind, Term, TermKind, Theory};

pub struct Show<'t>(pub &'t Theory);

impl Show<'_> {
    fn all(&self, terms: &[Term]) -> String {
        terms.iter().map(|t| self.term(t)).collect::<Vec<_>>().join(", ")
    }

    fn call(&self, call: &Call) -> String {
        let name = &self.0.functions[call.function].name.node;
        let labels: Vec<&str> = call.labels.iter().map(|l| l.name()).collect();
        format!("{name}{{{}}}({})", labels.join(", "), self.all(&call.args))
    }

    pub fn term(&self, t: &Term) -> String {
        match &t.kind {
            TermKind::Coerce(inner) => format!("<{}>{}", t.ty, self.term(inner)),
            TermKind::Cast(inner) => format!("({}){}", t.ty, self.term(inner)),
            TermKind::Load(place) => self.place(place),
            TermKind::Decay(place) => format!("&first({})", self.place(place)),
            TermKind::AddressOf(place) => format!("&{}", self.place(place)),
            TermKind::Truth(pred) => format!("truth({})", self.pred(pred)),
            TermKind::Null => format!("null<{}>", t.ty),
            TermKind::Arithmetic { first, rest } => {
                let rest: String =
                    rest.iter().map(|(op, t)| format!(" {op:?} {}", self.term(t))).collect();
                format!("[{}: {}{rest}]", t.ty, self.term(first))
            }
            TermKind::PointerAdd { pointer, index, subtract } => {
                let sign = if *subtract { '-' } else { '+' };
                format!("({} {sign}* {}): {}", self.term(pointer), self.term(index), t.ty)
            }
            TermKind::PointerDiff(a, b) => format!("({} -* {})", self.term(a), self.term(b)),
            TermKind::Cond(c, yes, no) => {
                format!("if({}, {}, {}): {}", self.pred(c), self.term(yes), self.term(no), t.ty)
            }
            TermKind::At(inner, label) => format!("at({}, {})", self.term(inner), label.name()),
            TermKind::Call(call) => format!("{}: {}", self.call(call), t.ty),
            TermKind::Builtin(b, args) => format!("{b:?}({}): {}", self.all(args), t.ty),
            TermKind::Neg(inner) => format!("neg({})", self.term(inner)),
            TermKind::Range(low, high) => {
                let end =
                    |e: &Option<Box<Term>>| e.as_ref().map_or(String::new(), |e| self.term(e));
                format!("{}..{}", end(low), end(high))
            }
            _ => format!("{}: {}", Eraser::new(self.0).term(t), t.ty),
        }
    }

    pub fn place(&self, p: &Place) -> String {
        match &p.kind {
            PlaceKind::Variable(v) => v.name.clone(),
            PlaceKind::Result => "result".to_owned(),
            PlaceKind::Deref(t) => format!("*{}", self.term(t)),
            PlaceKind::Element { pointer, index } => {
                format!("{}*[{}]", self.term(pointer), self.term(index))
            }
            PlaceKind::ArrayElement { array, index } => {
                format!("{}[{}]", self.place(array), self.term(index))
            }
            PlaceKind::Field { record, name, path } => {
                format!("{}.{name}#{path:?}", self.place(record))
            }
            PlaceKind::Value(t) => format!("value({})", self.term(t)),
        }
    }

    pub fn pred(&self, p: &Pred) -> String {
        let list = |word: &str, all: &[Pred]| {
            let all: Vec<String> = all.iter().map(|p| self.pred(p)).collect();
            format!("{word}({})", all.join(", "))
        };
        match &p.kind {
            PredKind::Holds(t) => format!("holds({})", self.term(t)),
            PredKind::Compare { first, rest } => {
                let rest: String =
                    rest.iter().map(|(op, t)| format!(" {op:?} {}", self.term(t))).collect();
                format!("{}{rest}", self.term(first))
            }
            PredKind::Not(inner) => format!("not({})", self.pred(inner)),
            PredKind::And(all) => list("and", all),
            PredKind::Or(all) => list("or", all),
            PredKind::Xor(all) => list("xor", all),
            PredKind::Iff(all) => list("iff", all),
            PredKind::Implies(a, b) => format!("({} => {})", self.pred(a), self.pred(b)),
            PredKind::Forall(vars, body) => {
                let vars: Vec<String> =
                    vars.iter().map(|v| format!("{}#{}: {}", v.name, v.id, v.ty)).collect();
                format!("all[{}] {}", vars.join(", "), self.pred(body))
            }
            PredKind::At(inner, label) => format!("at({}, {})", self.pred(inner), label.name()),
            PredKind::Call(call) => self.call(call),
            PredKind::Memory(m, label, t) => format!("{m:?}{{{}}}({})", label.name(), self.term(t)),
            PredKind::Separated(all) => format!("separated({})", self.all(all)),
            PredKind::Named(name, body) => format!("{}: {}", name.node, self.pred(body)),
            _ => Eraser::new(self.0).pred(p).to_string(),
        }
    }
}
