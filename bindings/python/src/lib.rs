//! The private module `engram._engram`: a handle that takes and gives JSON text. The package around it gives people
//! objects, exceptions and documentation.

mod form;

use engram_core::models::HostCall;
use engram_core::wire::{self, Failure};
use engram_core::{Engram, Error, ErrorKind};
use pyo3::prelude::*;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What goes back to Python: 0 and the answer, or the number of an error's kind and its sentence.
type Answer = (u32, String);

/// An open memory.
#[pyclass(frozen)]
struct Handle {
    process: u32,
    open: RwLock<Option<Arc<Engram>>>,
}

/// Takes the answer of a model of the host's, once.
#[pyclass(frozen)]
struct Reply {
    to: Mutex<Option<Sender<Result<String, String>>>>,
}

#[pymethods]
impl Reply {
    /// The answer, as JSON.
    fn answer(&self, text: String) {
        self.send(Ok(text));
    }

    /// Why there is none, in words.
    fn fail(&self, why: String) {
        self.send(Err(why));
    }
}

impl Reply {
    fn send(&self, answer: Result<String, String>) {
        if let Some(to) = self.to.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // Nobody listens if the time limit has passed.
            let _ = to.send(answer);
        }
    }
}

/// A Python function `(request, reply)`, which returns at once and answers later, as a model of the host's.
///
/// The model itself runs on a thread of Python's: when the interpreter ends, Python ends the threads that are inside it where
/// they are, and no frame of Rust's may lie below them then.
fn host(function: Py<PyAny>) -> HostCall {
    const ENDING: &str = "the interpreter is shutting down";
    Arc::new(move |request| {
        let (to, wait) = channel();
        let begun = Python::try_attach(|py| {
            let reply = Py::new(py, Reply { to: Mutex::new(Some(to)) })?;
            function.call1(py, (request, reply)).map(drop)
        });
        match begun {
            Some(Ok(())) => wait.recv().unwrap_or_else(|_| Err(ENDING.to_owned())),
            Some(Err(e)) => Err(e.to_string()),
            None => Err(ENDING.to_owned()),
        }
    })
}

#[pymethods]
impl Handle {
    /// Opens a handle: `(0, handle)`, or the number of an error's kind and its sentence.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        options: &str,
        language_model: Option<Py<PyAny>>,
        embedder: Option<Py<PyAny>>,
    ) -> PyResult<(u32, Py<PyAny>)> {
        let hosts = wire::Hosts { language_model: language_model.map(host), embedder: embedder.map(host) };
        match py.detach(|| wire::guarded(|| wire::open(options, hosts))) {
            Ok(engram) => {
                let handle = Handle { process: std::process::id(), open: RwLock::new(Some(Arc::new(engram))) };
                Ok((0, Py::new(py, handle)?.into_any()))
            }
            Err(failure) => Ok((failure.code, failure.message.into_pyobject(py)?.into_any().unbind())),
        }
    }

    /// Calls a verb with a value that has a JSON form, which `encode` knows for values that are not plain. The interpreter
    /// is free for other threads meanwhile.
    fn call(
        &self,
        py: Python<'_>,
        verb: &str,
        arguments: &Bound<'_, PyAny>,
        encode: &Bound<'_, PyAny>,
    ) -> PyResult<Answer> {
        let arguments = match form::of_plain(arguments) {
            Some(text) => text,
            None => encode.call1((arguments,))?.extract()?,
        };
        Ok(self.answered(py, |engram| wire::call(engram, verb, &arguments)))
    }

    /// Handles a payload of a harness, as JSON text; the answer is that of `engram_cli::serve::hook`.
    fn hook(&self, py: Python<'_>, harness: &str, payload: &str) -> Answer {
        self.answered(py, |engram| engram_cli::serve::hook(engram, harness, payload))
    }

    /// Closes the handle; calls that are under way end first. A second close does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.take()));
    }

    /// Whether calls will be refused.
    #[getter]
    fn closed(&self) -> bool {
        self.engram().is_err()
    }
}

impl Handle {
    /// Runs `body` with the interpreter free for other threads; a panic closes the handle.
    fn answered(&self, py: Python<'_>, body: impl FnOnce(&Engram) -> Result<String, Error> + Send) -> Answer {
        match py.detach(|| wire::guarded(|| body(&*self.engram()?))) {
            Ok(answer) => (0, answer),
            Err(Failure { code, message }) => {
                if code == wire::PANIC {
                    py.detach(|| drop(self.take()));
                }
                (code, message)
            }
        }
    }

    fn engram(&self) -> Result<Arc<Engram>, Error> {
        // Before the lock: in a forked child it may be held by a thread that did not come along.
        if self.process != std::process::id() {
            let detail = "the handle was opened by the parent of this process; fork before opening, or start it anew";
            return Err(Error::new(ErrorKind::Forked, detail));
        }
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| Error::new(ErrorKind::Closed, "the handle is closed"))
    }

    fn take(&self) -> Option<Arc<Engram>> {
        if self.process != std::process::id() {
            return None;
        }
        self.open.write().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let Some(engram) = self.take() else { return };
        // Its worker may wait for a callback, which needs the interpreter.
        if let Ok(engram) = Arc::try_unwrap(engram) {
            let mut engram = Some(engram);
            let freed = Python::try_attach(|py| py.detach(|| drop(engram.take())));
            freed.unwrap_or_else(|| drop(engram));
        }
    }
}

#[pymodule]
mod _engram {
    use super::ErrorKind;
    #[pymodule_export]
    use super::Handle;
    #[pymodule_export]
    use super::Reply;
    use pyo3::prelude::*;

    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The verbs, by their names on the wire.
    #[pyfunction]
    fn verbs() -> Vec<&'static str> {
        engram_core::wire::VERBS.to_vec()
    }

    /// The kinds of errors: name and number.
    #[pyfunction]
    fn kinds() -> Vec<(&'static str, u32)> {
        let kinds = ErrorKind::ALL.iter().map(|k| (k.name(), k.code()));
        kinds.chain([("Panic", engram_core::wire::PANIC)]).collect()
    }
}
