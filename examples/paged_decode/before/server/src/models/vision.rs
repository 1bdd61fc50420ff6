//! A model that sees: an encoder for pictures around a text model.

use paged_core::{LanguageModel, ModelError, SeqId, TokenId};

use crate::models::hybrid::HybridModel;

pub struct VisionModel {
    text: HybridModel,
}

impl VisionModel {
    pub fn new(text: HybridModel) -> Self {
        VisionModel { text }
    }

    /// Turns the colours of a picture into tokens that the text model reads.
    pub fn encode(&self, picture: &[u8]) -> Vec<TokenId> {
        picture
            .iter()
            .map(|colour| TokenId::from(*colour))
            .collect()
    }
}

impl LanguageModel for VisionModel {
    //~^ forgotten-forward
    fn end_token(&self) -> TokenId {
        self.text.end_token()
    }

    fn layer_lengths(&self, seq_id: SeqId) -> Vec<usize> {
        self.text.layer_lengths(seq_id)
    }

    fn forward(&self, seq_id: SeqId, tokens: &[TokenId]) -> Result<TokenId, ModelError> {
        self.text.forward(seq_id, tokens)
    }

    fn forward_batched(
        &self,
        seq_ids: &[SeqId],
        tokens: &[TokenId],
    ) -> Result<Vec<TokenId>, ModelError> {
        self.text.forward_batched(seq_ids, tokens)
    }

    fn truncate(&self, seq_id: SeqId, keep: usize) {
        self.text.truncate(seq_id, keep)
    }

    fn release_sequence_state_by_id(&self, seq_id: SeqId) {
        self.text.release_sequence_state_by_id(seq_id)
    }
}
