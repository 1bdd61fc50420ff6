//! Decodes the sequences that are running, one token each a turn.

use std::sync::mpsc::{Receiver, TryRecvError};

use paged_core::{CachePool, LanguageModel, ModelError, SeqId, TokenId};

use crate::loaded::LoadedModel;

/// Blocks of the pool.
const BLOCKS: usize = 1024;

/// Tokens after which an answer is cut.
const LONGEST: usize = 32;

/// A prompt to answer.
pub struct Request {
    pub seq_id: SeqId,
    pub prompt: Vec<TokenId>,
}

/// A sequence that is being answered.
pub struct Sequence {
    pub id: SeqId,
    pub last: TokenId,
    pub answered: usize,
}

/// A step of the whole batch that was run ahead of its turn.
pub struct Lookahead {
    pub ids: Vec<SeqId>,
    pub tokens: Vec<TokenId>,
}

pub struct Scheduler {
    pub(crate) model: LoadedModel,
    pub(crate) pool: CachePool,
    inbox: Receiver<Request>,
    running: Vec<Sequence>,
    lookahead: Option<Lookahead>,
    done: usize,
}

impl Scheduler {
    pub fn new(model: LoadedModel, layers: usize, inbox: Receiver<Request>) -> Self {
        Scheduler {
            model,
            pool: CachePool::new(layers, BLOCKS),
            inbox,
            running: Vec::new(),
            lookahead: None,
            done: 0,
        }
    }

    /// Works until nobody sends requests any more, and tells how many were answered.
    pub fn run(mut self) -> usize {
        loop {
            match self.inbox.try_recv() {
                Ok(request) => {
                    // A new sequence joins the batch, so the step that was run ahead is void.
                    self.drop_lookahead();
                    if let Err(error) = self.prefill(request) {
                        warn!("prefill failed: {error:?}");
                        self.done += 1;
                    }
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) if self.running.is_empty() => return self.done,
                Err(TryRecvError::Disconnected) => {}
            }
            if let Err(error) = self.step() {
                warn!("step failed: {error:?}");
                self.abandon();
            }
        }
    }

    /// Reads the prompt of a new sequence.
    fn prefill(&mut self, request: Request) -> Result<(), ModelError> {
        self.pool.admit(request.seq_id);
        let last = self.model.forward(request.seq_id, &request.prompt)?;
        self.sync_sequence_storage(request.seq_id);
        self.running.push(Sequence {
            id: request.seq_id,
            last,
            answered: 0,
        });
        Ok(())
    }

    /// Gives each running sequence its next token.
    fn step(&mut self) -> Result<(), ModelError> {
        if let [only] = self.running.as_slice() {
            let (id, last) = (only.id, only.last);
            self.speculate(id, last)?;
        }
        let ids: Vec<SeqId> = self.running.iter().map(|sequence| sequence.id).collect();
        let tokens = match self.lookahead.take() {
            Some(ahead) if ahead.ids == ids => ahead.tokens,
            _ => self.decode(&ids)?,
        };
        for (sequence, token) in self.running.iter_mut().zip(tokens) {
            sequence.last = token;
            sequence.answered += 1;
        }
        self.look_ahead()?;
        self.retire();
        Ok(())
    }

    /// One batched step of the model.
    fn decode(&mut self, ids: &[SeqId]) -> Result<Vec<TokenId>, ModelError> {
        let last: Vec<TokenId> = self.running.iter().map(|sequence| sequence.last).collect();
        let tokens = self.model.forward_batched(ids, &last)?;
        for id in ids {
            self.sync_sequence_storage(*id);
        }
        Ok(tokens)
    }

    /// Runs the next step of the batch ahead of its turn.
    fn look_ahead(&mut self) -> Result<(), ModelError> {
        let ids: Vec<SeqId> = self.running.iter().map(|sequence| sequence.id).collect();
        let last: Vec<TokenId> = self.running.iter().map(|sequence| sequence.last).collect();
        let tokens = self.model.forward_batched(&ids, &last)?;
        self.trim_lookahead(&ids);
        self.lookahead = Some(Lookahead { ids, tokens });
        Ok(())
    }

    /// Throws away the step that was run ahead.
    fn drop_lookahead(&mut self) {
        if let Some(ahead) = self.lookahead.take() {
            for id in &ahead.ids {
                self.model.truncate(*id, self.pool.held(*id));
            }
            self.trim_lookahead(&ahead.ids);
        }
    }

    /// Gives up on the batch after a failed step.
    fn abandon(&mut self) {
        let ids: Vec<SeqId> = self.running.iter().map(|sequence| sequence.id).collect();
        self.trim_lookahead(&ids);
        for id in ids {
            self.release(id);
        }
        self.running.clear();
    }

    /// Brings the pool in step after a step that was run ahead, or thrown away.
    fn trim_lookahead(&mut self, ids: &[SeqId]) {
        for id in ids {
            self.sync_sequence_storage(*id); //~ sync-before-lengths
        }
    }

    /// Takes out the sequences that are answered.
    fn retire(&mut self) {
        let end = self.model.end_token();
        let (over, running) = std::mem::take(&mut self.running)
            .into_iter()
            .partition(|sequence: &Sequence| sequence.last == end || sequence.answered >= LONGEST);
        self.running = running;
        for sequence in over {
            self.release(sequence.id);
        }
    }

    /// Forgets a sequence.
    fn release(&mut self, id: SeqId) {
        self.model.release_sequence_state_by_id(id);
        self.pool.release(id);
        self.done += 1;
    }

    /// Mirrors the lengths of a sequence into the pool.
    pub(crate) fn sync_sequence_storage(&mut self, id: SeqId) {
        if let Err(error) = self.model.sync_sequence_storage(id, &mut self.pool) {
            //~^ error-only-logged
            warn!("sequence storage of {id} is not in step: {error}");
        }
    }
}
