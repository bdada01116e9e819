//! A run without a hand on the page: a job from the page's own server, and the report back to it.

use std::sync::Arc;
use std::time::Duration;

use firstlight_core::report::{AutoJob, AutoReport, ClockProbe};
use firstlight_core::text::problem;
use firstlight_core::typed;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::begin::{self, Beside};
use super::hand::show;
use crate::app::state::State;
use crate::browser::{clock, environment, fetch, global, visibility};

/// A line that was held for so long is held anew.
const LINE: Duration = Duration::from_secs(86_400);
/// After a line broke, so long until the next.
const LINE_PAUSE: Duration = Duration::from_millis(250);
/// Nobody is there who would answer after so many.
const LINES: u32 = 1_000;

/// Fetches the job of a token, runs it, and reports. With `line`, an origin of the server's, it holds a line there meanwhile.
pub async fn run_job(state: State, token: String, line: Option<String>) {
    visibility::activated().await;
    let path = format!("/api/auto/{token}");
    let job = fetch::get(&path).await.and_then(|text| typed::from_str::<AutoJob>(&text).map_err(|e| e.to_string()));
    let job = match job {
        Ok(job) => job,
        Err(error) => return state.problems.set(vec![error]),
    };
    if let Some(origin) = line {
        hold_line(format!("{origin}{path}/line"), LINES);
    }
    state.form.show(&job.config);
    let lang = state.lang.get_untracked();
    let problems: Vec<String> =
        job.config.problems(&job.secrets, &environment::page_url()).iter().map(|p| problem(lang, p)).collect();
    if !problems.is_empty() {
        state.problems.set(problems.clone());
        return report(&path, AutoReport { run: None, problems, clock_probes: Vec::new() }).await;
    }
    let each = job.clock_probes.div_ceil(2);
    let before = probe_clock(each).await;
    // Whoever gave the job gets the run.
    let beside = Beside { passing: true, ..Beside::default() };
    begin::start(state, job.config, job.secrets, beside, move |run| {
        show(state, Arc::clone(run));
        let run = run.to_file();
        spawn_local(async move {
            let mut clock_probes = before;
            clock_probes.extend(probe_clock(each).await);
            report(&path, AutoReport { run: Some(run), problems: Vec::new(), clock_probes }).await;
        });
    });
}

/// A request that is answered when the job is over: to whoever started this browser on another machine, its breaking says that
/// the browser is gone. It is one connection, with nothing on it.
fn hold_line(url: String, left: u32) {
    spawn_local(async move {
        if fetch::ask(&url, LINE).await.is_err() && left > 0 {
            let _due = global::after(LINE_PAUSE, move || hold_line(url, left - 1));
        }
    });
}

async fn report(path: &str, report: AutoReport) {
    let json = serde_json::to_string(&report).unwrap_or_default();
    if let Err(error) = fetch::post(path, &json).await {
        leptos::logging::error!("the report could not be handed over: {error}");
    }
}

/// Asks the server for its clock, one question after the other.
async fn probe_clock(count: u32) -> Vec<ClockProbe> {
    let mut probes = Vec::new();
    for _ in 0..count {
        let asked = clock::now().0;
        let reply = fetch::get("/api/clock").await;
        let answered = clock::now().0;
        let value: Option<serde_json::Value> = reply.ok().and_then(|text| serde_json::from_str(&text).ok());
        if let Some(server) = value.and_then(|v| v.get("us")?.as_i64()) {
            probes.push(ClockProbe { asked, server, answered });
        }
    }
    probes
}
