//! Texts of links to a set-up.

use super::Lang;
use super::catalogue::messages;
use crate::link::{LinkError, VERSION};

messages! {
    /// Texts of links to a set-up.
    LinkText {
        Copy: "Copy link", "링크 복사";
        Copied: "The link to this set-up is copied.", "이 설정의 링크를 복사했습니다.";
        ByHand: "The browser did not let the page copy. Select the link to this set-up and copy it.", "브라우저가 복사를 허용하지 않았습니다. 이 설정의 링크를 선택해 복사하세요.";
        Holds: "A link never holds a key or header lines, and browsers send what stands behind # to no server.", "링크에는 키와 헤더가 절대 들어가지 않으며, 브라우저는 # 뒤의 내용을 어느 서버에도 보내지 않습니다.";
        LeftOut: "Left out, since it is secret, holds something secret, or is too long: {0}.", "비밀이거나, 비밀이 들어 있거나, 너무 길어서 뺀 항목: {0}.";
        Opened: "Filled in from a link. Nothing was sent.", "링크의 내용으로 채웠습니다. 아무것도 보내지 않았습니다.";
        NotTaken: "Of the link, this page does not know these, or they have a value that can’t be; they are as usual: {0}.", "링크에서 이 페이지가 모르거나 값이 올바르지 않아 기본값으로 둔 항목: {0}.";
        Missing: "These the link does not hold, since they are secret, hold something secret, or are too long; fill them in here: {0}.", "비밀이거나, 비밀이 들어 있거나, 너무 길어서 링크에 없는 항목입니다. 여기에 직접 넣으세요: {0}.";
        NoVersion: "This link was not opened: it has no version, so it was cut or is none of this page’s. The form stands as it was.", "링크를 열지 못했습니다. 버전이 없어 잘렸거나 이 페이지의 링크가 아닙니다. 설정은 그대로입니다.";
        Newer: "This link was not opened: it has version {0}, and this page knows {1}. Open it with a newer Firstlight. The form stands as it was.", "링크를 열지 못했습니다. 링크의 버전은 {0}인데 이 페이지는 {1}까지 압니다. 더 새로운 Firstlight에서 여세요. 설정은 그대로입니다.";
        Unknown: "This link was not opened: its part “{0}” is not known. The form stands as it was.", "링크를 열지 못했습니다. 모르는 항목 “{0}”이(가) 있습니다. 설정은 그대로입니다.";
        Twice: "This link was not opened: its part “{0}” is there twice. The form stands as it was.", "링크를 열지 못했습니다. 항목 “{0}”이(가) 두 번 있습니다. 설정은 그대로입니다.";
        Value: "This link was not opened: its part “{0}” is missing or has a value that can’t be. The form stands as it was.", "링크를 열지 못했습니다. 항목 “{0}”이(가) 없거나 값이 올바르지 않습니다. 설정은 그대로입니다.";
    }
}

/// Why a link was not opened.
pub fn link_error(lang: Lang, error: &LinkError) -> String {
    let say = |key: LinkText, values: &[&str]| super::fill(key.get(lang), values);
    match error {
        LinkError::NoVersion => say(LinkText::NoVersion, &[]),
        LinkError::Newer(found) => say(LinkText::Newer, &[&found.to_string(), &VERSION.to_string()]),
        LinkError::Unknown(name) => say(LinkText::Unknown, &[name]),
        LinkError::Twice(name) => say(LinkText::Twice, &[name]),
        LinkError::Value(name) => say(LinkText::Value, &[name]),
    }
}
