//! From bytes to tokens: lexer, keywords, literals. Knows nothing of types or scopes.

pub mod format;
pub mod lexer;
pub mod literal;
pub mod options;
pub mod pragma;
pub mod token;
