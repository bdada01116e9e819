//! Texts of figures: names, definitions, context, sentences.

use super::Lang;
use super::catalogue::messages;
use crate::metrics::Metric;

messages! {
    /// Texts of figures and their context.
    Sum {
        BuiltIn: "built-in “{0}”", "내장 “{0}”";
        Streaming: "streaming", "스트리밍";
        NotStreaming: "not streaming", "비스트리밍";
        Both: "streaming and not, interleaved", "스트리밍·비스트리밍 번갈아";
        Sizes: "{0} in / {1} out tokens", "입력 {0} / 출력 {1} 토큰";
        Clock: "clock ±{0} ms", "시계 ±{0} ms";
        Joint: "worker clock joined to ±{0} ms", "워커 시계 결합 ±{0} ms";
        InWorker: "read in a worker", "워커에서 읽음";
        InWorkerThroughMain: "read in a worker, which this browser feeds through the page’s main thread", "워커에서 읽지만 이 브라우저는 페이지의 메인 스레드를 거쳐 전달함";
        OnMain: "read on the page’s main thread", "페이지의 메인 스레드에서 읽음";
        NoWorker: "read on the page’s main thread, since no worker could be started", "워커를 시작할 수 없어 페이지의 메인 스레드에서 읽음";
        Isolated: "cross-origin isolated", "교차 출처 격리됨";
        NotIsolated: "not cross-origin isolated (coarser clock)", "교차 출처 격리 안 됨(시계가 더 거침)";
        MergedOf: "{0} runs merged ({1})", "측정 {0}개를 합침({1})";
        Frames: "{0} frames/s", "초당 {0}프레임";
        StatisticP50: "p50, n = {0}", "p50, n = {0}";
        StatisticN: "n = {0}, 95 % intervals from order statistics", "n = {0}, 순서 통계 95 % 구간";
        StatisticPooled: "n = {0} gaps of {1} requests, 95 % intervals from a bootstrap over requests", "요청 {1}개의 간격 n = {0}, 요청 단위 부트스트랩 95 % 구간";
        Painted: "painted subset: {0} of {1} requests", "표시 표본: 요청 {1}개 중 {0}개";
        Needs: "needs ≥ {0}", "{0}개 이상 필요";
        NeedsRequests: "needs ≥ {0} requests", "요청 {0}개 이상 필요";
        EdgeEarliest: "{0}: not earlier than", "{0}: 빨라도";
        EdgeLatest: "{0}: not later than", "{0}: 늦어도";
        SeenFirst: "Half of the requests took {0} ms or more to show their first words.", "요청의 절반은 첫 단어를 보이기까지 {0} ms 이상 걸렸습니다.";
        SeenWhole: "Half of the requests took {0} ms or more to show their answer.", "요청의 절반은 응답을 보이기까지 {0} ms 이상 걸렸습니다.";
        SeenAtLeast: "Half of the requests took at least {0} ms to show anything; this browser gives bounds only.", "요청의 절반은 무언가 보이기까지 적어도 {0} ms 걸렸습니다. 이 브라우저는 범위만 알려 줍니다.";
        ReceivedFirst: "Half of the requests took {0} ms or more until their first words were received; when they were seen was not measured.", "요청의 절반은 첫 단어를 받기까지 {0} ms 이상 걸렸습니다. 언제 보였는지는 측정하지 못했습니다.";
        ReceivedWhole: "Half of the requests took {0} ms or more until their answer was received; when it was seen was not measured.", "요청의 절반은 응답을 받기까지 {0} ms 이상 걸렸습니다. 언제 보였는지는 측정하지 못했습니다.";
        NothingMeasured: "No request gave a figure. The list of requests says why.", "수치를 준 요청이 없습니다. 요청 목록에 이유가 있습니다.";
        OutsideFirst: "In the typical request {0} ms of that wait, {1} % of it, passed outside what the server reports (n = {2}).", "보통의 요청에서 그 기다림 중 {0} ms({1} %)는 서버가 보고한 시간 밖에서 지나갔습니다(n = {2}).";
        OutsideComplete: "Of the wait for the complete answer, {0} ms in the typical request ({1} %) passed outside what the server reports (n = {2}).", "전체 응답을 기다린 시간 중 보통의 요청에서 {0} ms({1} %)는 서버가 보고한 시간 밖에서 지나갔습니다(n = {2}).";
        ServerSilent: "The server reported no time that can be compared, so nothing is said about where the wait passed.", "서버가 비교할 수 있는 시간을 보고하지 않아, 기다림이 어디에서 지나갔는지 말할 수 없습니다.";
        ServerInconsistent: "The server's report does not fit into the measured time, so it is not compared.", "서버 보고가 측정한 시간과 맞지 않아 비교하지 않습니다.";
        PartClientQueue: "waiting in the client's own queue", "클라이언트 대기열";
        PartBeforeRequest: "browser: queue, connection, preflight", "브라우저: 대기, 연결, 사전 요청";
        PartServer: "server: {0}", "서버: {0}";
        PartRender: "from arrival to screen", "도착에서 화면까지";
        PartUnattributed: "unattributed", "설명되지 않음";
        NameTtfb: "Time to first byte", "첫 바이트까지";
        NameFirstEvent: "Time to first event", "첫 이벤트까지";
        NameTtft: "Time to first token, any channel", "첫 토큰까지(모든 채널)";
        NameFirstAnswer: "Time to first answer token", "첫 응답 토큰까지";
        NameFirstUseful: "Time to first useful output", "첫 유용한 출력까지";
        NameFirstVisible: "Time to first visible output", "첫 표시까지";
        NameEndToEnd: "End-to-end, last token", "마지막 토큰까지";
        NameLastAnswer: "Time to last answer token", "마지막 응답 토큰까지";
        NameCompleteVisible: "Time to complete, visible", "전체 표시까지";
        NameGeneration: "Generation time", "생성 시간";
        NameTpot: "Mean inter-token latency (TPOT)", "토큰 간 평균 지연(TPOT)";
        NameInterChunk: "Inter-chunk gap", "청크 간격";
        NameLongestStall: "Longest stall", "가장 긴 멈춤";
        NameRenderGapFirst: "Render gap, first", "렌더링 간격(첫)";
        NameRenderGapLast: "Render gap, last", "렌더링 간격(마지막)";
        NameOutputRate: "Output rate of a request", "요청별 출력 속도";
        NameTokensPerChunk: "Tokens per chunk", "청크당 토큰";
        NameEventsPerRead: "Events per read", "읽기당 이벤트";
        DefTtfb: "first byte − sent, from the browser's network timing. Undefined without Timing-Allow-Origin.", "첫 바이트 − 전송. 브라우저 네트워크 타이밍. Timing-Allow-Origin이 없으면 정의되지 않습니다.";
        DefFirstEvent: "first framed event − sent; a role-only chunk counts.", "첫 이벤트 − 전송. 역할만 있는 청크도 셉니다.";
        DefTtft: "first output on any channel (answer, reasoning, tool) − sent. Not for whole replies.", "모든 채널(응답, 추론, 도구)의 첫 출력 − 전송. 한 번에 오는 응답에는 없습니다.";
        DefFirstAnswer: "first answer text with a character one can see, received − sent.", "보이는 글자가 있는 첫 응답 텍스트 수신 − 전송.";
        DefFirstUseful: "answer received up to its first whole word (or the chosen rule) − sent.", "첫 온전한 단어(또는 정한 규칙)까지 수신 − 전송.";
        DefFirstVisible: "first characters on the screen − sent. Bounds only where the browser reports no paint time.", "첫 글자가 화면에 나타남 − 전송. 브라우저가 표시 시각을 주지 않으면 범위만 있습니다.";
        DefEndToEnd: "last output received − sent.", "마지막 출력 수신 − 전송.";
        DefLastAnswer: "last answer text received − sent.", "마지막 응답 텍스트 수신 − 전송.";
        DefCompleteVisible: "last of the answer on the screen − sent.", "응답의 마지막이 화면에 나타남 − 전송.";
        DefGeneration: "end-to-end − time to first token.", "마지막 토큰까지 − 첫 토큰까지.";
        DefTpot: "(end-to-end − time to first token) / (n − 1); n = output tokens. Needs two output reads.", "(마지막 토큰까지 − 첫 토큰까지) / (n − 1), n = 출력 토큰. 출력 읽기 2회 이상.";
        DefInterChunk: "time between consecutive reads that bore output, pooled over requests. Chunks are not tokens.", "출력이 있는 연속 읽기 사이의 시간. 모든 요청을 모음. 청크는 토큰이 아닙니다.";
        DefLongestStall: "largest inter-chunk gap of a request.", "요청의 가장 큰 청크 간격.";
        DefRenderGapFirst: "first visible − first answer received (whole replies: − last output).", "첫 표시 − 첫 응답 수신(한 번에 오는 응답은 − 마지막 출력).";
        DefRenderGapLast: "complete, visible − last answer received.", "전체 표시 − 마지막 응답 수신.";
        DefOutputRate: "(n − 1) / generation time. Needs 3 output reads and 50 ms.", "(n − 1) / 생성 시간. 출력 읽기 3회와 50 ms 이상.";
        DefTokensPerChunk: "output tokens / events that bore output.", "출력 토큰 / 출력이 있는 이벤트.";
        DefEventsPerRead: "framed events / reads: several in one read share one time stamp.", "이벤트 / 읽기. 한 번에 읽힌 이벤트는 시각이 같습니다.";
    }
}

/// A metric's name.
pub fn metric_name(lang: Lang, metric: Metric) -> &'static str {
    match metric {
        Metric::Ttfb => Sum::NameTtfb,
        Metric::FirstEvent => Sum::NameFirstEvent,
        Metric::Ttft => Sum::NameTtft,
        Metric::FirstAnswer => Sum::NameFirstAnswer,
        Metric::FirstUseful => Sum::NameFirstUseful,
        Metric::FirstVisible => Sum::NameFirstVisible,
        Metric::EndToEnd => Sum::NameEndToEnd,
        Metric::LastAnswer => Sum::NameLastAnswer,
        Metric::CompleteVisible => Sum::NameCompleteVisible,
        Metric::Generation => Sum::NameGeneration,
        Metric::Tpot => Sum::NameTpot,
        Metric::InterChunk => Sum::NameInterChunk,
        Metric::LongestStall => Sum::NameLongestStall,
        Metric::RenderGapFirst => Sum::NameRenderGapFirst,
        Metric::RenderGapLast => Sum::NameRenderGapLast,
        Metric::OutputRate => Sum::NameOutputRate,
        Metric::TokensPerChunk => Sum::NameTokensPerChunk,
        Metric::EventsPerRead => Sum::NameEventsPerRead,
    }
    .get(lang)
}

/// A metric's formula and when it is undefined.
pub fn metric_definition(lang: Lang, metric: Metric) -> &'static str {
    match metric {
        Metric::Ttfb => Sum::DefTtfb,
        Metric::FirstEvent => Sum::DefFirstEvent,
        Metric::Ttft => Sum::DefTtft,
        Metric::FirstAnswer => Sum::DefFirstAnswer,
        Metric::FirstUseful => Sum::DefFirstUseful,
        Metric::FirstVisible => Sum::DefFirstVisible,
        Metric::EndToEnd => Sum::DefEndToEnd,
        Metric::LastAnswer => Sum::DefLastAnswer,
        Metric::CompleteVisible => Sum::DefCompleteVisible,
        Metric::Generation => Sum::DefGeneration,
        Metric::Tpot => Sum::DefTpot,
        Metric::InterChunk => Sum::DefInterChunk,
        Metric::LongestStall => Sum::DefLongestStall,
        Metric::RenderGapFirst => Sum::DefRenderGapFirst,
        Metric::RenderGapLast => Sum::DefRenderGapLast,
        Metric::OutputRate => Sum::DefOutputRate,
        Metric::TokensPerChunk => Sum::DefTokensPerChunk,
        Metric::EventsPerRead => Sum::DefEventsPerRead,
    }
    .get(lang)
}
