//! A language model and an embedder that the host supplies as functions from JSON to JSON: what each binding makes of a
//! C function pointer, a JavaScript function, a Python callable or a Go func. The forms are in docs/wire.md.

use super::{Completion, Embedder, LanguageModel, Reply, Thresholds, embed};
use crate::error::{Error, ErrorKind, Result};
use crate::text;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// A function of the host's: a request in, a reply or the text of a failure out. It may be called from any thread.
pub type HostCall = Arc<dyn Fn(&str) -> std::result::Result<String, String> + Send + Sync>;

/// A language model behind a [`HostCall`]: `{"system","prompt","maxTokens","schema"?}` in,
/// `{"text","inputTokens"?,"outputTokens"?}` out.
#[derive(Clone)]
pub struct HostLanguageModel {
    name: String,
    call: HostCall,
}

/// An embedder behind a [`HostCall`]: `{"texts":[...]}` in, `{"vectors":[[...]|null, ...]}` out.
#[derive(Clone)]
pub struct HostEmbedder {
    model: String,
    dimensions: usize,
    call: HostCall,
}

/// Longest vector that is taken: sqlite-vec stores no longer one.
const MOST_DIMENSIONS: usize = 8192;

impl HostLanguageModel {
    /// A model by the name that episodes and audit rows carry.
    ///
    /// # Errors
    /// `InvalidArgument` if the name is empty.
    pub fn new(name: impl Into<String>, call: HostCall) -> Result<HostLanguageModel> {
        let name = name.into();
        named(&name, "languageModel.name")?;
        Ok(HostLanguageModel { name, call })
    }
}

impl HostEmbedder {
    /// An embedder by the name that stored vectors carry: another name or length means another space (D18).
    ///
    /// # Errors
    /// `InvalidArgument` if the name is empty, or the dimensions are not between 1 and 8192.
    pub fn new(model: impl Into<String>, dimensions: usize, call: HostCall) -> Result<HostEmbedder> {
        let model = model.into();
        named(&model, "embedder.model")?;
        if !(1..=MOST_DIMENSIONS).contains(&dimensions) {
            let detail = format!("embedder.dimensions must be from 1 to {MOST_DIMENSIONS}, not {dimensions}");
            return Err(Error::invalid(detail));
        }
        Ok(HostEmbedder { model, dimensions, call })
    }
}

fn named(name: &str, what: &str) -> Result<()> {
    match name.trim().is_empty() {
        true => Err(Error::invalid(format!("{what} is empty; give the model's name"))),
        false => Ok(()),
    }
}

fn ask<T: for<'de> Deserialize<'de>>(call: &HostCall, who: &str, request: &str) -> Result<T> {
    let reply = call(request).map_err(|why| Error::new(ErrorKind::Model, format!("{who} failed: {why}")))?;
    serde_json::from_str(&reply)
        .map_err(|e| Error::new(ErrorKind::ModelReply, format!("{who} answered in another form")).with_source(e))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReplyForm {
    text: String,
    input_tokens: Option<u32>,
    output_tokens: Option<u32>,
}

#[derive(Deserialize)]
struct VectorsForm {
    vectors: Vec<Option<Vec<f32>>>,
}

impl LanguageModel for HostLanguageModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete(&self, request: &Completion) -> Result<Reply> {
        let asked = serde_json::to_string(request)
            .map_err(|e| Error::new(ErrorKind::Model, "a request has no JSON form").with_source(e))?;
        let form: ReplyForm = ask(&self.call, &format!("language model \"{}\"", self.name), &asked)?;
        let estimate = |text: &str| u32::try_from(text::estimate_tokens(text)).unwrap_or(u32::MAX);
        let read = estimate(&request.system).saturating_add(estimate(&request.prompt));
        Ok(Reply {
            input_tokens: form.input_tokens.unwrap_or(read),
            output_tokens: form.output_tokens.unwrap_or_else(|| estimate(&form.text)),
            text: form.text,
        })
    }
}

impl Embedder for HostEmbedder {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let who = format!("embedder \"{}\"", self.model);
        let form: VectorsForm = ask(&self.call, &who, &json!({ "texts": texts }).to_string())?;
        let wrong = |detail: String| Err(Error::new(ErrorKind::ModelReply, format!("{who} {detail}")));
        if form.vectors.len() != texts.len() {
            return wrong(format!("answered with {} vectors for {} texts", form.vectors.len(), texts.len()));
        }
        for vector in form.vectors.iter().flatten() {
            if vector.len() != self.dimensions {
                return wrong(format!("gave a vector of {} numbers, not {}", vector.len(), self.dimensions));
            }
            // JSON has no infinity, but 1e300 is none of f32's numbers.
            if vector.iter().any(|v| !v.is_finite()) {
                return wrong("gave a number that is none of 32 bits".to_owned());
            }
        }
        Ok(form.vectors)
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds::service(embed::is_word)
    }
}

impl std::fmt::Debug for HostLanguageModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostLanguageModel").field("name", &self.name).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for HostEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostEmbedder").field("model", &self.model).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedder(reply: &'static str) -> HostEmbedder {
        HostEmbedder::new("e", 2, Arc::new(move |_| Ok(reply.to_owned()))).unwrap()
    }

    #[test]
    fn vectors_come_in_order_and_null_is_none() {
        let got = embedder(r#"{"vectors": [[1, 0.5], null]}"#).embed(&["a", "b"]).unwrap();
        assert_eq!(got, [Some(vec![1.0, 0.5]), None]);
    }

    #[test]
    fn rubbish_is_a_model_reply_error_that_says_what_is_wrong() {
        for (reply, says) in [
            ("", "another form"),
            ("[]", "another form"),
            (r#"{"vectors": [[1, 2]]}"#, "1 vectors for 2 texts"),
            (r#"{"vectors": [[1], [1, 2]]}"#, "a vector of 1 numbers, not 2"),
            (r#"{"vectors": [[1e300, 0], [1, 2]]}"#, "none of 32 bits"),
        ] {
            let error = embedder(reply).embed(&["a", "b"]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ModelReply, "{reply}");
            assert!(error.to_string().contains(says), "{error}");
        }
    }

    #[test]
    fn a_failure_is_a_model_error_with_the_hosts_words() {
        let model = HostLanguageModel::new("m", Arc::new(|_| Err("no credit".into()))).unwrap();
        let error = model.complete(&Completion::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Model);
        assert_eq!(error.to_string(), "language model \"m\" failed: no credit");
    }

    #[test]
    fn tokens_are_estimated_where_the_host_does_not_say() {
        let model = HostLanguageModel::new("m", Arc::new(|_| Ok(r#"{"text": "12345678"}"#.into()))).unwrap();
        let request = Completion { prompt: "1234".into(), ..Completion::default() };
        let reply = model.complete(&request).unwrap();
        assert_eq!((reply.input_tokens, reply.output_tokens), (1, 2));
    }

    #[test]
    fn a_nameless_or_impossible_model_is_refused() {
        let call: HostCall = Arc::new(|_| Ok(String::new()));
        assert!(HostLanguageModel::new(" ", Arc::clone(&call)).is_err());
        assert!(HostEmbedder::new("", 3, Arc::clone(&call)).is_err());
        assert!(HostEmbedder::new("e", 0, Arc::clone(&call)).is_err());
        assert!(HostEmbedder::new("e", 9000, call).is_err());
    }
}
