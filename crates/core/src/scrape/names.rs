//! Under which names do servers tell what we look for?
//!
//! Sources, looked at in November 2026:
//! - vLLM: `vllm/v1/metrics/loggers.py` and <https://docs.vllm.ai/en/stable/usage/metrics/>. The cache was
//!   `vllm:gpu_cache_usage_perc` until it became `vllm:kv_cache_usage_perc`; versions between the two send both, so that the
//!   first name found counts alone. "perc" is a share: 1 is full.
//! - SGLang (`--enable-metrics`): `python/sglang/srt` metrics collector and
//!   <https://docs.sglang.io/docs/references/production_metrics.md>.
//! - TGI: <https://huggingface.co/docs/text-generation-inference/reference/metrics>. It has no time to first token; tokens are
//!   the sums of histograms.
//! - llama.cpp (`--metrics`): `tools/server` and its README. `llamacpp:kv_cache_usage_ratio` is gone from newer versions.
//! - DCGM exporter: `etc/default-counters.csv` of <https://github.com/NVIDIA/dcgm-exporter>. Utilisation is in per cent.
//! - nvidia_gpu_exporter: <https://github.com/utkuozdemir/nvidia_gpu_exporter>. Utilisation is a share.
//!
//! Exporters on the way turn `:` into `_` (Ray, OpenTelemetry), so both are taken for the same.

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Requests being worked on.
    Running,
    /// Requests in the server's queue.
    Waiting,
    /// How full the cache of keys and values is, from 0 to 1.
    CacheUse,
    /// Share of the time in which the accelerator was at work, from 0 to 1.
    GpuUse,
    /// Power that the accelerators draw, in watts.
    Power,
    /// Input tokens so far.
    InputTokens,
    /// Output tokens so far.
    OutputTokens,
    /// Times to first token so far, in buckets.
    FirstToken,
    /// End-to-end latencies so far, in buckets.
    EndToEnd,
}

/// How samples that differ in their labels become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// Added up: engines, models and cards are one server's.
    Sum,
    /// The largest: the fullest cache holds requests up first.
    Largest,
    /// The mean over cards.
    Mean,
}

impl Quantity {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Quantity; 9] = [
        Quantity::Running,
        Quantity::Waiting,
        Quantity::CacheUse,
        Quantity::GpuUse,
        Quantity::Power,
        Quantity::InputTokens,
        Quantity::OutputTokens,
        Quantity::FirstToken,
        Quantity::EndToEnd,
    ];

    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Quantity::Running => "running",
            Quantity::Waiting => "waiting",
            Quantity::CacheUse => "cache_use",
            Quantity::GpuUse => "gpu_use",
            Quantity::Power => "power_w",
            Quantity::InputTokens => "input_tokens",
            Quantity::OutputTokens => "output_tokens",
            Quantity::FirstToken => "first_token",
            Quantity::EndToEnd => "end_to_end",
        }
    }

    /// Of a stable name.
    pub fn from_code(code: &str) -> Option<Quantity> {
        Quantity::ALL.into_iter().find(|q| q.code() == code)
    }

    /// It only grows, and its rate is what is shown.
    pub fn is_counter(self) -> bool {
        matches!(self, Quantity::InputTokens | Quantity::OutputTokens)
    }

    /// It is a histogram of times.
    pub fn is_histogram(self) -> bool {
        matches!(self, Quantity::FirstToken | Quantity::EndToEnd)
    }

    /// How label sets become one number.
    pub fn together(self) -> Together {
        match self {
            Quantity::CacheUse => Together::Largest,
            Quantity::GpuUse => Together::Mean,
            _ => Together::Sum,
        }
    }

    /// A value can be this. DCGM sends the largest integers for "not known".
    pub(super) fn can_be(self, value: f64) -> bool {
        let most = match self {
            Quantity::CacheUse | Quantity::GpuUse => 1.001,
            Quantity::Power => 1e6,
            _ => 9e15,
        };
        (0.0..=most).contains(&value)
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// vLLM, or what speaks as it does.
    Vllm,
    /// SGLang.
    Sglang,
    /// Hugging Face's text-generation-inference.
    Tgi,
    /// llama.cpp's server.
    LlamaCpp,
    /// NVIDIA's DCGM exporter.
    Dcgm,
    /// nvidia_gpu_exporter.
    NvidiaSmi,
}

impl Speaker {
    /// All that are known.
    pub const ALL: [Speaker; 6] =
        [Speaker::Vllm, Speaker::Sglang, Speaker::Tgi, Speaker::LlamaCpp, Speaker::Dcgm, Speaker::NvidiaSmi];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Speaker::Vllm => "vLLM",
            Speaker::Sglang => "SGLang",
            Speaker::Tgi => "TGI",
            Speaker::LlamaCpp => "llama.cpp",
            Speaker::Dcgm => "DCGM exporter",
            Speaker::NvidiaSmi => "nvidia_gpu_exporter",
        }
    }

    /// Of its name.
    pub fn from_name(name: &str) -> Option<Speaker> {
        Speaker::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// A name that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Whose it is.
    pub speaker: Speaker,
    /// What it tells.
    pub quantity: Quantity,
    /// The sample's name; a histogram's is its family's.
    pub name: &'static str,
    /// What one of it is in the quantity's unit.
    pub scale: f64,
}

const fn known(speaker: Speaker, quantity: Quantity, name: &'static str) -> Known {
    Known { speaker, quantity, name, scale: 1.0 }
}

/// Every name that is known. Of those of one quantity the first that a page has counts.
pub const KNOWN: [Known; 29] = [
    known(Speaker::Vllm, Quantity::Running, "vllm:num_requests_running"),
    known(Speaker::Vllm, Quantity::Waiting, "vllm:num_requests_waiting"),
    known(Speaker::Vllm, Quantity::CacheUse, "vllm:kv_cache_usage_perc"),
    known(Speaker::Vllm, Quantity::CacheUse, "vllm:gpu_cache_usage_perc"),
    known(Speaker::Vllm, Quantity::InputTokens, "vllm:prompt_tokens_total"),
    known(Speaker::Vllm, Quantity::OutputTokens, "vllm:generation_tokens_total"),
    known(Speaker::Vllm, Quantity::FirstToken, "vllm:time_to_first_token_seconds"),
    known(Speaker::Vllm, Quantity::EndToEnd, "vllm:e2e_request_latency_seconds"),
    known(Speaker::Sglang, Quantity::Running, "sglang:num_running_reqs"),
    known(Speaker::Sglang, Quantity::Waiting, "sglang:num_queue_reqs"),
    known(Speaker::Sglang, Quantity::CacheUse, "sglang:token_usage"),
    known(Speaker::Sglang, Quantity::InputTokens, "sglang:prompt_tokens_total"),
    known(Speaker::Sglang, Quantity::OutputTokens, "sglang:generation_tokens_total"),
    known(Speaker::Sglang, Quantity::FirstToken, "sglang:time_to_first_token_seconds"),
    known(Speaker::Sglang, Quantity::EndToEnd, "sglang:e2e_request_latency_seconds"),
    known(Speaker::Tgi, Quantity::Running, "tgi_batch_current_size"),
    known(Speaker::Tgi, Quantity::Waiting, "tgi_queue_size"),
    known(Speaker::Tgi, Quantity::InputTokens, "tgi_request_input_length_sum"),
    known(Speaker::Tgi, Quantity::OutputTokens, "tgi_request_generated_tokens_sum"),
    known(Speaker::Tgi, Quantity::EndToEnd, "tgi_request_duration"),
    known(Speaker::LlamaCpp, Quantity::Running, "llamacpp:requests_processing"),
    known(Speaker::LlamaCpp, Quantity::Waiting, "llamacpp:requests_deferred"),
    known(Speaker::LlamaCpp, Quantity::CacheUse, "llamacpp:kv_cache_usage_ratio"),
    known(Speaker::LlamaCpp, Quantity::InputTokens, "llamacpp:prompt_tokens_total"),
    known(Speaker::LlamaCpp, Quantity::OutputTokens, "llamacpp:tokens_predicted_total"),
    Known { scale: 0.01, ..known(Speaker::Dcgm, Quantity::GpuUse, "DCGM_FI_DEV_GPU_UTIL") },
    known(Speaker::Dcgm, Quantity::Power, "DCGM_FI_DEV_POWER_USAGE"),
    known(Speaker::NvidiaSmi, Quantity::GpuUse, "nvidia_smi_utilization_gpu_ratio"),
    known(Speaker::NvidiaSmi, Quantity::Power, "nvidia_smi_power_draw_watts"),
];

/// The same name, but for `:` written as `_`.
fn same(one: &str, other: &str) -> bool {
    let plain = |b: u8| if b == b':' { b'_' } else { b };
    one.len() == other.len() && one.bytes().zip(other.bytes()).all(|(a, b)| plain(a) == plain(b))
}

/// The place of a sample's name in [`KNOWN`], and what follows the name of a histogram's family: `_bucket`, `_sum` or `_count`.
pub fn known_name(name: &str) -> Option<(usize, &str)> {
    KNOWN.iter().enumerate().find_map(|(at, known)| {
        if !known.quantity.is_histogram() {
            return same(name, known.name).then_some((at, ""));
        }
        let (family, suffix) = name.split_at_checked(known.name.len())?;
        (same(family, known.name) && matches!(suffix, "_bucket" | "_sum" | "_count")).then_some((at, suffix))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_either_separator_and_no_other_is() {
        let found = |name| known_name(name).map(|(at, suffix)| (KNOWN[at].quantity, suffix));
        assert_eq!(found("vllm:num_requests_running"), Some((Quantity::Running, "")));
        assert_eq!(found("sglang_num_queue_reqs"), Some((Quantity::Waiting, "")));
        assert_eq!(found("vllm_time_to_first_token_seconds_bucket"), Some((Quantity::FirstToken, "_bucket")));
        assert_eq!(found("tgi_request_duration_sum"), Some((Quantity::EndToEnd, "_sum")));
        for other in [
            "vllm:num_requests_running_total",
            "vllm:time_to_first_token_seconds",
            "vllm:time_to_first_token_seconds_created",
            "num_requests_running",
            "vllm:time_to_first_tok",
            "",
            "한글",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
    }

    #[test]
    fn codes_and_names_come_back_and_each_name_is_known_once() {
        assert!(Quantity::ALL.iter().all(|q| Quantity::from_code(q.code()) == Some(*q)));
        assert!(Speaker::ALL.iter().all(|s| Speaker::from_name(s.name()) == Some(*s)));
        let mut names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KNOWN.len());
    }
}
