//! The commonest ways to lose an error, each beside a twin that keeps it.
//!
//! A mark behind a line names the rule that must fire there; every other line
//! must stay quiet.

mod store;
mod worker;

pub use store::{Store, StoreError};
pub use worker::Worker;
