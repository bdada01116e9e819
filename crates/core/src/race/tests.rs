//! Known pairs give known verdicts; a link opens as what it was made of, or not at all.

use super::*;
use crate::Micros;
use crate::config::tests::sound;
use crate::config::{Problem, Secrets};
use crate::link::LinkError;
use crate::mark::{Absence, Mark};
use crate::metrics::Metric;
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::Run;
use crate::stats::{Bounds, Interval, Verdict};
use crate::summary::fixture::{run, trace};
use crate::text::{Lang, Rac, link_error};
use crate::trace::{Planned, Shape, Trace, Usage};
use proptest::prelude::*;

/// Seen between two instants after `sent` (at 1,000 ms), in µs; exactly where they are the same.
fn seen(from: i64, to: i64) -> crate::paint::Paint {
    let at = |us: i64| Micros::ms(1000) + Micros(us);
    let (method, value) = match from == to {
        true => (Method::ElementTiming, Some(at(from))),
        false => (Method::FrameCallbacks, None),
    };
    Ok(Seen { method, earliest: at(from), latest: Some(at(to)), value })
}

/// A half of a pair: its first and its last words, in ms.
fn half(id: u32, pair: u32, mode: Mode, first: i64, last: i64) -> Trace {
    let mut trace = trace(id, 100);
    trace.planned = Planned { pair: Some(pair), ..Planned::measured(id, mode) };
    let at = |ms: i64| Micros::ms(1000 + ms);
    for (mark, ms) in
        [(Mark::FirstOutput, first), (Mark::FirstAnswer, first), (Mark::LastAnswer, last), (Mark::LastOutput, last)]
    {
        trace.marks.set(mark, at(ms));
    }
    if mode == Mode::NonStreaming {
        trace.shape = Some(Shape::Whole);
        trace.marks.withdraw(Mark::FirstAnswer, Absence::NonStreaming);
    }
    trace.usage = Some(Usage { output: Some(20), ..Usage::default() });
    trace.first_visible = seen(first * 1000, first * 1000);
    trace.complete_visible = seen(last * 1000, last * 1000);
    trace
}

/// `n` pairs: streaming begins at 300 ms, and both end at 1,500 ms but for what `later` adds to the streaming side.
fn pairs(n: u32, later: impl Fn(u32) -> i64) -> Run {
    let pair = |pair: u32| {
        let streaming = half(2 * pair, pair, Mode::Streaming, 300, 1500 + later(pair));
        let whole = half(2 * pair + 1, pair, Mode::NonStreaming, 1500, 1500);
        [streaming, whole]
    };
    run((0..n).flat_map(pair).collect())
}

fn exactly(us: i64) -> Bounds {
    Bounds { lower: Some(us), upper: Some(us) }
}

#[test]
fn first_words_earlier_and_completion_the_same() {
    // −9 … +10 ms, one each.
    let run = pairs(20, |pair| i64::from(pair) - 9);
    let found = verdicts(&run, Margin::Ms(100));
    assert_eq!((found.pairs, found.failed, found.unequal, found.margin), (20, 0, 0, Some(100_000)));
    assert_eq!((found.first.seen, found.first.n, found.first.estimate), (true, 20, exactly(-1_200_000)));
    assert_eq!(found.first.verdict, Verdict::Lower);
    // Ranks 6 and 15 of 20; the median by nearest rank is the 10th.
    assert_eq!(found.complete.estimate, exactly(0));
    assert_eq!(found.complete.interval, Interval::Between { lower: Some(-4_000), upper: Some(5_000) });
    assert_eq!(found.complete.verdict, Verdict::NoDifference);
    // The clock of 5 µs counts twice at each end, so a margin of exactly the interval is not enough.
    assert_eq!(found.error, Micros(10));
    assert_eq!(verdicts(&run, Margin::Ms(5)).complete.verdict, Verdict::Undecided);
    assert_eq!(verdicts(&run, Margin::Ms(6)).complete.verdict, Verdict::NoDifference);
}

#[test]
fn a_margin_may_be_a_share_of_the_whole_wait() {
    let run = pairs(20, |pair| 70 + i64::from(pair));
    let found = verdicts(&run, Margin::Percent(5));
    assert_eq!((found.margin, found.complete.verdict), (Some(75_000), Verdict::Higher));
    assert_eq!(verdicts(&run, Margin::Percent(6)).complete.verdict, Verdict::NoDifference);
}

#[test]
fn pairs_that_failed_or_differ_in_length_are_left_out_and_counted() {
    let mut run = pairs(10, |_| 0);
    run.traces[0].outcome = Outcome::Truncated;
    run.traces[3].usage = Some(Usage { output: Some(21), ..Usage::default() });
    // Without a report of both, characters are what is compared.
    run.traces[4].usage = None;
    run.traces[4].amounts.answer_chars = 1;
    let found = verdicts(&run, Margin::default());
    assert_eq!((found.pairs, found.failed, found.unequal, found.complete.n), (10, 1, 2, 7));
    let section = verdict_section(&run, Margin::default(), Lang::En);
    let said: Vec<&str> = section.sentences.iter().map(|(_, text)| text.as_str()).collect();
    assert!(said[0].contains("1,200 ms earlier with streaming") && said[0].contains("7 pairs"), "{said:?}");
    assert!(said[1].contains("the same within ±100 ms"), "{said:?}");
    assert!(said[2].starts_with("1 of 10 pairs") && said[3].starts_with("2 of 10 pairs"), "{said:?}");
    let few = verdicts(&pairs(5, |_| 0), Margin::default());
    assert_eq!(few.complete.verdict, Verdict::NotEnoughData { at_least: 6, has: 5 });
    let said = verdict_section(&pairs(5, |_| 0), Margin::default(), Lang::En).sentences;
    assert_eq!(said.len(), 2, "what few pairs were seen is not what this browser can't tell: {said:?}");
    assert!(said.iter().all(|(_, text)| text.contains("It needs ≥ 6 pairs of equal output, and has 5.")), "{said:?}");
    // Nothing at all is an answer too.
    assert_eq!(verdicts(&pairs(0, |_| 0), Margin::Percent(5)).margin, None);
}

#[test]
fn bounds_move_both_ends_outwards_and_sight_without_bounds_is_no_sight() {
    let mut run = pairs(20, |_| 0);
    for trace in &mut run.traces {
        let (first, last) = if trace.planned.mode == Mode::Streaming { (300, 1500) } else { (1500, 1500) };
        trace.first_visible = seen(first * 1000, first * 1000 + 40_000);
        trace.complete_visible = seen(last * 1000, last * 1000 + 40_000);
    }
    let found = verdicts(&run, Margin::Ms(41));
    let bounds = |us: i64| (Some(us - 40_000), Some(us + 40_000));
    let (lower, upper) = bounds(-1_200_000);
    assert_eq!((found.first.estimate, found.first.seen), (Bounds { lower, upper }, true));
    assert_eq!(found.complete.interval, Interval::Between { lower: Some(-40_000), upper: Some(40_000) });
    assert_eq!(found.complete.verdict, Verdict::NoDifference);
    assert_eq!(verdicts(&run, Margin::Ms(40)).complete.verdict, Verdict::Undecided);
    for trace in &mut run.traces {
        trace.first_visible = trace.first_visible.map(|seen| Seen { latest: None, ..seen });
        trace.complete_visible = trace.first_visible;
    }
    let found = verdicts(&run, Margin::Ms(1));
    assert_eq!((found.first.seen, found.complete.seen), (false, false));
    assert_eq!((found.first.estimate, found.complete.estimate), (exactly(-1_200_000), exactly(0)));
    let section = verdict_section(&run, Margin::Ms(1), Lang::En);
    assert!(section.sentences.iter().any(|(_, text)| text == Rac::ByReceipt.get(Lang::En)));
}

#[test]
fn what_one_race_showed() {
    let race = |first: i64, last: i64| {
        let mut run = pairs(1, |_| 0);
        run.traces[0] = half(0, 0, Mode::Streaming, first, last);
        run
    };
    let said = |run: &Run| sentence(run, 0, Lang::En).expect("a sentence");
    let usual = race(300, 1520);
    assert_eq!(one(&usual, 0).expect("a race").first, Some((true, exactly(-1_200_000))));
    assert_eq!(
        said(&usual),
        "With streaming, the first words were on the screen 1,200 ms earlier. Its last words were on the screen 20 ms later than \
         without."
            .replace("20 ms", "20.0 ms")
    );
    assert!(said(&race(1600, 1700)).starts_with("With streaming, the first words were on the screen 100 ms later."));
    let mut bounded = race(300, 1500);
    bounded.traces[0].complete_visible = seen(1_490_000, 1_530_000);
    assert!(said(&bounded).ends_with("The last words were on the screen at most 30.0 ms apart."), "{}", said(&bounded));
    bounded.traces[0].first_visible = seen(300_000, 340_000);
    assert!(said(&bounded).contains("1,160–1,200 ms earlier"), "{}", said(&bounded));
    let mut unequal = race(300, 900);
    unequal.traces[1].usage = Some(Usage { output: Some(7), ..Usage::default() });
    assert!(said(&unequal).ends_with(Rac::OneUnequal.get(Lang::En)));
    let mut failed = race(300, 900);
    failed.traces[1].outcome = Outcome::NetworkError;
    assert!(said(&failed).starts_with("This race shows nothing"));
    assert_eq!(sentence(&usual, 1, Lang::En), None, "there is no second endpoint");
}

#[test]
fn lanes_have_clocks_and_missing_ones_a_reason() {
    let mut run = pairs(1, |_| 0);
    run.config = at_once(&RunConfig { mode: ModeChoice::Streaming, versus: None, ..sound() });
    let of = |run: &Run, lane: Lane| -> Vec<(Metric, Result<String, &'static str>)> {
        lane_lines(run, lane, Lang::En).into_iter().map(|line| (line.metric, line.time)).collect()
    };
    let whole = of(&run, Lane { mode: Mode::NonStreaming, arm: 0, id: 1 });
    let time = |ms: &str| Ok(ms.to_owned());
    assert_eq!(whole, [(Metric::FirstVisible, time("1,500")), (Metric::CompleteVisible, time("1,500"))]);
    run.traces[0].complete_visible = Err(Absence::NoPaintEntry);
    let streaming = of(&run, Lane { mode: Mode::Streaming, arm: 0, id: 0 });
    assert_eq!(streaming[0], (Metric::FirstVisible, time("300")));
    assert!(streaming[1].0 == Metric::FirstUseful && streaming[1].1.is_err(), "its rule was never met: {streaming:?}");
    assert!(streaming[2].1.is_err() && streaming[3] == (Metric::EndToEnd, time("1,500")), "{streaming:?}");
    let told = Pressed { at: Micros::ms(990), painted: Ok(vec![(1, Micros::ms(2_500))]) };
    caused_by(&mut run.traces, &told);
    let lines = press_lines(&run, Ok(Micros::ms(24)), Err(Absence::EngineLacks), Lang::En);
    assert!(lines[0].contains("10.0 ms") && lines[1].contains("24 ms"), "{lines:?}");
    assert!(lines[2].contains("no figure. This browser does not report"), "{lines:?}");
    assert!(lines[3].starts_with("Streaming: not checked") && lines[3].contains("larger"), "{lines:?}");
    assert!(lines[4].starts_with("Not streaming: ") && lines[4].contains("within the bounds"), "{lines:?}");
    assert_eq!(lines.len(), 5);
}

fn two(config: &RunConfig) -> RunConfig {
    let what = What::Endpoint { url: "http://localhost:9/v1".into(), model: "other".into() };
    RunConfig { versus: Some(Versus { what, one_in: 2 }), ..config.clone() }
}

#[test]
fn every_lane_is_sent_once_at_the_same_moment_and_all_are_painted() {
    for (config, count) in [(sound(), 2), (two(&sound()), 4)] {
        let mut orders = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let race = at_once(&RunConfig { seed, ..config.clone() });
            assert_eq!((race.concurrency, race.warmup, race.mode), (count, 0, ModeChoice::Both));
            let lanes = lanes(&race);
            let order: Vec<(u8, Mode)> = lanes.iter().map(|lane| (lane.arm, lane.mode)).collect();
            let modes = [Mode::Streaming, Mode::NonStreaming];
            let all: Vec<(u8, Mode)> = arms(&race).iter().flat_map(|arm| modes.map(|mode| (*arm, mode))).collect();
            assert_eq!(order, all);
            let mut ids: Vec<u32> = lanes.iter().map(|lane| lane.id).collect();
            orders.insert(ids[0]);
            ids.sort_unstable();
            assert_eq!(ids, (0..count).collect::<Vec<_>>());
            // Twice as many places as lanes: none is left to chance.
            let sent = plan(&race, &Cases::ONE, count);
            assert!(sent.iter().all(|p| p.painted && p.pair == Some(0) && !p.warmup), "{sent:?}");
            let mut session = crate::session::Session::new(race, 2 * count, true, false);
            let places: Vec<Option<u32>> =
                std::iter::from_fn(|| session.dispatch(Micros::ZERO)).map(|d| d.slot.filter(|s| *s == d.planned.id)).collect();
            assert_eq!(places, (0..count).map(Some).collect::<Vec<_>>(), "a lane's place is its id");
        }
        assert!(orders.len() > 1, "the first lane is not always sent first");
    }
}

#[test]
fn a_verdict_is_an_ordinary_run() {
    let config = two(&RunConfig { requests: 9, concurrency: 8, warmup: 4, ..sound() });
    for arm in [0, 1] {
        let pairs = in_pairs(&config, 40, arm);
        assert_eq!(pairs.problems(&Secrets::default(), "http://127.0.0.1:8600/"), Vec::<Problem>::new());
        assert_eq!((pairs.requests, pairs.concurrency, pairs.versus.is_none()), (40, 1, true));
        let sent = plan(&pairs, &Cases::ONE, 2);
        assert_eq!(sent.iter().filter(|p| !p.warmup).count(), 80);
        for pair in sent.iter().filter(|p| !p.warmup).collect::<Vec<_>>().chunks(2) {
            assert!(pair[0].pair == pair[1].pair && pair[0].mode != pair[1].mode && pair[0].painted && pair[1].painted);
        }
    }
    assert_eq!((in_pairs(&config, 6, 0).url, in_pairs(&config, 6, 0).model), (config.url.clone(), config.model.clone()));
    assert_eq!((&*in_pairs(&config, 6, 1).url, &*in_pairs(&config, 6, 1).model), ("http://localhost:9/v1", "other"));
}

#[test]
fn margins_are_read_as_people_write_them() {
    let read = |text: &str| text.parse::<Margin>();
    for text in ["100", "100ms", " 100 ms "] {
        assert_eq!(read(text), Ok(Margin::Ms(100)), "{text}");
    }
    assert_eq!((read("5%"), read("5 %")), (Ok(Margin::Percent(5)), Ok(Margin::Percent(5))));
    for text in ["", "ms", "0", "-1", "1.5", "60001", "0 %", "51 %", "5 s", "99999999999"] {
        assert_eq!(read(text), Err(NoMargin), "{text}");
    }
}

const PAGE: &str = "http://127.0.0.1:8600/";

fn setup() -> RaceSetup {
    RaceSetup {
        target: Target::BuiltIn("chat".into()),
        model: String::new(),
        second: None,
        prompt: "Why is the sky blue?".into(),
        max_tokens: None,
        pairs: 20,
        margin: Margin::default(),
    }
}

#[test]
fn a_link_is_what_it_says() {
    assert_eq!(setup().to_fragment(), "race?v=1&preset=chat&prompt=Why%20is%20the%20sky%20blue%3F&pairs=20&margin=100ms");
    let own = RaceSetup {
        target: Target::Own { url: "http://u:pw@localhost:1/v1?api_key=sk-1&x=2".into(), recipe: "openai".into() },
        second: Some(("https://a@b/?token=sk-2".into(), "m 2".into())),
        max_tokens: Some(64),
        margin: Margin::Percent(5),
        ..setup()
    };
    let link = own.to_fragment();
    assert!(!link.contains("sk-") && !link.contains("pw"), "{link}");
    let opened = RaceSetup::from_fragment(&format!("#{link}"), PAGE).expect("a link").expect("a set-up");
    let url = "http://localhost:1/v1?api_key=redacted&x=2".to_owned();
    assert_eq!(opened.target, Target::Own { url, recipe: "openai".into() });
    assert_eq!(opened.second, Some(("https://b/?token=redacted".into(), "m 2".into())));
    assert_eq!((opened.max_tokens, opened.margin), (Some(64), Margin::Percent(5)));
    for (fragment, is) in [("", false), ("#main", false), ("#racer", false), ("#race", true), ("race?v=1", true)] {
        assert_eq!(RaceSetup::is_race(fragment), is, "{fragment}");
    }
    assert_eq!(RaceSetup::from_fragment("#race", PAGE), Ok(None));
}

#[test]
fn what_is_newer_or_wrong_is_refused_with_its_part() {
    use LinkError::*;
    let sound = setup().to_fragment();
    let refused = |fragment: &str| RaceSetup::from_fragment(fragment, PAGE).expect_err(fragment);
    assert_eq!(refused("race?v=2&preset=chat&new=1"), Newer(2));
    assert_eq!(refused("race?preset=chat"), NoVersion);
    assert_eq!(refused("race?v=0"), Value("v"));
    assert_eq!(refused("race?v=1"), Value("url"));
    assert_eq!(refused(&format!("{sound}&key=sk-1")), Unknown("key".into()));
    assert_eq!(refused(&format!("{sound}&pairs=9")), Twice("pairs"));
    let with = |part: &str| format!("race?v=1&preset=chat&prompt=x&{part}");
    for (part, name) in [
        ("pairs=5", "pairs"),
        ("pairs=1001", "pairs"),
        ("margin=0ms", "margin"),
        ("tokens=x", "tokens"),
        ("second=nowhere", "second"),
        ("second-model=m", "second-model"),
        ("url=http%3A//a/", "url"),
        ("recipe=openai", "preset"),
        ("model=%FF", "model"),
        ("model=%2", "model"),
    ] {
        assert_eq!(refused(&with(part)), Value(name), "{part}");
    }
    assert_eq!(refused("race?v=1&preset=../x&prompt=x"), Value("preset"));
    assert_eq!(refused("race?v=1&preset=chat"), Value("prompt"));
    assert_eq!(refused("race?v=1&url=http%3A//a/&recipe=none&prompt=x"), Value("recipe"));
    assert_eq!(refused("race?v=1&url=ftp%3A//a/&prompt=x"), Value("url"));
    for lang in Lang::ALL {
        assert!(link_error(lang, &Newer(2)).contains('2') && link_error(lang, &Value("pairs")).contains("pairs"));
    }
}

fn any_setup() -> impl Strategy<Value = RaceSetup> {
    let word = "[a-z0-9 &=%#?+가-힣é\n]{0,12}";
    let url = "https?://[a-z]{1,8}(:[1-9][0-9]{1,3})?/[a-z0-9/._~-]{0,12}(\\?x=[a-z0-9%&=]{0,8})?";
    let own = (url, prop::sample::select(vec!["", "openai", "openai-responses"]));
    let target = prop_oneof![
        "[a-z-]{1,12}".prop_map(Target::BuiltIn),
        own.prop_map(|(url, recipe)| Target::Own { url, recipe: recipe.to_owned() }),
    ];
    let margin = prop_oneof![(1..=60_000u32).prop_map(Margin::Ms), (1..=50u32).prop_map(Margin::Percent)];
    let second = prop::option::of((url, word));
    let asked = ("[a-z가-힣?&]{1,20}", prop::option::of(1..=1_000_000u32));
    (target, word, second, asked, MIN_PAIRS..=MAX_PAIRS, margin).prop_map(
        |(target, model, second, (prompt, max_tokens), pairs, margin)| RaceSetup {
            target,
            model,
            second,
            prompt,
            max_tokens,
            pairs,
            margin,
        },
    )
}

proptest! {
    #[test]
    fn a_link_opens_as_what_it_was_made_of(setup in any_setup()) {
        let link = setup.to_fragment();
        prop_assert!(link.is_ascii() && !link.contains(['#', ' ', '"', '<', '\n']));
        prop_assert_eq!(RaceSetup::from_fragment(&link, PAGE), Ok(Some(setup)));
    }

    #[test]
    fn any_fragment_is_opened_or_refused(text in "(#?race\\?v=1)?[ -~가-힣]{0,60}") {
        if let Ok(Some(setup)) = RaceSetup::from_fragment(&text, PAGE) {
            prop_assert_eq!(RaceSetup::from_fragment(&setup.to_fragment(), PAGE), Ok(Some(setup)));
        }
    }

    /// The median of the true differences lies in the interval of their bounds, wherever inside its bounds each value is; and
    /// “the same” is never said of an interval that reaches out of the margin.
    #[test]
    fn bounds_hold_what_lies_inside_them(
        ends in prop::collection::vec((-80i64..80, 0i64..40, 0i64..40, 0u8..=100, 0u8..=100), 6..40),
        margin in 1u32..200,
    ) {
        let n = ends.len() as u32;
        let mut bounded = pairs(n, |_| 0);
        let mut exact = pairs(n, |_| 0);
        for (at, (later, wide, wide_whole, inside, inside_whole)) in ends.iter().enumerate() {
            let within = |from: i64, wide: i64, share: u8| {
                let value = from * 1000 + wide * 10 * i64::from(share);
                (seen(from * 1000, (from + wide) * 1000 + 1), seen(value, value))
            };
            let sides = [within(1500 + later, *wide, *inside), within(1500, *wide_whole, *inside_whole)];
            for (side, (bounds, value)) in sides.into_iter().enumerate() {
                bounded.traces[2 * at + side].complete_visible = bounds;
                exact.traces[2 * at + side].complete_visible = value;
            }
        }
        let (of_bounds, of_values) = (verdicts(&bounded, Margin::Ms(margin)), verdicts(&exact, Margin::Ms(margin)));
        let ends = |interval| match interval {
            Interval::Between { lower: Some(lower), upper: Some(upper) } => (lower, upper),
            other => panic!("{other:?}"),
        };
        let ((low, high), (inner_low, inner_high)) = (ends(of_bounds.complete.interval), ends(of_values.complete.interval));
        prop_assert!(low <= inner_low && inner_high <= high);
        let reach = i64::from(margin) * 1000;
        let inside = low - of_bounds.error.0 >= -reach && high + of_bounds.error.0 <= reach;
        prop_assert_eq!(of_bounds.complete.verdict == Verdict::NoDifference, inside);
    }
}
