//! What `/metrics` says, in Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

/// Each counter: name, what it counts, the name of its label.
const ALL: [(&str, &str, &str); 6] = [
    ("deliveries", "Deliveries, by what was answered", "answer"),
    ("reports", "Reports, by what became of them", "result"),
    ("runs", "Run files, by what became of them", "result"),
    ("dropped_by_pages", "Reports that pages said they dropped", ""),
    ("beacons_lost", "Beacons that were refused for now: a page that is gone does not send again", ""),
    ("upstream", "Requests to the collector, by how they ended", "result"),
];

/// Counts since the start. Labels come from a few words of this program, so there are few.
#[derive(Default)]
pub(super) struct Counters(Mutex<BTreeMap<(&'static str, &'static str), u64>>);

impl Counters {
    pub(super) fn add(&self, counter: &'static str, label: &'static str, n: u64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry((counter, label)).or_default() += n;
    }

    pub(super) fn text(&self, bytes_under_way: usize) -> String {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for (name, words, label) in ALL {
            let full = format!("firstlight_collect_{name}_total");
            let _never_fails = write!(text, "# HELP {full} {words}.\n# TYPE {full} counter\n");
            let mut any = false;
            for ((_, value), n) in counts.range((name, "")..).take_while(|((of, _), _)| *of == name) {
                any = true;
                let _never_fails = match label {
                    "" => writeln!(text, "{full} {n}"),
                    label => writeln!(text, "{full}{{{label}=\"{value}\"}} {n}"),
                };
            }
            if !any && label.is_empty() {
                let _never_fails = writeln!(text, "{full} 0");
            }
        }
        let name = "firstlight_collect_bytes_under_way";
        let _never_fails =
            write!(text, "# HELP {name} Bytes of bodies that are under way.\n# TYPE {name} gauge\n{name} {bytes_under_way}\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_its_lines() {
        let counters = Counters::default();
        counters.add("reports", "accepted", 2);
        counters.add("reports", "accepted", 3);
        counters.add("reports", "missing_field", 1);
        let text = counters.text(7);
        assert!(text.contains("firstlight_collect_reports_total{result=\"accepted\"} 5\n"), "{text}");
        assert!(text.contains("firstlight_collect_reports_total{result=\"missing_field\"} 1\n"), "{text}");
        assert!(text.contains("firstlight_collect_beacons_lost_total 0\n"), "{text}");
        assert!(text.ends_with("firstlight_collect_bytes_under_way 7\n"), "{text}");
    }
}
