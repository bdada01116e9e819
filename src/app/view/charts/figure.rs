//! One chart: drawn when it comes near the window, again when its width, the metric or the way of asking changes.

use std::sync::Arc;

use firstlight_core::chart::{Chart, Figure, Rect, Sheet, Size, Spot, brushed_line, height_of};
use firstlight_core::text::Cht;
use leptos::html::Div;
use leptos::prelude::*;

use super::pointing::Pointing;
use super::{Chosen, drawing, export, small_title};
use crate::app::view::results::{Shown, part_table};
use crate::app::view::words::{context, quiet};
use crate::browser::near::{Near, in_window};

/// The requests that a chart marks.
type Marked = RwSignal<Arc<Vec<u32>>>;

/// Where a chart stands; nothing where it does not apply to the run. `turn` is the frame after which it marks another selection
/// if it is outside the window.
pub fn place(shown: &Shown, chart: Chart, chosen: Chosen, turn: usize) -> AnyView {
    let frame = NodeRef::<Div>::new();
    let width = RwSignal::new(None::<f64>);
    // Goes with the view.
    let watch = StoredValue::new_local(None::<Near>);
    Effect::new(move |_| {
        if let Some(frame) = frame.get() {
            watch.set_value(Some(Near::watch_width(&frame, move |wide| width.set(Some(wide.max(240.0))))));
        }
    });
    let marked = chosen.selection.following(turn, move || frame.get_untracked().is_some_and(|frame| in_window(&frame)));
    let figure = {
        let shown = shown.clone();
        Memo::new_with_compare(
            move |_| {
                let size = Size { width: width.get()?, height: height_of(chart) };
                let (mode, metric) = (chosen.mode.get(), chosen.metric.get());
                let sheet = Sheet { run: &shown.run, summary: &shown.summary, mode, size, lang: shown.lang };
                Some(chart.draw(&sheet, metric).map(Arc::new))
            },
            |_, _| true,
        )
    };
    let shown = shown.clone();
    let body = move || match figure.get() {
        // Not looked at yet.
        None => Some(view! { <div class="unseen"></div> }.into_any()),
        Some(figure) => figure.map(|figure| whole(&shown, figure, chosen, marked)),
    };
    view! { <div class="figure-frame" node_ref=frame data-chart=format!("{chart:?}")>{body}</div> }.into_any()
}

/// A chart with all that belongs to it.
fn whole(shown: &Shown, figure: Arc<Figure>, chosen: Chosen, marked: Marked) -> AnyView {
    let lang = shown.lang;
    let id = figure.id;
    let notes = || figure.notes.iter().map(|note| quiet(note.clone())).collect::<Vec<_>>();
    let drawn = (!figure.is_empty()).then(|| {
        let rows = figure.table.clone();
        let table = (!rows.rows.is_empty()).then(|| {
            let open = RwSignal::new(false);
            // Most are never opened, and have up to two hundred rows.
            let rows = move || open.get().then(|| part_table(rows.clone()));
            view! {
                <details on:toggle=move |_| open.set(true)>
                    <summary>{Cht::AsTable.get(lang)}</summary>
                    {rows}
                </details>
            }
        });
        view! {
            {interactive(shown, &figure, chosen, marked)}
            {drawing::key(&figure.key)}
            {notes()}
            {table}
            {export::buttons(shown, &figure)}
        }
        .into_any()
    });
    let empty = figure.is_empty().then(notes);
    view! {
        <figure class=if figure.is_empty() { "figure none" } else { "figure" } id=format!("chart-{id}") aria-labelledby=format!("chart-{id}-title")>
            {small_title(figure.title.clone(), format!("chart-{id}-title"))}
            {drawn}
            {empty}
            {context(figure.context.clone())}
        </figure>
    }
    .into_any()
}

/// The drawing with what is marked in it, and the line that reads out.
fn interactive(shown: &Shown, figure: &Arc<Figure>, chosen: Chosen, marked: Marked) -> AnyView {
    let pointing = Pointing::new(chosen.selection);
    let (width, height) = (figure.size.width, figure.size.height);
    let view = format!("0 0 {width} {height}");
    let marks = {
        let figure = Arc::clone(figure);
        move || marked.with(|marked| figure.marks_of(marked)).iter().map(drawing::path).collect::<Vec<_>>()
    };
    let here = {
        let figure = Arc::clone(figure);
        move || pointing.at.get().and_then(|at| figure.spots.get(at)).map(mark)
    };
    let brush = move || {
        let Rect { x, y, width, height } = pointing.brushed()?;
        Some(view! { <rect class="brush" x=x y=y width=width height=height /> })
    };
    let said = {
        let (figure, shown) = (Arc::clone(figure), shown.clone());
        move || match (pointing.brushed(), pointing.at.get()) {
            (Some(brush), _) => brushed_line(figure.inside(brush).len(), shown.lang),
            (None, Some(at)) => figure.label(&shown.run, at, shown.lang),
            (None, None) => Cht::ReadHint.get(shown.lang).to_owned(),
        }
    };
    let moved = Arc::clone(figure);
    let up = Arc::clone(figure);
    let key = Arc::clone(figure);
    view! {
        <div class="drawing" tabindex="0" role="application" aria-roledescription=Cht::RoleChart.get(shown.lang)
            aria-label=figure.title.clone() aria-describedby=format!("chart-{}-about", figure.id)
            on:keydown=move |event| pointing.key(&key, &event)>
            // What changes under the pointer is a drawing of its own: the other one may have thousands of points.
            <div class="stage"
                on:pointerdown=move |event| pointing.down(&event)
                on:pointermove=move |event| pointing.moved(&moved, &event)
                on:pointerup=move |event| pointing.up(&up, &event)
                on:pointerleave=move |_| pointing.left()
                on:pointercancel=move |_| pointing.cancelled()>
                <svg class="base" width=width height=height viewBox=view.clone() aria-hidden="true">{drawing::drawing(figure)}</svg>
                <svg class="over" width=width height=height viewBox=view aria-hidden="true">{marks}{here}{brush}</svg>
            </div>
            <p class="read-out" aria-live="polite">{said}</p>
        </div>
        <p class="sr" id=format!("chart-{}-about", figure.id)>{figure.about.clone()}</p>
    }
    .into_any()
}

/// What is read out now: a ring around a point, a frame around what is larger.
fn mark(spot: &Spot) -> AnyView {
    if spot.reach == (0.0, 0.0) {
        return view! { <circle class="here" cx=spot.x cy=spot.y r="6" /> }.into_any();
    }
    let Rect { x, y, width, height } = spot.rect();
    view! { <rect class="here" x=x y=y width=width.max(2.0) height=height.max(2.0) /> }.into_any()
}
