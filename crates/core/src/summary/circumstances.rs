//! Circumstances as texts: of one request, and of a run with what each does to its figures.

use crate::Micros;
use crate::format::{count, millis};
use crate::order::by_key;
use crate::report::{Environment, Run};
use crate::text::{Lang, Res, circumstance_effect, circumstance_name, fill};
use crate::trace::Trace;
use crate::validity::{Circumstance, Effect, Found, of_request, of_run};

/// Circumstances of one request, by name, with the protocol it used.
pub fn circumstances(environment: &Environment, trace: &Trace, lang: Lang) -> Vec<String> {
    let network = trace.network.as_ref().ok();
    let found = of_request(trace, environment);
    let words = found.iter().map(|(circumstance, length)| match length {
        Some(length) => format!("{} {} ms", circumstance_name(lang, *circumstance), millis(length.0, Micros::ms(1))),
        None => circumstance_name(lang, *circumstance).to_owned(),
    });
    words.chain(network.and_then(|n| n.protocol.clone()).filter(|p| !p.is_empty())).collect()
}

/// A circumstance of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircumstanceLine {
    /// Which.
    pub circumstance: Circumstance,
    /// What it does.
    pub effect: Effect,
    /// Its name.
    pub name: &'static str,
    /// How many measured requests it was met in, of how many; or that it holds for the whole run.
    pub how_many: String,
    /// What it means for the figures.
    pub meaning: &'static str,
}

/// The circumstances of a run and of its measured requests: the whole run's first, then those of its requests.
pub fn circumstance_lines(run: &Run, lang: Lang) -> Vec<CircumstanceLine> {
    let line = |circumstance: Circumstance, how_many| CircumstanceLine {
        circumstance,
        effect: circumstance.effect(),
        name: circumstance_name(lang, circumstance),
        how_many,
        meaning: circumstance_effect(lang, circumstance),
    };
    let measured: Vec<Vec<Found>> =
        run.traces.iter().filter(|t| !t.planned.warmup).map(|t| of_request(t, run.environment_of(t.planned.id))).collect();
    let mut met: Vec<(Circumstance, usize, Option<Micros>)> = Vec::new();
    for (circumstance, length) in measured.iter().flatten() {
        match met.iter_mut().find(|(known, ..)| known == circumstance) {
            Some((_, n, longest)) => {
                *n += 1;
                *longest = (*longest).max(*length);
            }
            None => met.push((*circumstance, 1, *length)),
        }
    }
    by_key(&mut met, |(circumstance, ..)| *circumstance);
    let whole = of_run(&run.environment, Micros(run.clock.step_us));
    let refused = &run.environment.worker_refused;
    let whole = whole.into_iter().map(|(c, _)| {
        let all = Res::CircWhole.get(lang);
        let why = c == Circumstance::ReadOnMain && !refused.is_empty();
        line(c, if why { format!("{all}: {refused}") } else { all.to_owned() })
    });
    let of_requests = met.into_iter().map(|(circumstance, n, longest)| {
        let of = [count(n), count(measured.len())];
        let many = fill(Res::CircOf.get(lang), &[&of[0], &of[1]]);
        let longest = longest.map(|l| fill(Res::CircLongest.get(lang), &[&millis(l.0, Micros::ms(1))]));
        line(circumstance, [Some(many), longest].into_iter().flatten().collect::<Vec<_>>().join(", "))
    });
    whole.chain(of_requests).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Arrival;
    use crate::summary::fixture::{run, trace};

    #[test]
    fn two_outputs_in_one_read_are_named() {
        let run = run(vec![trace(0, 10)]);
        assert_eq!(circumstances(&run.environment, &run.traces[0], Lang::En), ["several outputs in one read"]);
    }

    #[test]
    fn a_run_counts_what_its_measured_requests_met() {
        let mut traces: Vec<Trace> = (0..4).map(|id| trace(id, 10)).collect();
        traces[0].planned.warmup = true;
        traces[0].flags.hidden_during = true;
        traces[1].flags.hidden_during = true;
        traces[2].flags.blocked = Micros::ms(60);
        traces[3].flags.blocked = Micros::ms(150);
        let mut run = run(traces);
        run.environment.arrival = Arrival::Worker;
        run.environment.isolated = false;
        let lines = circumstance_lines(&run, Lang::En);
        let of = |c| lines.iter().find(|l| l.circumstance == c).expect("a line").how_many.clone();
        assert_eq!(of(Circumstance::Hidden), "1 of 3 requests");
        assert_eq!(of(Circumstance::Blocked), "2 of 3 requests, longest 150 ms");
        assert_eq!(of(Circumstance::NotIsolated), "the whole run");
    }
}
