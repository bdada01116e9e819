//! Texts of kept runs: the list, and what a page that ended left behind.

use super::catalogue::messages;

messages! {
    /// Texts of kept runs.
    His {
        Title: "Kept runs", "보관한 측정";
        Link: "History", "기록";
        Lead: "Runs that this browser keeps, newest first. Of each it keeps what a saved file holds: the set-up with its prompt or cases, and the times of every request. Keys and headers are never kept; of an answer nothing but the first characters of one that failed a check.", "이 브라우저가 보관한 측정을 최근 것부터 보여 줍니다. 저장한 파일에 들어 있는 것, 곧 프롬프트나 사례를 포함한 설정과 모든 요청의 시각을 보관합니다. 키와 헤더는 절대 보관하지 않으며, 응답은 검사에 떨어진 것의 첫 글자 몇 개만 남깁니다.";
        Search: "Search", "검색";
        SearchHint: "Every word must be in the time, host, model, headline, load or notes.", "시각, 호스트, 모델, 요약, 부하, 메모에 모든 단어가 있어야 합니다.";
        Found: "{0} of {1} runs", "{1}개 중 {0}개";
        None: "No run is kept yet. Each run that ends is kept here.", "아직 보관한 측정이 없습니다. 끝난 측정이 여기에 보관됩니다.";
        NoneFound: "No kept run has all these words.", "이 단어가 모두 있는 측정이 없습니다.";
        Requests: "{0} requests", "요청 {0}개";
        Size: "{0} MB", "{0} MB";
        Ended: "incomplete: the page ended", "미완료: 페이지가 닫힘";
        Pinned: "has notes: stays until you delete it", "메모 있음: 직접 지울 때까지 남음";
        Notes: "Notes", "메모";
        Open: "Open", "열기";
        Save: "Save as file", "파일로 저장";
        Delete: "Delete", "삭제";
        Of: "{0}: {1}", "{0}: {1}";
        DeleteAll: "Delete all", "모두 삭제";
        SureOne: "Delete the run of {0}? It can’t be brought back.", "{0}의 측정을 지울까요? 되돌릴 수 없습니다.";
        SureAll: "Delete all {0} kept runs, those with notes too? They can’t be brought back.", "메모가 있는 것까지 보관한 측정 {0}개를 모두 지울까요? 되돌릴 수 없습니다.";
        KeepTitle: "What is kept", "보관 설정";
        Keep: "Keep runs in this browser", "이 브라우저에 측정 보관";
        KeepHint: "Off: nothing is written, and a run is lost if its page ends. What is kept already stays.", "끄면 아무것도 쓰지 않으며, 페이지가 닫히면 진행 중인 측정은 사라집니다. 이미 보관한 것은 남습니다.";
        Limit: "At most, in MB", "최대 용량(MB)";
        LimitHint: "Over it, the oldest runs without notes go first. From 0.01 to 1,000,000.", "넘으면 메모가 없는 오래된 측정부터 지웁니다. 0.01~1,000,000.";
        LimitWrong: "The limit must be a number from 0.01 to 1,000,000 MB. The old one stands.", "용량은 0.01부터 1,000,000 사이의 MB 숫자여야 합니다. 이전 값을 그대로 씁니다.";
        Used: "Kept runs take {0} MB of {1} MB.", "보관한 측정이 {1} MB 중 {0} MB를 차지합니다.";
        UsedOver: "Kept runs take {0} MB, more than the {1} MB of the limit: those with notes and the newest stay.", "보관한 측정이 한도 {1} MB보다 많은 {0} MB를 차지합니다. 메모가 있는 것과 가장 최근 것은 남습니다.";
        Refused: "This browser keeps no runs here, so save each as a file. It says: {0}", "이 브라우저는 여기에 측정을 보관하지 않습니다. 각각 파일로 저장하세요. 브라우저의 말: {0}";
        NotKept: "A run is not kept here, or not whole. Save it as a file. The browser says: {0}", "측정을 보관하지 못했거나 일부만 보관했습니다. 파일로 저장하세요. 브라우저의 말: {0}";
        Gone: "This run is not kept any more; it may have been deleted in another tab.", "이 측정은 더 이상 없습니다. 다른 탭에서 지웠을 수 있습니다.";
        OfferTitle: "A run was cut off when its page ended", "페이지가 닫혀 끊긴 측정";
        Offer: "{0}, {1}: {2} finished requests were saved. It is in the history, marked incomplete.", "{0}, {1}: 끝난 요청 {2}개가 저장되어 있습니다. 미완료로 표시해 기록에 두었습니다.";
        OfferKeep: "Leave it", "그대로 두기";
    }
}
