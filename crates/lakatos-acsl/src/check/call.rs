//! Uses of functions and predicates, built-in ones too.

use lakatos_ir::Span;

use super::place::single;
use super::term::{pred_of, term_of};
use super::{Checker, Language, Value};
use crate::env::Entity;
use crate::lexer::Res;
use crate::parse::{error, error_help, unsupported};
use crate::syntax::{Binder, Expr, ExprKind, Name};
use crate::tree::{Builtin, Call, Fold, Label, Memory, Pred, PredKind, Term, TermKind};
use crate::types::{CType, Type};

/// Functions of ACSL that Lakatos has no meaning for.
const FOREIGN: [&str; 42] = [
    "\\union",
    "\\inter",
    "\\subset",
    "\\in",
    "\\typeof",
    "\\type",
    "\\block_length",
    "\\offset",
    "\\base_addr",
    "\\allocable",
    "\\freeable",
    "\\fresh",
    "\\dangling",
    "\\allocation",
    "\\object_pointer",
    "\\valid_function",
    "\\valid_index",
    "\\valid_range",
    "\\valid_string",
    "\\sqrt",
    "\\pow",
    "\\exp",
    "\\log",
    "\\log10",
    "\\sin",
    "\\cos",
    "\\tan",
    "\\asin",
    "\\acos",
    "\\atan",
    "\\atan2",
    "\\hypot",
    "\\ceil",
    "\\floor",
    "\\truncate",
    "\\sign",
    "\\is_finite",
    "\\is_NaN",
    "\\round_float",
    "\\length",
    "\\nth",
    "\\concat",
];

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        function: &Name,
        labels: &[Name],
        args: &[Expr],
        span: Span,
    ) -> Res<Value> {
        let name = function.node.as_str();
        let marker = self.language != Language::Acsl && name == "ACSL";
        if marker && labels.is_empty() && args.len() == 1 {
            return self.value(&args[0]);
        }
        if name.starts_with('\\') {
            return self.builtin(function, labels, args, span);
        }
        let Some(signature) = self.signature(name) else {
            return self.no_function(function, args);
        };
        if signature.params.len() != args.len() {
            let message = format!(
                "`{name}` has {}, and {} given",
                count(signature.params.len(), "parameter"),
                match args.len() {
                    1 => "1 is".to_owned(),
                    n => format!("{n} are"),
                }
            );
            return error(span, message);
        }
        let labels = self.label_arguments(function, labels, signature.labels)?;
        let mut checked = Vec::with_capacity(args.len());
        for (e, ty) in args.iter().zip(&signature.params) {
            let term = self.term(e)?;
            checked.push(self.expect(term, ty)?);
        }
        let call = Call { function: signature.id, labels, args: checked };
        Ok(match signature.result {
            Some(ty) => Value::Term(term_of(TermKind::Call(call), ty, span)),
            None => Value::Pred(pred_of(PredKind::Call(call), span)),
        })
    }

    fn no_function(&self, function: &Name, args: &[Expr]) -> Res<Value> {
        let name = &function.node;
        if self.theory.is_left_out(name) {
            return self.left_out(function);
        }
        if self.bound(name).is_some() || matches!(self.env.name(name), Some(Entity::Variable(_))) {
            let what = if args.is_empty() { "has no labels" } else { "is not a function" };
            return error(function.span, format!("`{name}` is a variable, it {what}"));
        }
        match self.env.name(name) {
            Some(Entity::Function) => error_help(
                function.span,
                format!("`{name}` is a function of the program, and terms do not run it"),
                "define a `logic` function that says what it computes",
            ),
            _ => error(function.span, format!("there is no function or predicate `{name}`")),
        }
    }

    pub(super) fn left_out(&self, name: &Name) -> Res<Value> {
        let name_text = &name.node;
        unsupported(name.span, format!("`{name_text}`, whose declaration is not supported"))
    }

    /// The states in which a function looks at memory.
    fn label_arguments(
        &mut self,
        function: &Name,
        given: &[Name],
        wanted: usize,
    ) -> Res<Vec<Label>> {
        if given.is_empty() && wanted == 1 {
            return Ok(vec![self.state(function.span)?]);
        }
        if given.len() != wanted {
            let message = format!(
                "`{}` has {}, and {} given",
                function.node,
                count(wanted, "label"),
                match given.len() {
                    0 => "none is".to_owned(),
                    1 => "1 is".to_owned(),
                    n => format!("{n} are"),
                }
            );
            return error(function.span, message);
        }
        given.iter().map(|label| self.label(label)).collect()
    }

    #[inline(never)]
    fn builtin(
        &mut self,
        function: &Name,
        labels: &[Name],
        args: &[Expr],
        span: Span,
    ) -> Res<Value> {
        let name = function.node.as_str();
        let memory = match name {
            "\\valid" => Some(Memory::Valid),
            "\\valid_read" => Some(Memory::ValidRead),
            "\\initialized" => Some(Memory::Initialized),
            _ => None,
        };
        if let Some(memory) = memory {
            let label = self.label_arguments(function, labels, 1)?.swap_remove(0);
            self.arity(function, args, 1)?;
            let pointer = self.pointers_of(&args[0])?;
            return Ok(Value::Pred(pred_of(PredKind::Memory(memory, label, pointer.into()), span)));
        }
        if let Some(label) = labels.first() {
            return error(label.span, format!("`{name}` has no labels"));
        }
        let fold = match name {
            "\\sum" => Some(Fold::Sum),
            "\\product" => Some(Fold::Product),
            "\\numof" => Some(Fold::NumOf),
            "\\min" if args.len() == 3 => Some(Fold::Min),
            "\\max" if args.len() == 3 => Some(Fold::Max),
            _ => None,
        };
        if let Some(fold) = fold {
            self.arity(function, args, 3)?;
            return self.fold(fold, args, span).map(Value::Term);
        }
        match name {
            "\\separated" => self.separated(args, span).map(Value::Pred),
            "\\min" => self.numeric(Builtin::Min, function, args, 2, span),
            "\\max" => self.numeric(Builtin::Max, function, args, 2, span),
            "\\abs" => self.numeric(Builtin::Abs, function, args, 1, span),
            _ if FOREIGN.contains(&name) => unsupported(function.span, format!("`{name}`")),
            _ => error(function.span, format!("`{name}` is no function of ACSL")),
        }
    }

    fn arity(&self, function: &Name, args: &[Expr], wanted: usize) -> Res<()> {
        match args.len() == wanted {
            true => Ok(()),
            false => {
                let wanted = count(wanted, "argument");
                error(function.span, format!("`{}` has {wanted}", function.node))
            }
        }
    }

    /// A pointer, or a set of them, that points to something.
    fn pointers_of(&mut self, e: &Expr) -> Res<Term> {
        let term = self.term(e)?;
        let term = self.decayed(term)?;
        match single(&term.ty).0.pointee() {
            Some(CType::Void) => error_help(
                term.span,
                "this is a pointer to `void`, which says not how much is meant",
                "cast it: `(char *)p + (0 .. n - 1)`",
            ),
            Some(_) => Ok(term),
            None => {
                let message = format!("a pointer is expected, and this is `{}`", term.ty);
                error_help(term.span, message, "`&` gives the address of a place")
            }
        }
    }

    fn separated(&mut self, args: &[Expr], span: Span) -> Res<Pred> {
        let args = args.iter().map(|e| self.pointers_of(e)).collect::<Res<Vec<_>>>()?;
        match args.is_empty() {
            true => error(span, "`\\separated` has arguments"),
            false => Ok(pred_of(PredKind::Separated(args), span)),
        }
    }

    fn numeric(
        &mut self,
        builtin: Builtin,
        function: &Name,
        args: &[Expr],
        wanted: usize,
        span: Span,
    ) -> Res<Value> {
        self.arity(function, args, wanted)?;
        let mut terms = Vec::with_capacity(wanted);
        for e in args {
            let term = self.term(e)?;
            terms.push(self.number(term)?);
        }
        let real = terms.iter().any(|t| t.ty == Type::Real);
        let ty = if real { Type::Real } else { Type::Integer };
        let terms = terms.into_iter().map(|t| super::convert::coerced(t, ty.clone())).collect();
        Ok(Value::Term(term_of(TermKind::Builtin(builtin, terms), ty, span)))
    }

    /// `\sum(low, high, \lambda integer k; body)`.
    fn fold(&mut self, fold: Fold, args: &[Expr], span: Span) -> Res<Term> {
        let (low, high) = (self.term(&args[0])?, self.term(&args[1])?);
        let (low, high) = (self.integer(low)?, self.integer(high)?);
        let lambda = &args[2];
        let ExprKind::Bind { binder: Binder::Lambda, variables, body } = &lambda.kind else {
            return unsupported(lambda.span, "functions as arguments, except `\\lambda`");
        };
        let [variable] = variables.as_slice() else {
            return error(lambda.span, "this `\\lambda` has one variable");
        };
        self.scoped(|c| {
            let ty = c.ty(&variable.ty)?;
            if ty != Type::Integer {
                return error(variable.ty.span, "the variable goes through all of `integer`");
            }
            let variable = c.bind(&variable.name.node, ty);
            let body = match fold {
                Fold::NumOf => super::term::truth(c.pred(body)?),
                _ => {
                    let body = c.term(body)?;
                    c.number(body)?
                }
            };
            let ty = if fold == Fold::NumOf { Type::Integer } else { body.ty.clone() };
            let (low, high, body) = (low.into(), high.into(), body.into());
            Ok(term_of(TermKind::Fold { fold, low, high, variable, body }, ty, span))
        })
    }
}

/// `1 parameter`, `2 parameters`.
fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
