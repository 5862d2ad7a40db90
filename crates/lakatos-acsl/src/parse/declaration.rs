//! Declarations of C, as the `declarations` of a lemma set have them: `int f(int *a, int n)`.

use super::{Parsed, Parser, Res, Vocabulary, run};
use crate::lexer::{Form, Places};
use crate::syntax::{Name, Spanned, TypeExpr, TypeKind, Variable};

/// A declaration of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Declaration {
    Variable(Variable),
    Function { name: Name, params: Vec<Variable>, result: TypeExpr },
}

pub(crate) fn declaration(
    text: &str,
    places: &Places,
    words: &dyn Vocabulary,
) -> Parsed<Option<Declaration>> {
    run(text, Form::Comment, places, words, |p| {
        let declaration = p.c_declaration()?;
        p.eat(";");
        p.expect_end()?;
        Ok(declaration)
    })
}

impl Parser<'_> {
    fn c_declaration(&mut self) -> Res<Declaration> {
        let base = self.base_type()?;
        let mut variable = self.variable_of(&base)?;
        if !self.eat("(") {
            variable.ty = adjusted(variable.ty);
            return Ok(Declaration::Variable(variable));
        }
        let params = self.c_params()?;
        Ok(Declaration::Function { name: variable.name, params, result: variable.ty })
    }

    /// Parameters may have no name, and `(void)` is none of them.
    fn c_params(&mut self) -> Res<Vec<Variable>> {
        let mut params = Vec::new();
        if self.at_word("void") && *self.ahead(1) == crate::lexer::Tok::Sign(")") {
            self.advance();
        }
        while !self.eat(")") {
            if !params.is_empty() {
                self.expect(",", "between parameters")?;
            }
            let base = self.base_type()?;
            let number = params.len() + 1;
            let mut param = self.parameter_of(&base, || format!("p{number}"))?;
            param.ty = adjusted(param.ty);
            params.push(param);
        }
        Ok(params)
    }
}

/// An array that is passed is a pointer to its first element.
fn adjusted(ty: TypeExpr) -> TypeExpr {
    match ty.node {
        TypeKind::Array(inner, _) => Spanned::new(TypeKind::Pointer(inner), ty.span),
        _ => ty,
    }
}
