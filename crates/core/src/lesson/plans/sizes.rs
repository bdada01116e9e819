//! Lessons on requests that are not alike.

use super::{Check, ENGINE, Endpoint, Figure, Plan, Step, figure, later, median};
use crate::lesson::endpoint::{Model, Stream};
use crate::metrics::Metric;
use crate::stats::P95;
use crate::text::Les;
use crate::workload::{Case, Content, Message, Role, Source, Workload};

/// One model, and four things that change beside it, one at a time.
pub(super) fn no_single_number() -> Plan {
    let base = Model { step: 6_000, per_sequence: 4_000, per_token_read: 100, input: 100, tokens: 40 };
    let long = Model { tokens: 120, ..base };
    let input = Model { input: 3_100, ..base };
    let (users, slower) = (4, 4);
    let step = |name, endpoint: Endpoint| Step::new(name, endpoint, 8, 4);
    let alone = |model: Model| model.alone(ENGINE, users);
    let steps = vec![
        step(Les::StepBase, alone(base)),
        step(Les::StepLongOutput, alone(long)),
        step(Les::StepLongInput, alone(input)),
        Step::new(Les::StepLoaded, base.endpoint(ENGINE), 16, 4),
        step(Les::StepSlowerHardware, alone(base).with("speeds", 1.0 / slower as f64)),
    ];
    let checks = vec![
        median(Les::BaseTook, 0, Metric::EndToEnd, base.last()),
        later(Les::OutputAdds, (0, 1), Metric::EndToEnd, long.last() - base.last()),
        later(Les::InputAdds, (0, 2), Metric::Ttft, input.first() - base.first()),
        later(Les::LoadAdds, (0, 3), Metric::EndToEnd, base.last_of(users) - base.last()),
        later(Les::HardwareAdds, (0, 4), Metric::EndToEnd, (slower - 1) * base.last()),
    ];
    Plan { steps, checks }
}

/// Seven short answers and one long one, again and again.
pub(super) fn tail() -> Plan {
    let long = Stream { ttft: 60, gap: 5, tokens: 300 };
    let short = Stream { tokens: 10, ..long };
    let (of, requests) = (8, 96);
    let mean = ((of - 1) * short.last() + long.last()) / of;
    let case = |at: i64, tokens: i64| Case {
        id: format!("question-{at}"),
        messages: vec![Message { role: Role::User, content: Content::Text(format!("Question {at}")) }],
        max_tokens: u32::try_from(tokens).ok(),
        ..Case::default()
    };
    let cases = (1..=of).map(|at| case(at, if at == of { long.tokens } else { short.tokens })).collect();
    let workload = Workload { source: Source::Cases(cases), ..Workload::default() };
    let step = Step::new(Les::StepMixed, long.endpoint(), requests, 4).with(|config| config.workload = workload);
    // From here the largest that counts as the mean is still far below the smallest that counts as the tail.
    let checks = vec![
        median(Les::HalfTook, 0, Metric::EndToEnd, short.last()),
        Check::time(Les::MeanTook, Figure::Mean { run: 0, metric: Metric::EndToEnd }, mean),
        Check::time(Les::OneInTwentyTook, figure(0, Metric::EndToEnd, P95), long.last()),
    ];
    Plan { steps: vec![step], checks }
}
