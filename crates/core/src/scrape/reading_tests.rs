//! Pages as the known servers write them, with figures of our own.

use super::*;
use proptest::prelude::*;

const VLLM: &str = r#"# HELP vllm:num_requests_running Running.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="m"} 3.0
vllm:num_requests_running{engine="1",model_name="m"} 1.0
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="m"} 5.0
vllm:num_requests_waiting{engine="1",model_name="m"} 0.0
# TYPE vllm:gpu_cache_usage_perc gauge
vllm:gpu_cache_usage_perc{engine="0",model_name="m"} 0.9
# TYPE vllm:kv_cache_usage_perc gauge
vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.25
vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.5
# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{engine="0",model_name="m"} 1.2e+03
# TYPE vllm:prompt_tokens_created gauge
vllm:prompt_tokens_created{engine="0",model_name="m"} 1.7e+09
# TYPE vllm:generation_tokens_total counter
vllm:generation_tokens_total{engine="0",model_name="m"} 345.0
# TYPE vllm:time_to_first_token_seconds histogram
vllm:time_to_first_token_seconds_sum{engine="0",model_name="m"} 1.5
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.25",model_name="m"} 1.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.5",model_name="m"} 4.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf",model_name="m"} 4.0
vllm:time_to_first_token_seconds_count{engine="0",model_name="m"} 4.0
vllm:time_to_first_token_seconds_bucket{engine="1",le="0.25",model_name="m"} 0.0
vllm:time_to_first_token_seconds_bucket{engine="1",le="0.5",model_name="m"} 2.0
vllm:time_to_first_token_seconds_bucket{engine="1",le="+Inf",model_name="m"} 3.0
"#;

const SGLANG: &str = r#"# TYPE sglang:num_running_reqs gauge
sglang:num_running_reqs{model_name="m",tp_rank="0",pp_rank="0"} 7.0
sglang:num_running_reqs{model_name="m",tp_rank="1",pp_rank="0"} 7.0
sglang:num_queue_reqs{model_name="m",tp_rank="0"} 2.0
sglang:token_usage{model_name="m",tp_rank="0"} 0.28
sglang:prompt_tokens_total{model_name="m"} 8128.0
sglang:generation_tokens_total{model_name="m"} 7557.0
sglang:e2e_request_latency_seconds_bucket{le="1.0",model_name="m"} 6.0
sglang:e2e_request_latency_seconds_bucket{le="+Inf",model_name="m"} 11.0
"#;

const TGI: &str = r#"# TYPE tgi_queue_size gauge
tgi_queue_size 4
tgi_batch_current_size 8
# TYPE tgi_request_generated_tokens histogram
tgi_request_generated_tokens_bucket{le="100"} 3
tgi_request_generated_tokens_bucket{le="+Inf"} 3
tgi_request_generated_tokens_sum 250
tgi_request_generated_tokens_count 3
tgi_request_input_length_sum 64
tgi_request_duration_bucket{le="0.5"} 1
tgi_request_duration_bucket{le="+Inf"} 3
"#;

/// The figures of a real server (PyPI `xllamacpp` 2026.10) whose two slots were busy while two more requests waited.
const LLAMA: &str = "# HELP llamacpp:prompt_tokens_total Tokens.\n# TYPE llamacpp:prompt_tokens_total counter\n\
llamacpp:prompt_tokens_total 54\nllamacpp:prompt_tokens_cached_total 0\nllamacpp:tokens_predicted_total 0\n\
llamacpp:tokens_predicted_seconds_total 0\nllamacpp:predicted_tokens_seconds 0\nllamacpp:requests_processing 2\n\
llamacpp:requests_deferred 2\n";

const DCGM: &str = r#"DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",device="nvidia0"} 80
DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-b",device="nvidia1"} 40
DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-a"} 250.5
DCGM_FI_DEV_POWER_USAGE{gpu="1",UUID="GPU-b"} 9223372036854775794
"#;

const SMI: &str = "nvidia_smi_utilization_gpu_ratio{uuid=\"a\"} 0.88\nnvidia_smi_power_draw_watts{uuid=\"a\"} 21.4\n";

fn values(reading: &Reading) -> Vec<(Quantity, f64)> {
    reading.values.clone()
}

#[test]
fn vllm_over_engines_and_across_a_renaming() {
    let reading = Reading::of(VLLM);
    assert_eq!(
        values(&reading),
        [
            (Quantity::Running, 4.0),
            (Quantity::Waiting, 5.0),
            (Quantity::CacheUse, 0.5),
            (Quantity::InputTokens, 1200.0),
            (Quantity::OutputTokens, 345.0)
        ]
    );
    let first = Buckets { edges: vec![0.25, 0.5], cumulative: vec![1, 6, 7] };
    assert_eq!(reading.histograms, [(Quantity::FirstToken, first)]);
    assert_eq!((reading.speakers, reading.unusable, reading.not_understood), (vec![Speaker::Vllm], vec![], 0));
    let older = Reading::of(&VLLM.lines().filter(|l| !l.contains("kv_cache")).map(|l| format!("{l}\n")).collect::<String>());
    assert_eq!(older.value(Quantity::CacheUse), Some(0.9));
    assert_eq!(Reading::of(&VLLM.replace("vllm:", "vllm_")).values, values(&Reading::of(VLLM)));
}

#[test]
fn sglang_whose_ranks_say_the_same() {
    let reading = Reading::of(SGLANG);
    let read = [Quantity::Running, Quantity::Waiting, Quantity::CacheUse, Quantity::InputTokens, Quantity::OutputTokens]
        .map(|q| reading.value(q));
    assert_eq!(read, [7.0, 2.0, 0.28, 8128.0, 7557.0].map(Some));
    assert_eq!(reading.histogram(Quantity::EndToEnd).map(Buckets::count), Some(11));
    assert_eq!(reading.histogram(Quantity::FirstToken), None);
}

#[test]
fn tgi_whose_tokens_are_sums_of_histograms() {
    let reading = Reading::of(TGI);
    let read = [Quantity::Running, Quantity::Waiting, Quantity::InputTokens, Quantity::OutputTokens].map(|q| reading.value(q));
    assert_eq!(read, [8.0, 4.0, 64.0, 250.0].map(Some));
    assert_eq!(reading.histogram(Quantity::EndToEnd).map(|b| b.cumulative.clone()), Some(vec![1, 3]));
}

#[test]
fn llama_cpp_and_cards() {
    let reading = Reading::of(LLAMA);
    let read = [Quantity::Running, Quantity::Waiting, Quantity::InputTokens, Quantity::OutputTokens].map(|q| reading.value(q));
    assert_eq!((read, reading.value(Quantity::CacheUse)), ([2.0, 2.0, 54.0, 0.0].map(Some), None));
    let reading = Reading::of(DCGM);
    assert!((reading.value(Quantity::GpuUse).expect("two cards") - 0.6).abs() < 1e-12);
    assert_eq!(reading.value(Quantity::Power), Some(250.5), "a card that does not know is left out");
    let both = Reading::of(&format!("{LLAMA}{SMI}"));
    assert_eq!((both.value(Quantity::GpuUse), both.value(Quantity::Power)), (Some(0.88), Some(21.4)));
    assert_eq!(both.speakers, [Speaker::LlamaCpp, Speaker::NvidiaSmi]);
}

#[test]
fn what_can_not_be_used_is_named() {
    let unusable = |text: &str| Reading::of(text).unusable;
    assert_eq!(unusable("vllm:kv_cache_usage_perc 1.5\n"), [(Quantity::CacheUse, Unusable::Value)]);
    assert_eq!(unusable("vllm:num_requests_running NaN\n"), [(Quantity::Running, Unusable::Value)]);
    let summary = "# TYPE tgi_request_duration summary\ntgi_request_duration{quantile=\"0.5\"} 1\ntgi_request_duration_sum 3\n";
    assert_eq!(unusable(summary), [(Quantity::EndToEnd, Unusable::Summary)]);
    let bucket = |le: &str, n: &str, more: &str| format!("tgi_request_duration_bucket{{le=\"{le}\"{more}}} {n}\n");
    for spoilt in [
        bucket("0.5", "3", "") + &bucket("+Inf", "2", ""),
        bucket("0.5", "3", ""),
        bucket("0.5", "0.5", "") + &bucket("+Inf", "2", ""),
        bucket("half", "1", "") + &bucket("+Inf", "2", ""),
        bucket("+Inf", "2", ",a=\"1\"") + &bucket("1", "1", ",a=\"2\"") + &bucket("+Inf", "2", ",a=\"2\""),
    ] {
        assert_eq!(unusable(&spoilt), [(Quantity::EndToEnd, Unusable::Buckets)], "{spoilt}");
    }
    assert_eq!(Reading::of("<html>\n"), Reading { not_understood: 1, ..Reading::default() });
}

proptest! {
    /// Whatever lines of a page are lost, spoilt or doubled, what is read keeps its promises.
    #[test]
    fn spoilt_pages_never_break_a_promise(picks in prop::collection::vec((0usize..200, 0usize..80, any::<char>()), 0..60)) {
        let lines: Vec<&str> = [VLLM, SGLANG, TGI, LLAMA, DCGM, SMI].iter().flat_map(|page| page.lines()).collect();
        let text: String = picks.iter().map(|(line, at, c)| {
            let mut line: Vec<char> = lines[line % lines.len()].chars().collect();
            if *at < line.len() { line[*at] = *c }
            line.into_iter().chain(['\n']).collect::<String>()
        }).collect();
        let reading = Reading::of(&text);
        for (quantity, value) in &reading.values {
            prop_assert!(value.is_finite() && *value >= 0.0, "{:?} {}", quantity, value);
        }
        for (_, buckets) in &reading.histograms {
            prop_assert_eq!(buckets.cumulative.len(), buckets.edges.len() + 1);
            prop_assert!(buckets.cumulative.is_sorted() && buckets.edges.is_sorted());
            prop_assert!(buckets.edges.iter().all(|e| e.is_finite() && *e >= 0.0));
        }
    }
}
