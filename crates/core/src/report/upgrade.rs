//! Older run files, brought up to the version that is read here: one step a version, all of them in this file.
//!
//! A new version comes with a step at the end of [`STEPS`], which makes a file of the version before into one of the new, and
//! with a line in the changelog of `docs/run-file.md`. Steps that were published are not changed: an old file meets each in turn.

use serde_json::{Map, Value};

use super::OpenError;

/// Makes a file of one version into one of the next, but for its version. An error says what of it can't be read.
type Step = fn(&mut Map<String, Value>) -> Result<(), String>;

/// The first makes a file of version 1 into one of version 2, and so on.
const STEPS: &[Step] = &[];

/// The version that is written and read.
pub(super) const NEWEST: u32 = STEPS.len() as u32 + 1;

/// Whether a file of this version has to be brought up; an error if it can't be read here.
pub(super) fn is_older(version: u64) -> Result<bool, OpenError> {
    check(version, NEWEST)
}

fn check(version: u64, newest: u32) -> Result<bool, OpenError> {
    match version {
        0 => Err(OpenError::Damaged("there is no version 0 of the format".to_owned())),
        v if v > u64::from(newest) => Err(OpenError::Newer { found: v, known: newest }),
        v => Ok(v < u64::from(newest)),
    }
}

/// An older file as one of the newest version.
pub(super) fn upgraded(file: Value, version: u64) -> Result<Value, OpenError> {
    through(STEPS, file, version)
}

fn through(steps: &[Step], file: Value, version: u64) -> Result<Value, OpenError> {
    let newest = steps.len() as u32 + 1;
    check(version, newest)?;
    let Value::Object(mut file) = file else { return Err(OpenError::NotOurs) };
    for (step, to) in steps.iter().zip(2u64..).filter(|(_, to)| *to > version) {
        step(&mut file).map_err(|why| OpenError::Damaged(format!("version {} of the format: {why}", to - 1)))?;
        file.insert("version".to_owned(), to.into());
    }
    Ok(Value::Object(file))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Version 2 calls the time `at_us`, version 3 has it in ms and a list of what was in it before.
    const MADE_UP: &[Step] = &[
        |file| {
            let at = file.remove("at").ok_or("its time is missing")?;
            file.insert("at_us".to_owned(), at);
            Ok(())
        },
        |file| {
            let us = file.remove("at_us").and_then(|at| at.as_i64()).ok_or("its time is no number")?;
            file.insert("at_ms".to_owned(), json!(us as f64 / 1000.0));
            Ok(())
        },
    ];

    #[test]
    fn a_file_goes_through_every_step_from_its_own_version_on() {
        let want = json!({"format": "x", "version": 3, "at_ms": 1.5});
        let of = |file: Value| {
            let version = file["version"].as_u64().expect("a version");
            through(MADE_UP, file, version)
        };
        assert_eq!(of(json!({"format": "x", "version": 1, "at": 1500})), Ok(want.clone()));
        assert_eq!(of(json!({"format": "x", "version": 2, "at_us": 1500})), Ok(want.clone()));
        assert_eq!(of(want.clone()), Ok(want));
    }

    #[test]
    fn what_is_newer_or_does_not_fit_is_refused_with_a_message() {
        let newer = through(MADE_UP, json!({"version": 4}), 4);
        assert_eq!(newer, Err(OpenError::Newer { found: 4, known: 3 }));
        assert!(newer.expect_err("refused").to_string().contains("Open it with a newer Firstlight"));
        assert!(through(MADE_UP, json!({"version": 0}), 0).is_err());
        let damaged = through(MADE_UP, json!({"version": 1}), 1).expect_err("refused").to_string();
        assert!(damaged.contains("version 1 of the format: its time is missing"), "{damaged}");
        let damaged = through(MADE_UP, json!({"version": 2, "at_us": "now"}), 2).expect_err("refused").to_string();
        assert!(damaged.contains("version 2 of the format: its time is no number"), "{damaged}");
        assert_eq!(through(MADE_UP, json!([]), 1), Err(OpenError::NotOurs));
    }

    #[test]
    fn a_file_of_now_needs_no_step_and_one_of_tomorrow_is_not_read() {
        assert_eq!(is_older(u64::from(NEWEST)), Ok(false));
        assert!((1..u64::from(NEWEST)).all(|older| is_older(older) == Ok(true)));
        assert!(is_older(u64::from(NEWEST) + 1).is_err());
    }
}
