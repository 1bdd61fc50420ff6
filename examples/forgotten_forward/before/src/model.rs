//! A model that sees wraps one that reads, and says of itself what is not true of it.

pub trait Model {
    fn step(&mut self, tokens: &[u32]) -> u32;

    fn layers(&self) -> usize;

    /// Whether a prompt may be filled up to a full tile.
    fn can_pad(&self) -> bool {
        true
    }

    /// Forgets what was kept of a sequence.
    fn release(&mut self, _sequence: u64) {}
}

/// Keeps a running state, so that padding would be read as text.
pub struct Recurrent {
    state: Vec<(u64, u32)>,
}

impl Recurrent {
    pub fn new() -> Self {
        Recurrent { state: Vec::new() }
    }
}

impl Default for Recurrent {
    fn default() -> Self {
        Self::new()
    }
}

impl Model for Recurrent {
    fn step(&mut self, tokens: &[u32]) -> u32 {
        let sum = tokens.iter().sum();
        self.state.push((tokens.len() as u64, sum));
        sum
    }

    fn layers(&self) -> usize {
        4
    }

    fn can_pad(&self) -> bool {
        false
    }

    fn release(&mut self, sequence: u64) {
        self.state.retain(|kept| kept.0 != sequence);
    }
}

pub struct Vision {
    text: Recurrent,
    pictures: usize,
}

impl Vision {
    pub fn new(text: Recurrent) -> Self {
        Vision { text, pictures: 0 }
    }

    pub fn look(&mut self) -> usize {
        self.pictures += 1;
        self.pictures
    }
}

impl Model for Vision {
    //~^ forgotten-forward
    fn step(&mut self, tokens: &[u32]) -> u32 {
        self.text.step(tokens)
    }

    fn layers(&self) -> usize {
        self.text.layers()
    }
}
