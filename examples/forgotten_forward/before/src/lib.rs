//! Three wrappers. Each hands its trait on to an inner value, and forgets a method that came into the trait later.

pub mod layer;
pub mod model;
pub mod reader;
