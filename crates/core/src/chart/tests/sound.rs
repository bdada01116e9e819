//! What must hold of every figure: everything inside, nothing touching, every reading with words, and a file that any
//! program can open.

use super::*;

/// Every place of a figure.
fn places(figure: &Figure) -> Vec<Place> {
    let corners = |r: &Rect| vec![(r.x, r.y), (r.right(), r.bottom())];
    let of = |l: &Layer| match &l.shape {
        Shape::Line(p) | Shape::Area(p) | Shape::Points(_, p) => p.clone(),
        Shape::Rects(r) => r.iter().flat_map(corners).collect(),
        Shape::Strokes(s) => s.iter().flat_map(|(a, b)| [*a, *b]).collect(),
        Shape::Rule { from, to, .. } => vec![*from, *to],
    };
    let spots = figure.spots.iter().flat_map(|s| corners(&s.rect()));
    figure.layers.iter().flat_map(of).chain(spots).chain(corners(&figure.plot)).collect()
}

fn sound(run: &Run, figure: &Figure, lang: Lang, what: &str) {
    let Size { width, height } = figure.size;
    let fits =
        |(x, y): Place| x.is_finite() && y.is_finite() && x >= -1e-6 && y >= -1e-6 && x <= width + 1e-6 && y <= height + 1e-6;
    if figure.is_empty() {
        assert!(!figure.notes.is_empty(), "{what}: empty without a reason");
    } else {
        assert!(places(figure).into_iter().all(fits), "{what}: {:?}", places(figure).into_iter().find(|p| !fits(*p)));
        assert!(!figure.spots.is_empty() && !figure.table.rows.is_empty(), "{what}");
        assert!(figure.table.rows.iter().all(|r| r.len() == figure.table.head.len()), "{what}");
        assert!(figure.layers.iter().all(|l| !l.is_empty() && !l.path().contains("NaN")), "{what}");
    }
    assert!(!figure.title.is_empty() && !figure.about.is_empty() && !figure.context.is_empty(), "{what}");
    assert!(!figure.about.contains('{') && !figure.notes.iter().any(|n| n.contains('{')), "{what}: {}", figure.about);
    let texts = figure.texts();
    for (at, text) in texts.iter().enumerate().filter(|_| !figure.is_empty()) {
        let r = text.rect();
        assert!(fits((r.x, r.y.max(0.0))) && fits((r.right(), r.bottom())), "{what}: {text:?} hangs out of {:?}", figure.size);
        let touching = texts[..at].iter().find(|t| {
            let o = t.rect();
            t.role == text.role && o.x < r.right() && r.x < o.right() && o.y < r.bottom() && r.y < o.bottom()
        });
        assert_eq!(touching, None, "{what}: touches {text:?}");
    }
    for spot in 0..figure.spots.len() {
        let label = figure.label(run, spot, lang);
        assert!(!label.is_empty() && !label.contains('{'), "{what}: {label}");
        // The server also tells of times at which nothing was under way here.
        let alone = matches!(figure.reading, Reading::Told(_));
        assert!(alone || !figure.requests(spot).is_empty(), "{what}: {label}");
    }
    let file = svg::document(figure);
    let parsed = roxmltree::Document::parse(&file).unwrap_or_else(|e| panic!("{what}: {e}"));
    let has = |name: &str| parsed.descendants().any(|n| n.has_tag_name(("http://www.w3.org/2000/svg", name)));
    assert!(has("title") && has("desc"), "{what}");
    assert!(
        parsed.descendants().flat_map(|n| n.attributes()).all(|a| !a.value().starts_with("http")),
        "{what}: not self-contained"
    );
}

#[test]
fn every_figure_is_sound_at_every_width_in_both_languages() {
    let mut silent = plain(7);
    silent.traces.iter_mut().for_each(|t| t.spans.clear());
    let hostile = {
        let mut run = plain(40);
        run.config.model = "<b>&\"'\u{1}]]>".into();
        run.traces.iter_mut().for_each(|t| t.spans[0].name = "a<b & \"c\"".into());
        run
    };
    let runs = [
        ("plain", plain(400)),
        ("one", plain(1)),
        ("none", run(Vec::new())),
        ("troubled", troubled()),
        ("pairs", in_pairs()),
        ("swept", swept()),
        ("silent", silent),
        ("hostile", hostile),
        ("metered", server::metered()),
    ];
    let mut figures = 0;
    for (name, run) in &runs {
        for lang in Lang::ALL {
            for (width, height) in [(320.0, 240.0), (390.0, 300.0), (1100.0, 360.0)] {
                for (chart, mode) in Chart::ALL.into_iter().flat_map(|c| [(c, Mode::Streaming), (c, Mode::NonStreaming)]) {
                    for metric in Metric::ALL {
                        if metric != Metric::FirstVisible && !chart.of_metric() {
                            continue;
                        }
                        let what = format!("{name} {chart:?} {metric:?} {mode:?} {lang:?} {width}");
                        let size = Size { width, height };
                        if let Some(figure) = drawn_at(run, chart, metric, size, lang, mode) {
                            sound(run, &figure, lang, &what);
                            figures += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(figures > 1000, "{figures}");
}
