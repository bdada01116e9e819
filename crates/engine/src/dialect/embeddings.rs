//! How is a batch of embeddings written?

use serde_json::{Value, json};

use super::{Closing, extend};
use crate::ask::Ask;

/// Numbers of each vector.
const DIMENSIONS: u32 = 8;

/// A vector for each input, and the tokens of all inputs.
pub(crate) fn body(ask: &Ask, closing: &Closing) -> Vec<u8> {
    let vectors = (0..ask.items).map(|at| json!({"object": "embedding", "index": at, "embedding": vector(at)}));
    let mut body = json!({"object": "list", "data": vectors.collect::<Vec<_>>(), "model": ask.model()});
    if let Some(counts) = closing.counts {
        extend(&mut body, &[("usage", json!({"prompt_tokens": counts.input, "total_tokens": counts.input}))]);
    }
    extend(&mut body, &closing.reports);
    body.to_string().into_bytes()
}

/// Of length one, and another for each input.
fn vector(at: u32) -> Vec<Value> {
    let raw: Vec<f64> = (0..DIMENSIONS).map(|n| f64::from((at % 31 * 7 + n * 13) % 31) - 15.0).collect();
    let length = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
    // Six digits are enough, and the same on every machine.
    raw.iter().map(|x| json!((x / length * 1e6).round() / 1e6)).collect()
}
