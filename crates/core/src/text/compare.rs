//! Texts of comparisons, and of limits that can't be read.

use super::catalogue::messages;
use super::{Lang, fill};
use crate::slo::{NAMES, SloError};

messages! {
    /// Texts of comparisons.
    Cmp {
        SameContext: "Nothing that is known of the two contexts differs.", "알려진 조건 가운데 다른 것이 없습니다.";
        OtherContext: "The contexts differ. Any difference below may come from these as well:", "조건이 다릅니다. 아래 차이는 다음에서 왔을 수도 있습니다.";
        Differs: "{0}: {1} → {2}", "{0}: {1} → {2}";
        NotKnown: "not known or not set", "알 수 없거나 정하지 않음";
        Target: "target", "대상";
        Model: "model", "모델";
        Workload: "workload", "작업";
        Mode: "streaming or not", "스트리밍 여부";
        Concurrency: "requests at once", "동시 요청 수";
        Requests: "number of requests", "요청 수";
        WarmUp: "warm-up", "준비 요청";
        TimeLimit: "time limit (ms)", "제한 시간(ms)";
        Setting: "setting “{0}”", "설정 “{0}”";
        Protocol: "protocol of connections", "연결 프로토콜";
        Browser: "browser", "브라우저";
        Device: "screen and device", "화면과 기기";
        Isolation: "cross-origin isolation", "교차 출처 격리";
        Thread: "where replies were read", "응답을 읽은 곳";
        Clock: "clock step", "시계 단위";
        Path: "what lay in the path", "경로에 있던 것";
        Higher: "{0}: {2} is higher than {1} ({4} against {3}); the 95 % interval of the difference is {5}.", "{0}: {2} 쪽이 {1}보다 높습니다({3} 대비 {4}). 차이의 95 % 구간은 {5}입니다.";
        Lower: "{0}: {2} is lower than {1} ({4} against {3}); the 95 % interval of the difference is {5}.", "{0}: {2} 쪽이 {1}보다 낮습니다({3} 대비 {4}). 차이의 95 % 구간은 {5}입니다.";
        NoDifference: "{0}: no difference that matters between {1} and {2} ({3}, {4}); the whole 95 % interval of the difference, {5}, lies inside the stated margin.", "{0}: {1}과(와) {2} 사이에 의미 있는 차이가 없습니다({3}, {4}). 차이의 95 % 구간 {5} 전체가 정해 둔 허용 폭 안에 있습니다.";
        Undecided: "{0}: neither a difference between {1} and {2} nor its absence is shown ({3}, {4}); the 95 % interval of the difference is {5}.", "{0}: {1}과(와) {2} 사이에 차이가 있는지 없는지 알 수 없습니다({3}, {4}). 차이의 95 % 구간은 {5}입니다.";
        NotEnoughData: "{0}: not enough data to compare {1} ({3}) with {2} ({4}): each side needs ≥ {5}, the smaller has {6}.", "{0}: {1}({3})과(와) {2}({4})을(를) 비교하기에 데이터가 부족합니다. 각각 {5}개 이상 필요한데 적은 쪽이 {6}개입니다.";
        MoreFailures: "{1} failed more often than {0} ({3} against {2}); the 95 % interval of the difference is {4} to {5} percentage points.", "{1} 쪽이 {0}보다 더 자주 실패했습니다({2} 대비 {3}). 차이의 95 % 구간은 {4}~{5} %p입니다.";
        FewerFailures: "{1} failed less often than {0} ({3} against {2}); the 95 % interval of the difference is {4} to {5} percentage points.", "{1} 쪽이 {0}보다 덜 실패했습니다({2} 대비 {3}). 차이의 95 % 구간은 {4}~{5} %p입니다.";
        FailuresUndecided: "It is not shown that {0} and {1} differ in failures ({2}, {3}); the 95 % interval of the difference is {4} to {5} percentage points.", "{0}과(와) {1}의 실패율이 다르다고 할 수 없습니다({2}, {3}). 차이의 95 % 구간은 {4}~{5} %p입니다.";
        NoFailureRate: "One side has no requests whose failures could be counted.", "한쪽에는 실패를 셀 수 있는 요청이 없습니다.";
        ShowsInterleaved: "Both sides were measured in turn inside one run, so what changed with time met both alike.", "두 쪽을 한 실행 안에서 번갈아 측정했으므로, 시간에 따른 변화는 양쪽에 똑같이 미쳤습니다.";
        ShowsRuns: "The runs were measured at different times: this shows that they differ, not why.", "두 실행은 서로 다른 때에 측정했습니다. 다르다는 것은 보여 주지만 그 까닭은 보여 주지 않습니다.";
        ShowsIntervals: "Each interval holds by itself in 95 of 100 cases; of many looked at together some miss. It speaks of these requests, on this machine and connection, not of all users.", "각 구간은 따로 보았을 때 100번 중 95번 맞습니다. 여럿을 함께 보면 일부는 빗나갑니다. 모든 사용자가 아니라 이 기기와 연결에서 보낸 이 요청들에 대한 것입니다.";
        SloNoRelation: "“{0}” has no limit: write a metric, one of < <= > >=, and a value, such as first_visible<800ms.", "“{0}”에 한계가 없습니다. first_visible<800ms처럼 지표, < <= > >= 중 하나, 값을 적으세요.";
        SloMetric: "There is no metric “{0}”; there are {1}.", "“{0}” 지표는 없습니다. 쓸 수 있는 지표: {1}.";
        SloPercentile: "There is no percentile “{0}”; there are p50, p90, p95, p99 and p99.9.", "“{0}” 백분위수는 없습니다. p50, p90, p95, p99, p99.9를 쓸 수 있습니다.";
        SloNotAStatistic: "“{0}” is of one request: say which percentile of it, such as p95({0}), or use error_rate or pass_rate.", "“{0}”은(는) 요청 하나의 값입니다. p95({0})처럼 백분위수를 정하거나 error_rate 또는 pass_rate를 쓰세요.";
        SloNotOfOneRequest: "“{0}” is of many requests: a threshold is on a metric of each request, such as first_visible<800ms.", "“{0}”은(는) 여러 요청의 값입니다. 여기에는 first_visible<800ms처럼 요청마다의 지표를 적으세요.";
        SloLimit: "“{0}” is not a limit of {1}: write a number with {2}.", "“{0}”은(는) {1}의 한계가 아닙니다. 숫자와 단위를 적으세요: {2}.";
    }
}

/// Why a text is no limit, and what would be one.
pub fn slo_problem(lang: Lang, problem: &SloError) -> String {
    let say = |key: Cmp, values: &[&str]| fill(key.get(lang), values);
    match problem {
        SloError::NoRelation(text) => say(Cmp::SloNoRelation, &[text]),
        SloError::Metric { name } => say(Cmp::SloMetric, &[name, &NAMES.map(|(name, _)| name).join(", ")]),
        SloError::Percentile(name) => say(Cmp::SloPercentile, &[name]),
        SloError::NotAStatistic(name) => say(Cmp::SloNotAStatistic, &[name]),
        SloError::NotOfOneRequest(name) => say(Cmp::SloNotOfOneRequest, &[name]),
        SloError::Limit { text, name, units } => say(Cmp::SloLimit, &[text, name, units]),
    }
}
