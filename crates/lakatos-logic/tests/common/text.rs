//! Expressions as SMT-LIB text, word for word: not through the terms.

use lakatos_logic::number::Int;
use lakatos_logic::term::{BvBinary, BvCompare};

use super::{Ast, Kind, Op, SMALL_ELEMENT, SMALL_INDEX};

pub fn sort(kind: Kind) -> String {
    match kind {
        Kind::Bool => "Bool".to_string(),
        Kind::Int => "Int".to_string(),
        Kind::Real => "Real".to_string(),
        Kind::Bits(width) => format!("(_ BitVec {width})"),
        Kind::Table => "(Array Int Int)".to_string(),
        Kind::SmallTable => format!("(Array (_ BitVec {SMALL_INDEX}) (_ BitVec {SMALL_ELEMENT}))"),
    }
}

/// Declarations of the variables and the function.
pub fn declarations(of: &[(Kind, usize)]) -> String {
    let mut out = "(declare-fun f (Int) Int)\n".to_string();
    for (kind, number) in of {
        out += &format!("(declare-const {} {})\n", kind.variable(*number), sort(*kind));
    }
    out
}

pub fn render(ast: &Ast) -> String {
    match ast {
        Ast::Bool(value) => value.to_string(),
        Ast::Int(value) => int(value),
        Ast::Real(above, below) => format!("(/ (to_real {}) (to_real {below}))", int(above)),
        Ast::Bits(value, width) => format!("(_ bv{value} {width})"),
        Ast::Var(kind, number) => kind.variable(*number),
        Ast::Node(op, parts) => {
            let texts: Vec<String> = parts.iter().map(render).collect();
            call(*op, &texts)
        }
    }
}

fn int(value: &Int) -> String {
    if *value < Int::ZERO { format!("(- {})", -value) } else { value.to_string() }
}

fn call(op: Op, texts: &[String]) -> String {
    let name = match op {
        Op::And | Op::Or if texts.len() == 1 => return texts[0].clone(),
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Implies => "=>",
        Op::Iff | Op::Eq => "=",
        Op::Xor => "xor",
        Op::Ite => "ite",
        Op::Ne => "distinct",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::Ge => ">=",
        Op::Gt => ">",
        Op::Add => "+",
        Op::Sub | Op::Neg => "-",
        Op::Mul => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Abs => "abs",
        Op::ToReal => "to_real",
        Op::Apply => "f",
        Op::Bits(op) => binary(op),
        Op::Compare(BvCompare::Ult) => "bvult",
        Op::Compare(BvCompare::Ule) => "bvule",
        Op::Compare(BvCompare::Slt) => "bvslt",
        Op::Compare(BvCompare::Sle) => "bvsle",
        Op::BitNot => "bvnot",
        Op::BitNeg => "bvneg",
        Op::Extract(high, low) => return format!("((_ extract {high} {low}) {})", texts[0]),
        Op::Concat => "concat",
        Op::ZeroExtend(by) => return format!("((_ zero_extend {by}) {})", texts[0]),
        Op::SignExtend(by) => return format!("((_ sign_extend {by}) {})", texts[0]),
        Op::ToUnsigned => "ubv_to_int",
        Op::ToSigned => "sbv_to_int",
        Op::FromInt(width) => return format!("((_ int_to_bv {width}) {})", texts[0]),
        Op::Select => "select",
        Op::Store => "store",
        Op::Const => return format!("((as const {}) {})", sort(Kind::Table), texts[0]),
        Op::ConstSmall => return format!("((as const {}) {})", sort(Kind::SmallTable), texts[0]),
    };
    format!("({name} {})", texts.join(" "))
}

fn binary(op: BvBinary) -> &'static str {
    match op {
        BvBinary::Add => "bvadd",
        BvBinary::Sub => "bvsub",
        BvBinary::Mul => "bvmul",
        BvBinary::Udiv => "bvudiv",
        BvBinary::Urem => "bvurem",
        BvBinary::Sdiv => "bvsdiv",
        BvBinary::Srem => "bvsrem",
        BvBinary::And => "bvand",
        BvBinary::Or => "bvor",
        BvBinary::Xor => "bvxor",
        BvBinary::Shl => "bvshl",
        BvBinary::Lshr => "bvlshr",
        BvBinary::Ashr => "bvashr",
    }
}
