//! A pool of cache blocks, and for each sequence a paged table that says how many it uses.

use std::collections::HashMap;

/// Names one sequence for as long as it lives.
pub type SeqId = u64;

/// Tokens that fit into one block.
const BLOCK: usize = 16;

/// The lengths of one sequence, one for each layer of the model.
struct PagedTable {
    layer_lens: Vec<usize>,
}

/// All blocks, and the tables of the sequences that live in them.
pub struct CachePool {
    tables: HashMap<SeqId, PagedTable>,
    layers: usize,
    free_blocks: usize,
}

impl CachePool {
    /// A pool for a model of `layers` layers.
    pub fn new(layers: usize, blocks: usize) -> Self {
        CachePool {
            tables: HashMap::new(),
            layers,
            free_blocks: blocks,
        }
    }

    /// Makes room for a new sequence; its table starts empty.
    pub fn admit(&mut self, id: SeqId) {
        let layer_lens = vec![0; self.layers];
        self.tables.insert(id, PagedTable { layer_lens });
    }

    /// Gives back the blocks of a sequence that is done.
    pub fn release(&mut self, id: SeqId) {
        if let Some(table) = self.tables.remove(&id) {
            self.free_blocks += table
                .layer_lens
                .iter()
                .map(|len| blocks(*len))
                .sum::<usize>();
        }
    }

    /// Tokens that the pool holds for a sequence in its first layer.
    pub fn held(&self, id: SeqId) -> usize {
        let table = self.tables.get(&id);
        table
            .and_then(|table| table.layer_lens.first().copied())
            .unwrap_or(0)
    }

    /// Brings the table of a sequence to the lengths that its model holds.
    pub fn sync_paged_state_with_lengths(
        &mut self,
        id: SeqId,
        target_lens: &[usize],
    ) -> Result<(), String> {
        let table = match self.tables.get_mut(&id) {
            Some(table) => table,
            None => return Err(format!("sequence {id} has no paged table")),
        };
        if target_lens.len() != self.layers {
            return Err(format!(
                "expected {} paged layer lengths, got {}",
                self.layers,
                target_lens.len()
            ));
        }
        for (len, target) in table.layer_lens.iter_mut().zip(target_lens) {
            let wanted = blocks(*target).saturating_sub(blocks(*len));
            if wanted > self.free_blocks {
                return Err(format!(
                    "sequence {id} wants {wanted} blocks more than there are"
                ));
            }
            self.free_blocks -= wanted;
            *len = *target;
        }
        Ok(())
    }
}

/// Blocks that hold `len` tokens.
fn blocks(len: usize) -> usize {
    len.div_ceil(BLOCK)
}
