//! Texts of what a server's own metrics said.

use super::catalogue::messages;
use super::{Lang, fill, metric_name};
use crate::metrics::Metric;
use crate::scrape::{Missed, NotObserved, Quantity, Unusable};

messages! {
    /// Texts of what a server's own metrics said.
    Scr {
        Title: "What the server’s metrics said", "서버 메트릭이 말한 것";
        ReadFrom: "Read from {0} every {1} ms while the run went on: {2} samples, in the names of {3}. Each took up to {4} ms.", "측정하는 동안 {0}에서 {1} ms마다 읽음: {3}의 이름으로 표본 {2}개. 하나에 최대 {4} ms 걸렸습니다.";
        NothingRead: "No sample could be read from {0}.", "{0}에서 표본을 하나도 읽지 못했습니다.";
        Missed: "Missing samples: {0}, because: {1}", "빠진 표본 {0}개, 이유: {1}";
        MissedNetwork: "no reply that this page may read ({0})", "이 페이지가 읽을 수 있는 응답이 없음({0})";
        MissedStatus: "HTTP status {0}", "HTTP 상태 {0}";
        MissedNothing: "a page without a name that is known here", "여기서 아는 이름이 없는 페이지";
        MissedBusy: "the sample before was not answered yet", "앞 표본의 답이 아직 오지 않음";
        AllowLine: "If the address is right and the server runs, the line Access-Control-Allow-Origin: {0} is missing from its reply. Add it, or read the metrics through Firstlight: start it with --forward metrics={1} and use {2}/forward/metrics/…", "주소가 맞고 서버가 켜져 있다면 응답에 Access-Control-Allow-Origin: {0} 줄이 없는 것입니다. 그 줄을 더하거나 Firstlight를 거쳐 읽으세요: --forward metrics={1}로 시작하고 주소를 {2}/forward/metrics/…로 쓰세요.";
        SwitchOn: "Some servers write metrics only when told to: llama.cpp with --metrics, SGLang with --enable-metrics.", "켜야만 메트릭을 쓰는 서버가 있습니다: llama.cpp는 --metrics, SGLang은 --enable-metrics.";
        Reset: "Between {0} s and {1} s the server counted anew: it was restarted, or another copy of it answered. What it counted in between is not known.", "{0}초와 {1}초 사이에 서버가 처음부터 다시 셌습니다. 다시 시작했거나 다른 복제본이 답한 것입니다. 그 사이에 센 것은 알 수 없습니다.";
        UnusableValue: "{0}: not used in {1} samples, since the value can’t be true.", "{0}: 있을 수 없는 값이라 표본 {1}개에서 쓰지 않았습니다.";
        UnusableBuckets: "{0}: not used in {1} samples, since its buckets don’t fit together.", "{0}: 버킷이 서로 맞지 않아 표본 {1}개에서 쓰지 않았습니다.";
        UnusableSummary: "{0}: not used in {1} samples, since the server sends quantiles over a time of its own choice instead of buckets.", "{0}: 서버가 버킷 대신 스스로 정한 기간의 분위수를 보내 표본 {1}개에서 쓰지 않았습니다.";
        NotUnderstood: "Lines of the metrics page that were not understood: {0}", "메트릭 페이지에서 이해하지 못한 줄: {0}";
        Aggregate: "These are the server’s own sums over all that it served: other people’s requests and the warm-up are among them. They name no request, so only quantiles stand side by side, and none is subtracted from another.", "서버가 처리한 모든 것의 합계입니다. 다른 사람의 요청과 워밍업도 들어 있습니다. 요청을 가리키지 않으므로 분위수만 나란히 놓고, 서로 빼지 않습니다.";
        Together: "Requests, tokens and power are added up over models, engines and cards; of caches the fullest counts, of utilisation the mean over cards.", "요청, 토큰, 전력은 모델·엔진·카드에 걸쳐 더합니다. 캐시는 가장 찬 것, 사용률은 카드 평균입니다.";
        Figures: "From the first measured request to the last; when: in s since the first", "첫 측정 요청부터 마지막까지; 시점: 첫 요청부터의 초";
        NoneInside: "No sample fell between the first measured request and the last: the run was shorter than a period.", "첫 측정 요청과 마지막 사이에 표본이 없습니다. 측정이 주기보다 짧았습니다.";
        ColQuantity: "Quantity", "항목";
        ColSamples: "Samples", "표본";
        ColMean: "Mean", "평균";
        ColMax: "Max", "최대";
        ColWhen: "When (s)", "시점(초)";
        Running: "Requests running", "처리 중인 요청";
        Waiting: "Requests waiting", "대기 중인 요청";
        CacheUse: "KV cache in use (%)", "KV 캐시 사용(%)";
        GpuUse: "GPU at work (%)", "GPU 사용률(%)";
        Power: "Power (W)", "전력(W)";
        InputTokens: "Input tokens/s", "입력 토큰/초";
        OutputTokens: "Output tokens/s", "출력 토큰/초";
        Quantiles: "Quantiles of all that the server served, beside this page’s requests (ms)", "서버가 처리한 전체의 분위수와 이 페이지 요청의 분위수(ms)";
        ColTime: "Time", "시간";
        ColQuantile: "Quantile", "분위";
        ColServer: "The server’s", "서버";
        ColPage: "This page’s", "이 페이지";
        Above: "over {0}", "{0} 초과";
        Boundaries: "The server’s times begin when a request has arrived and end when it is made, this page’s begin when it is sent and end when it is received. A bucket’s two edges are all that is known of the server’s.", "서버의 시간은 요청이 도착한 때부터 만들어 낸 때까지, 이 페이지의 시간은 보낸 때부터 받은 때까지입니다. 서버 쪽은 버킷의 두 경계만 알 수 있습니다.";
        Counted: "{0}: from {1} s to {2} s the server counted {3}, this page’s measured requests gave {4}.", "{0}: {1}초부터 {2}초까지 서버는 {3}개를 셌고, 이 페이지의 측정 요청은 {4}개입니다.";
        NotCompared: "{0}: not compared, {1}.", "{0}: 비교하지 않음, {1}.";
        WhyTooFew: "there are fewer than two samples", "표본이 두 개 미만";
        WhyNotTold: "the server does not tell it in buckets", "서버가 버킷으로 알리지 않음";
        WhyReset: "the server counted anew in between", "그 사이에 서버가 다시 셈";
        WhyNone: "the server counted none", "서버가 센 것이 없음";
        Connection: "The metrics come from the target’s own origin: over HTTP/1.1 each sample took one of the browser’s six connections to it.", "메트릭이 대상과 같은 출처에 있습니다. HTTP/1.1에서는 표본마다 브라우저의 연결 6개 중 하나를 썼습니다.";
    }
}

/// The name of a quantity with its unit.
pub fn quantity_name(lang: Lang, quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Running => Scr::Running,
        Quantity::Waiting => Scr::Waiting,
        Quantity::CacheUse => Scr::CacheUse,
        Quantity::GpuUse => Scr::GpuUse,
        Quantity::Power => Scr::Power,
        Quantity::InputTokens => Scr::InputTokens,
        Quantity::OutputTokens => Scr::OutputTokens,
        Quantity::FirstToken => return metric_name(lang, Metric::Ttft),
        Quantity::EndToEnd => return metric_name(lang, Metric::EndToEnd),
    }
    .get(lang)
}

/// Why samples are missing.
pub fn missed(lang: Lang, why: &Missed) -> String {
    match why {
        Missed::Network(words) => fill(Scr::MissedNetwork.get(lang), &[words]),
        Missed::Status(status) => fill(Scr::MissedStatus.get(lang), &[&status.to_string()]),
        Missed::NothingKnown => Scr::MissedNothing.get(lang).to_owned(),
        Missed::Busy => Scr::MissedBusy.get(lang).to_owned(),
    }
}

/// Why a known name told nothing, and in how many samples.
pub fn unusable(lang: Lang, quantity: Quantity, why: Unusable, samples: &str) -> String {
    let key = match why {
        Unusable::Value => Scr::UnusableValue,
        Unusable::Buckets => Scr::UnusableBuckets,
        Unusable::Summary => Scr::UnusableSummary,
    };
    fill(key.get(lang), &[quantity_name(lang, quantity), samples])
}

/// Why quantiles are not compared.
pub fn not_observed(lang: Lang, why: NotObserved) -> &'static str {
    match why {
        NotObserved::TooFewSamples => Scr::WhyTooFew,
        NotObserved::NotTold => Scr::WhyNotTold,
        NotObserved::Reset => Scr::WhyReset,
        NotObserved::NoneCounted => Scr::WhyNone,
    }
    .get(lang)
}
