//! Are two workloads the same? SHA-256 of what they hold, whatever the order of keys and the white space they came with.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Case, Generator};

/// The version of the written form that is hashed; it stands in front of what is hashed.
pub const HASH_VERSION: u32 = 1;

/// A workload's hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hash(String);

impl Hash {
    /// All 64 hexadecimal digits.
    pub fn full(&self) -> &str {
        &self.0
    }

    /// The first 12, as people are shown it.
    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }

    /// Of cases, one line each in the written form with its keys in order.
    pub(super) fn of_cases(cases: &[Case]) -> Hash {
        let mut hasher = Hasher::begin("cases");
        for case in cases {
            hasher.line(&serde_json::to_value(case).unwrap_or_default());
        }
        hasher.end()
    }

    /// Of a generator: its version and its numbers stand for the cases that it makes.
    pub(super) fn of_generator(generator: &Generator) -> Hash {
        let mut hasher = Hasher::begin(&format!("generator {}", super::GENERATOR_VERSION));
        hasher.line(&serde_json::to_value(generator).unwrap_or_default());
        hasher.end()
    }
}

struct Hasher(Sha256, String);

impl Hasher {
    fn begin(kind: &str) -> Hasher {
        Hasher(Sha256::new_with_prefix(format!("firstlight-workload {HASH_VERSION} {kind}\n")), String::new())
    }

    fn line(&mut self, value: &Value) {
        self.1.clear();
        canonical(value, &mut self.1);
        self.1.push('\n');
        self.0.update(self.1.as_bytes());
    }

    fn end(self) -> Hash {
        Hash(self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// JSON without white space, keys in the order of their bytes.
fn canonical(value: &Value, out: &mut String) {
    let list = |out: &mut String, at: usize| {
        if at > 0 {
            out.push(',');
        }
    };
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                list(out, at);
                canonical(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            out.push('{');
            for (at, (name, member)) in members.into_iter().enumerate() {
                list(out, at);
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                canonical(member, out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}
