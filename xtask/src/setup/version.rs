//! Versions: finding them in `--version` texts and in Cargo.lock.

/// The first word of a `--version` text that looks like a version.
pub fn find(text: &str) -> Option<&str> {
    text.split_whitespace().map(|word| word.trim_start_matches('v')).find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a version belongs to one of the release lines, e.g. `0.21`.
pub fn in_lines(version: &str, lines: &[&str]) -> bool {
    lines.iter().any(|line| version.strip_prefix(line).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// The version of a package in the text of Cargo.lock.
pub fn locked<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    lines.find(|line| *line == name)?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        assert_eq!(find("wasm-bindgen 0.2.130"), Some("0.2.130"));
        assert_eq!(find("trunk 0.22.0-beta.1"), Some("0.22.0-beta.1"));
        assert_eq!(find("wasm-opt version 108 (version_108)"), Some("108"));
        assert_eq!(find("geckodriver 0.36.0 (a3d508507022 2025)"), Some("0.36.0"));
        assert_eq!(find("no digits"), None);
    }

    #[test]
    fn release_lines_do_not_match_longer_numbers() {
        assert!(in_lines("0.21.14", &["0.21", "0.22"]));
        assert!(in_lines("0.22.0-beta.1", &["0.21", "0.22"]));
        assert!(in_lines("0.21", &["0.21"]));
        assert!(!in_lines("0.210.1", &["0.21"]));
        assert!(!in_lines("0.20.3", &["0.21", "0.22"]));
    }

    #[test]
    fn the_lock_file_names_one_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.50\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked(lock, "wasm"), None);
    }
}
