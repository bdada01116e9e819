//! The load's fields: what is typed, and the load it asks for.

use firstlight_core::config::{Field, Problem};
use firstlight_core::load::{Cancel, Load, Over, Shape, Spacing, Unspelled, read_replay, spell_time, spelled_time};
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::text;

/// Shapes to choose from. A sweep over a rate is another choice than one over concurrency.
pub const SHAPES: [(&str, Ui); 9] = [
    (CLOSED, Ui::LoadClosed),
    ("rate", Ui::LoadRate),
    ("poisson", Ui::LoadPoisson),
    ("gamma", Ui::LoadGamma),
    ("ramp", Ui::LoadRamp),
    ("steps", Ui::LoadSteps),
    ("sweep", Ui::LoadSweep),
    ("sweep-rate", Ui::LoadSweepRate),
    (REPLAY, Ui::LoadReplay),
];

/// The choice that needs no line.
pub const CLOSED: &str = "closed";
/// The choice whose times stand in a field of their own.
pub const REPLAY: &str = "replay";

/// The line with which a shape begins when it is chosen.
fn example(code: &str) -> &'static str {
    match code {
        "rate" => "rate 2/s",
        "poisson" => "poisson 2/s",
        "gamma" => "gamma 2/s burstiness 0.5",
        "ramp" => "ramp 1/s to 10/s over 60s poisson",
        "steps" => "steps 1 2 4 each 30s",
        "sweep" => "sweep 1 2 4 8 settle 1s",
        "sweep-rate" => "sweep 1/s 2/s 4/s 8/s settle 1s poisson",
        REPLAY => "",
        _ => CLOSED,
    }
}

/// The fields. `Copy`.
#[derive(Clone, Copy)]
pub struct LoadForm {
    /// Which of [`SHAPES`].
    pub shape: RwSignal<String>,
    /// The shape in one line.
    pub line: RwSignal<String>,
    /// Times of a replay.
    pub times: RwSignal<String>,
    /// Its speed.
    pub speed: RwSignal<String>,
    /// The longest time.
    pub duration: RwSignal<String>,
    /// The warm-up's longest time.
    pub warmup: RwSignal<String>,
    /// The most under way.
    pub max_in_flight: RwSignal<String>,
    /// Grace at the end.
    pub drain: RwSignal<String>,
    /// The interval at which a closed loop's requests would have come.
    pub expected: RwSignal<String>,
    /// Users who give up.
    pub cancel: RwSignal<String>,
}

impl Default for LoadForm {
    fn default() -> LoadForm {
        LoadForm {
            shape: text(CLOSED),
            line: text(CLOSED),
            times: text(""),
            speed: text("1"),
            duration: text(""),
            warmup: text(""),
            max_in_flight: text(""),
            drain: text(""),
            expected: text(""),
            cancel: text(""),
        }
    }
}

impl LoadForm {
    /// A shape is chosen: its line begins with an example.
    pub fn choose(&self, code: &str) {
        self.line.set(example(code).to_owned());
        self.shape.set(code.to_owned());
    }

    /// The load that is asked for.
    pub fn read(&self, problems: &mut Vec<Problem>) -> Load {
        let mut spelled = |field: Field, error: Unspelled| problems.push(Problem::Spelling(field, error));
        let mut time = |text: RwSignal<String>| {
            let text = text.get_untracked();
            match text.trim() {
                "" => None,
                word => spelled_time(word).map_err(|error| spelled(Field::Load, error)).ok(),
            }
        };
        let (duration_ms, warmup_ms, drain_ms) = (time(self.duration), time(self.warmup), time(self.drain));
        let expected_interval_ms = time(self.expected);
        let shape = self.read_shape().unwrap_or_else(|problem| {
            problems.push(problem);
            Shape::Closed
        });
        let cancel = self.cancel.get_untracked();
        let cancel = (!cancel.trim().is_empty()).then(|| Cancel::spelled(&cancel));
        let cancel = cancel.and_then(|read| read.map_err(|error| problems.push(Problem::Spelling(Field::Cancel, error))).ok());
        let most = self.max_in_flight.get_untracked();
        let max_in_flight = match most.trim() {
            "" => None,
            // Not a number: as wrong as 0.
            number => Some(number.parse().unwrap_or(0)),
        };
        Load { shape, duration_ms, warmup_ms, max_in_flight, drain_ms, cancel, expected_interval_ms }
    }

    fn read_shape(&self) -> Result<Shape, Problem> {
        if self.shape.get_untracked() != REPLAY {
            return Shape::spelled(&self.line.get_untracked()).map_err(|error| Problem::Spelling(Field::Load, error));
        }
        let at_ms = read_replay(&self.times.get_untracked()).map_err(Problem::Replay)?;
        Ok(Shape::Replay { at_ms, speed: firstlight_core::number(self.speed.get_untracked().trim()).unwrap_or(0.0) })
    }

    /// Shows a load that came from elsewhere.
    pub fn show(&self, load: &Load) {
        let code = match &load.shape {
            Shape::Closed => CLOSED,
            Shape::Open { spacing: Spacing::Even, .. } => "rate",
            Shape::Open { spacing: Spacing::Poisson, .. } => "poisson",
            Shape::Open { spacing: Spacing::Gamma { .. }, .. } => "gamma",
            Shape::Ramp { .. } => "ramp",
            Shape::Steps { .. } => "steps",
            Shape::Sweep { over: Over::Concurrency, .. } => "sweep",
            Shape::Sweep { over: Over::Rate, .. } => "sweep-rate",
            Shape::Replay { .. } => REPLAY,
        };
        self.shape.set(code.to_owned());
        if let Shape::Replay { at_ms, speed } = &load.shape {
            self.times.set(at_ms.iter().map(|ms| format!("{ms}\n")).collect());
            self.speed.set(speed.to_string());
        } else {
            self.line.set(load.shape.to_string());
        }
        let time = |ms: Option<u32>| ms.map(spell_time).unwrap_or_default();
        self.duration.set(time(load.duration_ms));
        self.warmup.set(time(load.warmup_ms));
        self.drain.set(time(load.drain_ms));
        self.expected.set(time(load.expected_interval_ms));
        self.max_in_flight.set(load.max_in_flight.map(|n| n.to_string()).unwrap_or_default());
        self.cancel.set(load.cancel.map(|c| c.to_string()).unwrap_or_default());
    }
}
