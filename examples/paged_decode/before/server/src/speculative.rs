//! Speculation: guess several tokens, and let the model check them in one step.

use paged_core::{LanguageModel, ModelError, SeqId, TokenId};

use crate::scheduler::Scheduler;

/// Tokens of one guess.
const DRAFT: usize = 4;

impl Scheduler {
    /// Runs a lone sequence ahead by what a guess of its next tokens gets right.
    pub(crate) fn speculate(&mut self, id: SeqId, last: TokenId) -> Result<usize, ModelError> {
        let draft = guess(last);
        let checked = if draft.len() > 1 {
            // Reserve the blocks of the whole draft before the model writes into them.
            self.sync_sequence_storage(id); //~ sync-before-lengths
            self.model.forward(id, &draft)?
        } else {
            let checked = self.model.forward(id, &draft)?;
            self.sync_sequence_storage(id);
            checked
        };
        Ok(draft.iter().take_while(|token| **token == checked).count())
    }
}

/// The tokens that most often follow one.
fn guess(last: TokenId) -> Vec<TokenId> {
    (1..=DRAFT as TokenId)
        .map(|ahead| (last + ahead) % 7)
        .collect()
}
