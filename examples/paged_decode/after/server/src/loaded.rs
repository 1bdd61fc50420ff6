//! The model that the server has loaded, whichever it is.

use paged_core::{CachePool, LanguageModel, ModelError, SeqId, TokenId};

use crate::models::dense::DenseModel;
use crate::models::hybrid::HybridModel;
use crate::models::vision::VisionModel;

pub enum LoadedModel {
    Dense(DenseModel),
    Hybrid(HybridModel),
    Vision(VisionModel),
}

/// Hands a call to the model inside.
macro_rules! delegate {
    ($loaded:expr, $method:ident($($argument:expr),* $(,)?)) => {
        match $loaded {
            LoadedModel::Dense(inner) => LanguageModel::$method(inner $(, $argument)*),
            LoadedModel::Hybrid(inner) => LanguageModel::$method(inner $(, $argument)*),
            LoadedModel::Vision(inner) => LanguageModel::$method(inner $(, $argument)*),
        }
    };
}

impl LanguageModel for LoadedModel {
    fn end_token(&self) -> TokenId {
        delegate!(self, end_token())
    }

    fn layer_lengths(&self, seq_id: SeqId) -> Vec<usize> {
        delegate!(self, layer_lengths(seq_id))
    }

    fn forward(&self, seq_id: SeqId, tokens: &[TokenId]) -> Result<TokenId, ModelError> {
        delegate!(self, forward(seq_id, tokens))
    }

    fn forward_batched(
        &self,
        seq_ids: &[SeqId],
        tokens: &[TokenId],
    ) -> Result<Vec<TokenId>, ModelError> {
        delegate!(self, forward_batched(seq_ids, tokens))
    }

    fn truncate(&self, seq_id: SeqId, keep: usize) {
        delegate!(self, truncate(seq_id, keep))
    }

    fn release_sequence_state_by_id(&self, seq_id: SeqId) {
        delegate!(self, release_sequence_state_by_id(seq_id))
    }

    fn sync_sequence_storage(&self, seq_id: SeqId, pool: &mut CachePool) -> Result<(), String> {
        delegate!(self, sync_sequence_storage(seq_id, pool))
    }

    fn supports_padded_prefill(&self) -> bool {
        delegate!(self, supports_padded_prefill())
    }
}
