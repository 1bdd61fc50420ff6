//! Three wrappers, mended: what they do not forward they answer by hand.

pub mod layer;
pub mod model;
pub mod reader;
