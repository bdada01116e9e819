//! Texts of what stands in other people's pages.

use super::catalogue::messages;

messages! {
    /// Texts of the custom elements and of the page for frames.
    Emb {
        Busy: "Another measurement is under way on this page. Two at once would measure each other: wait until it is over, or stop it.", "이 페이지에서 다른 측정이 진행 중입니다. 둘을 한꺼번에 하면 서로를 재게 됩니다. 끝날 때까지 기다리거나 멈추세요.";
        Disconnected: "The element was taken out of the page, so the measurement was stopped. Nothing is sent any more.", "요소가 페이지에서 빠져 측정을 멈추었습니다. 더는 아무것도 보내지 않습니다.";
        NotInPage: "The element is not in a page, so nothing can be seen in it. Put it into the document, then start.", "요소가 페이지에 없어 아무것도 보일 수 없습니다. 문서에 넣은 뒤 시작하세요.";
        Setup: "The set-up can’t be read: {0}", "설정을 읽을 수 없습니다: {0}";
        NotANumber: "“{1}” is no whole number: {0}", "“{1}”은(는) 정수가 아닙니다: {0}";
        NoTarget: "No address to measure. Set the attribute target.", "측정할 주소가 없습니다. target 속성을 넣으세요.";
        Markdown: "Answers are drawn as plain text here: the styles of the page around would reach into Markdown. Set rendering to plain.", "여기서는 응답을 일반 텍스트로만 그립니다. 바깥 페이지의 스타일이 Markdown에 섞이기 때문입니다. rendering을 plain으로 하세요.";
        Mode: "“{0}” is no way of asking. Write streaming, non_streaming or both.", "“{0}”은(는) 요청 방식이 아닙니다. streaming, non_streaming, both 중 하나를 쓰세요.";
        KeepInView: "First and last visible output are measured on these. Keep this part of the page in view.", "처음과 마지막에 보인 시점을 여기서 측정합니다. 이 부분이 화면에 보이게 두세요.";
        InElement: "in an element of another page", "다른 페이지 안의 요소";
        InFrame: "in a frame of the same site", "같은 사이트의 프레임 안";
        InForeignFrame: "in a frame of another site: what covers it there can’t be seen, and an engine may slow it down", "다른 사이트의 프레임 안: 바깥에서 무엇이 가리는지 알 수 없고, 브라우저가 느리게 할 수 있음";
        AllFigures: "All figures", "모든 값";
    }
}
