//! What is selected, in words.

use crate::format::count;
use crate::report::Run;
use crate::text::{Cht, Lang, fill};

/// So many numbers of requests are named.
const NAMED: usize = 8;

/// The selected requests, or how to select some.
pub fn selected_line(run: &Run, selected: &[u32], lang: Lang) -> String {
    if selected.is_empty() {
        return Cht::NoneSelected.get(lang).to_owned();
    }
    let mut names: Vec<String> = selected.iter().take(NAMED).map(|id| count(*id as usize)).collect();
    if selected.len() > NAMED {
        names.push("…".to_owned());
    }
    fill(Cht::Selected.get(lang), &[&count(selected.len()), &count(run.traces.len()), &names.join(", ")])
}

/// How many requests a brush that is being drawn holds.
pub fn brushed_line(requests: usize, lang: Lang) -> String {
    fill(Cht::Brushing.get(lang), &[&count(requests)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::fixture::{run, trace};

    #[test]
    fn some_are_named_and_all_are_counted() {
        let run = run((0..20).map(|id| trace(id, 100)).collect());
        let line = |ids: &[u32]| selected_line(&run, ids, Lang::En);
        assert!(line(&[]).contains("Drag"));
        assert_eq!(line(&[3, 5]), "2 of 20 requests selected: 3, 5. The list below shows these.");
        assert!(line(&(0..9).collect::<Vec<_>>()).contains("9 of 20 requests selected: 0, 1, 2, 3, 4, 5, 6, 7, …."));
    }
}
