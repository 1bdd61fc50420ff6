//! A model of recurrent and attention layers, which owns the state of its sequences.

use std::cell::RefCell;
use std::collections::HashMap;

use paged_core::{CachePool, LanguageModel, ModelError, SeqId, TokenId};

struct SequenceState {
    lens: Vec<usize>,
}

pub struct HybridModel {
    layers: usize,
    states: RefCell<HashMap<SeqId, SequenceState>>,
}

impl HybridModel {
    pub fn new(layers: usize) -> Self {
        HybridModel {
            layers,
            states: RefCell::new(HashMap::new()),
        }
    }

    /// Runs `work` on the state of a sequence.
    fn with_sequence_state<R>(
        &self,
        seq_id: SeqId,
        work: impl FnOnce(&mut SequenceState) -> R,
    ) -> Result<R, ModelError> {
        let mut states = self.states.borrow_mut();
        let state = states
            .get_mut(&seq_id)
            .ok_or(ModelError::UnknownSequence(seq_id))?;
        Ok(work(state))
    }
}

impl LanguageModel for HybridModel {
    fn end_token(&self) -> TokenId {
        0
    }

    /// Always empty: the lengths stand in the state that the model owns.
    fn layer_lengths(&self, _seq_id: SeqId) -> Vec<usize> {
        Vec::new()
    }

    fn forward(&self, seq_id: SeqId, tokens: &[TokenId]) -> Result<TokenId, ModelError> {
        let layers = self.layers;
        self.states
            .borrow_mut()
            .entry(seq_id)
            .or_insert_with(|| SequenceState {
                lens: vec![0; layers],
            });
        self.with_sequence_state(seq_id, |state| {
            for len in &mut state.lens {
                *len += tokens.len();
            }
            tokens.iter().sum::<TokenId>() % 5
        })
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
        if let Some(state) = self.states.borrow_mut().get_mut(&seq_id) {
            for len in &mut state.lens {
                *len = keep.min(*len);
            }
        }
    }

    fn release_sequence_state_by_id(&self, seq_id: SeqId) {
        self.states.borrow_mut().remove(&seq_id);
    }

    fn sync_sequence_storage(&self, seq_id: SeqId, pool: &mut CachePool) -> Result<(), String> {
        let lens = self
            .with_sequence_state(seq_id, |state| state.lens.clone())
            .map_err(|error| format!("{error:?}"))?;
        pool.sync_paged_state_with_lengths(seq_id, &lens)
    }

    /// A recurrent layer would read the padding.
    fn supports_padded_prefill(&self) -> bool {
        false
    }
}
