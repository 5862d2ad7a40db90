//! Tokens and keywords. Literals keep only their span; `literal` reads them when asked.

use lakatos_ir::{Id, Span};

use crate::symbol::{Symbol, Symbols};

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Tok,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    Eof,
    Ident(Symbol),
    Kw(Kw),
    /// Integer or floating constant, unread.
    Number,
    Char,
    Str,
    LParen,
    RParen,
    LBrace,
    RBrace,
    LBracket,
    RBracket,
    Semi,
    Comma,
    Colon,
    Question,
    Dot,
    Ellipsis,
    Arrow,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Pipe,
    Caret,
    Tilde,
    Bang,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    EqEq,
    Ne,
    AndAnd,
    OrOr,
    PlusPlus,
    MinusMinus,
    Assign,
    PlusAssign,
    MinusAssign,
    StarAssign,
    SlashAssign,
    PercentAssign,
    AmpAssign,
    PipeAssign,
    CaretAssign,
    ShlAssign,
    ShrAssign,
}

impl Tok {
    /// The token as the user wrote it, for messages; `None` where the text has to be looked up.
    pub fn text(self) -> Option<&'static str> {
        use Tok::*;
        Some(match self {
            Eof => "end of file",
            Ident(_) | Kw(_) | Number | Char | Str => return None,
            LParen => "(",
            RParen => ")",
            LBrace => "{",
            RBrace => "}",
            LBracket => "[",
            RBracket => "]",
            Semi => ";",
            Comma => ",",
            Colon => ":",
            Question => "?",
            Dot => ".",
            Ellipsis => "...",
            Arrow => "->",
            Plus => "+",
            Minus => "-",
            Star => "*",
            Slash => "/",
            Percent => "%",
            Amp => "&",
            Pipe => "|",
            Caret => "^",
            Tilde => "~",
            Bang => "!",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Gt => ">",
            Le => "<=",
            Ge => ">=",
            EqEq => "==",
            Ne => "!=",
            AndAnd => "&&",
            OrOr => "||",
            PlusPlus => "++",
            MinusMinus => "--",
            Assign => "=",
            PlusAssign => "+=",
            MinusAssign => "-=",
            StarAssign => "*=",
            SlashAssign => "/=",
            PercentAssign => "%=",
            AmpAssign => "&=",
            PipeAssign => "|=",
            CaretAssign => "^=",
            ShlAssign => "<<=",
            ShrAssign => ">>=",
        })
    }
}

macro_rules! keywords {
    ($($kw:ident: $($text:literal)|+;)*) => {
        /// Keywords; GNU's alternate spellings are the same keyword.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kw { $($kw),* }

        const SPELLINGS: &[(&str, Kw)] = &[$($(($text, Kw::$kw)),+),*];
    };
}

keywords! {
    Alignas: "_Alignas";
    Alignof: "_Alignof";
    AlignofGnu: "__alignof__" | "__alignof";
    Asm: "asm" | "__asm__" | "__asm";
    Atomic: "_Atomic";
    Attribute: "__attribute__" | "__attribute";
    Auto: "auto";
    AutoType: "__auto_type";
    BFloat16: "__bf16";
    BitInt: "_BitInt";
    Bool: "_Bool";
    Break: "break";
    BuiltinVaList: "__builtin_va_list";
    Case: "case";
    Char: "char";
    Complex: "_Complex" | "__complex__" | "__complex";
    Const: "const" | "__const" | "__const__";
    Continue: "continue";
    Decimal32: "_Decimal32";
    Decimal64: "_Decimal64";
    Decimal128: "_Decimal128";
    Default: "default";
    Do: "do";
    Double: "double";
    Else: "else";
    Enum: "enum";
    Extension: "__extension__";
    Extern: "extern";
    Float: "float" | "_Float32";
    Float16: "_Float16";
    Float64: "_Float64" | "_Float32x";
    Float128: "__float128" | "_Float128" | "_Float64x";
    For: "for";
    Generic: "_Generic";
    Goto: "goto";
    If: "if";
    Imag: "__imag__" | "__imag";
    Inline: "inline" | "__inline" | "__inline__";
    Int: "int";
    Int128: "__int128" | "__int128_t";
    UInt128: "__uint128_t";
    Label: "__label__";
    Long: "long";
    Noreturn: "_Noreturn";
    Real: "__real__" | "__real";
    Register: "register";
    Restrict: "restrict" | "__restrict" | "__restrict__";
    Return: "return";
    Short: "short";
    Signed: "signed" | "__signed__" | "__signed";
    Sizeof: "sizeof";
    Static: "static";
    StaticAssert: "_Static_assert";
    Struct: "struct";
    Switch: "switch";
    ThreadLocal: "_Thread_local" | "__thread";
    Typedef: "typedef";
    Typeof: "typeof" | "__typeof__" | "__typeof";
    Union: "union";
    Unsigned: "unsigned";
    Void: "void";
    Volatile: "volatile" | "__volatile__" | "__volatile";
    While: "while";
}

/// Interns all keywords, so that they have the first symbols.
pub fn intern_keywords(symbols: &mut Symbols) {
    for (text, _) in SPELLINGS {
        symbols.intern(text);
    }
}

/// Keyword or identifier? Needs [`intern_keywords`] to have gone first.
pub fn classify(symbol: Symbol) -> Tok {
    match SPELLINGS.get(symbol.index()) {
        Some(&(_, kw)) => Tok::Kw(kw),
        None => Tok::Ident(symbol),
    }
}
