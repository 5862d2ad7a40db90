//! Solvers that are processes: what they may do wrong, played by scripts, and what they should do
//! right, asked of the real ones that happen to be installed.
#![cfg(unix)]

mod pipe {
    pub mod fakes;
    pub mod real;
}
