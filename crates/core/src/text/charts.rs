//! Texts of charts.

use super::catalogue::messages;

messages! {
    /// Texts of charts: titles, axes, legends, what a place reads out.
    Cht {
        Title: "Charts", "차트";
        Hint: "Point at a chart, or go through it with the arrow keys, to read exact values. Drag over requests, or press Enter, to mark them in every chart and in the list.", "차트를 가리키거나 화살표 키로 옮겨 정확한 값을 읽습니다. 요청 위로 끌거나 Enter를 누르면 모든 차트와 목록에 표시됩니다.";
        ChooseMode: "Requests asked for", "요청 방식";
        ChooseMetric: "Time shown", "표시할 시간";
        NoneSelected: "No request is selected. Drag over a chart to select some.", "선택한 요청이 없습니다. 차트 위로 끌어 선택하세요.";
        Selected: "{0} of {1} requests selected: {2}. The list below shows these.", "요청 {1}개 중 {0}개 선택: {2}. 아래 목록은 이 요청들을 보입니다.";
        Clear: "Select none", "선택 해제";
        RoleChart: "chart; arrow keys read values, Enter selects", "차트. 화살표 키로 값 읽기, Enter로 선택";
        ReadHint: "Point at the chart, or press an arrow key in it.", "차트를 가리키거나 차트에서 화살표 키를 누르세요.";
        Brushing: "{0} requests: let go to select them.", "요청 {0}개: 놓으면 선택됩니다.";
        AsTable: "As a table", "표로 보기";
        WatchTitle: "Watch it", "다시 보기";
        WatchHint: "Two answers again, at the speed at which they came. The text is not kept: each word here stands for as many characters. The first stand there when they were seen, the last too, where that is known; those between when they were received.", "두 응답을 실제 속도로 다시 봅니다. 글은 보관하지 않으므로 같은 길이의 자리표시로 나타냅니다. 처음과 끝은 알려진 경우 표시된 때, 그 사이는 수신된 때 나타납니다.";
        WatchOf: "Request", "요청";
        WatchRank: "{0}: request {1}", "{0}: 요청 {1}";
        WatchSelected: "selected: request {0}", "선택: 요청 {0}";
        WatchPlay: "Play", "재생";
        WatchStop: "Stop", "정지";
        WatchWaiting: "waiting", "기다리는 중";
        WatchSeen: "first words after {0} ms", "첫 단어 {0} ms";
        WatchDone: "complete after {0} ms", "완료 {0} ms";
        WatchReceived: "(received: when it was seen is not known)", "(수신 기준: 표시 시점은 알 수 없음)";
        NoPicture: "This browser could not draw the picture. Take the SVG.", "이 브라우저에서 그림을 만들 수 없습니다. SVG를 받으세요.";
        ByNines: "Server, received and seen, out to the tail", "서버·수신·표시 시간, 꼬리까지";
        Gap: "What each request waited outside the server’s report", "요청마다 서버 보고 밖에서 기다린 시간";
        SplitFirst: "Parts of the wait for the first words", "첫 단어까지 기다림의 구성";
        SplitWhole: "Parts of the wait for the whole answer", "전체 응답까지 기다림의 구성";
        Ecdf: "How many requests were done by when: {0}", "언제까지 몇 %가 끝났나: {0}";
        OverTime: "Every request over time: {0}", "시간에 따른 모든 요청: {0}";
        Scatter: "Measured here against reported by the server", "여기서 잰 시간과 서버가 보고한 시간";
        Barcode: "How answers arrived", "응답이 도착한 모습";
        Levels: "Throughput against the wait", "처리량과 기다림";
        Speed: "Throughput against each answer’s pace", "처리량과 응답별 속도";
        Paired: "Side by side: {0} − {1}", "나란히 비교: {0} − {1}";

        AxisPercentile: "percentile", "백분위수";
        AxisTime: "time", "시간";
        AxisGap: "outside the report", "보고 밖의 시간";
        AxisRequests: "requests", "요청 수";
        AxisShare: "share of requests", "요청의 비율";
        AxisSinceBegin: "since the run began", "측정 시작부터";
        AxisSinceSent: "since it was sent", "전송부터";
        AxisReported: "reported by the server", "서버가 보고";
        AxisMeasured: "measured here", "여기서 측정";
        AxisThroughput: "completed requests per second", "초당 완료 요청";
        AxisRate: "output rate of a request", "요청별 출력 속도";
        AxisDifference: "difference", "차이";
        AxisRank: "rank", "순위";

        Earliest: "{0}, not earlier than", "{0}, 빨라도";
        Latest: "{0}, not later than", "{0}, 늦어도";
        Between: "{0}, between its bounds", "{0}, 하한과 상한 사이";
        BeforeSent: "before the request went out", "요청이 나가기 전";
        ServerReported: "server reported", "서버가 보고";
        Band: "95 % band of the whole curve", "곡선 전체의 95 % 띠";
        Complete: "complete", "완료";
        Failed: "failed", "실패";
        AtLeast: "at least this: its end is not known", "적어도 이만큼: 끝을 모름";
        Interrupted: "stopped or interrupted", "멈춤 또는 중단";
        WarmUp: "warm-up, in no figure", "워밍업, 수치에 없음";
        WarmUpEnds: "warm-up ends", "워밍업 끝";
        BoundsOf: "bounds of an instant", "시점의 범위";
        OneRead: "a read that bore output", "출력이 있는 읽기";
        Stall: "stall: {0} ms and more without output", "멈춤: 출력 없이 {0} ms 이상";
        FirstSeen: "first words seen", "첫 단어 표시";
        LevelInterval: "95 % interval", "95 % 구간";
        Saturated: "saturated", "포화";
        Median: "median", "중앙값";
        MedianInterval: "95 % interval of the median", "중앙값의 95 % 구간";
        NoDifference: "no difference", "차이 없음";
        OnePair: "one pair", "한 쌍";
        Count: "requests", "요청 수";
        RowFirst: "first seen", "첫 표시";
        RowWhole: "all seen", "전체 표시";
        RowFirstReceived: "first received", "첫 수신";
        RowReceived: "all received", "전체 수신";

        ReadCurve: "{0}, {1}: {2} ms, n = {3}{4}", "{0}, {1}: {2} ms, n = {3}{4}";
        ReadInterval: ", 95 % interval {0}–{1} ms", ", 95 % 구간 {0}–{1} ms";
        ReadNeeds: ", an interval needs {0} requests", ", 구간에는 요청 {0}개 필요";
        ReadBin: "{0} to {1} ms: {2} of {3} requests ({4} %)", "{0}–{1} ms: 요청 {3}개 중 {2}개({4} %)";
        ReadBar: "{0}, request {1}, rank {2} of {3}. {4}", "{0}, 요청 {1}, {3}개 중 {2}번째. {4}";
        ReadSample: "request {0}: {1}, {2}; sent {3} s after the run began", "요청 {0}: {1}, {2}. 측정 시작 {3}초 뒤 전송";
        ReadAtLeast: "≥ {0} ms", "≥ {0} ms";
        ReadTime: "{0} {1}", "{0} {1}";
        ReadWait: "request {0}: {1} {2} ms, of which the server reported {3} ms; {4} ms outside", "요청 {0}: {1} {2} ms, 그중 서버 보고 {3} ms, 보고 밖 {4} ms";
        ReadRow: "request {0}, rank {1} of {2}: {3} reads with output over {4} ms, longest stall {5} ms, {6} stalls", "요청 {0}, {2}개 중 {1}번째: {4} ms 동안 출력 읽기 {3}회, 가장 긴 멈춤 {5} ms, 멈춤 {6}회";
        ReadLevel: "level {0}: {1} requests/s completed, {2} p50 {3} ms, p95 {4} ms, n = {5}", "수준 {0}: 초당 {1}개 완료, {2} p50 {3} ms, p95 {4} ms, n = {5}";
        ReadSpeed: "level {0}: {1} requests/s completed, output rate p50 {2} tok/s{3}, n = {4}", "수준 {0}: 초당 {1}개 완료, 출력 속도 p50 {2} tok/s{3}, n = {4}";
        ReadSpeedInterval: ", 95 % interval {0}–{1} tok/s", ", 95 % 구간 {0}–{1} tok/s";
        ReadPair: "requests {0} and {1}, {2}: {3} and {4} ms, difference {5} ms", "요청 {0}과 {1}, {2}: {3} ms와 {4} ms, 차이 {5} ms";
        ReadMedian: "{0}: median difference {1} ms{2}, n = {3} pairs", "{0}: 차이의 중앙값 {1} ms{2}, {3}쌍";

        AboutEcdf: "of {0} requests half stand at {1} or below and 95 % at {2} or below.", "요청 {0}개 중 절반은 {1} 이하, 95 %는 {2} 이하입니다.";
        AboutOverTime: "{0} requests over {1} s: {2} complete, {3} failed, {4} in warm-up.", "{1}초 동안 요청 {0}개: 완료 {2}개, 실패 {3}개, 워밍업 {4}개.";
        AboutScatter: "{0} requests. Outside the server’s report: p50 {1} ms, p95 {2} ms.", "요청 {0}개. 서버 보고 밖: p50 {1} ms, p95 {2} ms.";
        AboutGap: "{0} requests: p50 {1} ms, p95 {2} ms, largest {3} ms outside the server’s report, each computed of its own request.", "요청 {0}개: 서버 보고 밖의 시간은 요청마다 계산해 p50 {1} ms, p95 {2} ms, 최대 {3} ms.";
        AboutBarcode: "{0} of {1} answers, fastest first; {2} stalls among them.", "응답 {1}개 중 {0}개, 빠른 것부터. 멈춤 {2}회.";

        NoteDkw: "The band holds the whole true curve with 95 % confidence: ± {0} percentage points (Dvoretzky–Kiefer–Wolfowitz, n = {1}).", "띠는 95 % 신뢰도로 참 곡선 전체를 담습니다: ± {0} % 포인트(Dvoretzky–Kiefer–Wolfowitz, n = {1}).";
        NoteCensored: "{0} requests had not got there when they ended, so the curve stops short of 100 %.", "요청 {0}개는 끝날 때까지 이르지 못해 곡선이 100 %에 못 미칩니다.";
        NoteOnlyBounds: "This browser gives bounds of what was seen, so two edges are drawn and no value between them is meant.", "이 브라우저는 표시 시점의 범위만 주므로 두 경계를 그리며, 그 사이의 값을 뜻하지 않습니다.";
        NoteNoUpper: "{0} requests have no upper bound.", "요청 {0}개는 상한이 없습니다.";
        NoteWithoutReport: "{0} requests without a comparable report are left out.", "비교할 보고가 없는 요청 {0}개는 제외했습니다.";
        NoteInconsistent: "{0} requests whose report does not fit into the measured time are left out.", "보고가 측정한 시간과 맞지 않는 요청 {0}개는 제외했습니다.";
        NoteNoReport: "The server reported nothing that can be compared.", "서버가 비교할 수 있는 값을 보고하지 않았습니다.";
        NoteNobody: "No request has this figure.", "이 수치가 있는 요청이 없습니다.";
        NoteMissing: "Not drawn: {0} requests ({1}).", "그리지 않은 요청 {0}개({1}).";
        NoteLane: "{0} requests that did not end well have no such time: they stand above the others.", "잘 끝나지 않은 요청 {0}개는 이 시간이 없어 맨 위에 표시합니다.";
        NoteMarginals: "Percentiles of different curves are of different requests: the space between curves is not a gap.", "곡선마다 같은 백분위수라도 다른 요청입니다. 곡선 사이는 차이가 아닙니다.";
        NoteNeighbours: "Percentiles of parts don’t add up, so real requests are shown: that at each rank and those beside it.", "부분의 백분위수는 더해지지 않으므로 각 순위와 그 옆의 실제 요청을 보입니다.";
        NoteRows: "{0} of {1} answers are drawn, evenly over the ranks of how long they took.", "응답 {1}개 중 {0}개를 소요 시간 순위에서 고르게 골라 그립니다.";
        NoteRowsCut: "The first {0} of {1} rows; a saved run holds all.", "전체 {1}행 중 처음 {0}행. 저장한 측정에는 모두 있습니다.";
        NoteNoPace: "Level {0} is not drawn: {1}.", "수준 {0}은 그리지 않음: {1}.";
        NotePairs: "{0} pairs. Of each pair both were sent side by side in random order; differences are taken pair by pair.", "{0}쌍. 각 쌍을 무작위 순서로 나란히 보내고 쌍마다 차이를 구했습니다.";
        NoteNoPairs: "No pair has an exact figure on both sides.", "양쪽 모두 정확한 수치가 있는 쌍이 없습니다.";
        NoteSpread: "Heights inside a row only keep points apart.", "한 줄 안의 높이는 점을 띄우기 위한 것입니다.";

        ColRequest: "Request", "요청";
        ColSent: "Sent after (s)", "전송(초)";
        ColOutcome: "Outcome", "결과";
        ColReported: "Reported (ms)", "보고(ms)";
        ColMeasured: "Measured (ms)", "측정(ms)";
        ColOutside: "Outside (ms)", "보고 밖(ms)";
        ColFrom: "From (ms)", "부터(ms)";
        ColTo: "To (ms)", "까지(ms)";
        ColRank: "Rank", "순위";
        ColReads: "Reads with output", "출력 읽기";
        ColLast: "Last output (ms)", "마지막 출력(ms)";
        ColLongest: "Longest stall (ms)", "가장 긴 멈춤(ms)";
        ColStalls: "Stalls", "멈춤";
        ColFigure: "Figure", "수치";
        ColInterval: "95 % interval (ms)", "95 % 구간(ms)";
        ColLevelName: "Level", "수준";
        ColP50: "p50 (ms)", "p50 (ms)";
        ColP95: "p95 (ms)", "p95 (ms)";
        ColPairs: "Pairs", "쌍";
        ColMedian: "Median difference (ms)", "차이의 중앙값(ms)";
        ColRate: "Output rate p50 (tok/s)", "출력 속도 p50 (tok/s)";
    }
}
