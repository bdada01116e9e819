//! Texts of limits that a pipeline asks about.

use super::catalogue::messages;

messages! {
    /// Texts of limits and their answers.
    GateText {
        Passed: "holds", "충족";
        Failed: "does not hold", "미충족";
        Unknown: "can’t tell", "판단 불가";
        Measured: "measured {0}, 95 % interval {1}, n = {2}", "측정값 {0}, 95 % 구간 {1}, n = {2}";
        MeasuredAnd: "measured {0}, 95 % interval {1}, n = {2}: {3}", "측정값 {0}, 95 % 구간 {1}, n = {2}: {3}";
        NoFailures: "no request fails", "실패한 요청 없음";
        FailedOf: "{0} of {1} requests failed", "요청 {1}개 중 {0}개 실패";
        NotInBoth: "not measured in both runs in one mode", "두 측정에 같은 방식으로 잰 값이 없음";
        Changed: "{0} in the baseline, {1} now ({2}); above the allowed value by {3} (95 % interval), n = {4} and {5}", "기준 {0}, 지금 {1}({2}). 허용값보다 {3} 위(95 % 구간), n = {4}, {5}";
        ChangedNeeds: "{0} in the baseline, {1} now ({2}), n = {4} and {5}: {3}", "기준 {0}, 지금 {1}({2}), n = {4}, {5}: {3}";
        ColSaid: "Answer", "답";
        ColLimit: "Limit", "한계";
        ColFound: "Found", "결과";
        Merged: "{0} runs merged: {1} requests, {2} of them measured.", "측정 {0}개를 합쳤습니다. 요청 {1}개, 그중 측정 {2}개.";
        MergedDropped: "Probes of the server’s clock and its own metrics stay in the single runs: they are on their clocks.", "서버 시계 조사와 서버 지표는 각 측정의 시계에 딸린 것이므로 합치지 않습니다.";
        MergeRefused: "The set-ups differ, so their requests are not of one kind. Say --force to merge them all the same.", "설정이 달라 같은 종류의 요청이 아닙니다. 그래도 합치려면 --force를 쓰세요.";
        MergeDiffers: "{0} against {1}:", "{1} 대비 {0}:";
        MergeForced: "The set-ups differ; merged all the same, as asked:", "설정이 다르지만 요청대로 합쳤습니다.";
    }
}
