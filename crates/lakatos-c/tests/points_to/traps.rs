//! Programs in which pointers take unusual ways.
