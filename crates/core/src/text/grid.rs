//! Texts of runs that many browsers took part in.

use super::Lang;
use super::catalogue::messages;
use crate::report::Lost;

messages! {
    /// Texts of many browsers.
    GridText {
        Title: "Browsers", "브라우저";
        Load: "{0} browsers × {1}", "브라우저 {0}개 × {1}";
        LoadSome: "{0} of {1} browsers × {2}", "브라우저 {1}개 중 {0}개 × {2}";
        AllTogether: "All {0} browsers measured at the same time for {1} s; began {2} ms apart, as asked.", "브라우저 {0}개가 모두 {1}초 동안 동시에 측정했습니다. 시작 간격은 요청대로 {2} ms입니다.";
        NotTogether: "The {0} browsers that gave a run never all measured at the same time; at most {1} did, lost ones counted. The load was smaller than {0} browsers make.", "결과를 준 브라우저 {0}개가 모두 동시에 측정한 때는 없었습니다. 잃은 것까지 세어 최대 {1}개였습니다. 부하는 브라우저 {0}개의 부하보다 작았습니다.";
        SomeLost: "{0} of {1} browsers gave no run: their requests are in no figure, and those that the others sent met a smaller load from then on.", "브라우저 {1}개 중 {0}개가 측정 결과를 주지 않았습니다. 그 요청은 어떤 수치에도 없으며, 그 뒤로 다른 브라우저의 요청은 더 작은 부하를 만났습니다.";
        LostTitle: "Browsers that gave no run", "측정 결과를 주지 않은 브라우저";
        ColBrowser: "Browser", "브라우저";
        ColWhy: "Why", "이유";
        ColSaid: "Said", "전달된 말";
        ByKind: "By kind of browser", "브라우저 종류별";
        ByBrowser: "By browser", "브라우저별";
        LostNoSession: "no session was opened", "세션이 열리지 않음";
        LostNotOpened: "the page could not be opened", "페이지를 열 수 없음";
        LostNotFetched: "the page did not fetch its job", "페이지가 작업을 가져가지 않음";
        LostCouldNotBegin: "the page could not begin", "페이지가 시작할 수 없음";
        LostWentAway: "it went away while it measured", "측정하는 동안 사라짐";
        LostNoReport: "it did not report in time", "제때 결과를 보내지 않음";
        LostUnreadable: "its report can’t be read", "결과를 읽을 수 없음";
    }
}

/// Why a browser gave no run.
pub fn lost(lang: Lang, why: Lost) -> &'static str {
    match why {
        Lost::NoSession => GridText::LostNoSession,
        Lost::NotOpened => GridText::LostNotOpened,
        Lost::NotFetched => GridText::LostNotFetched,
        Lost::CouldNotBegin => GridText::LostCouldNotBegin,
        Lost::WentAway => GridText::LostWentAway,
        Lost::NoReport => GridText::LostNoReport,
        Lost::Unreadable => GridText::LostUnreadable,
    }
    .get(lang)
}
