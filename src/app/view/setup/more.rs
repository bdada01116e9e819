//! Everything rare, folded, with what applies stated on the fold.

use firstlight_core::config::{Field, Rendering};
use firstlight_core::decode::DIALECTS;
use firstlight_core::text::{Ui, fill};
use leptos::prelude::*;

use super::Setup;
use super::fold::Fold;

const DRAWINGS: [(&str, Ui); 2] = [("plain", Ui::DrawPlain), ("markdown", Ui::DrawMarkdown)];
const BODIES: [(&str, Ui); 2] = [("chat", Ui::BodyChat), ("custom", Ui::BodyCustom)];

/// The fold.
pub fn more(setup: Setup) -> AnyView {
    let thread = setup.control("main-thread", Ui::MainThread, Ui::MainThreadHint).check(setup.state.form.main_thread);
    let rest = view! { {thread}{super::load::limits(setup)}{server(setup)} };
    fold(setup, rest.into_any())
}

/// The fold without what is of loads and of servers.
pub fn asking(setup: Setup) -> AnyView {
    fold(setup, ().into_any())
}

fn fold(setup: Setup, rest: AnyView) -> AnyView {
    let form = setup.state.form;
    let limit = setup.field("max-tokens", Ui::MaxTokens, Ui::MaxTokensHint, Field::MaxTokens).number(form.max_tokens);
    let time = setup.field("timeout-s", Ui::TimeLimit, Ui::TimeLimitHint, Field::Timeout).number(form.timeout_s);
    let drawing = setup.control("rendering", Ui::Drawing, Ui::DrawingHint).choice(
        &DRAWINGS,
        move || DRAWINGS[usize::from(form.rendering.get() == Rendering::Markdown)].0.to_owned(),
        move |value| form.rendering.set(if value == DRAWINGS[1].0 { Rendering::Markdown } else { Rendering::Plain }),
    );
    let built_in = Memo::new(move |_| form.built_in.get());
    let own = move || (!built_in.get()).then(|| own_target(setup));
    let content = view! { {time}{limit}{drawing}{rest}{own} }.into_any();
    setup.fold(Fold::More, "more", Ui::More, move || stated(setup), content)
}

/// What else the server is asked for.
fn server(setup: Setup) -> AnyView {
    let server = setup.state.form.server;
    let probe = setup.field("probe", Ui::Probe, Ui::ProbeHint, Field::Probe).line(server.probe, "text");
    let metrics = setup.field("metrics-url", Ui::MetricsUrl, Ui::MetricsUrlHint, Field::MetricsUrl).line(server.metrics, "url");
    let period = setup.field("metrics-period", Ui::MetricsPeriod, Ui::MetricsPeriodHint, Field::MetricsPeriod);
    view! { {probe}{metrics}{period.number(server.period)} }.into_any()
}

fn own_target(setup: Setup) -> AnyView {
    let form = setup.state.form;
    let headers = setup.field("headers", Ui::Headers, Ui::HeadersHint, Field::Headers).text(form.headers, 2);
    let kind = setup.control("body-kind", Ui::BodyKind, Ui::BodyKindHint).choice(
        &BODIES,
        move || BODIES[usize::from(form.custom_body.get())].0.to_owned(),
        move |value| form.custom_body.set(value == BODIES[1].0),
    );
    let custom = Memo::new(move |_| form.custom_body.get());
    let body = move || {
        let hint = if custom.get() { Ui::BodyCustomHint } else { Ui::BodyChatHint };
        setup.field("body", Ui::BodyFields, hint, Field::Body).text(form.body, 4)
    };
    let key_header =
        setup.field("key-header", Ui::KeyHeader, Ui::KeyHeaderHint, Field::KeyHeader).line(form.key_header, "text");
    view! { {key_header}{kind}{headers}{body}{reading(setup)} }.into_any()
}

/// How replies are read, where it is not to be recognised.
fn reading(setup: Setup) -> AnyView {
    let form = setup.state.form;
    // What is only a last resort of the recognition is not offered.
    let formats = DIALECTS.iter().filter(|d| d.code != "unknown").map(|d| (d.code, d.name));
    let format = setup.field("format", Ui::Format, Ui::FormatHint, Field::Format).named(
        Ui::FormatAuto,
        formats,
        move || form.format.get(),
        move |value| form.format.set(value),
    );
    let text =
        setup.field("text-pointer", Ui::TextPointer, Ui::PointerHint, Field::TextPointer).line(form.text_pointer, "text");
    let items =
        setup.field("items-pointer", Ui::ItemsPointer, Ui::ItemsHint, Field::ItemsPointer).line(form.items_pointer, "text");
    let spans = setup.field("spans", Ui::Spans, Ui::SpansHint, Field::Spans).text(form.spans, 2);
    let think = setup.control("split-think", Ui::SplitThink, Ui::SplitThinkHint).check(form.split_think);
    view! { {format}{text}{items}{think}{spans} }.into_any()
}

/// What applies while the fold is closed.
fn stated(setup: Setup) -> String {
    let (form, lang) = (setup.state.form, setup.state.lang.get());
    let none = Ui::StatedNone.get(lang);
    let limit = form.max_tokens.get();
    let body = if form.custom_body.get() { Ui::StatedOwn } else { Ui::StatedPlain };
    let headers = if form.headers.with(|h| h.trim().is_empty()) { Ui::StatedNone } else { Ui::StatedSome };
    let time = form.timeout_s.get();
    let values: [&str; 4] = [&time, if limit.trim().is_empty() { none } else { &limit }, body.get(lang), headers.get(lang)];
    fill(Ui::MoreStated.get(lang), &values)
}
