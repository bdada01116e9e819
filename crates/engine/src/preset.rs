//! Named behaviours: where a plan starts from before parameters change it.

use crate::error::ScheduleError;
use crate::format::Format;
use crate::limit::Limit;
use crate::plan::{Component, Plan, ServerTiming};
use crate::words::Writing;

/// A named behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// First token after 300 ms, 60 tokens, one every 20 ms.
    Chat,
    /// 450 ms to the first of 20 tokens, 1,400 ms to the last, 720 ms reported.
    WorkedExample,
    /// Reasoning from 200 ms, the answer from 900 ms.
    Reasoning,
    /// 2,000 ms to the first token, then fast.
    SlowStart,
    /// As `chat`, written in Markdown, once through.
    Markdown,
    /// One JSON result after 80 ms.
    Prediction,
    /// Plain text in parts.
    Text,
    /// Short, for tests.
    Fast,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Preset; 8] = [
        Preset::Chat,
        Preset::WorkedExample,
        Preset::Reasoning,
        Preset::SlowStart,
        Preset::Markdown,
        Preset::Prediction,
        Preset::Text,
        Preset::Fast,
    ];

    /// The name used in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Chat => "chat",
            Preset::WorkedExample => "worked-example",
            Preset::Reasoning => "reasoning",
            Preset::SlowStart => "slow-start",
            Preset::Markdown => "markdown",
            Preset::Prediction => "prediction",
            Preset::Text => "text",
            Preset::Fast => "fast",
        }
    }

    /// The preset of a name.
    pub fn parse(value: &str) -> Result<Preset, ScheduleError> {
        Preset::ALL.into_iter().find(|p| p.name() == value).ok_or_else(|| ScheduleError::Choice {
            name: "preset".to_owned(),
            value: value.to_owned(),
            allowed: Preset::ALL.map(Preset::name).join(", "),
        })
    }

    /// The plan before parameters change it.
    pub fn plan(self) -> Plan {
        let chat = Plan {
            format: Format::OpenAi,
            writing: Writing::Prose,
            ttft_ms: 300,
            gap_ms: 20,
            tokens: 60,
            tokens_per_chunk: 1,
            first_chunk_bytes: 0,
            reasoning_tokens: 0,
            reasoning_at_ms: 0,
            tool_calls: 0,
            role_chunk: true,
            usage: true,
            done: true,
            finish: true,
            keep_alive_ms: None,
            queue_ms: 0,
            server_timing: ServerTiming::Truthful,
            components: Vec::new(),
            spans: Vec::new(),
            timings: false,
            split: None,
            crlf: false,
            bom: false,
            burst: false,
            fault: None,
            limit: Limit::default(),
            engine: None,
        };
        match self {
            Preset::Chat => chat,
            Preset::WorkedExample => Plan {
                ttft_ms: 450,
                gap_ms: 50,
                tokens: 20,
                components: vec![Component { name: "model_container".to_owned(), us: 720_000 }],
                ..chat
            },
            Preset::Reasoning => Plan { ttft_ms: 900, reasoning_tokens: 35, reasoning_at_ms: 200, ..chat },
            Preset::SlowStart => Plan { ttft_ms: 2_000, gap_ms: 5, ..chat },
            Preset::Markdown => Plan { writing: Writing::Markdown, tokens: Writing::Markdown.tokens(), ..chat },
            Preset::Prediction => Plan { format: Format::Prediction, ttft_ms: 80, ..chat },
            Preset::Text => Plan { format: Format::Text, ..chat },
            Preset::Fast => Plan { ttft_ms: 20, gap_ms: 5, tokens: 10, ..chat },
        }
    }
}
