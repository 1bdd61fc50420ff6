//! What every model and the server share: the pool of cache blocks, and the trait of a model.

pub mod cache;
pub mod model;

pub use cache::{CachePool, SeqId};
pub use model::{LanguageModel, ModelError, TokenId};
