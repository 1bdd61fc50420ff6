//! A thread that works through jobs.

use std::thread::{self, JoinHandle};

#[derive(Debug)]
pub struct Failed(pub u32);

pub struct Worker {
    handles: Vec<JoinHandle<Result<u32, Failed>>>,
}

fn work(job: u32) -> Result<u32, Failed> {
    if job == 0 {
        return Err(Failed(job));
    }
    Ok(job)
}

impl Worker {
    // 11. A thread whose outcome nobody asks for

    pub fn launch(job: u32) {
        thread::spawn(move || work(job)); //~ error-dropped
    }

    pub fn launch_and_keep(&mut self, job: u32) {
        self.handles.push(thread::spawn(move || work(job)));
    }

    // 12. Joining looks at the panic only

    pub fn finish(self) -> Result<(), String> {
        for handle in self.handles {
            handle.join().map_err(|_| "a job panicked".to_string())?; //~ error-dropped
        }
        Ok(())
    }

    pub fn finish_and_tell(self) -> Result<u32, Failed> {
        let mut sum = 0;
        for handle in self.handles {
            sum += handle.join().expect("a job panicked")?;
        }
        Ok(sum)
    }

    // 13. Results of many, flattened

    pub fn total(jobs: &[u32]) -> u32 {
        jobs.iter().map(|job| work(*job)).flatten().sum() //~ error-dropped
    }

    pub fn total_or_fail(jobs: &[u32]) -> Result<u32, Failed> {
        jobs.iter().map(|job| work(*job)).sum()
    }
}
