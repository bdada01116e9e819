//! The lanes of a waterfall: own SVG over core's geometry. Positions are percentages, so that text keeps its size.

use firstlight_core::Micros;
use firstlight_core::chart::{Lane, LaneKind, Scale, Segment, labelled_ticks, waterfall};
use firstlight_core::format::millis;
use firstlight_core::text::{Lang, Res, fill};
use firstlight_core::trace::Trace;
use leptos::prelude::*;

use crate::app::view::results::Shown;
use crate::app::view::words::quiet;

const LANE: usize = 56;
const BAR: usize = 24;

/// The picture, with a line that reads out what is pointed at.
pub fn chart(shown: &Shown, trace: &Trace) -> AnyView {
    let (lang, step) = (shown.lang, shown.step);
    let Some(picture) = waterfall(trace) else {
        return quiet(Res::WaterfallNone.get(lang).to_owned());
    };
    if picture.lanes.is_empty() {
        let text = fill(Res::WaterfallEmpty.get(lang), &[&millis(picture.length.0, step)]);
        return quiet(text);
    }
    let scale = Scale { from: 0.0, to: picture.length.as_ms().max(0.001), length: 100.0 };
    let read_out = RwSignal::new(None::<String>);
    let bottom = picture.lanes.len() * LANE;
    let lanes = picture.lanes.iter().enumerate().map(|(at, l)| lane(l, at * LANE, scale, lang, step, read_out)).collect_view();
    let tick = |(ms, label): (f64, String)| {
        let x = format!("{:.3}%", scale.at(ms));
        let anchor = if ms == 0.0 { "start" } else { "middle" };
        view! {
            <line class="grid" x1=x.clone() x2=x.clone() y1="0" y2=bottom.to_string() />
            <text class="tick" x=x y=(bottom + 16).to_string() text-anchor=anchor>{label}</text>
        }
    };
    let grid = labelled_ticks(scale.to, 5).into_iter().filter(|(ms, _)| scale.at(*ms) < 96.0).map(tick).collect_view();
    let words = move || read_out.get().unwrap_or_else(|| Res::WaterfallHint.get(lang).to_owned());
    view! {
        <div class="chart">
            <svg width="100%" height=(bottom + 40).to_string() role="group" aria-labelledby="waterfall-name" aria-describedby="waterfall-desc">
                <title id="waterfall-name">{fill(Res::OpenTimeline.get(lang), &[&trace.planned.id.to_string()])}</title>
                <desc id="waterfall-desc">{Res::WaterfallDesc.get(lang)}</desc>
                {grid}
                {lanes}
                <text class="tick" x="100%" y=(bottom + 34).to_string() text-anchor="end">{Res::WaterfallAxis.get(lang)}</text>
            </svg>
            <p class="read-out">{words}</p>
        </div>
    }
    .into_any()
}

/// The part's stable name, and its words.
fn lane_names(kind: LaneKind) -> (&'static str, Res) {
    match kind {
        LaneKind::Network => ("network", Res::LaneNetwork),
        LaneKind::Server => ("server", Res::LaneServer),
        LaneKind::Received => ("received", Res::LaneReceived),
        LaneKind::Seen => ("seen", Res::LaneSeen),
    }
}

fn lane(lane: &Lane, top: usize, scale: Scale, lang: Lang, step: Micros, read_out: RwSignal<Option<String>>) -> AnyView {
    let (code, name) = lane_names(lane.kind);
    let y = top + 24;
    let segments = lane.segments.iter().map(|s| segment(lane.kind, s, y, scale, lang, step, read_out)).collect_view();
    let point = |at: &Micros| {
        let x = format!("{:.3}%", scale.at(at.as_ms()));
        view! { <line class="read" x1=x.clone() x2=x y1=(y - 4).to_string() y2=(y + BAR + 4).to_string() /> }
    };
    view! {
        <g data-part=code class=code>
            <text class="lane" x="0" y=(top + 16).to_string()>{name.get(lang)}</text>
            {segments}
            {lane.points.iter().map(point).collect_view()}
        </g>
    }
    .into_any()
}

fn segment(
    kind: LaneKind,
    segment: &Segment,
    y: usize,
    scale: Scale,
    lang: Lang,
    step: Micros,
    read_out: RwSignal<Option<String>>,
) -> AnyView {
    let words = words(kind, segment, lang, step);
    let (from, to) = (scale.at(segment.from.as_ms()), scale.at(segment.to.as_ms()));
    let (x, width) = (format!("{from:.3}%"), format!("{:.3}%", (to - from).max(0.0)));
    let instant = segment.from == segment.to;
    let shape = if instant {
        // A flag; near the right edge it points to the left.
        let way = if from > 95.0 { -8 } else { 8 };
        let flag = format!("M0 -4V{}M0 0l{way} 5l{} 5z", BAR + 4, -way);
        view! { <svg class="instant" x=x y=y.to_string() width="1" height=BAR.to_string() overflow="visible"><path d=flag /></svg> }
            .into_any()
    } else {
        let class = match segment.bounds {
            true => "bounds",
            // Too short for an edge of its own.
            false if to - from < 0.5 => "solid thin",
            false => "solid",
        };
        view! { <rect x=x y=y.to_string() width=width height=BAR.to_string() class=class /> }.into_any()
    };
    let label = (to - from > 16.0 && !instant).then(|| {
        let text = label(kind, segment, lang, step);
        view! { <svg x=format!("{from:.3}%") y=y.to_string() width=format!("{:.3}%", to - from) height=BAR.to_string()><text class="in" x="8" y="16">{text}</text></svg> }
    });
    let say = StoredValue::new(words.clone());
    let show = move || read_out.set(Some(say.get_value()));
    view! {
        <g class="segment" data-segment=segment.name.clone() tabindex="0" role="img" aria-label=words on:pointerenter=move |_| show() on:focus=move |_| show() on:click=move |_| show()>
            {shape}{label}
        </g>
    }
    .into_any()
}

fn name(kind: LaneKind, segment: &Segment, lang: Lang) -> String {
    let key = match (kind, segment.name.as_str()) {
        (LaneKind::Server, name) => return name.to_owned(),
        (_, "before_request") => Res::SegBefore,
        (_, "waiting") => Res::SegWaiting,
        (_, "first") => Res::SegFirst,
        (_, "whole") => Res::SegWhole,
        (_, "rest") => Res::SegRest,
        (_, "first_visible") => Res::SegFirstVisible,
        (_, "complete_visible") => Res::SegCompleteVisible,
        (_, name) => return name.to_owned(),
    };
    key.get(lang).to_owned()
}

fn label(kind: LaneKind, segment: &Segment, lang: Lang, step: Micros) -> String {
    format!("{} {} ms", name(kind, segment, lang), millis((segment.to - segment.from).0, step))
}

/// What a stretch says when it is pointed at.
fn words(kind: LaneKind, segment: &Segment, lang: Lang, step: Micros) -> String {
    let ms = |at: Micros| millis(at.0, step);
    let (name, from, to, length) = (name(kind, segment, lang), ms(segment.from), ms(segment.to), ms(segment.to - segment.from));
    match (kind, segment.bounds, segment.from == segment.to) {
        (LaneKind::Server, ..) => fill(Res::SegServer.get(lang), &[&name, &length]),
        (_, true, _) => fill(Res::SegBounds.get(lang), &[&name, &from, &to]),
        (_, _, true) => fill(Res::SegAt.get(lang), &[&name, &from]),
        _ => fill(Res::SegRead.get(lang), &[&name, &from, &to, &length]),
    }
}
