//! A figure as SVG elements: one path a layer, however many points it has.

use firstlight_core::chart::{Brush, Figure, Form, Ink, KeyLine, Layer, TextRole, Weight, svg};
use leptos::prelude::*;

/// The style of a path: what is filled has the ink's fill, what is stroked its line.
fn class(ink: Ink, brush: Brush) -> String {
    let kind = if brush.fill { "fill" } else { "line" };
    let apart = if brush.fill && brush.apart { " apart" } else { "" };
    let dashed = if brush.dashed { " dashed" } else { "" };
    let round = if brush.round { " round" } else { "" };
    format!("ink-{} {kind}{apart}{dashed}{round}", ink.code())
}

/// One layer.
pub fn path(layer: &Layer) -> AnyView {
    let brush = layer.brush();
    let class = class(layer.ink, brush);
    let width = brush.stroke.map(|width| width.to_string());
    view! { <path class=class d=layer.path() stroke-width=width opacity=brush.opacity /> }.into_any()
}

/// Grid, layers and texts.
pub fn drawing(figure: &Figure) -> AnyView {
    let text = |text: firstlight_core::chart::Text| {
        let class = match text.role {
            TextRole::Tick => "tick",
            TextRole::Title => "axis-title",
            TextRole::Rule => "rule",
        };
        view! { <text x=text.x y=text.y text-anchor=text.anchor.code() class=class>{text.text}</text> }.into_any()
    };
    view! {
        <path class="grid" d=figure.grid() />
        {figure.layers.iter().map(path).collect::<Vec<_>>()}
        <path class="edge" d=figure.edge() />
        {figure.texts().into_iter().map(text).collect::<Vec<_>>()}
    }
    .into_any()
}

/// The legend.
pub fn key(lines: &[KeyLine]) -> AnyView {
    let item = |line: &KeyLine| {
        let brush = Form::brush(line.form, Weight::Plain);
        let width = brush.stroke.map(|width| width.to_string());
        view! {
            <li>
                <svg width="16" height="14" aria-hidden="true">
                    <path class=class(line.ink, brush) d=svg::sample(line.form, 0.0, 7.0) stroke-width=width opacity=brush.opacity />
                </svg>
                {line.name.clone()}
            </li>
        }
        .into_any()
    };
    view! { <ul class="legend">{lines.iter().map(item).collect::<Vec<_>>()}</ul> }.into_any()
}
