//! A plain transformer: every layer holds every token.

use std::cell::RefCell;
use std::collections::HashMap;

use paged_core::{CachePool, LanguageModel, ModelError, SeqId, TokenId};

const CONTEXT: usize = 4096;

pub struct DenseModel {
    layers: usize,
    held: RefCell<HashMap<SeqId, usize>>,
}

impl DenseModel {
    pub fn new(layers: usize) -> Self {
        DenseModel {
            layers,
            held: RefCell::new(HashMap::new()),
        }
    }
}

impl LanguageModel for DenseModel {
    fn end_token(&self) -> TokenId {
        0
    }

    fn layer_lengths(&self, seq_id: SeqId) -> Vec<usize> {
        let held = self.held.borrow().get(&seq_id).copied();
        vec![held.unwrap_or(0); self.layers]
    }

    fn forward(&self, seq_id: SeqId, tokens: &[TokenId]) -> Result<TokenId, ModelError> {
        let mut held = self.held.borrow_mut();
        let len = held.entry(seq_id).or_insert(0);
        if *len + tokens.len() > CONTEXT {
            return Err(ModelError::ContextFull(seq_id));
        }
        *len += tokens.len();
        Ok(tokens.iter().sum::<TokenId>() % 7)
    }

    fn forward_batched(
        &self,
        seq_ids: &[SeqId],
        tokens: &[TokenId],
    ) -> Result<Vec<TokenId>, ModelError> {
        let mut next = Vec::with_capacity(seq_ids.len());
        for (seq_id, token) in seq_ids.iter().zip(tokens) {
            next.push(self.forward(*seq_id, &[*token])?);
        }
        Ok(next)
    }

    fn truncate(&self, seq_id: SeqId, keep: usize) {
        if let Some(len) = self.held.borrow_mut().get_mut(&seq_id) {
            *len = keep.min(*len);
        }
    }

    fn release_sequence_state_by_id(&self, seq_id: SeqId) {
        self.held.borrow_mut().remove(&seq_id);
    }

    fn sync_sequence_storage(&self, seq_id: SeqId, pool: &mut CachePool) -> Result<(), String> {
        let lens = self.layer_lengths(seq_id);
        pool.sync_paged_state_with_lengths(seq_id, &lens)
    }
}
