/// Writes a warning to standard error.
macro_rules! warn {
    ($($argument:tt)*) => {
        eprintln!("warning: {}", format!($($argument)*))
    };
}
