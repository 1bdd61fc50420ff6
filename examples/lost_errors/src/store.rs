//! A store of notes in one folder.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

#[derive(Debug)]
pub enum StoreError {
    Disk(io::Error),
    Full(usize),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        StoreError::Disk(error)
    }
}

pub struct Store {
    folder: PathBuf,
    notes: HashMap<String, String>,
    failed: u64,
    room: usize,
}

impl Store {
    fn save(&self, name: &str) -> Result<(), StoreError> {
        fs::write(self.folder.join(name), &self.notes[name])?;
        Ok(())
    }

    fn put(&mut self, name: &str, text: &str) -> Result<(), StoreError> {
        if self.room <= self.notes.len() {
            return Err(StoreError::Full(self.room));
        }
        self.notes.insert(name.to_string(), text.to_string());
        self.save(name)
    }

    // 1. `let _ =`

    pub fn rename(&mut self, from: &str, to: &str) {
        if let Some(text) = self.notes.remove(from) {
            let _ = self.put(to, &text); //~ error-dropped
        }
    }

    pub fn rename_or_fail(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        if let Some(text) = self.notes.remove(from) {
            self.put(to, &text)?;
        }
        Ok(())
    }

    // 2. Log, then success

    pub fn close(&mut self) -> Result<(), StoreError> {
        for name in self.notes.keys() {
            if let Err(error) = self.save(name) { //~ error-only-logged
                eprintln!("{name} not saved: {error:?}");
            }
        }
        Ok(())
    }

    pub fn close_and_tell(&mut self) -> Result<(), StoreError> {
        let mut last = Ok(());
        for name in self.notes.keys() {
            if let Err(error) = self.save(name) {
                eprintln!("{name} not saved: {error:?}");
                last = Err(error);
            }
        }
        last
    }

    // 3. A log in a helper is a log

    pub fn touch(&mut self, name: &str) {
        if let Err(error) = self.put(name, "") { //~ error-only-logged
            complain(name, &error);
        }
    }

    pub fn touch_and_count(&mut self, name: &str) {
        if let Err(error) = self.put(name, "") {
            complain(name, &error);
            self.failed += 1;
        }
    }

    // 4. An empty arm

    pub fn mirror(&mut self, other: &Path) {
        match fs::create_dir_all(other) { //~ error-dropped
            Ok(()) => println!("mirrored"),
            Err(_) => {}
        }
    }

    pub fn mirror_if_new(&mut self, other: &Path) -> io::Result<()> {
        match fs::create_dir(other) {
            Ok(()) => println!("mirrored"),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    // 5. `.ok()` into an iterator

    pub fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).ok(); //~ error-defaulted
        entries.into_iter().flatten().filter_map(|entry| Some(entry.unwrap().path())).collect()
    }

    pub fn files_or_fail(&self) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(&self.folder)?.map(|entry| Ok(entry?.path())).collect()
    }

    // 6. A default that looks like a value

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default() //~ error-defaulted
    }

    pub fn text_or_none(&self, name: &str) -> io::Result<Option<String>> {
        match fs::read_to_string(self.folder.join(name)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    // 7. Only the success is looked at

    pub fn checkpoint(&mut self, name: &str) -> Result<u64, StoreError> {
        if self.save(name).is_ok() { //~ error-dropped
            println!("{name} is safe");
        }
        Ok(self.failed)
    }

    pub fn checkpoint_later(&mut self, name: &str) -> Result<u64, StoreError> {
        let saved = self.save(name);
        if saved.is_ok() {
            println!("{name} is safe");
        }
        saved.map(|()| self.failed)
    }

    // 8. The cause is hidden

    pub fn import(&self, path: &Path) -> Result<String, String> {
        fs::read_to_string(path).map_err(|_| "import failed".to_string()) //~ error-cause-lost
    }

    pub fn import_with_cause(&self, path: &Path) -> Result<String, String> {
        fs::read_to_string(path).map_err(|error| format!("import of {}: {error}", path.display()))
    }

    // 9. The result is overwritten

    pub fn save_twice(&mut self, name: &str) -> Result<(), StoreError> {
        let mut saved = self.save("index"); //~ error-dropped
        saved = self.save(name);
        saved
    }

    pub fn save_both(&mut self, name: &str) -> Result<(), StoreError> {
        let saved = self.save("index");
        saved.and(self.save(name))
    }

    // 10. Rightly lost: each of these is quiet for a reason of its own.

    pub fn notify(&self, listeners: &Sender<usize>) {
        let _ = listeners.send(self.notes.len());
    }

    pub fn summary(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::new();
        let _ = write!(text, "{} notes", self.notes.len());
        text
    }

    pub fn export(&self, path: &Path) -> io::Result<()> {
        let mut file = fs::File::create(path)?;
        if let Err(error) = file.write_all(b"notes") {
            let _ = fs::remove_file(path);
            return Err(error);
        }
        Ok(())
    }

    pub fn warm(&self) {
        // Best effort: a cold cache only costs time.
        let _ = fs::read(self.folder.join("cache"));
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        for name in self.notes.keys() {
            if let Err(error) = self.save(name) {
                eprintln!("{name} not saved on drop: {error:?}");
            }
        }
    }
}

fn complain(name: &str, error: &StoreError) {
    eprintln!("{name}: {error:?}");
}
