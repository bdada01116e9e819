//! Texts of the lessons.

use super::catalogue::messages;

messages! {
    /// Texts of the lessons.
    Les {
        Title: "Lessons", "실습";
        Link: "Lessons", "실습";
        Lead: "Ten claims about the latency of inference. Each says beforehand what it predicts, is run against the built-in endpoint, whose schedule is known, and shows whether the measured figures bear it out.", "추론 지연 시간에 대한 열 가지 주장입니다. 주장마다 예측을 먼저 밝히고, 일정이 알려진 내장 엔드포인트로 측정한 다음, 수치가 주장을 뒷받침하는지 보여 줍니다.";
        WhatIsRun: "What is run", "무엇을 측정하나요";
        Step: "{0}: {1} requests, {2} at once", "{0}: 요청 {1}개, 동시에 {2}개";
        StepBoth: "{0}: {1} pairs, {2} requests at once", "{0}: 쌍 {1}개, 동시에 요청 {2}개";
        Findings: "Prediction and measurement", "예측과 측정";
        ColFigure: "Figure", "수치";
        ColPredicted: "Predicted", "예측";
        ColMeasured: "Measured", "측정";
        ColAnswer: "Borne out?", "뒷받침하나요?";
        CountsBetween: "counts from {0} to {1}", "{0}~{1}이면 인정";
        CountsExactly: "counts if exactly so", "정확히 같아야 인정";
        CountsFrom: "counts from {0}", "{0} 이상이면 인정";
        NotMeasured: "not run yet", "아직 측정하지 않음";
        Holds: "yes", "예";
        Fails: "no", "아니요";
        Open: "can’t tell", "알 수 없음";
        Fires: "the rule ends the run", "규칙이 측정을 끝냄";
        FiresNot: "the run goes to its end", "끝까지 진행됨";
        Interval: "95 % CI {0}", "95 % 구간 {0}";
        NoInterval: "one value, no interval", "값 하나, 구간 없음";
        N: "n = {0}", "n = {0}";
        PerSecondTokens: "{0} tokens/s", "초당 토큰 {0}개";
        PerSecondItems: "{0} items/s", "초당 항목 {0}개";
        Ms: "{0} ms", "{0} ms";
        StatMean: "mean", "평균";
        StatPaired: "median of the differences of pairs, streaming − not", "쌍마다 구한 차이(스트리밍 − 비스트리밍)의 중앙값";
        StatModes: "difference of {0}, streaming − not", "{0}의 차이(스트리밍 − 비스트리밍)";
        StatRuns: "difference of {0}, second run − first", "{0}의 차이(뒤 측정 − 앞 측정)";
        StatOutside: "p50 of wait − server’s report, of each request", "요청마다 구한 (대기 − 서버 보고)의 p50";
        StatReported: "p50 of the server’s span “{0}”", "서버가 보고한 구간 “{0}”의 p50";
        StatThroughput: "completed in the window of the run", "측정 구간에 끝난 것";
        StatStopped: "stop rule {0}", "중단 규칙 {0}";
        BorneOut: "Borne out", "뒷받침됨";
        NotBorneOut: "Not borne out", "뒷받침되지 않음";
        CantTell: "Can’t tell", "알 수 없음";
        SaidBorneOut: "Every figure lies where it was predicted.", "모든 수치가 예측한 범위 안에 있습니다.";
        SaidNotBorneOut: "Elsewhere than predicted: {0}", "예측과 다른 수치: {0}";
        SaidCantTell: "Nothing measured speaks against it, but not everything speaks for it: {0}", "반대되는 수치는 없지만 모두가 뒷받침하지도 않습니다: {0}";
        WhyNotRun: "a run that it needs was not made or not finished", "필요한 측정을 하지 않았거나 끝내지 못했습니다";
        WhyFailed: "{0} of {1} requests failed, and the others can’t stand for them; the built-in endpoint comes with `firstlight serve`", "요청 {1}개 중 {0}개가 실패했고 나머지가 대신할 수 없습니다. 내장 엔드포인트는 `firstlight serve`에 들어 있습니다";
        WhyTooFew: "an interval needs ≥ {0}, has {1}", "구간에는 {0}개 이상 필요한데 {1}개입니다";
        WhyUndecided: "the interval reaches over the edge of what counts; run it again when the machine is at rest", "구간이 인정 범위의 끝에 걸쳐 있습니다. 기기가 한가할 때 다시 측정하세요";
        Run: "Run this lesson", "이 실습 측정하기";
        RunAgain: "Run it again", "다시 측정하기";
        Change: "Make the endpoint behave otherwise", "엔드포인트를 다르게 동작시키기";
        ChangeHint: "Parameters such as gap_ms=0&burst=1 replace those of every run; the prediction stays. A claim that can’t be refuted teaches nothing: try to.", "gap_ms=0&burst=1처럼 적으면 모든 측정의 매개변수를 바꿉니다. 예측은 그대로입니다. 반박할 수 없는 주장은 가르쳐 주는 것이 없습니다. 반박해 보세요.";
        RunUnderWay: "Lesson {0}, run {1} of {2}: {3}", "실습 {0}, 측정 {1}/{2}: {3}";
        Results: "Full results", "전체 결과";
        OpenRun: "Open in the measuring page", "측정 페이지에서 열기";
        Levels: "Batch by batch", "배치 크기별";
        ColBatch: "Sequences in the batch", "배치 안의 시퀀스";
        ColOverall: "Tokens/s, all together", "전체 초당 토큰";
        ColEach: "Tokens/s, each user (p50)", "사용자당 초당 토큰(p50)";
        ColFirst: "First token, p50 (ms)", "첫 토큰 p50(ms)";
        ColRule: "Stop rule", "중단 규칙";
        RuleHeld: "held", "지킴";
        RuleFired: "▲ broken after {0} requests: from here on the first response is too late", "▲ 요청 {0}개 만에 깨짐: 여기부터 첫 응답이 너무 늦습니다";

        FirstTokenClaim: "The first token is not the response time", "첫 토큰은 응답 시간이 아닙니다";
        FirstTokenWhy: "The first token tells when the answer begins. A user who needs the whole answer, or a program that parses it, waits for the last one.", "첫 토큰은 답이 시작된 때를 알려 줄 뿐입니다. 답 전체가 필요한 사용자나 답을 해석하는 프로그램은 마지막 토큰까지 기다립니다.";
        StepStreamed: "streamed answers", "스트리밍 응답";
        FirstTokenCame: "First token, half of the requests within", "요청 절반의 첫 토큰";
        LastTokenCame: "Last token, half of the requests within", "요청 절반의 마지막 토큰";
        BetweenFirstAndLast: "From the first token to the last", "첫 토큰부터 마지막 토큰까지";

        StreamingClaim: "Streaming does not make inference finish sooner", "스트리밍한다고 추론이 빨리 끝나지는 않습니다";
        StreamingWhy: "Streaming shows parts of an answer while the rest is made. The work is the same, so the end comes when it would have come; only the first words come earlier.", "스트리밍은 답을 만드는 동안 일부를 먼저 보여 줍니다. 하는 일은 같으므로 끝나는 때는 그대로이고, 첫 단어만 일찍 나옵니다.";
        StepPairs: "the same answer streamed and whole, in turn", "같은 답을 스트리밍과 한꺼번에, 번갈아";
        CompletionDiffers: "Last token, streaming − not", "마지막 토큰, 스트리밍 − 비스트리밍";
        FirstWordsDiffer: "First words on the screen, streaming − not", "화면의 첫 단어, 스트리밍 − 비스트리밍";

        NotOnlyModelClaim: "Inference latency is not only model time", "추론 지연 시간은 모델 시간만이 아닙니다";
        NotOnlyModelWhy: "One and the same model, three times. A queue before it delays everything. A check that reads twenty tokens before it lets them through delays the first words, though the model writes as fast as before.", "똑같은 모델을 세 번 측정합니다. 앞에 대기열이 있으면 모든 것이 늦어집니다. 토큰 스무 개를 읽은 뒤에 내보내는 안전 검사는 모델이 전과 같은 속도로 써도 첫 단어를 늦춥니다.";
        StepModelAlone: "the model alone", "모델만";
        StepBehindQueue: "behind a queue", "대기열 뒤";
        StepBehindCheck: "behind a check that holds 20 tokens back", "토큰 20개를 붙잡는 검사 뒤";
        ModelAloneTook: "The model alone, last token", "모델만, 마지막 토큰";
        QueueDelaysFirst: "The queue delays the first token by", "대기열이 첫 토큰을 늦추는 시간";
        QueueDelaysLast: "The queue delays the last token by", "대기열이 마지막 토큰을 늦추는 시간";
        QueueReported: "Of which the server itself reports as queue", "그중 서버가 대기열로 보고한 시간";
        CheckDelaysFirst: "The check delays the first token by", "검사가 첫 토큰을 늦추는 시간";
        CheckDelaysLast: "The check delays the last token by", "검사가 마지막 토큰을 늦추는 시간";

        NoSingleNumberClaim: "A model has no single latency number", "한 모델의 지연 시간은 숫자 하나가 아닙니다";
        NoSingleNumberWhy: "The same model answers later with more output, more input, more load or slower hardware. A latency without these four beside it can’t be compared with another.", "같은 모델도 출력이 길거나, 입력이 길거나, 부하가 크거나, 하드웨어가 느리면 늦게 답합니다. 이 네 가지가 함께 적히지 않은 지연 시간은 다른 값과 비교할 수 없습니다.";
        StepBase: "the base: 40 tokens", "기준: 토큰 40개";
        StepLongOutput: "three times the output", "출력 세 배";
        StepLongInput: "a long input", "긴 입력";
        StepLoaded: "four users in one batch", "한 배치에 사용자 네 명";
        StepSlowerHardware: "hardware with a quarter of the speed", "속도가 4분의 1인 하드웨어";
        BaseTook: "The base, last token", "기준, 마지막 토큰";
        OutputAdds: "More output delays the last token by", "긴 출력이 마지막 토큰을 늦추는 시간";
        InputAdds: "More input delays the first token by", "긴 입력이 첫 토큰을 늦추는 시간";
        LoadAdds: "Load delays the last token by", "부하가 마지막 토큰을 늦추는 시간";
        HardwareAdds: "Slower hardware delays the last token by", "느린 하드웨어가 마지막 토큰을 늦추는 시간";

        BatchingClaim: "More tokens per second overall can mean slower for each user", "전체 초당 토큰이 늘어도 사용자마다는 느려질 수 있습니다";
        BatchingWhy: "A server that works on more sequences in one step makes more tokens per second, and each step takes longer. Everybody’s text comes more slowly, and from some batch on the first token comes too late: a limit and a stop rule say where.", "한 단계에서 더 많은 시퀀스를 처리하는 서버는 초당 토큰을 더 만들지만 한 단계가 길어집니다. 모두의 글이 더 느리게 나오고, 어느 배치 크기부터는 첫 토큰이 너무 늦습니다. 그 지점을 한계와 중단 규칙으로 찾습니다.";
        StepBatch1: "a batch of 1", "배치 크기 1";
        StepBatch2: "a batch of 2", "배치 크기 2";
        StepBatch4: "a batch of 4", "배치 크기 4";
        StepBatch6: "a batch of 6", "배치 크기 6";
        OverallAtOne: "All together, batch of 1", "전체, 배치 크기 1";
        OverallAtFour: "All together, batch of 4", "전체, 배치 크기 4";
        EachAtOne: "Each user, batch of 1", "사용자마다, 배치 크기 1";
        EachAtFour: "Each user, batch of 4", "사용자마다, 배치 크기 4";
        RuleHeldAtFour: "The limit of the first token, batch of 4", "첫 토큰의 한계, 배치 크기 4";
        FirstAtSix: "First token, batch of 6", "첫 토큰, 배치 크기 6";
        RuleFiredAtSix: "The limit of the first token, batch of 6", "첫 토큰의 한계, 배치 크기 6";

        TailClaim: "Averages hide the tail", "평균은 꼬리를 감춥니다";
        TailWhy: "Seven of eight questions get a short answer, one a long one. The mean is a wait that nobody had: most were done in a third of it, and the slowest waited five times as long.", "질문 여덟 개 중 일곱은 답이 짧고 하나는 깁니다. 평균은 아무도 겪지 않은 대기 시간입니다. 대부분은 그 3분의 1 만에 끝났고, 가장 느린 사람은 다섯 배를 기다렸습니다.";
        StepMixed: "seven short answers and one long one, again and again", "짧은 답 일곱 개와 긴 답 하나를 되풀이";
        HalfTook: "Half of the requests, last token within", "요청 절반의 마지막 토큰";
        MeanTook: "The mean", "평균";
        OneInTwentyTook: "One in twenty waited this long or longer", "스무 명 중 한 명은 이만큼 또는 더 오래";

        ConcurrencyClaim: "A fast percentile at concurrency 1 says nothing about 20", "동시 요청 1개의 빠른 백분위수는 20개일 때를 말해 주지 않습니다";
        ConcurrencyWhy: "Four requests are served at once, the others stand in line, at the server or in the browser. One user never meets the line; twenty do nothing but wait in it.", "한 번에 네 요청을 처리하고 나머지는 서버나 브라우저에서 줄을 섭니다. 사용자 한 명은 줄을 만나지 않지만, 스무 명은 대부분의 시간을 줄에서 보냅니다.";
        StepOneAtOnce: "one at once", "한 번에 하나";
        StepTwentyAtOnce: "twenty at once", "한 번에 스무 개";
        TailAtOne: "p95 of the last token, one at once", "마지막 토큰 p95, 한 번에 하나";
        TailAtTwenty: "p95 of the last token, twenty at once", "마지막 토큰 p95, 한 번에 스무 개";
        TailGrows: "p95 grows by", "p95가 늘어난 시간";

        ColdClaim: "Warm and cold are two different measurements", "워밍업된 서버와 차가운 서버는 서로 다른 측정입니다";
        ColdWhy: "The first requests wait until the model is loaded; the next ones do not. Once it writes, it writes as fast. Averaged together they describe neither.", "처음 요청은 모델을 불러올 때까지 기다리지만 다음 요청은 그렇지 않습니다. 일단 쓰기 시작하면 속도는 같습니다. 둘을 합쳐 평균을 내면 어느 쪽도 나타내지 못합니다.";
        StepCold: "cold: nothing is loaded", "차가움: 아무것도 불러오지 않은 상태";
        StepWarm: "warm: the same a moment later", "따뜻함: 잠시 뒤 같은 서버";
        FirstTokenCold: "First token, cold", "첫 토큰, 차가울 때";
        FirstTokenWarm: "First token, warm", "첫 토큰, 따뜻할 때";
        WarmIsSooner: "First token, warm − cold", "첫 토큰, 따뜻할 때 − 차가울 때";
        GenerationStays: "From the first token to the last, warm − cold", "첫 토큰부터 마지막까지, 따뜻할 때 − 차가울 때";

        UnattributedClaim: "The server says 720 ms, and the rest is not network", "서버는 720 ms라 하고, 나머지는 네트워크가 아닙니다";
        UnattributedWhy: "The server reports how long one of its parts took. What it does not report may be anything: a queue, other parts, the way. The first event takes the same way and comes at once, so the way is not what is missing.", "서버는 한 부분이 걸린 시간만 보고합니다. 보고하지 않은 시간은 대기열, 다른 부분, 전송 등 무엇이든 될 수 있습니다. 첫 이벤트는 같은 길로 곧바로 오므로, 모자라는 시간은 길에서 쓴 것이 아닙니다.";
        ContainerReported: "The server reports for its model container", "서버가 모델 컨테이너에 대해 보고한 시간";
        RestUnattributed: "The rest, which nothing explains", "아무것도 설명하지 않는 나머지";
        WayTook: "The way there and back, to the first event at the latest", "오가는 길, 늦어도 첫 이벤트까지";

        OfflineClaim: "An offline job asks for items per second, a chat for its first token", "오프라인 작업은 초당 항목, 채팅은 첫 토큰이 먼저입니다";
        OfflineWhy: "One server serves six requests at once and begins late, the other serves one and begins early. For an offline job that embeds texts, sixteen a request and without any first token, the first is better; for a chat the second. Which figure decides depends on who waits for what.", "한 서버는 요청 여섯 개를 한꺼번에 처리하지만 늦게 시작하고, 다른 서버는 하나만 처리하지만 일찍 시작합니다. 요청마다 글 열여섯 개를 임베딩하고 첫 토큰이란 것이 없는 오프라인 작업에는 앞의 서버가, 채팅에는 뒤의 서버가 낫습니다. 어느 수치로 정할지는 누가 무엇을 기다리는지에 달렸습니다.";
        StepJobWide: "embedding job, server that serves six", "임베딩 작업, 여섯 개를 처리하는 서버";
        StepJobNarrow: "embedding job, server that begins early", "임베딩 작업, 일찍 시작하는 서버";
        StepChatWide: "chat, server that serves six", "채팅, 여섯 개를 처리하는 서버";
        StepChatNarrow: "chat, server that begins early", "채팅, 일찍 시작하는 서버";
        ItemsWide: "Job on the server that serves six", "여섯 개를 처리하는 서버의 작업";
        ItemsNarrow: "Job on the server that begins early", "일찍 시작하는 서버의 작업";
        ChatWide: "First token of a chat on the server that serves six", "여섯 개를 처리하는 서버의 채팅 첫 토큰";
        ChatNarrow: "First token of a chat on the server that begins early", "일찍 시작하는 서버의 채팅 첫 토큰";
        ChatIsSooner: "First token of a chat, second server − first", "채팅 첫 토큰, 뒤 서버 − 앞 서버";
    }
}
