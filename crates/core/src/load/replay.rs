//! When were the requests of a recorded trace sent? From lines of times, JSONL or CSV with a `timestamp` column.

use firstlight_json::number;
use serde_json::Value;

/// Why a trace can't be read; the line is counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// No line holds a time.
    #[error("the trace holds no times: give one a line, in ms, or JSONL or CSV with a timestamp column")]
    Empty,
    /// A line without a time.
    #[error("line {0} holds no time: a number of milliseconds is expected, in the field or column `timestamp`")]
    NoTime(usize),
    /// A time before the one before it.
    #[error("line {0} is earlier than the line before it: sort the trace by time")]
    Order(usize),
    /// A header without the column.
    #[error("the first line is a header without a column `timestamp`")]
    NoColumn,
}

/// Reads times in ms; the first becomes 0. Each line is a number, a JSON object with `timestamp`, or a row of a CSV file whose
/// header names the column `timestamp`.
pub fn read_replay(text: &str) -> Result<Vec<f64>, ReplayError> {
    let mut lines = text.lines().enumerate().map(|(at, l)| (at + 1, l.trim())).filter(|(_, l)| !l.is_empty()).peekable();
    let (_, first) = *lines.peek().ok_or(ReplayError::Empty)?;
    let cells = |line: &str| line.split([',', ';', '\t']).map(|c| c.trim().trim_matches('"').to_owned()).collect::<Vec<_>>();
    let is_header = !first.starts_with('{') && cells(first).iter().all(|cell| number(cell).is_none());
    let column = if is_header {
        lines.next();
        let named = cells(first).iter().position(|cell| cell.eq_ignore_ascii_case("timestamp"));
        named.ok_or(ReplayError::NoColumn)?
    } else {
        0
    };
    let mut times: Vec<f64> = Vec::new();
    for (at, line) in lines {
        let time = if line.starts_with('{') {
            serde_json::from_str::<Value>(line).ok().and_then(|v| v.get("timestamp")?.as_f64())
        } else {
            cells(line).get(column).and_then(|cell| number(cell))
        };
        let time = time.filter(|t: &f64| t.is_finite()).ok_or(ReplayError::NoTime(at))?;
        if times.last().is_some_and(|last| *last > time) {
            return Err(ReplayError::Order(at));
        }
        times.push(time);
    }
    let first = *times.first().ok_or(ReplayError::Empty)?;
    times.iter_mut().for_each(|t| *t -= first);
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_jsonl_and_csv_give_the_same_offsets() {
        let want = Ok(vec![0.0, 2.5, 40.0]);
        assert_eq!(read_replay("1000\n\n1002.5\n1040\n"), want);
        assert_eq!(read_replay("{\"timestamp\": 1000, \"x\": 1}\n{\"timestamp\": 1002.5}\n{\"timestamp\": 1040}"), want);
        assert_eq!(read_replay("input,\"Timestamp\"\r\n5,1000\r\n6,1002.5\r\n7,1040\r\n"), want);
    }

    #[test]
    fn errors_name_the_line_of_the_text() {
        assert_eq!(read_replay(" \n"), Err(ReplayError::Empty));
        assert_eq!(read_replay("timestamp"), Err(ReplayError::Empty));
        assert_eq!(read_replay("a,b\n1,2"), Err(ReplayError::NoColumn));
        assert_eq!(read_replay("1\n\nx"), Err(ReplayError::NoTime(3)));
        assert_eq!(read_replay("{\"timestamp\": 1}\n{\"t\": 2}"), Err(ReplayError::NoTime(2)));
        assert_eq!(read_replay("timestamp\n5\n4"), Err(ReplayError::Order(3)));
        assert_eq!(read_replay("5\nNaN"), Err(ReplayError::NoTime(2)));
    }
}
