//! A server that decodes many sequences at once, some of them speculatively.

#[macro_use]
mod log;

pub mod loaded;
pub mod models;
pub mod scheduler;
mod speculative;
