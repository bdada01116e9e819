//! Loads against theory and against a simulated server.

mod arrivals;
mod open;
mod plans;
mod sweeps;

use super::simulator::{Outcome, Server, simulate};
use super::{Cases, Load, Shape, Spacing};
use crate::Micros;
use crate::config::RunConfig;
use crate::config::tests::sound;

fn config(shape: Shape, requests: u32) -> RunConfig {
    RunConfig { requests, timeout_ms: 60_000, seed: 11, load: Load { shape, ..Load::default() }, ..sound() }
}

fn even(per_second: f64) -> Shape {
    Shape::Open { per_second, spacing: Spacing::Even }
}

fn poisson(per_second: f64) -> Shape {
    Shape::Open { per_second, spacing: Spacing::Poisson }
}

/// As many places as anyone could want, and the same time for everyone.
fn quick(ms: i64) -> Server {
    Server::new(1000, move |_| Micros::ms(ms))
}

fn run(config: RunConfig, server: Server) -> Outcome {
    simulate(config, &Cases::ONE, server, &[])
}
