//! Texts of circumstances: a name, and what each does to the figures.

use super::Lang;
use super::catalogue::messages;
use crate::validity::Circumstance;

messages! {
    /// Texts of circumstances.
    Circ {
        WarmUp: "warm-up", "워밍업";
        WarmUpMeans: "Left out of every figure.", "모든 수치에서 제외됩니다.";
        Hidden: "page hidden", "페이지 가려짐";
        HiddenMeans: "Left out of what was seen, unless it was painted before; what was received counts.", "가려지기 전에 표시된 것이 아니면 표시 수치에서 제외됩니다. 수신 수치에는 포함됩니다.";
        OffScreen: "answer off screen", "응답이 화면 밖";
        OffScreenMeans: "Left out of what was seen; what was received counts.", "표시 수치에서 제외됩니다. 수신 수치에는 포함됩니다.";
        Covered: "answer covered", "응답이 가려짐";
        CoveredMeans: "Left out of what was seen; what was received counts.", "표시 수치에서 제외됩니다. 수신 수치에는 포함됩니다.";
        Blocked: "main thread blocked", "메인 스레드 막힘";
        BlockedMeans: "Kept: a user waits for this too. Stamps of arrival were taken in a worker and are not moved by it.", "유지: 사용자도 기다리는 시간입니다. 수신 시각은 워커에서 기록되어 영향받지 않습니다.";
        BlockedAndLate: "main thread blocked", "메인 스레드 막힘";
        BlockedAndLateMeans: "Stamps of arrival may be late by as much, since replies come through the blocked thread.", "응답이 막힌 스레드를 거치므로 수신 시각이 그만큼 늦을 수 있습니다.";
        Order: "stamps out of order", "시각 순서 어긋남";
        OrderMeans: "Kept as they were stamped: their order is wrong by the error of the clocks.", "기록된 대로 유지: 시계 오차만큼 순서가 어긋났습니다.";
        Press: "record of the press differs", "누름 기록과 다름";
        PressMeans: "The browser’s own record of what the press caused has the first words outside the bounds found here, by as much.", "누른 결과에 대한 브라우저 자체 기록의 첫 단어가 여기서 찾은 범위를 그만큼 벗어납니다.";
        Queued: "waited in the browser", "브라우저 안에서 대기";
        QueuedMeans: "Kept, and shown as the part before the request: for one of the browser’s connections (six to a host with HTTP/1.1), or for a preflight.", "유지하며 요청 전 구간으로 표시: 브라우저 연결(HTTP/1.1은 호스트당 6개)이나 사전 요청을 기다린 시간입니다.";
        Cold: "new connection", "새 연결";
        ColdMeans: "Kept; opening it is in the part before the request.", "유지; 연결 시간은 요청 전 구간에 들어 있습니다.";
        Cache: "from cache", "캐시";
        CacheMeans: "Kept, but it says nothing of the server.", "유지하지만 서버에 대해 말해 주지 않습니다.";
        ServiceWorker: "service worker", "서비스 워커";
        ServiceWorkerMeans: "Kept; the network part is that between page and service worker, which may hold replies back.", "유지; 네트워크 구간은 페이지와 서비스 워커 사이이며, 서비스 워커가 응답을 붙들 수 있습니다.";
        Redirected: "redirected", "리디렉션";
        RedirectedMeans: "Kept; the redirect is in the wait.", "유지; 리디렉션이 대기 시간에 들어 있습니다.";
        Compressed: "compressed stream", "압축된 스트림";
        CompressedMeans: "Kept; a compressor may hold events back.", "유지; 압축기가 이벤트를 붙들 수 있습니다.";
        Coalesced: "several outputs in one read", "한 번에 여러 출력";
        CoalescedMeans: "Gaps inside a read are not known; none is made up.", "한 번에 읽힌 출력 사이의 간격은 알 수 없으며 지어내지 않습니다.";
        Buffered: "buffered on the way", "중간에서 버퍼링됨";
        BufferedMeans: "The first output came later than it was made, and gaps are those of the buffer.", "첫 출력이 만들어진 뒤 늦게 왔고, 간격은 버퍼의 것입니다.";
        Patched: "fetch replaced", "fetch 교체됨";
        PatchedMeans: "Stamps are as late as what stands in place of the browser’s fetch makes them.", "브라우저의 fetch를 대신한 것만큼 시각이 늦습니다.";
        Open: "body left open", "본문이 열린 채";
        OpenMeans: "Kept; the request counts as over at the protocol’s own end.", "유지; 프로토콜의 끝에서 끝난 것으로 봅니다.";
        NoNetwork: "no network timing", "네트워크 시간 없음";
        NoNetworkMeans: "Time to first byte and the part before the request are missing.", "첫 바이트 시간과 요청 전 구간이 없습니다.";
        NotIsolated: "not cross-origin isolated", "교차 출처 격리 안 됨";
        NotIsolatedMeans: "The clock is coarser, and paint times are rounded to 4 ms.", "시계가 더 거칠고 표시 시각이 4 ms 단위로 반올림됩니다.";
        CoarseClock: "coarse clock", "거친 시계";
        CoarseClockMeans: "Differences below its step are not known.", "시계 간격보다 작은 차이는 알 수 없습니다.";
        SlowFrames: "half frame rate", "절반 프레임 속도";
        SlowFramesMeans: "Something slows drawing down (a power saver, a frame of another origin): text appears later, and without paint times no upper bound is given.", "절전 모드나 다른 출처의 프레임 등이 그리기를 늦춥니다. 글자가 늦게 나타나며, 표시 시각을 알려 주지 않는 브라우저에서는 상한이 없습니다.";
        OnMain: "read through the main thread", "메인 스레드를 거쳐 읽음";
        OnMainMeans: "Stamps of arrival are late by as much as that thread is busy; blocks over 50 ms are named at each request.", "그 스레드가 바쁜 만큼 수신 시각이 늦습니다. 50 ms를 넘는 막힘은 요청마다 표시됩니다.";
        Prerendered: "page made in advance", "미리 만들어진 페이지";
        PrerenderedMeans: "Kept; nothing of the run was fetched before somebody went to the page.", "유지; 누군가 페이지를 열기 전에는 측정을 위해 아무것도 요청하지 않았습니다.";
    }
}

/// The name, and what it means.
fn texts(circumstance: Circumstance) -> (Circ, Circ) {
    match circumstance {
        Circumstance::WarmUp => (Circ::WarmUp, Circ::WarmUpMeans),
        Circumstance::Hidden => (Circ::Hidden, Circ::HiddenMeans),
        Circumstance::OffScreen => (Circ::OffScreen, Circ::OffScreenMeans),
        Circumstance::Covered => (Circ::Covered, Circ::CoveredMeans),
        Circumstance::Blocked => (Circ::Blocked, Circ::BlockedMeans),
        Circumstance::BlockedAndLate => (Circ::BlockedAndLate, Circ::BlockedAndLateMeans),
        Circumstance::OrderViolation => (Circ::Order, Circ::OrderMeans),
        Circumstance::PressDiffers => (Circ::Press, Circ::PressMeans),
        Circumstance::Queued => (Circ::Queued, Circ::QueuedMeans),
        Circumstance::ColdConnection => (Circ::Cold, Circ::ColdMeans),
        Circumstance::FromCache => (Circ::Cache, Circ::CacheMeans),
        Circumstance::ServiceWorker => (Circ::ServiceWorker, Circ::ServiceWorkerMeans),
        Circumstance::Redirected => (Circ::Redirected, Circ::RedirectedMeans),
        Circumstance::Compressed => (Circ::Compressed, Circ::CompressedMeans),
        Circumstance::Coalesced => (Circ::Coalesced, Circ::CoalescedMeans),
        Circumstance::BufferedUpstream => (Circ::Buffered, Circ::BufferedMeans),
        Circumstance::PatchedFetch => (Circ::Patched, Circ::PatchedMeans),
        Circumstance::BodyLeftOpen => (Circ::Open, Circ::OpenMeans),
        Circumstance::NoNetworkTiming => (Circ::NoNetwork, Circ::NoNetworkMeans),
        Circumstance::NotIsolated => (Circ::NotIsolated, Circ::NotIsolatedMeans),
        Circumstance::CoarseClock => (Circ::CoarseClock, Circ::CoarseClockMeans),
        Circumstance::SlowFrames => (Circ::SlowFrames, Circ::SlowFramesMeans),
        Circumstance::ReadOnMain => (Circ::OnMain, Circ::OnMainMeans),
        Circumstance::Prerendered => (Circ::Prerendered, Circ::PrerenderedMeans),
    }
}

/// The name of a circumstance.
pub fn circumstance_name(lang: Lang, circumstance: Circumstance) -> &'static str {
    texts(circumstance).0.get(lang)
}

/// What a circumstance does to the figures.
pub fn circumstance_effect(lang: Lang, circumstance: Circumstance) -> &'static str {
    texts(circumstance).1.get(lang)
}
