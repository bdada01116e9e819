//! Texts of the chart of a server's own metrics.

use super::catalogue::messages;

messages! {
    /// Texts of the chart of a server's own metrics.
    Agg {
        Title: "What the server said of itself, over the same time", "같은 시간에 서버가 말한 자기 상태";
        OwnScale: "each on its own scale", "항목마다 따로 눈금";
        Told: "as the server told it, of all that it served", "서버가 알린 값, 처리한 전체";
        Read: "{0}: {1}, {2} s after the run began; {3} of the requests drawn here were under way then", "{0}: {1}, 측정 시작 {2}초 뒤. 여기 그린 요청 중 {3}개가 그때 진행 중";
        About: "{0}: {1} values, mean {2}, largest {3} at {4} s.", "{0}: 값 {1}개, 평균 {2}, 최대 {3}({4}초).";
        Stretch: "From {0} s to {1} s after the first request was sent, warm-up among it.", "첫 요청을 보낸 뒤 {0}초부터 {1}초까지이며 워밍업도 들어 있습니다.";
        NoKey: "Aggregates of all that the server served, other people’s requests among them: no value belongs to a request.", "다른 사람의 요청까지 서버가 처리한 전체의 합계입니다. 어떤 값도 한 요청의 것이 아닙니다.";
        ByTime: "Linked by time alone: selecting values selects the requests that were under way then, and selected requests mark the values of their time.", "시간으로만 이어집니다. 값을 고르면 그때 진행 중이던 요청이 선택되고, 선택한 요청은 그 시간의 값을 표시합니다.";
        Broken: "A line ends where a sample is missing or the server counted anew.", "표본이 빠졌거나 서버가 다시 센 곳에서 선이 끊깁니다.";
        ColTime: "After (s)", "시점(초)";
        ColQuantity: "Quantity", "항목";
        ColValue: "Value", "값";
    }
}
