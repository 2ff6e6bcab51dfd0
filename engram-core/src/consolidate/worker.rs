//! The one background thread of a handle (D16): started when first needed, joined by `flush` or drop within a limit.

use super::{ConsolidateOptions, Consolidator};
use crate::capture::event::SessionId;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long the thread waits for another consolidator of the project.
const WAIT: Duration = Duration::from_secs(60);

enum Job {
    /// What is pending, save a session that has only begun.
    Consolidate(Option<SessionId>),
    Flush(Sender<()>),
}

/// A thread that consolidates when told to.
#[derive(Debug)]
pub(crate) struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(crate) fn start(consolidator: Consolidator) -> std::io::Result<Worker> {
        let (jobs, queue) = channel();
        let thread = std::thread::Builder::new().name("engram".into()).spawn(move || work(&consolidator, &queue))?;
        Ok(Worker { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Asks for a consolidation; `false` if the thread has ended.
    pub(crate) fn consolidate(&self, except: Option<SessionId>) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| jobs.send(Job::Consolidate(except)).is_ok())
    }

    /// Waits until everything asked for so far is done, at most `limit`; says whether it is.
    pub(crate) fn flush(&self, limit: Duration) -> bool {
        let (done, wait) = channel();
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(Job::Flush(done)).is_ok());
        sent && wait.recv_timeout(limit).is_ok()
    }

    /// Ends the thread after what it is at, waiting at most `limit`; beyond that it ends by itself.
    pub(crate) fn stop(&mut self, limit: Duration) {
        if self.flush(limit) {
            drop(self.jobs.take());
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }
}

fn work(consolidator: &Consolidator, queue: &Receiver<Job>) {
    while let Ok(job) = queue.recv() {
        let mut flushed = Vec::new();
        let mut wanted: Option<Option<SessionId>> = None;
        // Requests that piled up are one: a run takes all that is pending.
        for job in std::iter::once(job).chain(queue.try_iter()) {
            match job {
                Job::Consolidate(except) => {
                    let same = wanted.as_ref().is_none_or(|earlier| *earlier == except);
                    wanted = Some(except.filter(|_| same));
                }
                Job::Flush(done) => flushed.push(done),
            }
        }
        if let Some(except) = wanted {
            // What failed stays pending and is reported by the next run in the foreground.
            let _ = consolidator.run(&ConsolidateOptions { session: None, except, wait: WAIT }, &mut |_, _| {});
        }
        for done in flushed {
            let _ = done.send(());
        }
    }
}
