//! Texts of the results.

use super::catalogue::messages;

messages! {
    /// Texts of results, reasons, outcomes and notes.
    Res {
        AbsNotReached: "The request ended before this", "요청이 그 전에 끝났습니다";
        AbsNonStreaming: "The whole answer came at once, so there is no first part", "응답 전체가 한 번에 와서 첫 부분이 없습니다";
        AbsSinglePrediction: "A single result has no first token", "단일 결과에는 첫 토큰이 없습니다";
        AbsNoOutput: "The reply held no such output", "응답에 그런 출력이 없었습니다";
        AbsRule: "The answer never met the rule for useful output", "응답이 유용한 출력의 규칙을 만족하지 못했습니다";
        AbsNoTao: "The server hides its timing from this page. Add the response header Timing-Allow-Origin: *", "서버가 이 페이지에 타이밍을 숨깁니다. 응답 헤더 Timing-Allow-Origin: *를 추가하세요";
        AbsNoResourceTiming: "The browser gave no network timing for this request", "브라우저가 이 요청의 네트워크 타이밍을 주지 않았습니다";
        AbsEngineLacks: "This browser does not report it", "이 브라우저는 알려 주지 않습니다";
        AbsHidden: "The page was hidden between request and paint", "요청과 표시 사이에 페이지가 가려졌습니다";
        AbsOffScreen: "The answer was outside the visible part of the page", "응답이 화면에 보이는 영역 밖에 있었습니다";
        AbsNotPainted: "Not in the painted subset: more answers at once than fit on the screen", "표시 표본에 없음: 동시에 온 응답이 화면에 다 들어가지 않습니다";
        AbsAborted: "Ended before the paint", "표시되기 전에 끝났습니다";
        AbsNoPaintEntry: "The browser reported no paint within a second", "브라우저가 1초 안에 표시를 알려 주지 않았습니다";
        AbsClosedLoop: "Only loads with a schedule have it", "일정이 있는 부하에만 있습니다";
        AbsNoInput: "No click or key press caused this request", "클릭이나 키 입력으로 보낸 요청이 아닙니다";
        AbsNoTerminator: "The format has no end marker", "이 형식에는 끝 표시가 없습니다";
        AbsTokensUnknown: "The number of output tokens is not known. Ask the server for usage", "출력 토큰 수를 모릅니다. 서버에 usage를 요청하세요";
        AbsTooFew: "Too few values", "값이 너무 적습니다";
        AbsTooShort: "Too short a time for a rate", "속도를 말하기에는 시간이 너무 짧습니다";
        AbsNeverAtTarget: "Concurrency never stood at its target", "동시 요청 수가 목표에 이르지 못했습니다";
        AbsNoReport: "The server reported nothing that can be compared", "서버가 비교할 수 있는 값을 보고하지 않았습니다";
        AbsInconsistent: "The server's report does not fit into the measured time (unit, boundary or overlap), so nothing is drawn from it", "서버 보고가 측정한 시간과 맞지 않아(단위, 경계 또는 겹침) 쓰지 않습니다";
        AbsBoundsOnly: "This browser gives bounds of the instant, not the instant", "이 브라우저는 시점이 아니라 범위만 알려 줍니다";

        OutSlept: "slept", "절전됨";
        OutFrozen: "frozen", "정지됨";
        OutBackgrounded: "killed in the background", "백그라운드에서 중단";
        OutCancelled: "stopped by you", "직접 멈춤";
        OutCut: "cut at the end of the run", "측정 종료로 끊김";
        OutTimeout: "time limit", "시간 초과";
        OutHttpError: "HTTP {0}", "HTTP {0}";
        OutNetworkError: "network error", "네트워크 오류";
        OutStreamError: "error inside the reply", "응답 안의 오류";
        OutNotAStream: "not a stream", "스트림이 아님";
        OutTruncated: "truncated", "중간에 끊김";
        OutNoAnswer: "no answer", "응답 없음";
        OutComplete: "complete", "완료";

        AdviceKey: "The server refused the key. Check the API key and the headers; nothing else about the endpoint was measured.", "서버가 키를 거부했습니다. API 키와 헤더를 확인하세요.";
        AdvicePath: "Nothing answers at this path. Check the URL: it must be the full address, such as …/v1/chat/completions.", "이 경로에는 응답하는 것이 없습니다. …/v1/chat/completions처럼 전체 주소인지 확인하세요.";
        AdviceRateLimit: "The server asks for fewer requests. Lower the concurrency or wait; nothing is sent again by itself.", "서버가 요청을 줄이라고 합니다. 동시 요청을 줄이거나 기다리세요. 스스로 다시 보내지 않습니다.";
        AdviceBadRequest: "The server did not accept the request. Its message below says why; check model and body.", "서버가 요청을 받아들이지 않았습니다. 아래 메시지를 보고 모델과 본문을 확인하세요.";
        AdviceServer: "The server failed. Its log says more than a page can see.", "서버 오류입니다. 서버 로그에 더 자세한 내용이 있습니다.";
        AdviceHttp: "The server did not answer with a success.", "서버가 성공으로 응답하지 않았습니다.";
        AdviceNetwork: "The browser does not tell a page which of these it was: the server is not running or not reachable; it sends no Access-Control-Allow-Origin for this page; its reply to the preflight (OPTIONS) does not allow the method or a header such as Authorization or Content-Type; name or certificate is wrong; an extension blocks it; the connection was reset. The browser's developer console names the cause.", "브라우저는 원인을 페이지에 알려 주지 않습니다. 서버가 꺼져 있거나 닿지 않음, 이 페이지에 대한 Access-Control-Allow-Origin이 없음, 사전 요청(OPTIONS)이 메서드나 Authorization·Content-Type 같은 헤더를 허용하지 않음, 이름이나 인증서 문제, 확장 프로그램의 차단, 연결 끊김 중 하나입니다. 개발자 콘솔에 원인이 나옵니다.";
        AdviceStreamError: "The stream began with a success and then carried an error. Its times are in no figure.", "스트림이 성공으로 시작한 뒤 오류를 보냈습니다. 이 요청의 시간은 수치에 넣지 않습니다.";
        AdviceNotAStream: "A stream was asked for and one whole reply came. It has no first-token figures. Check that the endpoint streams, or measure it without streaming.", "스트림을 요청했지만 전체 응답이 한 번에 왔습니다. 첫 토큰 수치가 없습니다. 엔드포인트가 스트리밍을 지원하는지 확인하거나 비스트리밍으로 측정하세요.";
        AdviceTruncated: "The reply ended without its end marker or a finish reason: the server or something between cut it.", "끝 표시나 완료 이유 없이 응답이 끝났습니다. 서버나 중간 장치가 끊었습니다.";
        AdviceNoAnswer: "The reply ended well, but held nothing that a user would see.", "응답은 잘 끝났지만 사용자가 볼 것이 없었습니다.";
        AdviceTimeout: "The reply did not end within the time limit. It counts as “at least this long”. Raise the limit to see more.", "시간 제한 안에 끝나지 않았습니다. “적어도 이만큼”으로 셉니다. 더 보려면 제한을 늘리세요.";

        NoteUnterminated: "The last event came without its blank line; it was taken all the same.", "마지막 이벤트에 빈 줄이 없었지만 그대로 받았습니다.";
        NoteUnreadable: "An event could not be read and was left out: {0}", "읽을 수 없는 이벤트를 제외했습니다: {0}";
        NoteTwoReasonings: "Two reasoning fields held different texts; one was counted.", "두 추론 필드의 내용이 달라 하나만 셌습니다.";
        NoteJsonCut: "The JSON ends in the middle.", "JSON이 중간에 끊겼습니다.";
        NoteNotJson: "The body was said to be JSON and is not: {0}", "본문이 JSON이라고 했지만 아닙니다: {0}";
        NoteHtml: "The server answered with a web page ({0}), not with data. The URL probably names a site and not its API.", "서버가 데이터가 아닌 웹 페이지({0})로 응답했습니다. URL이 API가 아니라 사이트를 가리키는 것 같습니다.";
        NoteUnknownFormat: "The reply's content type “{0}” is not one that is understood yet, so its text was not read.", "응답의 콘텐츠 유형 “{0}”은(는) 아직 지원하지 않아 읽지 않았습니다.";
        NoteNoEndMarker: "A finish reason came, the end marker [DONE] did not.", "완료 이유는 왔지만 끝 표시 [DONE]은 오지 않았습니다.";
        NoteServerSaid: "The server said: {0}", "서버의 말: {0}";
        NoteBrowserError: "The browser said: {0}", "브라우저의 말: {0}";
        NoteStreamedUnasked: "The server streamed although it was not asked to; the answer was shown whole.", "요청하지 않았는데 서버가 스트리밍했습니다. 응답은 한 번에 표시했습니다.";
        NoteEndUnverified: "This format has no end marker: a reply that was cut can't be told from one that ended.", "이 형식에는 끝 표시가 없어, 끊긴 응답과 끝난 응답을 구별할 수 없습니다.";
    }
}
