//! Terms and predicates.

use lakatos_ir::Span;

use super::{Parser, Res, error, error_help, unsupported};
use crate::lexer::Tok;
use crate::literal;
use crate::syntax::{Binder, Constant, Expr, ExprKind, Infix, Level, Name, Spanned, Unary};

/// The level whose operators bind tighter than those of the given one.
fn tighter(level: Level) -> Level {
    use Level::*;
    match level {
        Lowest => Iff,
        Iff => Implies,
        Implies => Or,
        Or => Xor,
        Xor => And,
        And => BitIff,
        BitIff => BitImplies,
        BitImplies => BitOr,
        BitOr => BitXor,
        BitXor => BitAnd,
        BitAnd => Relation,
        Relation => Shift,
        Shift => Sum,
        Sum => Product,
        Product => Unary,
        Unary | Postfix => Postfix,
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Res<Expr> {
        self.nested(|p| {
            let start = p.start();
            let condition = p.binary(Level::Iff)?;
            if !p.eat("?") {
                return Ok(condition);
            }
            let outer = std::mem::replace(&mut p.in_branch, true);
            let yes = p.expr()?;
            p.in_branch = outer;
            p.expect(":", "between the branches")?;
            let no = p.expr()?;
            p.node(ExprKind::Cond(condition.into(), yes.into(), no.into()), start)
        })
    }

    /// In parentheses and the like, names may stand again.
    fn inner<T>(&mut self, parse: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let outer = std::mem::replace(&mut self.in_branch, false);
        let result = parse(self);
        self.in_branch = outer;
        result
    }

    fn infix(&self) -> Option<Infix> {
        let Tok::Sign(sign) = self.tok().kind else { return None };
        Infix::ALL.into_iter().find(|op| op.text() == sign)
    }

    /// Operators of a level and tighter ones.
    fn binary(&mut self, loosest: Level) -> Res<Expr> {
        let start = self.start();
        let mut left = self.operand()?;
        loop {
            let arrow = match &self.tok().kind {
                Tok::Sign("==>") => Some(Level::Implies),
                Tok::Sign("-->") => Some(Level::BitImplies),
                Tok::Keyword(word) if word == "\\in" => {
                    return unsupported(self.tok().span, "`\\in`");
                }
                _ => None,
            };
            let Some(level) = arrow.or_else(|| self.infix().map(Infix::level)) else { break };
            if level < loosest {
                break;
            }
            left = match arrow {
                Some(_) => self.arrow(left, level, start)?,
                None => self.chain(left, level, start)?,
            };
        }
        Ok(left)
    }

    /// Groups to the right.
    fn arrow(&mut self, left: Expr, level: Level, start: u32) -> Res<Expr> {
        self.advance();
        let right = self.nested(|p| p.binary(level))?;
        let kind = match level {
            Level::Implies => ExprKind::Implies(left.into(), right.into()),
            _ => ExprKind::BitImplies(left.into(), right.into()),
        };
        self.node(kind, start)
    }

    /// All operators of one level that follow each other.
    fn chain(&mut self, first: Expr, level: Level, start: u32) -> Res<Expr> {
        let mut rest: Vec<(Infix, Expr)> = Vec::new();
        // The first comparison that says where the chain goes.
        let mut direction = None;
        while let Some(op) = self.infix()
            && op.level() == level
        {
            let span = self.advance().span;
            let before = direction.or(rest.first().map(|(op, _)| *op));
            if level == Level::Relation && before.is_some_and(|other| !chained(other, op)) {
                return error_help(
                    span,
                    "these comparisons make no chain",
                    "a chain goes up (`<`, `<=`, `==`) or down (`>`, `>=`, `==`); use `&&`",
                );
            }
            if op != Infix::Eq {
                direction = direction.or(Some(op));
            }
            let operand = self.binary(tighter(level))?;
            rest.push((op, operand));
        }
        self.node(ExprKind::Infix { first: first.into(), rest }, start)
    }

    /// An operand: prefix operators, binders, and what has none of them.
    fn operand(&mut self) -> Res<Expr> {
        let start = self.start();
        let unary = match self.tok().kind {
            Tok::Sign("+") => Some(Unary::Plus),
            Tok::Sign("-") => Some(Unary::Neg),
            Tok::Sign("~") => Some(Unary::BitNot),
            Tok::Sign("!") => Some(Unary::Not),
            Tok::Sign("*") => Some(Unary::Deref),
            Tok::Sign("&") => Some(Unary::AddressOf),
            _ => None,
        };
        if let Some(unary) = unary {
            self.advance();
            let operand = self.nested(Self::operand)?;
            return self.node(ExprKind::Unary(unary, operand.into()), start);
        }
        match &self.tok().kind {
            Tok::Sign("(") if self.at_type(1) => self.cast(start),
            Tok::Word(word) if word == "sizeof" => self.size_of(start),
            Tok::Word(_) if *self.ahead(1) == Tok::Sign(":") && !self.in_branch => {
                let name = self.name("a name")?;
                self.advance();
                let body = self.expr()?;
                self.node(ExprKind::Named(name, body.into()), start)
            }
            Tok::Keyword(word) => match word.as_str() {
                "\\forall" => self.bind(Binder::Forall, start),
                "\\exists" => self.bind(Binder::Exists, start),
                "\\lambda" => self.bind(Binder::Lambda, start),
                "\\let" => self.let_(start),
                _ => self.postfix(start),
            },
            _ => self.postfix(start),
        }
    }

    fn cast(&mut self, start: u32) -> Res<Expr> {
        self.advance();
        let ty = self.type_name()?;
        self.expect(")", "after the type")?;
        let operand = self.nested(Self::operand)?;
        self.node(ExprKind::Cast(ty, operand.into()), start)
    }

    fn size_of(&mut self, start: u32) -> Res<Expr> {
        self.advance();
        let kind = if self.at("(") && self.at_type(1) {
            self.advance();
            let ty = self.type_name()?;
            self.expect(")", "after the type")?;
            ExprKind::SizeOfType(ty)
        } else {
            ExprKind::SizeOf(self.nested(Self::operand)?.into())
        };
        self.node(kind, start)
    }

    fn bind(&mut self, binder: Binder, start: u32) -> Res<Expr> {
        self.advance();
        let variables = self.binders()?;
        self.expect(";", "after the variables")?;
        let body = self.expr()?;
        self.node(ExprKind::Bind { binder, variables, body: body.into() }, start)
    }

    fn let_(&mut self, start: u32) -> Res<Expr> {
        self.advance();
        let name = self.name("the name of a variable")?;
        self.expect("=", "after the name")?;
        let value = self.inner(Self::expr)?;
        self.expect(";", "after the value")?;
        let body = self.expr()?;
        self.node(ExprKind::Let { name, value: value.into(), body: body.into() }, start)
    }

    fn postfix(&mut self, start: u32) -> Res<Expr> {
        let mut expr = self.primary()?;
        loop {
            let span = self.tok().span;
            let kind = match self.tok().kind {
                Tok::Sign("[") => {
                    self.advance();
                    let index = self.inner(Self::range_or_expr)?;
                    self.expect("]", "after the index")?;
                    ExprKind::Index(expr.into(), index.into())
                }
                Tok::Sign(".") => {
                    self.advance();
                    ExprKind::Field(expr.into(), self.name("the name of a member")?)
                }
                Tok::Sign("->") => {
                    self.advance();
                    ExprKind::Arrow(expr.into(), self.name("the name of a member")?)
                }
                Tok::Sign(op @ ("++" | "--")) => {
                    return error(
                        span,
                        format!("`{op}` changes something, and terms change nothing"),
                    );
                }
                Tok::Sign(
                    "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=",
                ) => {
                    let help = "`==` compares";
                    return error_help(span, "terms assign nothing", help);
                }
                Tok::Sign("(") => {
                    return error(span, "only a name can be called");
                }
                _ => return Ok(expr),
            };
            expr = self.node(kind, start)?;
        }
    }

    /// `low .. high`, both of which may be left out, or an expression.
    fn range_or_expr(&mut self) -> Res<Expr> {
        let start = self.start();
        let low = match self.at("..") {
            true => None,
            false => Some(self.expr()?),
        };
        if !self.eat("..") {
            return match low {
                Some(expr) => Ok(expr),
                None => self.unexpected("an expression"),
            };
        }
        let high = match self.at("]") || self.at(")") {
            true => None,
            false => Some(self.expr()?),
        };
        self.node(ExprKind::Range(low.map(Box::new), high.map(Box::new)), start)
    }

    fn primary(&mut self) -> Res<Expr> {
        let start = self.start();
        let span = self.tok().span;
        let kind = match self.tok().kind.clone() {
            Tok::Number(text) => {
                self.advance();
                number(text, span)?
            }
            Tok::Char(text) if !text.starts_with('\'') => {
                return unsupported(span, "wide character constants");
            }
            Tok::Char(text) => {
                self.advance();
                literal::character(&text).or_else(|message| error(span, message))?;
                ExprKind::Char(text)
            }
            Tok::Str(_) => return unsupported(span, "strings"),
            Tok::Word(word) => return self.named(word, start),
            Tok::Keyword(word) => return self.keyword(&word, start),
            Tok::Sign("(") => {
                self.advance();
                let mut inner = self.inner(Self::range_or_expr)?;
                self.expect(")", "to close the parenthesis")?;
                if let ExprKind::Name(name) = &inner.kind
                    && self.at_cast_operand()
                {
                    return error(inner.span, format!("`{name}` is not a type here"));
                }
                inner.span = self.since(start);
                return Ok(inner);
            }
            Tok::Sign("{") => return unsupported(span, "sets in braces"),
            _ => return self.unexpected("an expression"),
        };
        self.node(kind, start)
    }

    /// What stands right behind parentheses makes a cast of them.
    fn at_cast_operand(&self) -> bool {
        match &self.tok().kind {
            Tok::Word(word) => word != "for",
            Tok::Keyword(word) => !matches!(word.as_str(), "\\from" | "\\with" | "\\in"),
            Tok::Number(_) | Tok::Char(_) | Tok::Str(_) => true,
            Tok::Eof | Tok::Sign(_) => false,
        }
    }

    fn named(&mut self, word: String, start: u32) -> Res<Expr> {
        let span = self.tok().span;
        if self.at_type(0) {
            return error(span, format!("`{word}` is a type, not a value"));
        }
        self.advance();
        match self.tok().kind {
            Tok::Sign("(" | "{") => self.call(Spanned::new(word, span), start),
            _ => self.node(ExprKind::Name(word), start),
        }
    }

    fn keyword(&mut self, word: &str, start: u32) -> Res<Expr> {
        let span = self.advance().span;
        let constant = match word {
            "\\true" => Some(Constant::True),
            "\\false" => Some(Constant::False),
            "\\null" => Some(Constant::Null),
            "\\result" => Some(Constant::Result),
            _ => None,
        };
        if let Some(constant) = constant {
            return self.node(ExprKind::Constant(constant), start);
        }
        match word {
            "\\old" => {
                self.expect("(", "after `\\old`")?;
                let inner = self.inner(Self::expr)?;
                self.expect(")", "to close `\\old`")?;
                self.node(ExprKind::Old(inner.into()), start)
            }
            "\\at" => {
                self.expect("(", "after `\\at`")?;
                let inner = self.inner(Self::expr)?;
                self.expect(",", "before the label")?;
                let label = self.name("a label")?;
                self.expect(")", "to close `\\at`")?;
                self.node(ExprKind::At(inner.into(), label), start)
            }
            "\\nothing" => error(span, "`\\nothing` stands alone, in `assigns` and `\\from`"),
            "\\from" => error(span, "`\\from` stands in `assigns` only"),
            "\\with" => unsupported(span, "`\\with`"),
            _ => match self.tok().kind {
                Tok::Sign("(" | "{") => self.call(Spanned::new(word.to_owned(), span), start),
                _ => self.node(ExprKind::Name(word.to_owned()), start),
            },
        }
    }

    /// Labels and arguments of what has just been named.
    fn call(&mut self, function: Name, start: u32) -> Res<Expr> {
        let labels = self.labels()?;
        let mut args = Vec::new();
        if self.eat("(") {
            if self.at(")") {
                return error_help(
                    self.tok().span,
                    "an empty list of arguments",
                    "a function without parameters is written without parentheses",
                );
            }
            if function.node == "\\type" || self.at_type(0) {
                return unsupported(function.span, format!("`{}`", function.node));
            }
            args.push(self.inner(Self::expr)?);
            while self.eat(",") {
                args.push(self.inner(Self::expr)?);
            }
            self.expect(")", "after the arguments")?;
        }
        self.node(ExprKind::Call { function, labels, args }, start)
    }

    /// `{L1, L2}`, if it is there.
    pub(super) fn labels(&mut self) -> Res<Vec<Name>> {
        // The block of an `inductive` predicate begins with the same sign.
        let block = match (self.ahead(1), self.ahead(2)) {
            (Tok::Word(word), Tok::Word(_)) => word == "case",
            (next, _) => *next == Tok::Sign("}"),
        };
        if block || !self.eat("{") {
            return Ok(Vec::new());
        }
        let labels = self.names("a label")?;
        self.expect("}", "after the labels")?;
        Ok(labels)
    }
}

/// Whether two comparisons can stand in one chain.
fn chained(a: Infix, b: Infix) -> bool {
    let up = |op| matches!(op, Infix::Lt | Infix::Le | Infix::Eq);
    let down = |op| matches!(op, Infix::Gt | Infix::Ge | Infix::Eq);
    (up(a) && up(b)) || (down(a) && down(b))
}

fn number(text: String, span: Span) -> Res<ExprKind> {
    if !literal::is_real(&text) {
        return match literal::integer(&text) {
            Ok(_) => Ok(ExprKind::Int(text)),
            Err(message) => error(span, message),
        };
    }
    if let Some(suffix) = literal::real_suffix(&text) {
        return unsupported(span, format!("real numbers with the suffix `{suffix}`"));
    }
    match literal::check_real(&text) {
        Ok(()) => Ok(ExprKind::Real(text)),
        Err(message) => error(span, message),
    }
}
