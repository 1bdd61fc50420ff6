use std::sync::mpsc;
use std::thread;

use paged_server::loaded::LoadedModel;
use paged_server::models::hybrid::HybridModel;
use paged_server::models::vision::VisionModel;
use paged_server::scheduler::{Request, Scheduler};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = LoadedModel::Vision(VisionModel::new(HybridModel::new(4)));
    let (requests, inbox) = mpsc::channel();
    let worker = thread::Builder::new()
        .name("worker".into())
        .spawn(move || Scheduler::new(model, 4, inbox).run())?;
    for (seq_id, prompt) in [vec![1, 2, 3], vec![4, 5]].into_iter().enumerate() {
        requests.send(Request {
            seq_id: seq_id as u64,
            prompt,
        })?;
    }
    drop(requests);
    match worker.join() {
        Ok(answered) => println!("{answered} answers"),
        Err(panic) => std::panic::resume_unwind(panic),
    }
    Ok(())
}
