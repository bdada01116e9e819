//! A question to a modelled server: it arrives, waits for its place in a batch, and is answered as the model says.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use firstlight_engine::model::{Modelled, Refused, steps_of};
use firstlight_engine::{Ask, Schedule, Timeline};

use super::access::Wanted;
use super::answer::{Taken, respond};
use super::live::Live;
use super::metrics::Counted;
use super::record::Recording;
use crate::reply::{empty, error};
use crate::server::Shared;
use crate::truth::Item;

/// Answers a question whose times a model says.
pub(super) async fn answer(
    shared: &Shared,
    mut recording: Recording,
    received_us: u64,
    wanted: &Wanted,
    modelled: &Modelled,
    mut ask: Ask,
) -> Response<Body> {
    let (plan, clock) = (&wanted.plan, shared.clock);
    ask.prompt_tokens = modelled.input_tokens(&ask);
    // What can't be answered takes no place.
    if let Err(wrong) = plan.schedule_timed(&ask, &Timeline::unknown(&[])) {
        return error(StatusCode::BAD_REQUEST, &wrong.to_string());
    }
    let asked = plan.asked(modelled, &ask);
    recording.count(Counted::waiting(&shared.metrics, received_us));
    let parameters = &modelled.parameters;
    let arrives = shared.instances.arrive(&plan.limit.pool, parameters, asked, recording.record(), clock);
    let seat = match arrives {
        Ok(seat) => seat,
        Err(refused) => {
            let status = if matches!(refused, Refused::TooLong { .. }) { 400 } else { parameters.refuse_status };
            let schedule = plan.refused(status, &format!("{refused}. (This is the built-in endpoint's modelled server.)"));
            let now_us = clock.now_us();
            clock.wait_until(now_us + wanted.aligned.return_us()).await;
            let taken =
                Taken { received_us, accepted_us: now_us, preprocessed_us: None, queue_ends_us: now_us, made_us: now_us };
            return respond(shared, wanted, schedule, taken, recording, None);
        }
    };
    let accepted_us = seat.arrived_us;
    recording.note(Item::Queued, accepted_us);
    let steps = steps_of(parameters, seat.id, asked.output_tokens);
    let mut live = Live::new(seat, plan.clone(), ask.clone(), received_us, steps.len());
    let mut stop = shared.stop.clone();
    let waiting = async {
        let starts_us = live.starts().await?;
        recording.note(Item::Served, starts_us);
        let unknown = plan.schedule_timed(&ask, &Timeline::unknown(&steps)).ok()?;
        if let Some(counted) = recording.counted() {
            counted.runs(ask.prompt_tokens);
            counted.replies(&unknown, wanted.aligned.return_us());
        }
        let schedule: Schedule = match unknown.streamed {
            true => unknown,
            false => live.whole().await?,
        };
        if let Some(at_us) = schedule.head_at_us.filter(|_| !schedule.streamed) {
            clock.wait_until(received_us + at_us).await;
        }
        let made_us = clock.now_us();
        clock.wait_until(made_us + wanted.aligned.return_us()).await;
        Some((starts_us, made_us, schedule))
    };
    let waited = tokio::select! {
        waited = waiting => waited,
        _ = stop.wait_for(|stop| *stop) => None,
    };
    let Some((starts_us, made_us, schedule)) = waited else { return empty(StatusCode::SERVICE_UNAVAILABLE) };
    let preprocessed_us = Some(accepted_us + parameters.preprocess_us);
    let taken = Taken { received_us, accepted_us, preprocessed_us, queue_ends_us: starts_us, made_us };
    let live = schedule.streamed.then_some(live);
    respond(shared, wanted, schedule, taken, recording, live)
}
