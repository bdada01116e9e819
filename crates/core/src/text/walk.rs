//! Texts of one slow request read backwards.

use super::catalogue::messages;

messages! {
    /// Texts of reading a request backwards.
    WalkText {
        NoRequest: "There is no request {0} in this run.", "이 측정에 요청 {0}이 없습니다.";
        Failed: "Request {0} ended as “{1}”, so its wait is not compared with others. {2}", "요청 {0}은 “{1}”(으)로 끝나 다른 요청과 비교하지 않습니다. {2}";
        NoParts: "The wait of request {0} can’t be taken apart: {1}.", "요청 {0}의 기다림을 나눌 수 없습니다: {1}.";
        NoPeers: "The wait of request {0} can’t be compared: needs ≥ {1} requests with the same evidence, has {2}.", "요청 {0}의 기다림을 비교할 수 없습니다. 같은 증거가 있는 요청 {1}개 이상 필요, 현재 {2}개.";
        NotSlow: "Request {0} is not slow: {1} after {2} ms, the run’s median is {3} ms (n = {4}).", "요청 {0}은 느리지 않습니다. {1} {2} ms, 중앙값 {3} ms(n = {4}).";
        Slow: "{1} of request {0} took {2} ms, {3} ms more than the run’s median of {4} ms (n = {5}).", "요청 {0}의 {1} {2} ms, 중앙값 {4} ms보다 {3} ms 깁니다(n = {5}).";
        Explained: "Read backwards, the first stage that explains it is “{0}”: {1} ms more than usual, {2} % of the excess.", "거꾸로 따라가면 처음으로 설명되는 단계는 “{0}”입니다. 평소보다 {1} ms 더 걸려 초과분의 {2} %입니다.";
        EvidenceEnds: "Nothing that was measured or reported divides this stage further: here evidence ends.", "측정이나 보고로 이 단계를 더 나눌 수 없습니다. 증거는 여기까지입니다.";
        Unexplained: "No single stage covers half of the excess; the most is “{0}” with {1} ms ({2} %).", "초과분의 절반을 넘는 단계가 없습니다. 가장 큰 것은 “{0}” {1} ms({2} %)입니다.";
        Explains: "explains it", "설명됨";
        DoesNot: "does not explain it", "설명되지 않음";
        CantTell: "can’t tell", "알 수 없음";
        Blocked: "the main thread was blocked for {0} ms of the wait", "그중 {0} ms 동안 메인 스레드가 막힘";
        NotBlocked: "no block of the main thread was noted", "메인 스레드가 막힌 기록 없음";
        FirstByte: "first byte {0} ms after the request went out, {1} ms from there to the last read it waits for", "요청이 나간 뒤 {0} ms에 첫 바이트, 거기서 마지막으로 기다린 읽기까지 {1} ms";
        NoFirstByte: "when the first byte came is not known: {0}", "첫 바이트 시각을 알 수 없음: {0}";
        UnderWay: "{0} other requests were under way when it was sent", "보낼 때 다른 요청 {0}개가 진행 중";
        Reported: "{0} = {1} {2} ({3})", "{0} = {1} {2}({3})";
        Stamped: "from the server’s stamps, ± {0} ms", "서버가 찍은 시각으로 계산, ± {0} ms";
        Wire: "connecting {0} ms, waiting in the browser {1} ms", "연결 {0} ms, 브라우저 안 대기 {1} ms";
        SentLate: "sent {0} ms after it was due", "예정보다 {0} ms 늦게 보냄";
        AtOnce: "sent as soon as it was due", "예정된 때 보냄";
    }
}
