//! The commonest ways to lose an error, each beside a twin that keeps it.
//!
//! `//~ rule` marks the line on which a rule must fire; every other line must
//! stay quiet.

mod store;
mod worker;

pub use store::{Store, StoreError};
pub use worker::Worker;
