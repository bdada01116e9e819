//! Answers that are drawn as Markdown: what they look like, and that they are seen as surely as plain ones.

use firstlight_core::config::Rendering;
use firstlight_core::mark::{Absence, Mark};
use firstlight_core::paint::Method;
use firstlight_core::report::Run;
use firstlight_core::sections::sections;
use firstlight_core::summary::Summary;
use firstlight_core::text::Lang;
use firstlight_e2e::{Browser, Page, Served};

use crate::checks::{all_complete, at, measure, open, own};

const DRAWN: &str = "<h4>Why the <em>sky</em> is blue</h4>\
<p>Air scatters <strong>blue light</strong> more than red, by the fourth power of the wavelength: <code>1 / λ⁴</code>.</p>\
<ul><li><p>At <strong>noon</strong> the way is short: blue.</p></li><li><p>At <em>dusk</em> it is long:</p>\
<ul><li><p>the blue is gone,</p></li><li><p>the red is left. 🌇</p></li></ul></li></ul>\
<pre>def scattered(wavelength):\n    return 1 / wavelength ** 4\n</pre>\
<table><tr><th>colour</th><th>nm</th></tr><tr><td>blue</td><td>450</td></tr><tr><td>red</td><td>700</td></tr></table>\
<ol><li><p>Read <span>more</span>.</p></li><li><p>Or look &lt;b&gt;up&lt;/b&gt;.</p></li></ol>";

fn watched<'a>(browser: &'a Browser) -> (Served, Page<'a>) {
    let (served, page) = open(browser);
    browser.execute(include_str!("../../src/scripts/drawn.js"), vec![]).expect("a watch");
    (served, page)
}

/// Measures answers in Markdown, and looks at how they ended.
fn drawn(browser: &Browser) -> Run {
    let (served, page) = watched(browser);
    let setup = own(&served.endpoint("preset=markdown&ttft_ms=20&gap_ms=5"), 10).with("rendering", "markdown");
    let run = measure(&page, &setup);
    all_complete(&run);
    assert_eq!(run.config.rendering, Rendering::Markdown);
    let drawn = page.string("return JSON.stringify(window.__drawn);", vec![]).expect("what was drawn");
    let drawn: std::collections::BTreeMap<String, String> = serde_json::from_str(&drawn).expect("JSON");
    assert!(!drawn.is_empty());
    for (place, html) in drawn {
        assert_eq!(html, DRAWN, "{place}");
    }
    for trace in &run.traces {
        let frames = trace.flags.long_frames.as_ref().expect("somebody looked");
        assert!(frames.iter().all(|frame| frame.as_ms() >= 50.0), "{frames:?}");
    }
    let part = sections(&run, &Summary::of(&run), Lang::En)
        .into_iter()
        .find(|part| part.id == "drawing")
        .expect("a part about drawing");
    let shown = page.text("drawing").expect("the part");
    for (_, sentence) in &part.sentences {
        assert!(sentence.starts_with("Drawn as Markdown: ") && shown.contains(sentence), "{sentence} in {shown}");
    }
    assert_eq!(part.sentences.len(), 3, "both render gaps and the frames: {:?}", part.sentences);
    assert!(shown.contains("drawn as Markdown"), "the context in {shown}");
    run
}

pub(crate) fn its_first_characters_were_seen_at_a_known_instant(browser: &Browser) {
    for trace in &drawn(browser).traces {
        for (paint, received) in [(trace.first_visible, Mark::FirstAnswer), (trace.complete_visible, Mark::LastAnswer)] {
            let seen = paint.unwrap_or_else(|why| panic!("not seen: {}; {trace:?}", why.code()));
            assert_eq!(seen.method, Method::ElementTiming);
            assert!(seen.value.expect("a value") >= at(trace, received), "seen before it was received: {trace:?}");
        }
    }
}

pub(crate) fn its_first_characters_were_seen_within_bounds(browser: &Browser) {
    for trace in &drawn(browser).traces {
        for (paint, received) in [(trace.first_visible, Mark::FirstAnswer), (trace.complete_visible, Mark::LastAnswer)] {
            let seen = paint.unwrap_or_else(|why| panic!("not seen: {}; {trace:?}", why.code()));
            assert_eq!((seen.method, seen.value), (Method::FrameCallbacks, None));
            assert!(seen.earliest >= at(trace, received), "seen before it was received: {trace:?}");
        }
    }
}

/// So short that its place shows it whole, and all at once: the first and the last of it are in the same frames.
pub(crate) fn a_short_answer_has_a_beginning_and_an_end(browser: &Browser) {
    for query in ["preset=markdown&tokens=24&ttft_ms=20&gap_ms=0", "preset=fast&gap_ms=1", "preset=fast&burst=1"] {
        let (served, page) = watched(browser);
        let run = measure(&page, &own(&served.endpoint(query), 5).with("rendering", "markdown"));
        all_complete(&run);
        for trace in &run.traces {
            for paint in [trace.first_visible, trace.complete_visible] {
                paint.unwrap_or_else(|why| panic!("{query}: not seen: {}; {trace:?}", why.code()));
            }
        }
    }
}

pub(crate) fn of_a_long_answer_only_the_end_is_in_the_document(browser: &Browser) {
    for query in
        ["preset=markdown&tokens=20000&tokens_per_chunk=50&ttft_ms=20&gap_ms=5", "preset=fast&first_chunk_bytes=256000"]
    {
        let (served, page) = watched(browser);
        let run = measure(&page, &own(&served.endpoint(query), 2).with("rendering", "markdown"));
        all_complete(&run);
        for trace in &run.traces {
            assert!(trace.amounts.answer_chars > 100_000, "{trace:?}");
            // So much comes that the first may be out of sight before its frame, and what is drawn anew in each frame may be
            // gone before Chromium reports it: then it is absent, with the reason.
            for paint in [trace.first_visible, trace.complete_visible] {
                assert!(matches!(paint, Ok(_) | Err(Absence::OffScreen | Absence::NoPaintEntry)), "{paint:?}");
            }
        }
        let most = page.string("return String(window.__most);", vec![]).expect("a length");
        let most: usize = most.parse().expect("a number");
        assert!((2_000..30_000).contains(&most), "{query}: {most} characters");
    }
}
