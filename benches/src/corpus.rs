//! A home and a project of their own for the memories of one corpus.

use crate::records::Outcome;
use engram_core::config::{Config, Durability};
use engram_core::time::{Clock, Timestamp};
use engram_core::{Background, Engram, Options};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An open memory in a temporary folder, which is deleted with it.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) engram: Engram,
    folder: TempDir,
}

impl Corpus {
    /// A project without memory whose events survive what `durability` names.
    pub(crate) fn empty(durability: Durability) -> Outcome<Corpus> {
        let folder = tempfile::tempdir()?;
        let project = folder.path().join("project");
        std::fs::create_dir(&project)?;
        let mut config = Config::default();
        config.durability = durability;
        let options = Options {
            home: Some(folder.path().join("home")),
            project,
            config: Some(config),
            // A fixed present: runs of one set are equal to the byte.
            clock: Clock::Fixed(Timestamp::from_millis(1_800_000_000_000)),
            background: Background::Caller,
            ..Options::default()
        };
        Ok(Corpus { engram: Engram::open(options)?, folder })
    }

    /// A project that remembers a file of notes.
    pub(crate) fn of_notes(notes: &[u8]) -> Outcome<Corpus> {
        let corpus = Corpus::empty(Durability::Process)?;
        corpus.engram.import_notes(notes)?;
        Ok(corpus)
    }

    /// engram's home.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The project's folder.
    pub(crate) fn project(&self) -> &Path {
        &self.engram.project().root
    }
}
