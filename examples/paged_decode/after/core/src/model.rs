//! What the scheduler asks of a model.

use crate::cache::{CachePool, SeqId};

/// An entry of the vocabulary.
pub type TokenId = u32;

/// Why a step of a model failed.
#[derive(Debug)]
pub enum ModelError {
    UnknownSequence(SeqId),
    ContextFull(SeqId),
    /// The pool could not follow; the text says why.
    Storage(String),
}

/// A language model that keeps a state for each sequence.
pub trait LanguageModel {
    /// The token that ends an answer.
    fn end_token(&self) -> TokenId;

    /// How many tokens each layer holds for a sequence.
    fn layer_lengths(&self, seq_id: SeqId) -> Vec<usize>;

    /// Reads tokens into the state of a sequence, and gives the next one.
    fn forward(&self, seq_id: SeqId, tokens: &[TokenId]) -> Result<TokenId, ModelError>;

    /// One step of many sequences at once, one token each.
    fn forward_batched(
        &self,
        seq_ids: &[SeqId],
        tokens: &[TokenId],
    ) -> Result<Vec<TokenId>, ModelError>;

    /// Forgets the last tokens of a sequence.
    fn truncate(&self, seq_id: SeqId, keep: usize);

    /// Forgets a sequence.
    fn release_sequence_state_by_id(&self, seq_id: SeqId);

    /// Mirrors the lengths that the model holds into the paged table of the pool.
    fn sync_sequence_storage(&self, seq_id: SeqId, pool: &mut CachePool) -> Result<(), String> {
        let lens = self.layer_lengths(seq_id);
        pool.sync_paged_state_with_lengths(seq_id, &lens)
    }

    /// Whether prompts of unequal length may be filled up and read in one step.
    fn supports_padded_prefill(&self) -> bool {
        true
    }
}
