//! Texts of the race page.

use super::catalogue::messages;

messages! {
    /// Texts of the race page.
    Rac {
        Title: "Race: streaming against not streaming", "경주: 스트리밍 대 비스트리밍";
        ToRace: "Race", "경주";
        ToMeasure: "Measure", "측정";
        Lead: "The same prompt at the same moment, once streaming and once not. Does it help, and what does it change?", "같은 프롬프트를 같은 순간에, 한 번은 스트리밍으로 한 번은 아니게 보냅니다. 무엇이 달라질까요?";
        Start: "Start the race", "경주 시작";
        Pairs: "Verdict from pairs", "짝 비교로 판정";
        FullScreen: "Full screen", "전체 화면";
        Stop: "Stop", "중지";
        Keys: "Keys", "단축키";
        KeyStart: "Space or Enter", "스페이스 또는 Enter";
        KeyStop: "Esc or S", "Esc 또는 S";
        Prompt: "Prompt", "프롬프트";
        Lanes: "The lanes", "레인";
        LaneStreaming: "Streaming", "스트리밍";
        LaneWhole: "Not streaming", "비스트리밍";
        LaneAt: "{0} · {1}", "{0} · {1}";
        FirstEndpoint: "first endpoint", "첫째 엔드포인트";
        SecondEndpoint: "second endpoint", "둘째 엔드포인트";
        LaneEmpty: "The answer will appear here.", "여기에 응답이 나타납니다.";
        Ready: "ready", "준비됨";
        Preparing: "getting ready", "준비 중";
        Waiting: "waiting · {0} s", "기다리는 중 · {0}초";
        Answering: "answering · {0} s", "응답하는 중 · {0}초";
        Over: "answered", "응답 완료";
        Ms: "{0} ms", "{0} ms";
        LaneMissing: "no figure: {0}", "값 없음: {0}";

        ShowedTitle: "What this one race showed", "이번 경주가 보여 준 것";
        OneEarlier: "With streaming, the first words {0} {1} ms earlier.", "스트리밍에서 첫 단어가 {1} ms 일찍 {0}.";
        OneLater: "With streaming, the first words {0} {1} ms later.", "스트리밍에서 첫 단어가 {1} ms 늦게 {0}.";
        OneSame: "The first words {0} at most {1} ms apart: which came first can’t be told.", "첫 단어는 {1} ms 이내의 차이로 {0}. 어느 쪽이 먼저인지는 알 수 없습니다.";
        OneEndEarlier: "Its last words {0} {1} ms earlier than without.", "마지막 단어는 비스트리밍보다 {1} ms 일찍 {0}.";
        OneEndLater: "Its last words {0} {1} ms later than without.", "마지막 단어는 비스트리밍보다 {1} ms 늦게 {0}.";
        OneEndSame: "The last words {0} at most {1} ms apart.", "마지막 단어는 {1} ms 이내의 차이로 {0}.";
        WereSeen: "were on the screen", "화면에 나타났습니다";
        WereReceived: "were received", "수신되었습니다";
        OneUnequal: "The answers differ in length, so their ends can’t be compared.", "두 응답의 길이가 달라 끝난 시점은 비교할 수 없습니다.";
        OneEndUnknown: "When they ended can’t be told.", "끝난 시점은 알 수 없습니다.";
        OneUnknown: "When the first words were there can’t be told, so this race shows nothing.", "첫 단어가 언제 나왔는지 알 수 없어, 이번 경주로는 아무것도 말할 수 없습니다.";
        OneFailed: "This race shows nothing: with streaming “{0}”, without “{1}”.", "이번 경주로는 아무것도 말할 수 없습니다. 스트리밍: “{0}”, 비스트리밍: “{1}”.";
        Compete: "It is one race: {0} lanes at the same moment compete for the same server and the same browser. The verdict comes from pairs, one request at a time.", "한 번의 경주일 뿐입니다. 같은 순간의 레인 {0}개는 같은 서버와 같은 브라우저를 두고 서로 경쟁합니다. 판정은 한 번에 요청 하나씩 보내는 짝 비교로 내립니다.";
        AtFirst: "First endpoint:", "첫째 엔드포인트:";
        AtSecond: "Second endpoint:", "둘째 엔드포인트:";

        PressTitle: "From the press of the button", "버튼을 누른 때부터";
        PressSent: "Until the first request was sent: {0} ms, in which Firstlight got ready; no lane’s clock counts it.", "첫 요청을 보내기까지 {0} ms. Firstlight가 준비한 시간이며 어느 레인의 시계에도 들어가지 않습니다.";
        PressPaint: "Until the page showed that it was pressed: {0} ms, as the browser reports it, in steps of 8 ms.", "눌렀다는 것이 화면에 보이기까지 {0} ms. 브라우저가 8 ms 단위로 알려 준 값입니다.";
        PressContentful: "Until the first content that the press caused was painted: {0} ms, as the browser reports it.", "누른 결과로 첫 내용이 그려지기까지 {0} ms. 브라우저가 알려 준 값입니다.";
        PressAgrees: "{0}: the browser’s own record of what the press caused has the first words within the bounds found here.", "{0}: 누른 결과에 대한 브라우저 자체 기록에서도 첫 단어가 여기서 찾은 범위 안에 있습니다.";
        PressDiffers: "{0}: the browser’s own record of what the press caused has the first words {1} ms outside the bounds found here.", "{0}: 누른 결과에 대한 브라우저 자체 기록의 첫 단어가 여기서 찾은 범위를 {1} ms 벗어납니다.";
        PressUnchecked: "{0}: not checked against the browser’s own record of what the press caused. {1}.", "{0}: 누른 결과에 대한 브라우저 자체 기록과 비교하지 못했습니다. {1}.";
        PressSmaller: "It names only content larger than all that the press caused before", "브라우저는 누른 뒤 먼저 나온 것보다 큰 내용만 기록합니다";
        PressMissing: "{0}: no figure. {1}.", "{0}: 값 없음. {1}.";
        NameSent: "Until the first request was sent", "첫 요청을 보내기까지";
        NamePaint: "Until the page showed that it was pressed", "눌렀다는 것이 화면에 보이기까지";
        NameContentful: "Until content that the press caused was painted (interaction-contentful-paint)", "누른 결과로 내용이 그려지기까지(interaction-contentful-paint)";

        VerdictTitle: "Verdict from interleaved pairs", "번갈아 잰 짝의 판정";
        VerdictEmpty: "No pairs yet. A verdict needs pairs of one streaming and one whole answer of the same length, one request at a time, in random order.", "아직 짝이 없습니다. 판정하려면 길이가 같은 스트리밍 응답과 전체 응답의 짝을, 한 번에 요청 하나씩 무작위 순서로 재야 합니다.";
        FirstEarlier: "{0}: {1} ms earlier with streaming (streaming − not streaming, 95 % interval of the median {2} ms, {3} pairs).", "{0}: 스트리밍이 {1} ms 이릅니다(스트리밍 − 비스트리밍, 중앙값의 95 % 구간 {2} ms, 짝 {3}개).";
        FirstLater: "{0}: {1} ms later with streaming (streaming − not streaming, 95 % interval of the median {2} ms, {3} pairs).", "{0}: 스트리밍이 {1} ms 늦습니다(스트리밍 − 비스트리밍, 중앙값의 95 % 구간 {2} ms, 짝 {3}개).";
        FirstOpen: "{0}: neither earlier nor later is shown ({1} ms, 95 % interval of the median {2} ms, {3} pairs).", "{0}: 이르다고도 늦다고도 할 수 없습니다({1} ms, 중앙값의 95 % 구간 {2} ms, 짝 {3}개).";
        EndSame: "{0}: the same within ±{4} ms. Streaming − not streaming is {1} ms, its 95 % interval {2} ms, {3} pairs.", "{0}: ±{4} ms 안에서 같습니다. 스트리밍 − 비스트리밍은 {1} ms, 95 % 구간 {2} ms, 짝 {3}개.";
        EndDiffers: "{0}: not the same within ±{4} ms. Streaming − not streaming is {1} ms, its 95 % interval {2} ms, {3} pairs.", "{0}: ±{4} ms 안에서 같지 않습니다. 스트리밍 − 비스트리밍은 {1} ms, 95 % 구간 {2} ms, 짝 {3}개.";
        EndOpen: "{0}: whether it is the same within ±{4} ms is open. Streaming − not streaming is {1} ms, its 95 % interval {2} ms, {3} pairs.", "{0}: ±{4} ms 안에서 같은지는 아직 알 수 없습니다. 스트리밍 − 비스트리밍은 {1} ms, 95 % 구간 {2} ms, 짝 {3}개.";
        TooFew: "{0}: not enough data. It needs ≥ {1} pairs of equal output, and has {2}.", "{0}: 데이터 부족. 출력이 같은 짝이 {1}개 이상 필요한데 {2}개 있습니다.";
        LeftOutFailed: "{0} of {1} pairs are left out: a side did not end well.", "짝 {1}개 중 {0}개는 뺐습니다. 한쪽이 제대로 끝나지 않았습니다.";
        LeftOutUnequal: "{0} of {1} pairs are left out: the answers differ in length. Set a token limit that both reach, or temperature 0.", "짝 {1}개 중 {0}개는 뺐습니다. 응답의 길이가 다릅니다. 양쪽이 다 채울 토큰 한도를 두거나 temperature를 0으로 하세요.";
        ByReceipt: "When it was on the screen this browser doesn’t bound for enough pairs: what was received is compared there.", "충분한 수의 짝에서 화면에 나타난 시점을 이 브라우저가 알려 주지 않아, 그 항목은 수신 시점으로 비교했습니다.";
        PairsOf: "n = {0} pairs, interleaved in random order", "짝 n = {0}, 무작위 순서로 번갈아 측정";
        Frames: "a screen shows something new every {0} ms", "화면은 {0} ms마다 바뀜";
        ClockError: "clocks ±{0} ms, added to both ends for the verdict", "시계 오차 ±{0} ms, 판정할 때 양 끝에 더함";
        OpenRun: "Open in the measuring page", "측정 페이지에서 열기";

        SetupTitle: "Set-up", "설정";
        PairCount: "Pairs", "짝의 수";
        PairCountHint: "For the verdict: so many requests with streaming and as many without, from 6 to 1,000.", "판정에 쓸 짝. 스트리밍과 비스트리밍 요청을 이만큼씩 보냅니다. 6~1,000.";
        Margin: "Margin for “the same”", "‘같다’고 볼 한계";
        MarginHint: "State it before you look: 100 ms, or a share of the time to completion such as 5 %.", "결과를 보기 전에 정하세요. 100 ms 같은 시간이나, 완료 시간에 대한 비율(5 % 등)입니다.";
        Second: "A second endpoint: four lanes", "둘째 엔드포인트: 레인 4개";
        SecondHint: "Asked in the same way, with the same key and headers.", "같은 방식, 같은 키와 헤더로 보냅니다.";
        SecondUrl: "URL of the second endpoint", "둘째 엔드포인트의 URL";
        SecondUrlHint: "Another address for the same kind of request.", "같은 종류의 요청을 받는 다른 주소.";
        SecondModel: "Its model", "둘째 엔드포인트의 모델";
        SecondModelHint: "Empty: the same model.", "비우면 같은 모델.";
        Spend: "A race sends {0} requests, the pairs {1}.", "경주는 요청 {0}개, 짝 비교는 {1}개를 보냅니다.";
        LinkTitle: "Link to this set-up", "이 설정의 링크";
        LinkHint: "It holds the target, the prompt, the token limit, pairs and margin. It never holds a key, headers or a body written by hand.", "대상, 프롬프트, 토큰 한도, 짝의 수와 한계가 들어 있습니다. 키, 헤더, 직접 쓴 본문은 절대 넣지 않습니다.";
        LinkLong: "This set-up is too long for a link: shorten the prompt.", "링크에 담기에는 설정이 너무 깁니다. 프롬프트를 줄이세요.";
        LinkWrong: "Without a sound number of pairs and a sound margin there is no link.", "짝의 수와 한계가 올바르지 않아 링크를 만들 수 없습니다.";

        ProblemPairs: "Pairs: a whole number from 6 to 1,000.", "짝의 수: 6부터 1,000까지의 정수를 입력하세요.";
        ProblemMargin: "Margin: write 100 ms (1 to 60,000) or 5 % (1 to 50).", "한계: 100 ms(1~60,000) 또는 5 %(1~50)처럼 입력하세요.";
        ProblemSecond: "The second endpoint: {0}", "둘째 엔드포인트: {0}";
        SaidRace: "The race runs.", "경주를 시작했습니다.";
        SaidPairs: "Pairs are measured.", "짝을 재고 있습니다.";
        SaidDone: "It is over.", "끝났습니다.";
    }
}

impl Rac {
    /// What a line about the press is called where it has no figure.
    pub(crate) fn name_of(line: Rac) -> Rac {
        match line {
            Rac::PressPaint => Rac::NamePaint,
            Rac::PressContentful => Rac::NameContentful,
            _ => Rac::NameSent,
        }
    }
}
