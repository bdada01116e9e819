//! The report as a browser finds it: well-formed, with nothing to load or run, and with everything that the page shows.

use roxmltree::{Document, Node, ParsingOptions};

use super::*;
use crate::export::tests::three;
use crate::sections::sections;
use crate::summary::Summary;
use crate::trace::Mode;

fn read(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|e| panic!("{e}"))
}

/// Words as they stand, whatever is between them.
fn words(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|n| n.text()).collect::<Vec<_>>().join("\n")
}

fn hostile() -> Run {
    let mut run = three();
    let evil = "\"><script>alert('1')</script><img src=x onerror=alert(2)>&amp;\u{1}";
    run.config.url = format!("http://a/{evil}");
    run.config.model = evil.to_owned();
    run.created = evil.to_owned();
    run.environment.user_agent = evil.to_owned();
    run.environment.worker_refused = evil.to_owned();
    run.traces[1].spans[0].name = evil.to_owned();
    run.config.decision = Some(crate::decision::Decision {
        claim: evil.to_owned(),
        owner: evil.to_owned(),
        affected: String::new(),
        criteria: vec!["p50(first_answer)<1s".parse().expect("a criterion")],
        baseline: None,
        falsified_by: String::new(),
        if_it_fails: crate::decision::IfItFails::Stop,
    });
    run
}

#[test]
fn nothing_is_loaded_or_run_whatever_others_wrote() {
    let elements = [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "li",
        "section",
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "small",
        "figure",
        "figcaption",
        "details",
        "summary",
        "dl",
        "dt",
        "dd",
        "svg",
        "defs",
        "pattern",
        "rect",
        "path",
        "text",
        "circle",
        "g",
    ];
    for lang in Lang::ALL {
        let text = write(&hostile(), lang);
        let document = read(&text);
        for node in document.descendants().filter(Node::is_element) {
            assert!(elements.contains(&node.tag_name().name()), "{:?}", node.tag_name());
            for attribute in node.attributes() {
                let name = attribute.name();
                assert!(!name.starts_with("on") && !["href", "src", "style", "action", "srcset"].contains(&name), "{name}");
                let url = attribute.value().contains("url(");
                assert!(!url || attribute.value() == "url(#hatch)", "{}", attribute.value());
            }
        }
        let policy = document.descendants().find(|n| n.attribute("http-equiv") == Some("Content-Security-Policy"));
        assert_eq!(policy.and_then(|n| n.attribute("content")), Some(POLICY));
        assert!(words(document.root()).contains("<script>alert('1')</script>"), "it is told as it was written");
        let style = document.descendants().find(|n| n.has_tag_name("style")).and_then(|n| n.text()).unwrap_or_default();
        assert!(!style.contains("url(") && !style.contains("@import"), "{style}");
    }
}

#[test]
fn it_shows_what_the_page_shows() {
    let run = three();
    let summary = Summary::of(&run);
    for lang in Lang::ALL {
        let text = write(&run, lang);
        let document = read(&text);
        let all = words(document.root());
        assert_eq!(document.root_element().attribute("lang"), Some(lang.code()));
        for part in sections(&run, &summary, lang) {
            assert!(document.descendants().any(|n| n.attribute("id") == Some(part.id)), "{}", part.id);
            assert!(part.sentences.iter().all(|(_, sentence)| all.contains(sentence)), "{part:?}");
        }
        let metric = metrics_of(&summary, Mode::Streaming)[0];
        for chart in Chart::ALL {
            let size = Size { width: WIDTH, height: height_of(chart) };
            let sheet = Sheet { run: &run, summary: &summary, mode: Mode::Streaming, size, lang };
            let Some(figure) = chart.draw(&sheet, metric) else { continue };
            let caption =
                document.descendants().find(|n| n.has_tag_name("figcaption") && n.text() == Some(figure.title.as_str()));
            let drawn =
                caption.and_then(|n| n.parent()).expect("a figure").children().filter(|n| n.has_tag_name("svg")).count();
            assert_eq!(drawn, usize::from(!figure.is_empty()), "{}", figure.title);
            assert!(all.contains(&figure.context), "{}", figure.context);
        }
        let ttft = document.descendants().find(|n| n.has_tag_name("th") && n.text().is_some_and(|t| t.contains("TPOT")));
        let row = words(ttft.and_then(|n| n.parent()).expect("a row of the table"));
        assert!(row.contains("50.0"), "{row}");
    }
}

#[test]
fn a_figure_has_its_interval_below_it() {
    assert_eq!(with_interval("612 (598–640)", true), "612<small>598–640</small>");
    assert_eq!(with_interval("text (in brackets)", false), "text (in brackets)");
    assert_eq!(with_interval("612", true), "612");
}
