//! Regions of small programs.
