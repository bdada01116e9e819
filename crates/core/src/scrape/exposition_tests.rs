//! Pages of every form, spoilt pages, and pages that were generated.

use super::*;
use proptest::prelude::*;

fn all(text: &str) -> Exposition<'_> {
    parse(text, |_| true)
}

fn one(line: &str) -> Sample<'_> {
    let text: &str = Box::leak(format!("{line}\n").into_boxed_str());
    let page = all(text);
    assert!(page.notes.is_empty() && page.samples.len() == 1, "{page:?}");
    page.samples[0].clone()
}

#[test]
fn names_labels_values_and_times() {
    let sample = one(r#"vllm:time_bucket{ le="0.5" , model_name="a\\b\"c\nd\q" ,} 3 1700000000123"#);
    assert_eq!((sample.name.as_ref(), sample.value, sample.timestamp_ms), ("vllm:time_bucket", 3.0, Some(1_700_000_000_123)));
    assert_eq!((sample.label("le"), sample.label("model_name")), (Some("0.5"), Some("a\\b\"c\nd\\q")));
    assert!(one("a{} 1").labels.is_empty());
    assert_eq!(one("a\t 1.5e-3").value, 1.5e-3);
    assert_eq!(one("a +Inf").value, f64::INFINITY);
    assert!(one("a NaN").value.is_nan());
    assert_eq!(one("  a{x=\"}#,\"} 2 # {trace_id=\"1\"} 0.4 1.5").label("x"), Some("}#,"));
    assert_eq!(one(r#"{"gpu.power", host="x"} 7"#).name, "gpu.power");
    assert_eq!(one("a{x=\"한글\"} 1").label("x"), Some("한글"));
}

#[test]
fn comments_families_and_the_end() {
    let text = "# HELP a It says\n#TYPE a counter\n# TYPE b histogram\n# TYPE c stateset\n# nothing\n\na_total 5 12.5\r\n# EOF";
    let page = all(text);
    let kinds = ["a", "b", "c", "d"].map(|family| page.kind(family));
    assert_eq!(kinds, [Some(Kind::Counter), Some(Kind::Histogram), Some(Kind::Other), None]);
    assert_eq!(page.samples[0].timestamp_ms, Some(12_000), "seconds in OpenMetrics");
    assert_eq!((page.samples.len(), page.not_understood), (1, 0));
}

#[test]
fn what_is_wrong_is_left_out_and_noted_and_the_rest_is_kept() {
    let check = |line: &str, why: Wrong| {
        let text = format!("good 1\n{line}\nalso_good 2\n");
        let page = all(&text);
        assert_eq!(page.notes, [(2, why)], "{line}");
        assert_eq!(page.samples.iter().map(|s| s.value).collect::<Vec<_>>(), [1.0, 2.0], "{line}");
    };
    for line in ["1a 2", "{} 3", "{x=\"1\"} 3", "<html>", "a{\"b\"} 1"] {
        check(line, Wrong::Name);
    }
    for line in ["a{x} 1", "a{x=1} 1", "a{x=\"1} 1", "a{x=\"1\" y=\"2\"} 1", "a{=\"1\"} 1", "a{,} 1", "a{x=\"1\"", "a{x=\"\\"] {
        check(line, Wrong::Labels);
    }
    for line in ["a", "a{x=\"1\"}", "a x", "a 0x10", "a 1_000", "a # {} 1"] {
        check(line, Wrong::Value);
    }
    for line in ["a 1 x", "a 1 NaN", "a 1 2 3"] {
        check(line, Wrong::Timestamp);
    }
    let page = all("a 1\n# EOF\nb 2\n");
    assert_eq!((page.samples.len(), page.notes), (1, vec![(3, Wrong::AfterEnd)]));
}

#[test]
fn a_number_that_may_be_cut_does_not_count() {
    let page = all("a 1\nb 12");
    assert_eq!((page.samples.len(), page.notes), (1, vec![(2, Wrong::CutOff)]));
}

#[test]
fn notes_are_counted_beyond_those_that_are_kept() {
    let text = "?\n".repeat(50);
    let page = all(&text);
    assert_eq!((page.notes.len(), page.not_understood), (20, 50));
}

#[test]
fn what_is_not_wanted_is_passed_over() {
    let page = parse("a 1\nb{broken 2\nc 3\n", |name| name == "c");
    assert_eq!((page.samples.len(), page.not_understood, page.samples[0].value), (1, 0, 3.0));
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

proptest! {
    /// Whatever comes, it is read to the end, and each line is a sample, a comment, blank, or noted.
    #[test]
    fn never_fails(text in "[a-z0-9_:{}=\",#\\\\ \n\r\t.+Einfa한]{0,200}") {
        let page = all(&text);
        prop_assert!(page.samples.len() + page.not_understood <= text.split_inclusive('\n').count());
        prop_assert_eq!(page.notes.len(), page.not_understood.min(20));
    }

    #[test]
    fn never_fails_on_any_text_at_all(text in any::<String>()) {
        let page = all(&text);
        prop_assert!(page.samples.len() + page.not_understood <= text.split_inclusive('\n').count());
    }

    /// A sound page that is cut anywhere loses no sample before the cut and gains none.
    #[test]
    fn a_cut_page_holds_a_beginning_of_the_samples(values in prop::collection::vec(0u32..100_000, 1..8), at in any::<prop::sample::Index>()) {
        let text: String = values.iter().map(|v| format!("a{{x=\"é\"}} {v}\n")).collect();
        let whole = all(&text).samples;
        let cut = (0..=at.index(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0);
        let part = all(&text[..cut]).samples;
        prop_assert_eq!(&whole[..part.len()], part.as_slice());
        prop_assert_eq!(part.len(), text[..cut].matches('\n').count());
    }

    /// What was written is what is read.
    #[test]
    fn what_is_written_comes_back(
        name in "[a-zA-Z_:][a-zA-Z0-9_:]{0,12}",
        labels in prop::collection::vec(("[a-zA-Z_][a-zA-Z0-9_]{0,8}", any::<String>()), 0..4),
        value in any::<f64>().prop_filter("a number", |v| !v.is_nan()),
        at in prop::option::of(-(1i64 << 52)..(1i64 << 52)),
    ) {
        let inside: Vec<String> = labels.iter().map(|(n, v)| format!("{n}=\"{}\"", escaped(v))).collect();
        let time = at.map(|at| format!(" {at}")).unwrap_or_default();
        let text = format!("{name}{{{}}} {value}{time}\n", inside.join(","));
        let page = all(&text);
        prop_assert!(page.notes.is_empty());
        let sample = &page.samples[0];
        prop_assert_eq!(sample.name.as_ref(), name.as_str());
        prop_assert_eq!((sample.value, sample.timestamp_ms), (value, at));
        let read: Vec<(String, String)> = sample.labels.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        prop_assert_eq!(read, labels);
    }
}
