//! What is compared inside one run: the present one and a candidate, interleaved in blocks of random order.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::workload::CacheMode;

/// Two arms of one run: arm 0 is as the run says, arm 1 is the candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versus {
    /// What differs.
    pub what: What,
    /// The candidate gets one request in so many, at a random place of each block: 2 for halves, 20 for a canary of 5 %.
    #[serde(default = "half")]
    pub one_in: u32,
}

/// What the candidate has of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Another address or model.
    Endpoint {
        /// Its URL.
        url: String,
        /// Its model; that of the run if empty.
        #[serde(default)]
        model: String,
    },
    /// The prefix cache: kept from helping in arm 0, free to help in arm 1.
    Cache,
}

fn half() -> u32 {
    2
}

impl RunConfig {
    /// What is asked of an arm: address and model are the candidate's own in arm 1, or the cache may help in arm 1 alone.
    pub fn of_arm(&self, arm: u8) -> Cow<'_, RunConfig> {
        match &self.versus {
            Some(Versus { what: What::Endpoint { url, model }, .. }) if arm == 1 => {
                let mut config = self.clone();
                config.url.clone_from(url);
                if !model.is_empty() {
                    config.model.clone_from(model);
                }
                Cow::Owned(config)
            }
            Some(Versus { what: What::Cache, .. }) => {
                let cache = if arm == 1 { CacheMode::Reuse } else { CacheMode::Bust };
                Cow::Owned(RunConfig { cache, ..self.clone() })
            }
            _ => Cow::Borrowed(self),
        }
    }
}
