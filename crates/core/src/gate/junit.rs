//! Cases in the form of `JUnit`, which every build server reads: a limit that fails is a failure, and one that nobody can tell
//! is an error, with its reason.

use super::{Case, Said};

/// What XML would take for something else, or can't hold.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A suite of cases. `class` says what they are limits of; `created` is RFC 3339, `properties` are names and values that all
/// cases share: where and what was measured.
pub fn junit(class: &str, created: &str, properties: &[(&str, String)], cases: &[Case]) -> String {
    let count = |said: Said| cases.iter().filter(|case| case.said == said).count();
    let (failures, errors) = (count(Said::Failed), count(Said::Unknown));
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", cases.len());
    let class = escaped(class);
    // As the schema has it: to the second, without a zone.
    let time = created.get(..19).filter(|t| t.as_bytes().get(10) == Some(&b'T'));
    let time = time.map_or(String::new(), |t| format!(" timestamp=\"{}\"", escaped(t)));
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"firstlight\" {counts}>\n");
    out.push_str(&format!("  <testsuite name=\"{class}\" {counts} skipped=\"0\" time=\"0\"{time}>\n    <properties>\n"));
    for (name, value) in properties {
        out.push_str(&format!("      <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value)));
    }
    out.push_str("    </properties>\n");
    for case in cases {
        let (name, message) = (escaped(&case.name), escaped(&case.message));
        let said = match case.said {
            Said::Passed => String::new(),
            Said::Failed => format!("      <failure message=\"{message}\" type=\"limit\">{name}: {message}</failure>\n"),
            Said::Unknown => format!("      <error message=\"{message}\" type=\"not_enough_data\">{name}: {message}</error>\n"),
        };
        out.push_str(&format!("    <testcase name=\"{name}\" classname=\"{class}\" time=\"0\">\n{said}"));
        out.push_str(&format!("      <system-out>{message}</system-out>\n    </testcase>\n"));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}
