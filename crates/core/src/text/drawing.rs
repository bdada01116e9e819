//! Texts of how answers are drawn, and of what that costs.

use crate::text::catalogue::messages;

messages! {
    /// Texts of how answers are drawn.
    Draw {
        Rendering: "how the answer is drawn", "응답을 그리는 방식";
        AsMarkdown: "drawn as Markdown", "마크다운으로 그림";
        AsPlain: "drawn as plain text", "일반 텍스트로 그림";
        Title: "What drawing the answers cost", "응답을 그리는 데 든 시간";
        Gaps: "{0}: {1} p50 {2} ms, p95 {3} ms (n = {4}); from arrival to the screen.", "{0}: {1} p50 {2} ms, p95 {3} ms(n = {4}). 도착부터 화면까지입니다.";
        GapBounds: "{0}: {1} p50 {2}–{3} ms, p95 {4}–{5} ms (n = {6}); from arrival to the screen, as far as this browser bounds it.", "{0}: {1} p50 {2}–{3} ms, p95 {4}–{5} ms(n = {6}). 도착부터 화면까지이며, 이 브라우저가 알려 주는 범위입니다.";
        NoLongFrames: "{0}: no frame over 50 ms while {1} answers came.", "{0}: 응답 {1}개가 오는 동안 50 ms를 넘는 프레임이 없었습니다.";
        LongFrames: "{0}: frames over 50 ms in {1} of {2} answers while they came; the longest took {3} ms.", "{0}: 응답 {2}개 중 {1}개에서 오는 동안 50 ms를 넘는 프레임이 있었습니다. 가장 긴 것은 {3} ms입니다.";
        FactFrames: "Frames over 50 ms", "50 ms를 넘는 프레임";
        FactFramesNone: "none while the answer came", "응답이 오는 동안 없음";
        FactFramesOf: "{0}, the longest {1} ms", "{0}개, 가장 긴 것 {1} ms";
    }
}
