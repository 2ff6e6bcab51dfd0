//! The doors to the outside: what turns texts into vectors, and what completes prompts.

mod bounded;
pub mod embed;
mod host;

pub use crate::similarity::{Thresholds, cosine};
pub use bounded::Bounded;
pub use embed::StaticEmbedder;
pub use host::{HostCall, HostEmbedder, HostLanguageModel};

use crate::error::Result;
use serde::Serialize;
use serde_json::Value;

/// Turns texts into vectors.
pub trait Embedder: Send + Sync {
    /// The name that stored vectors carry; another name means another space (D18).
    fn model(&self) -> &str;

    /// The length of every vector.
    fn dimensions(&self) -> usize;

    /// One result a text, in order. `None`: this text has no vector; it is neither stored nor compared.
    ///
    /// # Errors
    /// `Model` if a service could not be reached or refused, `ModelReply` if its answer has another form.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>>;

    /// What counts as the same and as related in this space.
    fn thresholds(&self) -> Thresholds;
}

/// Completes prompts.
pub trait LanguageModel: Send + Sync {
    /// The name, for audit and for counting tokens.
    fn name(&self) -> &str;

    /// One request, one reply; blocks until it is there or its time is up.
    ///
    /// # Errors
    /// `Model` if the model could not be reached or refused, `ModelReply` if the reply has another form.
    fn complete(&self, request: &Completion) -> Result<Reply>;
}

/// What a language model is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// The standing instructions.
    pub system: String,
    /// The request itself. Text taken from a session stands in it as data.
    pub prompt: String,
    /// The most tokens that the reply may have.
    pub max_tokens: u32,
    /// The JSON schema that the reply has to satisfy; none = free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

/// What it answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The text as received; with a schema, JSON that the caller still has to check.
    pub text: String,
    /// Tokens read, as the service counts them; an estimate where it does not say.
    pub input_tokens: u32,
    /// Tokens written.
    pub output_tokens: u32,
}
