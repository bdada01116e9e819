//! Texts of loads: their shapes in the context of a figure, what limited a run, and what is wrong with a load.

use super::{Lang, fill};
use crate::format::percent;
use crate::load::{ClientLimit, Over, Saturated, Wrong};
use crate::text::catalogue::messages;

messages! {
    /// Texts of loads.
    LoadText {
        Closed: "closed loop, {0} at once", "닫힌 루프, 동시 {0}개";
        Even: "open loop, even, {0}", "열린 루프, 같은 간격, {0}";
        Poisson: "open loop, Poisson, {0}", "열린 루프, 푸아송, {0}";
        Gamma: "open loop, gamma (burstiness {1}), {0}", "열린 루프, 감마(버스트 {1}), {0}";
        Rate: "{0}/s", "초당 {0}회";
        RampRate: "{0} → {1}/s in {2} s", "{2}초 동안 초당 {0} → {1}회";
        StepsRate: "steps of {0}/s", "초당 {0}회 단계";
        ClosedSteps: "closed loop, steps of {0} at once", "닫힌 루프, 동시 {0}개 단계";
        SweepRate: "sweep over {0}/s, {1} requests each", "초당 {0}회 스윕, 각 {1}회";
        ClosedSweep: "closed loop, sweep over {0} at once, {1} requests each", "닫힌 루프, 동시 {0}개 스윕, 각 {1}회";
        Replay: "replay of a trace, speed {0}", "기록 재생, 속도 {0}배";
        For: "for {0} s", "{0}초 동안";
        AtMost: "at most {0} under way", "최대 동시 {0}개";
        Cancelling: "{0} % cancelled as planned after {1}–{2} s", "계획에 따라 {0} %를 {1}–{2}초 뒤 취소";
        Against: "interleaved with a candidate, one in {0}", "후보와 교차, {0}회 중 1회";
        ClosedLoopOmits: "A closed loop can’t show what a stall does to users who would have come meanwhile: it sends nothing while it waits. An open loop’s response time shows it.", "닫힌 루프는 멈춤 동안 왔을 사용자의 대기를 보여 줄 수 없습니다. 기다리는 동안 아무것도 보내지 않기 때문입니다. 열린 루프의 응답 시간이 이를 보여 줍니다.";
        Corrected: "At one request every {0} ms, which is an assumption, {1} more requests would have come while others were waited for. Their times below are invented.", "{0} ms마다 요청이 하나씩 온다고 가정하면, 다른 응답을 기다리는 동안 요청 {1}개가 더 왔을 것입니다. 아래에서 이 요청들의 시간은 지어낸 값입니다.";
        CorrectedTooMany: "At one request every {0} ms more than a million requests would have come: no correction is made. Choose a longer interval.", "{0} ms마다 요청이 온다고 가정하면 백만 개가 넘게 왔을 것이므로 보정하지 않았습니다. 간격을 늘리세요.";
        CorrectedTitle: "Measured, and with the expected interval (invented samples)", "측정값과 예상 간격 보정값(지어낸 표본 포함)";
        CorrectedRow: "{0}, corrected", "{0}, 보정";
        StampLag: "Timers of the thread that stamps fired late by p50 {0} ms, p99 {1} ms, max {2} ms (n = {3}): so late may a stamp be.", "시각을 기록하는 스레드의 타이머 지연: p50 {0} ms, p99 {1} ms, 최대 {2} ms (n = {3}). 기록 시각이 그만큼 늦을 수 있습니다.";
        Paused: "paused for {0} s while the page was hidden or stood still; nothing was caught up", "페이지가 가려지거나 멈춘 동안 {0}초 쉬었고, 밀린 요청을 몰아 보내지 않았습니다";
        RateAchieved: "{0} of {1} requests/s wanted", "목표 초당 {1}회 중 {0}회";
        LimitSchedule: "client-limited: requests were sent late (p95 {0} ms, limit {1} ms)", "클라이언트 한계: 요청을 늦게 보냄(p95 {0} ms, 기준 {1} ms)";
        LimitInFlight: "client-limited: {0} of {1} requests waited for a place in the client’s own queue", "클라이언트 한계: 요청 {1}개 중 {0}개가 클라이언트 대기열에서 자리를 기다림";
        LimitMainThread: "client-limited: the main thread was blocked for {0} % of the waits", "클라이언트 한계: 대기 시간의 {0} % 동안 메인 스레드가 막힘";
        LimitStamping: "client-limited: arrivals were stamped late (p99 {0} ms, limit {1} ms)", "클라이언트 한계: 수신 시각을 늦게 기록함(p99 {0} ms, 기준 {1} ms)";
        SaturatedFailures: "saturated: {0} % of the requests failed or were cut", "포화: 요청의 {0} %가 실패하거나 잘림";
        SaturatedBehind: "saturated: completed {0} % of the wanted rate", "포화: 목표 속도의 {0} %만 완료";
        SaturatedNoGain: "saturated: throughput changed by {0} % over the level before, and latency rose", "포화: 이전 단계보다 처리량이 {0} % 변했고 지연은 늘어남";
        Field: "Load", "부하";
        WrongRate: "A rate must be above 0 and at most 10,000 requests per second.", "속도는 0보다 크고 초당 10,000회 이하여야 합니다.";
        WrongConcurrency: "The concurrency of a step must be a whole number from 1 to 256.", "단계의 동시 요청 수는 1에서 256 사이의 정수여야 합니다.";
        WrongBurstiness: "The burstiness must be from 0.01 to 100; 1 is Poisson.", "버스트 값은 0.01에서 100 사이여야 합니다. 1은 푸아송입니다.";
        WrongTime: "A time of the load must be above 0 and at most a day.", "부하의 시간은 0보다 길고 하루 이하여야 합니다.";
        WrongLength: "Give from 1 to 1,000 steps or levels, and from 1 to 100,000 times of a trace.", "단계는 1개에서 1,000개, 기록의 시각은 1개에서 100,000개까지 넣을 수 있습니다.";
        WrongEndless: "Each step needs a time or a number of requests.", "단계마다 시간이나 요청 수가 필요합니다.";
        WrongNotRising: "The levels of a sweep must rise: it stops at the first that is saturated.", "스윕의 단계는 점점 커져야 합니다. 처음 포화된 단계에서 멈춥니다.";
        WrongOrder: "The times of a trace must be in order and not negative.", "기록의 시각은 순서대로이고 음수가 아니어야 합니다.";
        WrongSpeed: "The speed of a replay must be from 0.001 to 1,000.", "재생 속도는 0.001에서 1,000 사이여야 합니다.";
        WrongCancel: "The share of cancelled requests must be from 0 to 1, and its times in order.", "취소 비율은 0에서 1 사이, 시각은 순서대로여야 합니다.";
        WrongInFlight: "The most requests under way at once must be from 1 to 256.", "최대 동시 요청 수는 1에서 256 사이여야 합니다.";
        WrongTwo: "Compare streaming with not, or two endpoints, or cache on with off: one at a time.", "스트리밍 여부, 두 엔드포인트, 캐시 여부 중 한 번에 하나만 비교할 수 있습니다.";
        WrongTooMany: "This load may send more than a million requests: ask for fewer, or for fewer levels.", "이 부하는 요청을 백만 번 넘게 보낼 수 있습니다. 요청 수나 단계 수를 줄이세요.";
        WrongExpected: "An expected interval must be above 0 and is for closed loops: an open loop keeps its own.", "예상 간격은 0보다 길어야 하고 닫힌 루프에만 씁니다. 열린 루프에는 자체 간격이 있습니다.";
        WrongTurns: "Turns of a conversation wait for answers, which an open loop does not. Choose a closed loop.", "대화의 차례는 응답을 기다리지만 열린 루프는 기다리지 않습니다. 닫힌 루프를 고르세요.";
        WrongCandidate: "The candidate gets one request in 2 to 1,000.", "후보는 2회에서 1,000회 중 1회를 받습니다.";
    }
}

/// What is wrong with a load.
pub fn load_wrong(lang: Lang, wrong: Wrong) -> &'static str {
    match wrong {
        Wrong::Rate => LoadText::WrongRate,
        Wrong::Concurrency => LoadText::WrongConcurrency,
        Wrong::Burstiness => LoadText::WrongBurstiness,
        Wrong::Time => LoadText::WrongTime,
        Wrong::Length => LoadText::WrongLength,
        Wrong::EndlessStep => LoadText::WrongEndless,
        Wrong::NotRising => LoadText::WrongNotRising,
        Wrong::TraceOrder => LoadText::WrongOrder,
        Wrong::Speed => LoadText::WrongSpeed,
        Wrong::Cancel => LoadText::WrongCancel,
        Wrong::InFlight => LoadText::WrongInFlight,
        Wrong::TwoComparisons => LoadText::WrongTwo,
        Wrong::TooMany => LoadText::WrongTooMany,
        Wrong::ExpectedInterval => LoadText::WrongExpected,
        Wrong::Turns => LoadText::WrongTurns,
        Wrong::Candidate => LoadText::WrongCandidate,
    }
    .get(lang)
}

/// Why a run was limited by the client.
pub fn client_limit(lang: Lang, limit: ClientLimit) -> String {
    let ms = |time: crate::Micros| crate::format::significant(time.as_ms(), 0);
    match limit {
        ClientLimit::Schedule(p95) => fill(LoadText::LimitSchedule.get(lang), &[&ms(p95), &ms(crate::load::LATE)]),
        ClientLimit::InFlight(n, of) => {
            let [n, of] = [n, of].map(|n| crate::format::count(n as usize));
            fill(LoadText::LimitInFlight.get(lang), &[&n, &of])
        }
        ClientLimit::MainThread(share) => fill(LoadText::LimitMainThread.get(lang), &[&percent(share)]),
        ClientLimit::Stamping(p99) => fill(LoadText::LimitStamping.get(lang), &[&ms(p99), &ms(crate::load::STAMPING_LAG)]),
    }
}

/// Why a level is saturated.
pub fn saturated(lang: Lang, why: Saturated) -> String {
    let (text, share) = match why {
        Saturated::Failures(share) => (LoadText::SaturatedFailures, share),
        Saturated::FallsBehind(share) => (LoadText::SaturatedBehind, share),
        Saturated::NoGain(share) => (LoadText::SaturatedNoGain, share),
    };
    fill(text.get(lang), &[&percent(share)])
}

/// Steps or a sweep over rate are said after the spacing; over concurrency they say all.
pub(crate) fn levels_text(over: Over, sweep: bool) -> LoadText {
    match (over, sweep) {
        (Over::Rate, false) => LoadText::StepsRate,
        (Over::Rate, true) => LoadText::SweepRate,
        (Over::Concurrency, false) => LoadText::ClosedSteps,
        (Over::Concurrency, true) => LoadText::ClosedSweep,
    }
}
