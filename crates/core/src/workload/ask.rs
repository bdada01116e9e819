//! What one request says, and does a server find its beginning in a prefix cache?

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Content, Message, Role};

/// What one request says: what a body is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// All messages, earlier turns and answers among them.
    pub messages: Vec<Message>,
    /// The last message of the user's, for bodies that carry one text.
    pub prompt: String,
    /// The most output tokens; left out of the body if none.
    pub max_tokens: Option<u32>,
}

/// Whether requests share a beginning, as a server's prefix cache sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheMode {
    /// Nothing is added: what was asked before, in this run or an earlier one, may be found.
    #[default]
    AsIs,
    /// Every request begins with a nonce of its own, so that nothing is found.
    Bust,
    /// Every request of a run begins with the same nonce: found is what this run asked before, and nothing older.
    Reuse,
}

impl CacheMode {
    /// Every mode.
    pub const ALL: [CacheMode; 3] = [CacheMode::AsIs, CacheMode::Bust, CacheMode::Reuse];

    /// What stands in front of a request.
    pub fn nonce(self, seed: u64, request: u32) -> Option<String> {
        match self {
            CacheMode::AsIs => None,
            CacheMode::Bust => Some(nonce(seed, u64::from(request))),
            CacheMode::Reuse => Some(nonce(seed, u64::MAX)),
        }
    }
}

/// Sixteen hexadecimal digits from a seed, different for every `place` of one seed.
pub fn nonce(seed: u64, place: u64) -> String {
    format!("{:016x}", mix(mix(seed) ^ place))
}

/// SplitMix64's finaliser: every number goes to one of its own.
pub(super) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

impl Ask {
    /// The typed prompt.
    pub fn typed(prompt: &str, max_tokens: Option<u32>) -> Ask {
        Ask::of(vec![Message::text(Role::User, prompt)], max_tokens)
    }

    /// These messages.
    pub fn of(messages: Vec<Message>, max_tokens: Option<u32>) -> Ask {
        let last = messages.iter().rfind(|m| m.role == Role::User);
        let prompt = last.map(|m| m.content.text()).unwrap_or_default();
        Ask { messages, prompt, max_tokens }
    }

    /// With a nonce in front of the first message, and of the prompt for bodies that carry nothing else.
    pub fn behind(mut self, nonce: Option<&str>) -> Ask {
        let Some(nonce) = nonce else { return self };
        let front = format!("[{nonce}] ");
        self.prompt.insert_str(0, &front);
        match self.messages.first_mut().map(|m| &mut m.content) {
            Some(Content::Text(text)) => text.insert_str(0, &front),
            Some(Content::Parts(parts)) => {
                let part = [("type".to_owned(), Value::from("text")), ("text".to_owned(), Value::from(front))];
                parts.insert(0, part.into_iter().collect::<Map<_, _>>());
            }
            None => {}
        }
        self
    }
}
