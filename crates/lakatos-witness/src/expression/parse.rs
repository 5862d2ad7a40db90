//! From words to trees, by precedence climbing.

use lakatos_ir::{BinOp, UnOp};

use super::token::{Kind, Token};
use super::{Language, Res};

/// Deeper nesting is refused, of the text and of trees: the IR bounds its expressions, and everything
/// that walks through them may recurse.
const MAX_DEPTH: u32 = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    pub kind: TreeKind,
    /// The byte that a message about it points to.
    pub at: usize,
    /// Of its longest branch.
    depth: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TreeKind {
    /// As it is written.
    Number(String),
    Character(i128),
    Truth(bool),
    Name(String),
    Result,
    /// A value at the entry of the procedure.
    Old(Box<Tree>),
    Unary(UnOp, Box<Tree>),
    /// Unary plus: promotion only.
    Plus(Box<Tree>),
    /// Neither `&&` nor `||`.
    Binary(BinOp, Box<Tree>, Box<Tree>),
    /// Two or more operands of `&&`, or of `||`. As they are lazy, it does not matter how they group.
    Lazy(BinOp, Vec<Tree>),
    Implies(Box<Tree>, Box<Tree>),
    /// Two truth values are equal, or differ.
    Same(bool, Box<Tree>, Box<Tree>),
    /// `a <= b < c`.
    Chain(Box<Tree>, Vec<(BinOp, Tree)>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
    Cast(String, Box<Tree>),
    /// An element of an array.
    Index(Box<Tree>, Box<Tree>),
    SizeOf(String),
}

/// How tightly a sign binds between operands; larger is tighter.
fn infix(sign: &str) -> Option<(u8, BinOp)> {
    Some(match sign {
        "||" => (4, BinOp::Or),
        "&&" => (5, BinOp::And),
        "|" => (6, BinOp::BitOr),
        "^" => (7, BinOp::BitXor),
        "&" => (8, BinOp::BitAnd),
        "==" => (9, BinOp::Eq),
        "!=" => (9, BinOp::Ne),
        "<" => (10, BinOp::Lt),
        "<=" => (10, BinOp::Le),
        ">" => (10, BinOp::Gt),
        ">=" => (10, BinOp::Ge),
        "<<" => (11, BinOp::Shl),
        ">>" => (11, BinOp::Shr),
        "+" => (12, BinOp::Add),
        "-" => (12, BinOp::Sub),
        "*" => (13, BinOp::Mul),
        "/" => (13, BinOp::Div),
        "%" => (13, BinOp::Rem),
        _ => return None,
    })
}

pub(super) fn parse(tokens: &[Token], end: usize, language: Language) -> Res<Tree> {
    let mut parser = Parser { tokens, next: 0, end, language, depth: 0 };
    let tree = parser.any()?;
    match parser.peek() {
        None => Ok(tree),
        Some(token) => Err((format!("{} is not expected here", shown(&token.kind)), token.at)),
    }
}

fn shown(kind: &Kind) -> String {
    match kind {
        Kind::Word(text) | Kind::Number(text) => format!("`{text}`"),
        Kind::Keyword(text) => format!("`\\{text}`"),
        Kind::Character(_) => "a character".to_owned(),
        Kind::Sign(sign) => format!("`{sign}`"),
    }
}

impl Tree {
    fn new(kind: TreeKind, at: usize) -> Res<Tree> {
        let of_two = |a: &Tree, b: &Tree| a.depth.max(b.depth);
        let below = match &kind {
            TreeKind::Number(_)
            | TreeKind::Character(_)
            | TreeKind::Truth(_)
            | TreeKind::Name(_)
            | TreeKind::Result
            | TreeKind::SizeOf(_) => 0,
            TreeKind::Old(a) | TreeKind::Unary(_, a) | TreeKind::Plus(a) | TreeKind::Cast(_, a) => {
                a.depth
            }
            TreeKind::Binary(_, a, b)
            | TreeKind::Implies(a, b)
            | TreeKind::Same(_, a, b)
            | TreeKind::Index(a, b) => of_two(a, b),
            TreeKind::Lazy(_, all) => all.iter().map(|a| a.depth).max().unwrap_or_default(),
            TreeKind::Chain(first, rest) => {
                rest.iter().map(|(_, a)| a.depth).fold(first.depth, u32::max)
            }
            TreeKind::Choice(a, b, c) => of_two(a, b).max(c.depth),
        };
        match below < MAX_DEPTH {
            true => Ok(Tree { kind, at, depth: below + 1 }),
            false => Err(("this is nested too deeply".to_owned(), at)),
        }
    }

    /// A list that was this deep before its last operand came, without another look at the others.
    fn longer(kind: TreeKind, at: usize, before: u32, last: u32) -> Res<Tree> {
        match last < MAX_DEPTH {
            true => Ok(Tree { kind, at, depth: before.max(last + 1) }),
            false => Err(("this is nested too deeply".to_owned(), at)),
        }
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
    next: usize,
    end: usize,
    language: Language,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.next)
    }

    fn at(&self) -> usize {
        self.peek().map_or(self.end, |token| token.at)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.sign() == Some(sign);
        self.next += usize::from(found);
        found
    }

    fn sign(&self) -> Option<&'static str> {
        match self.peek()?.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn expect(&mut self, sign: &str) -> Res<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err((format!("`{sign}` is missing"), self.at())),
        }
    }

    /// In C there are no such signs.
    fn acsl_only(&self, sign: &str, at: usize) -> Res<()> {
        match self.language {
            Language::Acsl => Ok(()),
            _ => Err((format!("`{sign}` is ACSL, and the format says C"), at)),
        }
    }

    fn any(&mut self) -> Res<Tree> {
        self.deeper(self.at(), Parser::choice)
    }

    /// One level further down.
    fn deeper(&mut self, at: usize, read: impl FnOnce(&mut Self) -> Res<Tree>) -> Res<Tree> {
        if self.depth == MAX_DEPTH {
            return Err(("this is nested too deeply".to_owned(), at));
        }
        self.depth += 1;
        let tree = read(self);
        self.depth -= 1;
        tree
    }

    fn choice(&mut self) -> Res<Tree> {
        let condition = self.equivalence()?;
        let at = self.at();
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.any()?;
        self.expect(":")?;
        let no = self.any()?;
        Tree::new(TreeKind::Choice(condition.into(), yes.into(), no.into()), at)
    }

    fn equivalence(&mut self) -> Res<Tree> {
        let mut left = self.implication()?;
        loop {
            let at = self.at();
            if !self.eat("<==>") {
                return Ok(left);
            }
            self.acsl_only("<==>", at)?;
            let right = self.implication()?;
            left = Tree::new(TreeKind::Same(true, left.into(), right.into()), at)?;
        }
    }

    /// Groups to the right.
    fn implication(&mut self) -> Res<Tree> {
        let left = self.exclusive()?;
        let at = self.at();
        if !self.eat("==>") {
            return Ok(left);
        }
        self.acsl_only("==>", at)?;
        let right = self.deeper(at, Parser::implication)?;
        Tree::new(TreeKind::Implies(left.into(), right.into()), at)
    }

    fn exclusive(&mut self) -> Res<Tree> {
        let mut left = self.binary(3)?;
        loop {
            let at = self.at();
            if !self.eat("^^") {
                return Ok(left);
            }
            self.acsl_only("^^", at)?;
            let right = self.binary(3)?;
            left = Tree::new(TreeKind::Same(false, left.into(), right.into()), at)?;
        }
    }

    /// Operators that bind tighter than `above`.
    fn binary(&mut self, above: u8) -> Res<Tree> {
        let mut left = self.unary()?;
        while let Some((level, op)) = self.sign().and_then(infix) {
            if level <= above {
                break;
            }
            let at = self.at();
            self.next += 1;
            let right = self.binary(level)?;
            left = self.joined(op, left, right, at)?;
        }
        Ok(left)
    }

    fn joined(&self, op: BinOp, left: Tree, right: Tree, at: usize) -> Res<Tree> {
        let orders = |op: BinOp| op.is_comparison() && !matches!(op, BinOp::Eq | BinOp::Ne);
        if self.language == Language::Acsl && orders(op) {
            return match left.kind {
                TreeKind::Chain(first, mut rest) => {
                    let last = right.depth;
                    rest.push((op, right));
                    Tree::longer(TreeKind::Chain(first, rest), at, left.depth, last)
                }
                _ => Tree::new(TreeKind::Chain(left.into(), vec![(op, right)]), at),
            };
        }
        match left.kind {
            TreeKind::Lazy(same, mut all) if same == op => {
                let last = right.depth;
                all.push(right);
                Tree::longer(TreeKind::Lazy(op, all), at, left.depth, last)
            }
            _ if op.is_lazy() => Tree::new(TreeKind::Lazy(op, vec![left, right]), at),
            _ => Tree::new(TreeKind::Binary(op, left.into(), right.into()), at),
        }
    }

    fn unary(&mut self) -> Res<Tree> {
        let at = self.at();
        let Some(sign @ ("-" | "+" | "~" | "!")) = self.sign() else { return self.postfix() };
        self.next += 1;
        let operand = self.deeper(at, Parser::unary)?;
        let kind = match sign {
            "-" => TreeKind::Unary(UnOp::Neg, operand.into()),
            "~" => TreeKind::Unary(UnOp::BitNot, operand.into()),
            "!" => TreeKind::Unary(UnOp::Not, operand.into()),
            _ => TreeKind::Plus(operand.into()),
        };
        Tree::new(kind, at)
    }

    /// An operand with the indices behind it.
    fn postfix(&mut self) -> Res<Tree> {
        let mut tree = self.primary()?;
        loop {
            let at = self.at();
            match self.sign() {
                Some("[") if self.language == Language::Acsl => {
                    return Err(("arrays are not supported".to_owned(), at));
                }
                Some("[") => {
                    self.next += 1;
                    let index = self.any()?;
                    self.expect("]")?;
                    tree = Tree::new(TreeKind::Index(tree.into(), index.into()), at)?;
                }
                Some("." | "->") => return Err(("members are not supported".to_owned(), at)),
                Some("++" | "--") => return Err(("side effects are not supported".to_owned(), at)),
                _ => return Ok(tree),
            }
        }
    }

    fn primary(&mut self) -> Res<Tree> {
        let Some(token) = self.peek() else {
            return Err(("an operand is missing".to_owned(), self.end));
        };
        let at = token.at;
        self.next += 1;
        let kind = match &token.kind {
            Kind::Number(text) => TreeKind::Number(text.clone()),
            Kind::Character(value) => TreeKind::Character(*value),
            Kind::Word(word) if word == "sizeof" => return self.size_of(at),
            Kind::Word(word) if is_type_word(word) => {
                return Err((format!("`{word}` is a type, not a value"), at));
            }
            Kind::Word(word) => {
                if self.sign() == Some("(") {
                    return Err(("calls are not supported".to_owned(), self.at()));
                }
                TreeKind::Name(word.clone())
            }
            Kind::Keyword(word) => return self.keyword(word, at),
            Kind::Sign("(") => return self.parenthesised(at),
            Kind::Sign("*" | "&") => return Err(("pointers are not supported".to_owned(), at)),
            Kind::Sign(sign) => return Err((format!("`{sign}` is not expected here"), at)),
        };
        Tree::new(kind, at)
    }

    fn keyword(&mut self, word: &str, at: usize) -> Res<Tree> {
        if self.language == Language::C {
            return Err((format!("`\\{word}` is ACSL, and the format says C"), at));
        }
        let kind = match word {
            "true" => TreeKind::Truth(true),
            "false" => TreeKind::Truth(false),
            "result" => TreeKind::Result,
            "old" => {
                self.expect("(")?;
                let inner = self.any()?;
                self.expect(")")?;
                TreeKind::Old(inner.into())
            }
            "at" => return self.at_label(at),
            _ => return Err((format!("`\\{word}` is not supported"), at)),
        };
        Tree::new(kind, at)
    }

    /// `\at(x, Pre)`: what something was when the function was entered; `Here` is now.
    fn at_label(&mut self, at: usize) -> Res<Tree> {
        self.expect("(")?;
        let inner = self.any()?;
        self.expect(",")?;
        let label_at = self.at();
        let Some(Token { kind: Kind::Word(label), .. }) = self.peek() else {
            return Err(("a label is missing".to_owned(), label_at));
        };
        self.next += 1;
        self.expect(")")?;
        match label.as_str() {
            "Pre" | "Old" => Tree::new(TreeKind::Old(inner.into()), at),
            "Here" => Ok(inner),
            other => Err((format!("the label `{other}` is not supported"), label_at)),
        }
    }

    /// A cast, or an expression in parentheses.
    fn parenthesised(&mut self, at: usize) -> Res<Tree> {
        if let Some(name) = self.type_name()? {
            self.expect(")")?;
            let operand = self.deeper(at, Parser::unary)?;
            return Tree::new(TreeKind::Cast(name, operand.into()), at);
        }
        let inner = self.any()?;
        self.expect(")")?;
        // Parentheses end a chain of comparisons.
        match inner.kind {
            TreeKind::Chain(..) => {
                let whole = Tree::new(TreeKind::Truth(true), at)?;
                Tree::new(TreeKind::Same(true, inner.into(), whole.into()), at)
            }
            _ => Ok(inner),
        }
    }

    fn size_of(&mut self, at: usize) -> Res<Tree> {
        self.expect("(")?;
        match self.type_name()? {
            Some(name) => {
                self.expect(")")?;
                Tree::new(TreeKind::SizeOf(name), at)
            }
            None => Err(("`sizeof` is supported for types only".to_owned(), self.at())),
        }
    }

    /// The words of a type, one space between them.
    fn type_name(&mut self) -> Res<Option<String>> {
        let mut words = Vec::new();
        while let Some(Token { kind: Kind::Word(word), .. }) = self.peek()
            && is_type_word(word)
        {
            words.push(word.as_str());
            self.next += 1;
        }
        if !words.is_empty() && self.sign() == Some("*") {
            return Err(("pointers are not supported".to_owned(), self.at()));
        }
        Ok((!words.is_empty()).then(|| words.join(" ")))
    }
}

fn is_type_word(word: &str) -> bool {
    const WORDS: [&str; 15] = [
        "char",
        "short",
        "int",
        "long",
        "signed",
        "unsigned",
        "_Bool",
        "bool",
        "const",
        "volatile",
        "__int128",
        "__signed__",
        "float",
        "double",
        "integer",
    ];
    WORDS.contains(&word) || super::lower::typedef(word, Default::default()).is_some()
}
