//! Layers that hear of events. Boxing one must not change what it says.

pub trait Layer {
    fn event(&self, text: &str);

    fn enabled(&self, _level: u8) -> bool {
        true
    }

    /// The most verbose level that is of interest, so that callers may skip the rest; None for all.
    fn most_verbose(&self) -> Option<u8> {
        None
    }
}

pub struct UpTo(pub u8);

impl Layer for UpTo {
    fn event(&self, text: &str) {
        println!("{text}");
    }

    fn enabled(&self, level: u8) -> bool {
        level <= self.0
    }

    fn most_verbose(&self) -> Option<u8> {
        Some(self.0)
    }
}

impl<L: Layer + ?Sized> Layer for Box<L> {
    fn event(&self, text: &str) {
        (**self).event(text)
    }

    fn enabled(&self, level: u8) -> bool {
        (**self).enabled(level)
    }

    fn most_verbose(&self) -> Option<u8> {
        (**self).most_verbose()
    }
}
