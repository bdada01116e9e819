//! Texts of clocks that are joined, and of the parts that follow from it.

use super::Lang;
use super::catalogue::messages;
use crate::align::Refusal;
use crate::server_report::Stage;

messages! {
    /// Texts of aligned time stamps.
    Align {
        PartOutbound: "outbound: from the browser to the server", "가는 길: 브라우저에서 서버까지";
        PartOutboundFromSent: "outbound, with the browser’s queue and connection", "가는 길(브라우저 대기와 연결 포함)";
        PartIngress: "ingress: in the server, before it counts", "진입: 서버 안, 서버가 세기 전";
        PartStages: "server: {0} → {1}", "서버: {0} → {1}";
        PartReturn: "return: from the server to the browser", "오는 길: 서버에서 브라우저까지";
        PartBound: "{0} (±{1} ms)", "{0} (±{1} ms)";
        StageReceived: "received", "수신";
        StageQueued: "queued", "대기 시작";
        StageStarted: "started", "처리 시작";
        StagePreprocessed: "preprocessed", "전처리 끝";
        StageFirstToken: "first token", "첫 토큰";
        StageFirstAnswer: "first of the answer", "응답의 처음";
        StageLastToken: "last token", "마지막 토큰";
        LegendWay: "on the way, clocks aligned", "오가는 길(시계 맞춤)";
        Aligned: "server clock aligned to ±{0} ms", "서버 시계 맞춤 ±{0} ms";
        NotAligned: "server clock not aligned: {0}", "서버 시계를 맞추지 못함: {0}";
        NotProbed: "its clock was not asked before the run, or another replica answered", "실행 전에 시계를 묻지 않았거나 다른 복제본이 답함";
        NotProbedAfter: "its clock was not asked after the run", "실행 후에 시계를 묻지 않음";
        Stepped: "before and after the run it disagrees by more than clocks drift; a clock was set", "실행 전후가 시계 오차 이상으로 어긋남. 시계가 다시 맞춰짐";
    }
}

/// A stage's name.
pub fn stage_name(lang: Lang, stage: Stage) -> &'static str {
    match stage {
        Stage::Received => Align::StageReceived,
        Stage::Queued => Align::StageQueued,
        Stage::Started => Align::StageStarted,
        Stage::Preprocessed => Align::StagePreprocessed,
        Stage::FirstToken => Align::StageFirstToken,
        Stage::FirstAnswer => Align::StageFirstAnswer,
        Stage::LastToken => Align::StageLastToken,
    }
    .get(lang)
}

/// Why a clock could not be joined.
pub fn refusal(lang: Lang, why: Refusal) -> &'static str {
    match why {
        Refusal::NotProbed => Align::NotProbed,
        Refusal::NotProbedAfter => Align::NotProbedAfter,
        Refusal::Stepped => Align::Stepped,
    }
    .get(lang)
}
