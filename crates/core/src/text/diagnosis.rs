//! Texts of the diagnosis: what each rule found, what it needs, what to do; and of reading one slow request backwards.

use super::catalogue::messages;

messages! {
    /// Texts of the diagnosis.
    Dia {
        SelectRequests: "Mark these {0} requests in the charts", "이 요청 {0}개를 차트에 표시";
        Unclear: "Can’t tell ({0})", "알 수 없음({0})";
        Absent: "Not found ({0})", "발견되지 않음({0})";
        WalkTitle: "Read backwards", "거꾸로 읽기";
        ColStage: "Stage", "단계";
        ColThis: "this (ms)", "이 요청(ms)";
        ColMedian: "median (ms)", "중앙값(ms)";
        ColExcess: "more (ms)", "초과(ms)";
        Title: "What explains the waits", "기다림의 원인";
        FoundSentence: "{0}: {1} What to do: {2}", "{0}: {1} 할 일: {2}";
        UnclearSentence: "Can’t be told: {0}.", "알 수 없음: {0}.";
        UnclearItem: "{0} ({1})", "{0}({1})";
        NotFoundSentence: "Looked for and not found: {0}.", "살펴보았지만 해당 없음: {0}.";
        NoneFound: "No rule found a cause of waiting.", "기다림의 원인을 찾은 규칙이 없습니다.";

        Needs: "needs ≥ {0} {1}, has {2}", "{1} {0}개 이상 필요, 현재 {2}개";
        OfRequests: "requests that ended well", "정상으로 끝난 요청";
        OfReplies: "replies", "응답";
        OfStreams: "streamed replies of several outputs", "여러 출력으로 나뉘어 온 스트리밍 응답";
        OfPainted: "requests whose painting was measured", "화면 표시를 측정한 요청";
        OfReports: "requests with a comparable server report", "비교할 수 있는 서버 보고가 있는 요청";
        OfSpans: "requests with the same server span", "같은 서버 구간을 보고한 요청";
        OfTimings: "requests with readable network timing", "네트워크 시간을 읽을 수 있는 요청";
        OfCached: "replies that count cached tokens, or a comparison of both cache modes", "캐시 토큰을 알려 준 응답(또는 두 캐시 모드의 비교)";
        OfDue: "requests of an open loop", "개방 루프 요청";
        OfPeers: "other requests with the same evidence", "같은 증거가 있는 다른 요청";
        NoTiming: "the browser’s network timing is hidden; the target must send “{0}”", "브라우저의 네트워크 시간이 숨겨져 있음. 대상 서버가 “{0}”를 보내야 함";

        BufferedTitle: "Buffered on the way", "중간 버퍼링";
        BufferedFound: "{0} of {1} streams came in bursts: {2} outputs a read and {3} ms from one to the next (medians).", "스트림 {1}개 중 {0}개가 몰려서 왔습니다. 중앙값으로 한 번에 출력 {2}개, 간격 {3} ms입니다.";
        BufferedNot: "{0} of {1} streams came in bursts", "스트림 {1}개 중 {0}개만 몰려서 옴";
        BufferedDo: "Switch off buffering for this path: in nginx “proxy_buffering off”, or let the target send “X-Accel-Buffering: no”; in an application flush after each event.", "이 경로의 버퍼링을 끄세요. nginx는 “proxy_buffering off”, 또는 대상 서버가 “X-Accel-Buffering: no”를 보내고, 애플리케이션은 이벤트마다 flush하세요.";
        BufferedTooFast: "outputs came all at once, and without a reported generation time a buffer can’t be told from a fast model; use longer answers, or a server that reports its times", "출력이 한꺼번에 왔지만, 보고된 생성 시간이 없어 버퍼와 빠른 모델을 구분할 수 없음. 더 긴 응답이나 시간을 보고하는 서버를 쓰세요";
        BufferedOrCompressed: "outputs are collected, but the stream is compressed, which may be the reason; switch compression off and measure again", "출력이 모여서 오지만 스트림이 압축되어 있어 그 때문일 수 있음. 압축을 끄고 다시 측정하세요";

        CompressionTitle: "Compression holds the stream", "압축이 스트림을 붙듦";
        CompressionFound: "{0} of {1} streams were compressed ({2}) and came in bursts: {3} outputs a read and {4} ms from one to the next (medians).", "스트림 {1}개 중 {0}개가 압축({2})되어 몰려서 왔습니다. 중앙값으로 한 번에 출력 {3}개, 간격 {4} ms입니다.";
        CompressionNot: "{0} of {1} streams came in bursts, {2} of them compressed", "스트림 {1}개 중 몰려서 온 것 {0}개, 그중 압축 {2}개";
        CompressionDo: "Leave event streams uncompressed (“Cache-Control: no-transform”, no gzip for text/event-stream), or flush the compressor after each event.", "이벤트 스트림은 압축하지 마세요(“Cache-Control: no-transform”, text/event-stream에 gzip 끄기). 또는 이벤트마다 압축기를 flush하세요.";
        CompressionHidden: "outputs are collected, but whether the stream is compressed can’t be read; the target must send “Access-Control-Expose-Headers: Content-Encoding”", "출력이 모여서 오지만 압축 여부를 읽을 수 없음. 대상 서버가 “Access-Control-Expose-Headers: Content-Encoding”을 보내야 함";
        EncodingUnnamed: "fewer bytes on the wire than decoded", "전송 바이트가 해제한 바이트보다 적음";

        ServerQueueTitle: "A queue outside the server’s number", "서버 수치 밖의 대기열";
        ServerQueueFound: "With each request more under way, {0} ms more passed outside the reported time, while the reported time changed by {1} ms (n = {2}, rank correlation {3}).", "진행 중인 요청이 하나 늘 때마다 보고된 시간 밖의 시간이 {0} ms 늘었고, 보고된 시간은 {1} ms 변했습니다(n = {2}, 순위 상관 {3}).";
        ServerQueueNot: "{0} ms outside the reported time (median, n = {1}); no growth with what was under way", "보고된 시간 밖 {0} ms(중앙값, n = {1}). 진행 중인 요청 수에 따라 늘지 않음";
        ServerQueueSmall: "only {0} % of the waits lie outside the reported time (n = {1})", "기다림의 {0} %만 보고된 시간 밖(n = {1})";
        ServerQueueDo: "Requests wait before the server starts its clock. Give it more slots or replicas, or send fewer at once; let it report its queue time.", "서버가 시간을 재기 전에 요청이 기다립니다. 슬롯이나 복제본을 늘리거나 동시 요청을 줄이고, 대기열 시간도 보고하게 하세요.";
        ServerQueueFlat: "nearly always the same number of requests were under way; measure steps or a sweep of concurrency", "진행 중인 요청 수가 거의 변하지 않음. 동시 요청 수를 단계별로 또는 스윕으로 측정하세요";

        BrowserQueueTitle: "Queue in the browser", "브라우저 안의 대기열";
        BrowserQueueFound: "{0} of {1} requests waited {2} ms (median) for one of the browser’s six connections, {3} % of all waits.", "요청 {1}개 중 {0}개가 브라우저의 연결 여섯 개 중 하나를 {2} ms(중앙값) 기다렸습니다. 전체 기다림의 {3} %입니다.";
        BrowserQueueNot: "{0} of {1} requests waited for a connection", "요청 {1}개 중 {0}개가 연결을 기다림";
        BrowserQueueFew: "never more than {0} at once", "동시에 {0}개를 넘지 않음";
        BrowserQueueOther: "the protocol is {0}, which has no limit of six", "프로토콜이 {0}이라 여섯 개 제한이 없음";
        BrowserQueueDo: "Serve the target over HTTP/2 (which takes HTTPS), or keep no more than six requests under way to one origin.", "대상을 HTTP/2(HTTPS 필요)로 제공하거나, 한 출처에 동시 요청을 여섯 개까지만 두세요.";

        PreflightTitle: "Preflight paid each time", "매번 치르는 사전 요청";
        PreflightFound: "{0} of {1} requests to another origin spent {2} ms (median) before they went out with no queue to wait in, {3} % of all waits: that is where a preflight lies.", "다른 출처로 간 요청 {1}개 중 {0}개가 대기열이 없는데도 나가기 전에 {2} ms(중앙값)를 썼습니다. 전체 기다림의 {3} %로, 사전 요청이 놓이는 자리입니다.";
        PreflightNot: "{0} of {1} requests spent the time of one", "요청 {1}개 중 {0}개만 그만한 시간을 씀";
        PreflightOwn: "the target is of the page’s own origin", "대상이 페이지와 같은 출처";
        PreflightDo: "Let the target answer the OPTIONS request with “Access-Control-Max-Age: 86400” (without it browsers ask again after 5 seconds), or serve page and target from one origin.", "대상 서버가 OPTIONS 요청에 “Access-Control-Max-Age: 86400”으로 답하게 하거나(없으면 5초 뒤 다시 묻습니다), 페이지와 대상을 같은 출처로 제공하세요.";

        ColdTitle: "New connections", "새 연결";
        ColdFound: "{0} of {1} requests opened a connection first, which took {2} ms (median), {3} % of their waits.", "요청 {1}개 중 {0}개가 먼저 연결을 열었고, {2} ms(중앙값)로 그 기다림의 {3} %입니다.";
        ColdNot: "{0} of {1} requests opened one, {2} ms (median)", "요청 {1}개 중 {0}개만 새로 연결, {2} ms(중앙값)";
        ColdDo: "Keep connections open at the target and at proxies (keep-alive), open one before it is needed (“rel=preconnect”), and warm up before measuring.", "대상과 프록시에서 연결을 유지하고(keep-alive), 필요하기 전에 미리 열고(“rel=preconnect”), 측정 전에 워밍업하세요.";

        ClientTitle: "Limited by the client", "클라이언트 한계";
        ClientFound: "{0} (n = {1}).", "{0}(n = {1}).";
        ClientNot: "schedule kept, main thread free enough (n = {0})", "일정을 지켰고 메인 스레드에 여유가 있음(n = {0})";
        ClientDo: "Close other tabs and programs, lower the rate, allow more requests under way, or spread the load over several machines; figures of this run describe the client as well.", "다른 탭과 프로그램을 닫고, 요청률을 낮추거나 동시 요청 한도를 올리거나, 여러 기기로 부하를 나누세요. 이 측정에는 클라이언트의 한계가 섞여 있습니다.";

        RenderTitle: "Arrived, not painted", "도착했지만 표시가 늦음";
        RenderFound: "In {0} of {1} requests the first words were {2} ms (median) on their way from arrival to the screen, {3} % of their waits.", "요청 {1}개 중 {0}개에서 첫 단어가 도착 후 화면까지 {2} ms(중앙값) 걸렸습니다. 그 기다림의 {3} %입니다.";
        RenderBlocked: "The main thread was blocked in {0} of them.", "그중 {0}개에서 메인 스레드가 막혀 있었습니다.";
        RenderNot: "{0} of {1} requests were slow to the screen", "요청 {1}개 중 {0}개만 화면까지 느림";
        RenderBounds: "only bounds of the painting are known: between {0} and {1} of {2} requests may have been slow to the screen", "표시 시각의 범위만 알 수 있음: 요청 {2}개 중 {0}~{1}개가 화면까지 느렸을 수 있음";
        RenderDo: "Free the page’s main thread: break up long tasks, render text as it comes and not the whole answer again, leave Markdown and highlighting for later.", "페이지의 메인 스레드를 비우세요. 긴 작업을 나누고, 전체를 다시 그리지 말고 온 글자만 그리고, 마크다운과 강조 처리는 뒤로 미루세요.";

        CoalescedTitle: "Several outputs in one read", "한 번에 읽힌 여러 출력";
        CoalescedFound: "{0} % of the gaps between outputs lie inside a read and are not known ({1} streams, {2} outputs).", "출력 간격의 {0} %가 한 번의 읽기 안에 있어 알 수 없습니다(스트림 {1}개, 출력 {2}개).";
        CoalescedNot: "{0} % of the gaps between outputs are unknown ({1} streams)", "출력 간격의 {0} %를 알 수 없음(스트림 {1}개)";
        CoalescedDo: "Read gaps and stalls as those of reads, not of tokens. Fewer requests at once and a free main thread separate more reads; see also buffering and compression.", "간격과 멈춤은 토큰이 아니라 읽기의 것으로 보세요. 동시 요청을 줄이고 메인 스레드를 비우면 더 잘게 읽힙니다. 버퍼링과 압축도 확인하세요.";

        HiddenTitle: "Hidden or throttled page", "가려지거나 느려진 페이지";
        HiddenFound: "{0} of {1} requests were under way while the page was hidden, frozen or asleep.", "요청 {1}개 중 {0}개가 페이지가 가려지거나 멈추거나 기기가 잠든 동안 진행되었습니다.";
        HiddenFrames: "Animation frames came every {0} ms, half the rate of a display or less.", "애니메이션 프레임 간격이 {0} ms로 화면 주사율의 절반 이하입니다.";
        HiddenNot: "in view throughout (n = {0}), frames every {1} ms", "내내 보임(n = {0}), 프레임 간격 {1} ms";
        HiddenNoFrames: "in view throughout (n = {0}), but the interval of frames was not measured, so throttling can’t be told", "내내 보였지만(n = {0}) 프레임 간격을 재지 못해 느려졌는지 알 수 없음";
        HiddenDo: "Measure in a tab of its own window, in view and on mains power; leave it in front until the run is over.", "별도 창의 보이는 탭에서, 전원을 연결하고 측정하세요. 끝날 때까지 맨 앞에 두세요.";

        UnitTitle: "Unit of the server’s report", "서버 보고의 단위";
        UnitTooLarge: "“{0}” is {1} {2} as sent, {3} times the {4} ms that contain it (medians, n = {5}).", "“{0}”의 값 {1} {2}는 그것을 포함하는 {4} ms의 {3}배입니다(중앙값, n = {5}).";
        UnitTooSmall: "“{0}” is {1} {2} as sent, {3} times too short for the {4} ms it should nearly fill (medians, n = {5}).", "“{0}”의 값 {1} {2}는 거의 채워야 할 {4} ms보다 {3}배 짧습니다(중앙값, n = {5}).";
        UnitNot: "{0} spans fit into the measured waits (n = {1})", "구간 {0}개가 측정한 시간에 맞음(n = {1})";
        UnitDo: "Read “{0}” in another unit: write the right one in the mapping of server times, or correct the server (Server-Timing counts in milliseconds).", "“{0}”의 단위를 바꾸세요. 서버 시간 매핑에 올바른 단위를 쓰거나 서버를 고치세요(Server-Timing은 밀리초입니다).";

        UnreadableTitle: "Headers that can’t be read", "읽을 수 없는 헤더";
        UnreadableFound: "Of {0} replies, {1} hide Server-Timing or a mapped header (or do not send it) and {2} hide their network timing from this page.", "응답 {0}개 중 {1}개는 Server-Timing이나 매핑한 헤더를 숨기거나 보내지 않고, {2}개는 네트워크 시간을 이 페이지에 숨깁니다.";
        UnreadableNot: "nothing is hidden in {0} replies", "응답 {0}개에 숨겨진 것이 없음";
        UnreadableDo: "Let the target send: {0}", "대상 서버가 다음을 보내게 하세요: {0}";

        BatchingTitle: "More throughput, later first output", "처리량은 늘고 첫 출력은 늦어짐";
        BatchingFound: "From level {0} to {1} throughput rose from {2} to {3} requests/s while the first token (p50) went {4}, 95 % interval of the difference {5}.", "수준 {0}에서 {1}로 가며 처리량은 초당 {2}에서 {3}으로 늘었지만 첫 토큰(p50)은 {4}로 늦어졌습니다. 차이의 95 % 구간 {5}.";
        BatchingNot: "the first token did not get later from level {0} to {1} (p50 {2})", "수준 {0}에서 {1}까지 첫 토큰이 늦어지지 않음(p50 {2})";
        BatchingNoGain: "throughput did not rise over the lowest level", "가장 낮은 수준보다 처리량이 늘지 않음";
        BatchingUndecided: "the interval of the difference holds both: {0}; more requests per level are needed", "차이의 구간이 둘 다를 포함: {0}. 수준마다 요청이 더 필요함";
        BatchingLevels: "one level only; measure steps or a sweep", "수준이 하나뿐. 단계나 스윕으로 측정하세요";
        BatchingDo: "Choose the level by a limit on the first output, not by throughput; smaller batches or chunked prefill bring the first output forward.", "처리량이 아니라 첫 출력의 한계로 수준을 고르세요. 배치를 줄이거나 프리필을 나누면 첫 출력이 앞당겨집니다.";

        CompletionTitle: "Streaming does not change completion", "스트리밍은 완료 시각을 바꾸지 않음";
        CompletionFound: "Streaming − not streaming, {0}: {1} ms, 95 % interval {2} ms, inside ±{3} ms ({4} pairs).", "스트리밍 − 비스트리밍, {0}: {1} ms, 95 % 구간 {2} ms, ±{3} ms 안(쌍 {4}개).";
        CompletionNot: "{0} changes by {1} ms, 95 % interval {2} ms ({3} pairs)", "{0} 차이 {1} ms, 95 % 구간 {2} ms(쌍 {3}개)";
        CompletionOpen: "the interval {0} ms reaches beyond ±{1} ms ({2} pairs); more pairs could settle it", "구간 {0} ms가 ±{1} ms를 벗어남(쌍 {2}개). 쌍이 더 있으면 정해질 수 있음";
        CompletionModes: "needs ≥ {0} pairs of both modes, has {1}", "두 모드의 쌍 {0}개 이상 필요, 현재 {1}개";
        CompletionDo: "Streaming shows words earlier and does not finish earlier. If people need the whole answer, shorten it or speed up generation.", "스트리밍은 글자를 일찍 보여 줄 뿐 일찍 끝내지 않습니다. 전체 응답이 필요하다면 응답을 줄이거나 생성을 빠르게 하세요.";

        TailTitle: "One number hides the tail", "한 수치가 꼬리를 가림";
        TailFound: "{0}: {1} is {2} times p50, 95 % interval {3} to {4} (n = {5}).", "{0}: {1}이 p50의 {2}배, 95 % 구간 {3}~{4}(n = {5}).";
        TailNot: "{0}: {1} is {2} times p50, 95 % interval {3} to {4} (n = {5})", "{0}: {1}이 p50의 {2}배, 95 % 구간 {3}~{4}(n = {5})";
        TailOpen: "{0}: {1} is {2} times p50, and the interval {3} to {4} holds the limit (n = {5}); more requests could settle it", "{0}: {1}이 p50의 {2}배이며 구간 {3}~{4}가 기준을 포함함(n = {5}). 요청이 더 있으면 정해질 수 있음";
        TailDo: "Never report the median alone: state p95 or p99 beside it, set limits on them, and read a slow request backwards.", "중앙값만 말하지 마세요. p95나 p99를 함께 적고, 한계도 거기에 두고, 느린 요청을 거꾸로 따라가 보세요.";

        CacheTitle: "A cache made it fast", "캐시가 빠르게 만듦";
        CacheFoundTokens: "In {0} of {1} requests at least half of the prompt came from the server’s cache ({2} % of all prompt tokens).", "요청 {1}개 중 {0}개에서 프롬프트의 절반 이상이 서버 캐시에서 왔습니다(전체 프롬프트 토큰의 {2} %).";
        CacheFoundArms: "With the cache free to help the first wait was {0} (p50), 95 % interval of the difference {1} (n = {2} and {3}).", "캐시가 도울 수 있을 때 첫 기다림은 {0}(p50), 차이의 95 % 구간 {1}(n = {2}, {3}).";
        CacheFoundBrowser: "{0} of {1} replies came from the browser’s own cache.", "응답 {1}개 중 {0}개가 브라우저 캐시에서 왔습니다.";
        CacheNotTokens: "{0} of {1} prompts came from the cache by half or more", "프롬프트 {1}개 중 {0}개만 절반 이상 캐시에서 옴";
        CacheNotArms: "free to help or not, the first wait is not shorter: difference {0} (n = {1} and {2})", "캐시 허용 여부에 따라 첫 기다림이 짧아지지 않음: 차이 {0}(n = {1}, {2})";
        CacheOpen: "the difference between both cache modes is open: {0} (n = {1} and {2}); more requests could settle it", "두 캐시 모드의 차이가 정해지지 않음: {0}(n = {1}, {2}). 요청이 더 있으면 정해질 수 있음";
        CacheDo: "First contact is slower: measure with the cache kept from helping, or compare both, and say which it is.", "처음 쓰는 사용자는 더 느립니다. 캐시가 돕지 못하게 하고 측정하거나 둘을 비교하고, 어느 쪽인지 밝히세요.";
    }
}
