//! Texts of the parts of a result that follow from limits, loads and groups.

use super::catalogue::messages;
use super::{Lang, absence, fill};
use crate::breakdown::Connection;
use crate::decision::{Answer, IfItFails, Missing};
use crate::format::count;
use crate::load::ReplayError;

messages! {
    /// Texts of those parts.
    Sec {
        ReplayEmpty: "The trace holds no times. Give one a line in ms, or JSONL or CSV with a timestamp column.", "트레이스에 시각이 없습니다. 한 줄에 하나씩 ms로, 또는 timestamp 열이 있는 JSONL이나 CSV를 넣으세요.";
        ReplayNoTime: "Line {0} of the trace holds no time: a number of milliseconds is expected.", "트레이스 {0}번째 줄에 시각이 없습니다. 밀리초 수가 필요합니다.";
        ReplayOrder: "Line {0} of the trace is earlier than the line before it. Sort the trace by time.", "트레이스 {0}번째 줄이 앞 줄보다 이릅니다. 시각순으로 정렬하세요.";
        ReplayNoColumn: "The first line of the trace is a header without a column timestamp.", "트레이스 첫 줄의 머리글에 timestamp 열이 없습니다.";
        DecisionTitle: "Decision", "결정";
        DecisionConfirmation: "Decision, on the cases held out", "결정(남겨 둔 사례)";
        AnswerPass: "Pass", "통과";
        AnswerFail: "Fail", "실패";
        AnswerOpen: "Not enough data", "데이터 부족";
        SaidPass: "Pass: “{0}”. Every criterion holds with its whole 95 % interval.", "통과: “{0}”. 모든 조건이 95 % 구간 전체로 성립합니다.";
        SaidFail: "Fail: “{0}”. A criterion is broken with its whole 95 % interval.", "실패: “{0}”. 95 % 구간 전체로 어긋난 조건이 있습니다.";
        SaidOpen: "Not enough data to decide: “{0}”.", "결정하기에 데이터가 부족합니다: “{0}”.";
        ThenDo: "If it fails: {0}.", "실패하면: {0}.";
        FailStop: "nothing is released", "출시하지 않음";
        FailFallBack: "another way takes over", "대체 수단으로 전환";
        FailOldVersion: "the old version comes back", "이전 버전으로 복귀";
        FailAsk: "somebody is asked", "누군가에게 물음";
        OwnedBy: "Owner: {0}", "책임자: {0}";
        Affects: "Affects: {0}", "영향: {0}";
        FalsifiedBy: "Proved wrong by: {0}", "반증: {0}";
        ColCriterion: "Must hold", "조건";
        ColMeasured: "Measured", "측정값";
        ColInterval: "95 % interval", "95 % 구간";
        ColAnswer: "Answer", "답";
        NoSamples: "no sample", "표본 없음";
        NoSamplesWhy: "no sample: {0}", "표본 없음: {0}";
        TooFew: "needs ≥ {0}, has {1}", "{0}개 이상 필요, 현재 {1}개";
        LimitInside: "the limit lies inside the interval", "한계가 구간 안에 있음";
        LimitInsideNeeds: "the limit lies inside the interval; ≥ {0} requests could settle it", "한계가 구간 안에 있음. {0}개 이상이면 정해질 수 있음";
        LimitsTitle: "Limits for each request", "요청별 한계";
        ColLimit: "Limit", "한계";
        ColMet: "Met", "충족";
        ColNotMet: "Not met", "미충족";
        ColNotJudged: "Not judged", "판단 불가";
        ColLeftOut: "Left out", "제외";
        ColAttainment: "Attainment", "달성률";
        AllLimits: "All of them", "모두";
        Goodput: "Goodput: {0} requests/s over {1} s", "굿풋: {1}초 동안 초당 요청 {0}개";
        GoodputTokens: "Goodput: {0} requests/s and {1} tokens/s over {2} s", "굿풋: {2}초 동안 초당 요청 {0}개, 토큰 {1}개";
        GoodputAtLeast: "{0} requests were not judged, so it is at least this.", "판단하지 못한 요청이 {0}개이므로 최소값입니다.";
        GoodputNone: "Goodput: {0}", "굿풋: {0}";
        CostTitle: "Quality and cost", "품질과 비용";
        PassRate: "{0} of {1} results passed their check ({2}).", "결과 {1}개 중 {0}개가 검사를 통과({2}).";
        Spent: "Spent: {0} {1} for {2} input and {3} output tokens.", "비용: 입력 {2}토큰, 출력 {3}토큰에 {0} {1}.";
        SpentUnknown: "{0} requests reported no count: the true cost is at least this.", "요청 {0}개는 토큰 수를 알리지 않아 실제 비용은 그 이상입니다.";
        CostPerUseful: "Cost per useful result: {0} {1}.", "유용한 결과 하나의 비용: {0} {1}.";
        FailedChecks: "Checks that failed", "통과하지 못한 검사";
        LoadTitle: "Load", "부하";
        Late: "Sent late by p50 {0} ms, p95 {1} ms, max {2} ms against the plan.", "계획보다 늦게 보냄: p50 {0} ms, p95 {1} ms, 최대 {2} ms.";
        Unsent: "{0} requests were due and never sent.", "때가 되었지만 보내지 못한 요청 {0}개.";
        StoppedByRule: "Ended early by the rule {0}, after {1} requests.", "규칙 {0}에 따라 요청 {1}개 뒤에 일찍 끝났습니다.";
        LevelsTitle: "Levels", "수준";
        ColLevel: "Level", "수준";
        ColRequests: "Requests", "요청";
        ColFailed: "Failed", "실패";
        ColSentRate: "Sent/s", "전송/초";
        ColDoneRate: "Completed/s", "완료/초";
        ColFirst: "First token p50 / p95 (ms)", "첫 토큰 p50 / p95 (ms)";
        ColEnd: "End to end p50 / p95 (ms)", "전체 p50 / p95 (ms)";
        ColSaturated: "Saturated", "포화";
        SaturatedAt: "Level {0}: {1}", "수준 {0}: {1}";
        MixedLevels: "All figures outside the table of levels mix requests of {0} levels.", "수준별 표 밖의 수치는 {0}개 수준의 요청이 섞여 있습니다.";
        OnePresent: "All other figures are of the present one alone.", "다른 수치는 모두 현재 쪽만의 것입니다.";
        DecisionCandidate: "Decision, on the candidate", "결정(후보)";
        NotSaturated: "No level was saturated.", "포화된 수준이 없습니다.";
        ServiceResponse: "Service time from sent, response time from intended", "서비스 시간은 전송부터, 응답 시간은 예정 시각부터";
        ColTime: "Time", "시간";
        Service: "{0}, service", "{0}, 서비스";
        Response: "{0}, response", "{0}, 응답";
        GroupsTitle: "Groups", "그룹";
        ByClass: "By class", "분류별";
        ByGroup: "By user group", "사용자 그룹별";
        ByTurn: "By turn", "대화 차례별";
        ByConnection: "By connection, never mixed", "연결별(섞지 않음)";
        ByOutcome: "How long requests took, by how they ended", "끝난 방식별 소요 시간";
        Cold: "opened for the request", "요청과 함께 연결";
        Warm: "open already", "이미 연결됨";
        ConnectionUnknown: "not told", "알 수 없음";
        Turn: "turn {0}", "{0}번째 차례";
        NoGroup: "no group", "그룹 없음";
        ColGroup: "Group", "그룹";
        ColFigure: "Figure (ms)", "수치 (ms)";
        Elapsed: "Elapsed", "소요 시간";
        VersusTitle: "Present and candidate, interleaved", "현재와 후보, 교차 측정";
        Present: "present", "현재";
        Candidate: "candidate", "후보";
        CompareTitle: "Compared with the saved run of {0}", "{0}에 저장한 측정과 비교";
        ColBaseline: "Saved run", "저장한 측정";
        ColThis: "This run", "이 측정";
        ColWhat: "What", "항목";
        ColDifference: "Difference (ms)", "차이 (ms)";
    }
}

/// Why the times of a replay can't be read.
pub fn replay_error(lang: Lang, error: &ReplayError) -> String {
    let of_line = |key: Sec, line: &usize| fill(key.get(lang), &[&line.to_string()]);
    match error {
        ReplayError::Empty => Sec::ReplayEmpty.get(lang).to_owned(),
        ReplayError::NoTime(line) => of_line(Sec::ReplayNoTime, line),
        ReplayError::Order(line) => of_line(Sec::ReplayOrder, line),
        ReplayError::NoColumn => Sec::ReplayNoColumn.get(lang).to_owned(),
    }
}

/// An answer in a word.
pub fn answer(lang: Lang, answer: Answer) -> &'static str {
    match answer {
        Answer::Pass => Sec::AnswerPass,
        Answer::Fail => Sec::AnswerFail,
        Answer::NotEnoughData(_) => Sec::AnswerOpen,
    }
    .get(lang)
}

/// What is missing for an answer.
pub fn missing(lang: Lang, missing: Missing) -> String {
    match missing {
        Missing::NoSamples(None) => Sec::NoSamples.get(lang).to_owned(),
        Missing::NoSamples(Some(why)) => fill(Sec::NoSamplesWhy.get(lang), &[absence(lang, why)]),
        Missing::TooFew { at_least, has } => fill(Sec::TooFew.get(lang), &[&count(at_least), &count(has)]),
        Missing::LimitInside { at_least: None } => Sec::LimitInside.get(lang).to_owned(),
        Missing::LimitInside { at_least: Some(n) } => fill(Sec::LimitInsideNeeds.get(lang), &[&count(n)]),
    }
}

/// What is done if a decision fails.
pub fn if_it_fails(lang: Lang, what: IfItFails) -> &'static str {
    match what {
        IfItFails::Stop => Sec::FailStop,
        IfItFails::FallBack => Sec::FailFallBack,
        IfItFails::OldVersion => Sec::FailOldVersion,
        IfItFails::AskSomeone => Sec::FailAsk,
    }
    .get(lang)
}

/// A connection in words.
pub fn connection(lang: Lang, connection: Connection) -> &'static str {
    match connection {
        Connection::Cold => Sec::Cold,
        Connection::Warm => Sec::Warm,
        Connection::Unknown => Sec::ConnectionUnknown,
    }
    .get(lang)
}
