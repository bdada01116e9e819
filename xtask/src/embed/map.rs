//! A source map of whole lines: which line of which source a line of the joined file came from.

/// A map being written, line by line.
#[derive(Default)]
pub struct Map {
    sources: Vec<String>,
    lines: Vec<String>,
    /// Source, line and column of the last line that has any: every number is a difference.
    last: [i64; 3],
}

impl Map {
    /// The lines that follow come from this file.
    pub fn source(&mut self, path: impl Into<String>) {
        self.sources.push(path.into());
    }

    /// A line that comes from a line and column of the present source, from 0; none of its own.
    pub fn line(&mut self, origin: Option<(usize, usize)>) {
        let mut segment = String::new();
        if let Some((line, column)) = origin {
            let now = [self.sources.len().saturating_sub(1), line, column].map(|n| n as i64);
            vlq(0, &mut segment);
            for (now, last) in now.iter().zip(self.last) {
                vlq(now - last, &mut segment);
            }
            self.last = now;
        }
        self.lines.push(segment);
    }

    /// The map of a file of this name.
    pub fn finish(self, file: &str) -> String {
        // Names of our own: nothing in them needs an escape.
        let sources = self.sources.iter().map(|source| format!("\"{source}\"")).collect::<Vec<_>>().join(",");
        let mappings = self.lines.join(";");
        format!("{{\"version\":3,\"file\":\"{file}\",\"sources\":[{sources}],\"names\":[],\"mappings\":\"{mappings}\"}}\n")
    }
}

/// A number in the map's own digits: five bits each, the lowest first, the sign in the lowest bit of all.
fn vlq(number: i64, into: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = (number.unsigned_abs() << 1) | u64::from(number < 0);
    loop {
        let (digit, more) = (rest & 31, rest >> 5);
        into.push(char::from(DIGITS[(digit | if more > 0 { 32 } else { 0 }) as usize]));
        if more == 0 {
            return;
        }
        rest = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_format_says() {
        let written = [0, 1, -1, 15, 16, -16, 123_456_789].map(|number| {
            let mut digits = String::new();
            vlq(number, &mut digits);
            digits
        });
        assert_eq!(written, ["A", "C", "D", "e", "gB", "hB", "qxmvrH"]);
    }

    #[test]
    fn lines_say_where_they_came_from() {
        let mut map = Map::default();
        map.line(None);
        map.source("a.js");
        map.line(Some((2, 0)));
        map.line(Some((3, 2)));
        map.source("b.js");
        map.line(Some((0, 0)));
        let written = "{\"version\":3,\"file\":\"ab.js\",\"sources\":[\"a.js\",\"b.js\"],\"names\":[],\"mappings\":\";AAEA;AACE;ACHF\"}\n";
        assert_eq!(map.finish("ab.js"), written);
    }
}
