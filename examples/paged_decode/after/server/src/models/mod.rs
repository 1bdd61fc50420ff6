//! The families of models.

pub mod dense;
pub mod hybrid;
pub mod vision;
