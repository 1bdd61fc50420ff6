//! A reader with a name, for error messages. It adds nothing to what is read.

use std::io::{self, Read};

pub struct Named<R> {
    inner: R,
    name: String,
}

impl<R> Named<R> {
    pub fn new(inner: R, name: &str) -> Self {
        Named {
            inner,
            name: name.to_owned(),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<R: Read> Read for Named<R> {
    //~^ forgotten-forward
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buf)
    }
}

/// Stops after so many bytes. What it leaves to the defaults goes through `read`, and so through the limit.
pub struct Limited<R> {
    inner: R,
    left: usize,
}

impl<R> Limited<R> {
    pub fn new(inner: R, left: usize) -> Self {
        Limited { inner, left }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let most = buf.len().min(self.left);
        let read = self.inner.read(&mut buf[..most])?;
        self.left -= read;
        Ok(read)
    }
}
