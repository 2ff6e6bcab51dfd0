//! A time limit around whatever model the host supplies: it may hang or panic, and engram goes on.

use super::{Completion, Embedder, LanguageModel, Reply, Thresholds};
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Calls that may be running beyond their time; further ones fail at once.
const MOST_OVERDUE: usize = 4;

/// A model whose calls end within a limit, each on a thread of its own. A call that is overdue keeps its thread until it
/// returns; its answer is dropped.
#[derive(Clone, Debug)]
pub struct Bounded<M: ?Sized> {
    limit: Duration,
    overdue: Arc<AtomicUsize>,
    model: Arc<M>,
}

/// A call on its thread. Whichever of the call's end and the waiter's comes second takes it off the overdue ones.
struct Running {
    left_alone: Arc<AtomicBool>,
    overdue: Arc<AtomicUsize>,
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.left_alone.swap(true, Ordering::AcqRel) {
            self.overdue.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl<M: ?Sized + Send + Sync + 'static> Bounded<M> {
    /// `model` with at most `limit` for each call.
    pub fn new(model: Arc<M>, limit: Duration) -> Bounded<M> {
        Bounded { limit, overdue: Arc::new(AtomicUsize::new(0)), model }
    }

    fn within<T: Send + 'static>(&self, who: &str, call: impl FnOnce(&M) -> Result<T> + Send + 'static) -> Result<T> {
        let failed = |why: String| Err(Error::new(ErrorKind::Model, format!("{who} {why}")));
        if self.overdue.load(Ordering::Relaxed) >= MOST_OVERDUE {
            return failed(format!("is still busy with {MOST_OVERDUE} calls that are overdue"));
        }
        let (answer, wait) = channel();
        let model = Arc::clone(&self.model);
        let running = Running { left_alone: Arc::default(), overdue: Arc::clone(&self.overdue) };
        let left_alone = Arc::clone(&running.left_alone);
        let thread = std::thread::Builder::new().name("engram-model".into()).spawn(move || {
            let _running = running;
            let result = call(&model);
            // Whoever hears the answer may count on the model being free.
            drop(model);
            // Nobody may listen any more.
            let _ = answer.send(result);
        });
        thread.map_err(|e| Error::new(ErrorKind::Model, format!("cannot call {who}")).with_source(e))?;
        match wait.recv_timeout(self.limit) {
            Ok(done) => done,
            Err(RecvTimeoutError::Disconnected) => failed("panicked".to_owned()),
            Err(RecvTimeoutError::Timeout) => {
                self.overdue.fetch_add(1, Ordering::Relaxed);
                if left_alone.swap(true, Ordering::AcqRel) {
                    // It ended at this very moment.
                    self.overdue.fetch_sub(1, Ordering::Relaxed);
                }
                failed(format!("did not answer within {} ms (probeTimeoutMs)", self.limit.as_millis()))
            }
        }
    }
}

impl LanguageModel for Bounded<dyn LanguageModel> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn complete(&self, request: &Completion) -> Result<Reply> {
        let request = request.clone();
        let who = format!("language model \"{}\"", self.name());
        self.within(&who, move |model| model.complete(&request))
    }
}

impl Embedder for Bounded<dyn Embedder> {
    fn model(&self) -> &str {
        self.model.model()
    }

    fn dimensions(&self) -> usize {
        self.model.dimensions()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let asked: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
        let (count, dimensions) = (texts.len(), self.dimensions());
        let who = format!("embedder \"{}\"", self.model());
        let vectors =
            self.within(&who, move |model| model.embed(&asked.iter().map(String::as_str).collect::<Vec<_>>()))?;
        if vectors.len() != count || vectors.iter().flatten().any(|v| v.len() != dimensions) {
            let detail = format!("{who} did not answer with one vector of {dimensions} numbers a text");
            return Err(Error::new(ErrorKind::ModelReply, detail));
        }
        Ok(vectors)
    }

    fn thresholds(&self) -> Thresholds {
        self.model.thresholds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::mpsc::Receiver;

    /// Answers when it is told to, or panics when nobody will tell it any more.
    struct Told(Mutex<Receiver<()>>);

    impl LanguageModel for Told {
        fn name(&self) -> &str {
            "told"
        }

        fn complete(&self, _: &Completion) -> Result<Reply> {
            self.0.lock().unwrap().recv().expect("told");
            Ok(Reply { text: "yes".into(), ..Reply::default() })
        }
    }

    #[test]
    fn an_answer_in_time_comes_through_and_a_late_one_is_a_model_error() {
        let (tell, wait) = channel();
        let model: Arc<dyn LanguageModel> = Arc::new(Told(Mutex::new(wait)));
        tell.send(()).unwrap();
        let patient = Bounded::new(Arc::clone(&model), Duration::from_secs(60));
        assert_eq!(patient.complete(&Completion::default()).unwrap().text, "yes");
        let hasty = Bounded::new(model, Duration::from_millis(1));
        for overdue in 0..MOST_OVERDUE {
            let error = hasty.complete(&Completion::default()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Model, "{overdue}");
            assert!(error.to_string().contains("did not answer within 1 ms"), "{error}");
        }
        let refused = hasty.complete(&Completion::default()).unwrap_err();
        assert!(refused.to_string().contains("overdue"), "{refused}");
        drop(tell);
    }

    #[test]
    fn a_panic_is_a_model_error() {
        let (tell, wait) = channel();
        drop(tell);
        let model: Arc<dyn LanguageModel> = Arc::new(Told(Mutex::new(wait)));
        let error = Bounded::new(model, Duration::from_secs(60)).complete(&Completion::default()).unwrap_err();
        assert_eq!(error.to_string(), "language model \"told\" panicked");
    }
}
