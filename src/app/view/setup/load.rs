//! How many requests, and when they start.

use firstlight_core::config::Field;
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::Setup;
use crate::app::form::{CLOSED, REPLAY, SHAPES};
use crate::app::view::words::ui;

/// The load's controls.
pub fn load(setup: Setup) -> AnyView {
    let form = setup.state.form;
    let requests = setup.field("requests", Ui::Requests, Ui::RequestsHint, Field::Requests).number(form.requests);
    let at_once = setup.field("concurrency", Ui::Concurrency, Ui::ConcurrencyHint, Field::Concurrency).number(form.concurrency);
    let warmup = setup.field("warmup", Ui::WarmUp, Ui::WarmUpHint, Field::WarmUp).number(form.warmup);
    let shape = setup.field("load-shape", Ui::LoadShape, Ui::LoadShapeHint, Field::Load).choice(
        &SHAPES,
        move || form.load.shape.get(),
        move |code| form.load.choose(&code),
    );
    let chosen = Memo::new(move |_| form.load.shape.get());
    let details = move || match chosen.get().as_str() {
        CLOSED => ().into_any(),
        REPLAY => {
            let times = setup.field("replay-times", Ui::ReplayTimes, Ui::ReplayTimesHint, Field::Load).text(form.load.times, 3);
            let speed = setup.field("replay-speed", Ui::ReplaySpeed, Ui::ReplaySpeedHint, Field::Load).number(form.load.speed);
            view! { {speed}{times} }.into_any()
        }
        _ => setup.field("load-line", Ui::LoadLine, Ui::LoadLineHint, Field::Load).line(form.load.line, "text"),
    };
    view! {
        <fieldset>
            <legend>{ui(setup.state, Ui::Load)}</legend>
            <div class="fields numbers">{requests}{at_once}{warmup}</div>
            <div class="fields">{shape}{details}</div>
        </fieldset>
    }
    .into_any()
}

/// Limits in time, and users who give up.
pub fn limits(setup: Setup) -> AnyView {
    let load = setup.state.form.load;
    let line = |id, label, hint, field, value: RwSignal<String>| setup.field(id, label, hint, field).line(value, "text");
    view! {
        {line("duration", Ui::Duration, Ui::DurationHint, Field::Load, load.duration)}
        {line("warmup-time", Ui::WarmUpTime, Ui::WarmUpTimeHint, Field::Load, load.warmup)}
        {line("max-in-flight", Ui::MaxInFlight, Ui::MaxInFlightHint, Field::Load, load.max_in_flight)}
        {line("drain", Ui::Drain, Ui::DrainHint, Field::Load, load.drain)}
        {line("expected-interval", Ui::ExpectedInterval, Ui::ExpectedIntervalHint, Field::Load, load.expected)}
        {line("cancel", Ui::CancelShare, Ui::CancelShareHint, Field::Cancel, load.cancel)}
    }
    .into_any()
}
