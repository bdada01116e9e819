//! Small runs for the tests of this module.

use crate::Micros;
use crate::align::Probes;
use crate::config::RunConfig;
use crate::config::tests::sound;
use crate::mark::{Absence, Mark, Marks};
use crate::outcome::Outcome;
use crate::report::{Clock, Environment, Run};
use crate::server_report::{Access, Boundary, Source, Span, Unit};
use crate::trace::{Amounts, Flags, Mode, Planned, Read, Shape, Trace};

/// A streamed answer whose first words came after `first` ms and whose last after twice that; sent at 1,000 ms.
pub fn trace(id: u32, first: i64) -> Trace {
    let at = |ms: i64| Micros::ms(1000 + ms);
    let mut marks = Marks::default();
    for (mark, ms) in [
        (Mark::Sent, 0),
        (Mark::FirstEvent, first),
        (Mark::FirstOutput, first),
        (Mark::FirstAnswer, first),
        (Mark::LastAnswer, 2 * first),
        (Mark::LastOutput, 2 * first),
    ] {
        marks.set(mark, at(ms));
    }
    Trace {
        planned: Planned::measured(id, Mode::Streaming),
        marks,
        first_visible: Err(Absence::NotInPaintedSubset),
        complete_visible: Err(Absence::NotInPaintedSubset),
        reads: vec![
            Read { at: at(first), bytes: 10, events: 1, output_events: 1 },
            Read { at: at(2 * first), bytes: 10, events: 2, output_events: 2 },
        ],
        response: None,
        shape: Some(Shape::Stream),
        dialect: None,
        network: Err(Absence::NoResourceTiming),
        spans: vec![Span {
            name: "ttft".into(),
            description: None,
            raw: "60.0".into(),
            unit: Unit::Ms,
            value: Micros::ms(60),
            source: Source::BodyField,
            boundary: Boundary::TimeToFirstToken,
            before_end: true,
        }],
        stages: None,
        server_timing_access: Access::NoResponse,
        usage: None,
        items: None,
        amounts: Amounts::default(),
        outcome: Outcome::Complete,
        last_known: at(2 * first),
        flags: Flags::default(),
        diagnostics: Vec::new(),
        check: None,
    }
}

/// A streaming run of these requests, measured with a clock of 5 µs.
pub fn run(traces: Vec<Trace>) -> Run {
    let config = RunConfig { requests: traces.len() as u32, ..sound() };
    let environment = Environment { isolated: true, ..Environment::default() };
    let clock = Clock { step_us: 5, joint_us: None, lag: None };
    let workload = crate::workload::Identity::of(&config);
    let (created, probes, parts, scraped) = (String::new(), Probes::default(), Vec::new(), None);
    let (stopped, stopped_by, page_ended) = (false, None, false);
    Run { workload, config, environment, clock, created, stopped, stopped_by, page_ended, probes, parts, traces, scraped }
}
