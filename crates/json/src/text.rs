//! Escapes of a string that was already checked.

/// The text that a string's inside stands for. Half of a surrogate pair is the replacement character.
pub(super) fn unescaped(inside: &str) -> String {
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let kind = rest.as_bytes().get(at + 1).copied().unwrap_or(b'\\');
        let mut used = 2;
        text.push(match kind {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let (c, length) = unicode(&rest[at..]);
                used = length;
                c
            }
            other => char::from(other),
        });
        rest = &rest[at + used..];
    }
    text.push_str(rest);
    text
}

/// The character of one or two `\uXXXX`, and their length.
fn unicode(text: &str) -> (char, usize) {
    let unit = |at: usize| {
        let escape = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(escape, 16).ok()
    };
    let first = unit(0).unwrap_or(0xfffd);
    if let (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) = (first, unit(6)) {
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}
