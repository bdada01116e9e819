//! Links to set-ups: what they say, what they never say, and what becomes of those that this page does not know.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::set_up::{Made, Opened, as_usual, differing, is_set_up, link, open, usual};
use super::*;
use crate::config::{
    BodyChoice, ModeChoice, Reading, Rendering, RuleChoice, RunConfig, Secrets, TargetKind, ThreadChoice, recipe,
};
use crate::cost::Prices;
use crate::decision::{Baseline, Decision, IfItFails};
use crate::load::{Cancel, Load, Shape, Versus, What};
use crate::scrape::ServerMetrics;
use crate::text::{Lang, LinkText, link_error};
use crate::workload::{CacheMode, Case, Generator, Lengths, Message, Role, Source, Workload};

const PROMPT: &str = "What is usual here?";

fn made(config: &RunConfig) -> Made {
    link(config, &Secrets::default(), "")
}

fn opened(fragment: &str) -> Opened {
    open(fragment, PROMPT).expect("a link of this version").expect("a link to a set-up")
}

fn own(url: &str) -> RunConfig {
    RunConfig { target: TargetKind::Own, url: url.to_owned(), ..usual("Hi there") }
}

/// As a link holds it.
fn bare(config: RunConfig) -> RunConfig {
    let url = if config.target == TargetKind::Own { config.url } else { String::new() };
    RunConfig { url, seed: 1, ..config }
}

fn of_cases(cases: Vec<Case>) -> Workload {
    Workload { source: Source::Cases(cases), ..Workload::default() }
}

fn case(id: usize, text: &str) -> Case {
    Case { id: format!("case-{id}"), messages: vec![Message::text(Role::User, text)], ..Case::default() }
}

#[test]
fn a_link_says_what_is_not_as_usual() {
    assert_eq!(made(&usual("Hi there")).fragment, "measure?v=1&prompt=Hi%20there");
    // The built-in endpoint's address is another one on another page.
    let elsewhere = RunConfig { url: "http://127.0.0.1:8601/v1".into(), seed: 7, ..usual("5") };
    assert_eq!(made(&elsewhere).fragment, "measure?v=1&prompt=%225%22");
    let load = Load { shape: Shape::spelled("poisson 2/s").expect("a shape"), ..Load::default() };
    let config = RunConfig { mode: ModeChoice::Both, requests: 50, load, ..own("https://a/v1") };
    let want = "measure?v=1&target=own&url=https://a/v1&prompt=Hi%20there&mode=both&requests=50\
        &load=%7B%22shape%22:%7B%22open%22:%7B%22per_second%22:2.0%2C%22spacing%22:%22poisson%22%7D%7D%7D";
    assert_eq!(made(&config), Made { fragment: want.to_owned(), left_out: Vec::new() });
    assert_eq!(opened(&format!("#{want}")).config, config);
    for (fragment, is) in [("", false), ("#main", false), ("#measure", false), ("#race?v=1", false), ("measure?", true)] {
        assert_eq!(is_set_up(fragment), is, "{fragment}");
        assert_eq!(open(fragment, PROMPT).is_ok_and(|found| found.is_none()), !is, "{fragment}");
    }
}

#[test]
fn a_link_that_says_nothing_asks_for_what_is_usual() {
    let nothing = opened("#measure?v=1");
    assert_eq!(nothing.config, usual(PROMPT));
    assert_eq!((nothing.not_taken.len(), nothing.left_out.len(), nothing.recipe.as_str()), (0, 0, ""));
    assert_eq!(opened("#measure?v=1&prompt=").config.prompt, "");
}

#[test]
fn what_is_not_known_is_named_and_the_rest_is_taken() {
    let some = opened("measure?v=1&requests=7&colour=red&mode=fast&key=sk-1&warmup=%FF&seed=3&load=%7B%22shape%22:1%7D");
    assert_eq!(some.config, RunConfig { requests: 7, ..usual(PROMPT) });
    assert_eq!(some.not_taken, ["warmup", "seed", "colour", "mode", "key", "load"]);
    // Of two values neither is taken.
    let twice = opened("measure?v=1&requests=7&requests=8&warmup=0");
    assert_eq!((twice.config, twice.not_taken), (RunConfig { warmup: 0, ..usual(PROMPT) }, vec!["requests".to_owned()]));
    // The page says where its own endpoint is.
    let address = opened("measure?v=1&url=http://a/");
    assert_eq!((address.config, address.not_taken), (usual(PROMPT), vec!["url".to_owned()]));
    assert_eq!(opened("measure?v=1&recipe=none").not_taken, ["recipe"]);
    assert_eq!(opened("measure?v=1&left-out=body.&left-out=workload").left_out, ["body", "workload"]);
    let long = opened(&format!("measure?v=1&{}=1", "x".repeat(500)));
    assert_eq!(long.not_taken, ["x".repeat(40)]);
}

#[test]
fn a_link_of_another_version_is_refused_with_a_message() {
    let refused = |fragment: &str| open(fragment, PROMPT).expect_err(fragment);
    assert_eq!(refused("measure?"), LinkError::NoVersion);
    assert_eq!(refused("measure?requests=7"), LinkError::NoVersion);
    assert_eq!(refused("measure?requests=7&v=2&new=1"), LinkError::Newer(2));
    assert_eq!(refused("measure?v=0"), LinkError::Value("v"));
    assert_eq!(refused("measure?v=one"), LinkError::Value("v"));
    for lang in Lang::ALL {
        assert!(link_error(lang, &LinkError::Newer(2)).contains('2'));
        for key in [LinkText::LeftOut, LinkText::NotTaken, LinkText::Missing] {
            assert!(key.get(lang).contains("{0}"), "it names what it speaks of");
        }
    }
}

#[test]
fn a_recipe_brings_its_header_lines_and_no_other() {
    let anthropic = recipe("anthropic").expect("a recipe");
    let headers = crate::config::parse_headers(anthropic.headers).expect("its header lines");
    let mut secrets = Secrets { headers, ..Secrets::default() };
    let config = RunConfig { key_header: anthropic.key_header.into(), ..own(anthropic.url) };
    let plain = link(&config, &secrets, "anthropic");
    assert_eq!((opened(&plain.fragment).recipe.as_str(), plain.left_out.len()), ("anthropic", 0));
    assert!(!plain.fragment.contains("2023"), "{}", plain.fragment);
    secrets.headers.push(("x-team".into(), "blue".into()));
    let more = link(&config, &secrets, "anthropic");
    assert_eq!((more.left_out, opened(&more.fragment).recipe.as_str()), (vec!["headers".to_owned()], "anthropic"));
    // Of the built-in endpoint there is none; nor where a line of it was taken away.
    let built_in = link(&usual(""), &Secrets::default(), "anthropic");
    assert_eq!(opened(&built_in.fragment), Opened { config: usual(""), ..opened("measure?v=1") });
    secrets.headers.remove(0);
    let less = link(&config, &secrets, "anthropic");
    assert_eq!((less.left_out, opened(&less.fragment).recipe.as_str()), (vec!["headers".to_owned()], ""));
}

#[test]
fn what_is_too_long_is_left_out_and_both_ends_say_so() {
    let few = RunConfig { workload: of_cases((0..20).map(|id| case(id, "Why?")).collect()), ..own("http://a/") };
    assert_eq!(made(&few).left_out, [""; 0]);
    assert_eq!(opened(&made(&few).fragment).config, few);
    for many in [of_cases((0..90).map(|id| case(id, "Why?")).collect()), of_cases((0..5000).map(|id| case(id, "")).collect())] {
        let long = made(&RunConfig { workload: many, ..few.clone() });
        assert_eq!(long.left_out, ["workload"]);
        let back = opened(&long.fragment);
        assert_eq!((back.config, back.left_out), (RunConfig { workload: Workload::default(), ..few.clone() }, long.left_out));
    }
    // As many as fit: the longest first.
    let body = BodyChoice::Custom(json!({"a": "x".repeat(7000), "prompt": "{prompt}"}));
    let both = made(&RunConfig { body, prompt: "y".repeat(6000), ..own("http://a/") });
    assert_eq!(both.left_out, ["body"]);
    assert_eq!(opened(&both.fragment).config.prompt.len(), 6000);
    assert!(both.fragment.len() <= MAX_LINK);
}

#[test]
fn no_secret_is_in_a_link_wherever_it_was_typed() {
    let key = "sk-7f/3+a=";
    let secrets = Secrets { api_key: key.into(), headers: vec![("Authorization".into(), "Basic dXNlcjpwYXNzd29yZA==".into())] };
    let url = format!("https://me:pw@a.b/v1?api_key={key}&x=1");
    let sound = link(&own(&url), &secrets, "");
    assert_eq!(sound.left_out, ["api_key", "headers"]);
    assert_eq!(opened(&sound.fragment).config.url, "https://a.b/v1?api_key=redacted&x=1");
    let left = |config: RunConfig| {
        let made = link(&config, &secrets, "");
        assert!(!decode(&made.fragment).expect("sound").contains(key) && !made.fragment.contains("dXNlcjp"), "{made:?}");
        made.left_out
    };
    assert_eq!(left(own(&format!("https://a/bot{key}/v1"))), ["api_key", "headers", "url"]);
    assert_eq!(left(own("https://a/bot?q=sk-7f%2F3%2Ba%3D")), ["api_key", "headers", "url"]);
    assert_eq!(left(RunConfig { prompt: format!("use {key}"), ..own("http://a") }), ["api_key", "headers", "prompt"]);
    let custom = |value: Value| RunConfig { body: BodyChoice::Custom(value), ..own("http://a") };
    assert_eq!(left(custom(json!({"a": [{"b": key}]}))), ["api_key", "headers", "body"]);
    assert_eq!(left(custom(json!({"auth": "dXNlcjpwYXNzd29yZA=="}))), ["api_key", "headers", "body"]);
    // What is called secret in a body is one, whatever it says.
    assert_eq!(left(custom(json!({"a": {"API_Key": "other"}}))), ["api_key", "headers", "body"]);
    assert_eq!(left(custom(json!({"schema": {"properties": {"key": {"type": "string"}}}}))), ["api_key", "headers"]);
}

#[test]
fn differences_are_named_as_far_as_links_hold_them() {
    let config = own("http://a");
    assert_eq!(differing(&config, &RunConfig { seed: 9, ..config.clone() }), [""; 0]);
    let other = RunConfig { requests: 3, probe: Some("/clock".into()), ..config.clone() };
    assert_eq!(differing(&config, &other), ["requests", "probe"]);
    assert_eq!(differing(&other, &config), ["requests", "probe"]);
    let names = ["target", "url", "probe"].map(str::to_owned);
    assert_eq!(as_usual(&other, &names, PROMPT), RunConfig { requests: 3, ..usual("Hi there") });
    let built_in = |url: &str| RunConfig { url: url.into(), ..usual("") };
    assert_eq!(differing(&built_in("http://a"), &built_in("http://b")), [""; 0]);
}

fn any_text() -> impl Strategy<Value = String> {
    // Some of it could be taken for JSON, or for parts of a link.
    prop_oneof![
        "[ -~가-힣é\n]{0,24}",
        "-?[0-9]{1,4}(e3)?",
        Just("null".to_owned()),
        Just("{\"a\":1}".to_owned()),
        Just("\"".to_owned())
    ]
}

fn any_url() -> impl Strategy<Value = String> {
    "https?://[a-z]{1,8}(:[1-9][0-9]{1,3})?/[a-z0-9/._~-]{0,12}(\\?x=[a-z0-9%&=+]{0,8})?"
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-9_999_999i64..9_999_999).prop_map(|n| json!(n as f64 / 1000.0)),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-d]{1,3}", inner, 0..4).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

fn any_body() -> impl Strategy<Value = BodyChoice> {
    let fields = prop::collection::btree_map("[a-d]{1,3}", any_json(), 0..3);
    prop_oneof![
        fields.prop_map(|fields| BodyChoice::Chat(fields.into_iter().collect::<Map<_, _>>())),
        any_json().prop_map(BodyChoice::Custom)
    ]
}

fn any_load() -> impl Strategy<Value = Load> {
    let spelled =
        ["closed", "rate 2/s", "poisson 0.5/s", "gamma 2/s burstiness 0.5", "sweep 1 2 4 settle 1s", "steps 1 2 each 30s"];
    let spelled = prop::sample::select(spelled.to_vec()).prop_map(|line| Shape::spelled(line).expect("a shape"));
    let replay = (prop::collection::vec(0u32..9_999_999, 1..9), 1u32..9_999).prop_map(|(at, speed)| Shape::Replay {
        at_ms: at.into_iter().map(|at| f64::from(at) / 1000.0).collect(),
        speed: f64::from(speed) / 1000.0,
    });
    let cancel = (0u32..=100, 0u32..9, 9u32..99);
    let cancel = cancel.prop_map(|(share, from_ms, to_ms)| Cancel { share: f64::from(share) / 100.0, from_ms, to_ms });
    let ms = || prop::option::of(1u32..86_400_000);
    (prop_oneof![spelled, replay], ms(), ms(), prop::option::of(1u32..256), ms(), prop::option::of(cancel), ms()).prop_map(
        |(shape, duration_ms, warmup_ms, max_in_flight, drain_ms, cancel, expected_interval_ms)| Load {
            shape,
            duration_ms,
            warmup_ms,
            max_in_flight,
            drain_ms,
            cancel,
            expected_interval_ms,
        },
    )
}

fn any_workload() -> impl Strategy<Value = Workload> {
    let lengths = prop_oneof![
        (1u32..900).prop_map(Lengths::Fixed),
        (1u32..9, 9u32..99).prop_map(|(min, max)| Lengths::Uniform { min, max })
    ];
    let generated = (1u32..100_000, any::<u64>(), lengths.clone(), prop::option::of(lengths), 0u32..99, 0u32..9).prop_map(
        |(cases, seed, input, output, shared_prefix, held_out)| {
            Source::Generated(Generator { cases, seed, input, output, shared_prefix, held_out })
        },
    );
    let cases = prop::collection::vec(any_text(), 1..4)
        .prop_map(|texts| Source::Cases(texts.iter().enumerate().map(|(id, text)| case(id, text)).collect()));
    let source = prop_oneof![Just(Source::Prompt), generated, cases];
    (source, any_text(), any_text()).prop_map(|(source, name, version)| Workload { name, version, source })
}

fn any_decision() -> impl Strategy<Value = Decision> {
    let criteria = prop::sample::subsequence(vec!["p95(first_visible)<800ms", "error_rate<1%", "pass_rate>=95%"], 0..=3);
    let fails = prop::sample::select(vec![IfItFails::Stop, IfItFails::FallBack, IfItFails::OldVersion, IfItFails::AskSomeone]);
    let baseline = prop::option::of((any_text(), prop::option::of(any::<i64>())));
    ([any_text(), any_text(), any_text(), any_text()], criteria, baseline, fails).prop_map(
        |([claim, owner, affected, falsified_by], criteria, baseline, if_it_fails)| Decision {
            claim,
            owner,
            affected,
            criteria: criteria.into_iter().map(|line| line.parse().expect("a criterion")).collect(),
            baseline: baseline.map(|(run, margin_us)| Baseline { run, margin_us }),
            falsified_by,
            if_it_fails,
        },
    )
}

fn any_versus() -> impl Strategy<Value = Versus> {
    let endpoint = (any_url(), any_text()).prop_map(|(url, model)| What::Endpoint { url, model });
    (prop_oneof![endpoint, Just(What::Cache)], 2u32..99).prop_map(|(what, one_in)| Versus { what, one_in })
}

fn any_reading() -> impl Strategy<Value = Reading> {
    let pointer = || prop::option::of("/[a-z0-9/~]{0,9}");
    ("[a-z_]{0,9}", pointer(), pointer(), any::<bool>(), prop::collection::vec("[a-z]{1,5} = [a-z]{1,5} ms queue", 0..3))
        .prop_map(|(format, text, items, split_think, spans)| Reading { format, text, items, split_think, spans })
}

prop_compose! {
    /// Whose endpoint, and how it is asked.
    fn any_asking()(
        built_in in prop::option::of("[a-z-]{1,9}"), url in any_url(), texts in [any_text(), any_text()], body in any_body(),
        mode in prop::sample::select(vec![ModeChoice::Streaming, ModeChoice::NonStreaming, ModeChoice::Both]),
        max_tokens in prop::option::of(1u32..=1_000_000), reading in any_reading(), key_header in "[A-Za-z-]{0,12}",
        probe in prop::option::of(any_url()),
        metrics in prop::option::of((any_url(), 250u32..60_000)),
    ) -> RunConfig {
        let [model, prompt] = texts;
        let target = built_in.map_or(TargetKind::Own, TargetKind::BuiltIn);
        let server_metrics = metrics.map(|(url, period_ms)| ServerMetrics { url, period_ms });
        RunConfig {
            target, model, body, prompt, mode, max_tokens, reading, key_header, probe, server_metrics, ..RunConfig::of(url)
        }
    }
}

prop_compose! {
    /// A whole set-up, sound or not, in which no secret was typed.
    fn any_config()(
        asking in any_asking(), counts in [1u32..100_000, 1..257, 0..99, 1..3_600_000], seed in any::<u64>(),
        useful in prop::sample::select(vec![RuleChoice::Word, RuleChoice::Chars(7), RuleChoice::Contains("5".into()), RuleChoice::Json]),
        thread in prop::sample::select(vec![ThreadChoice::Worker, ThreadChoice::Main]),
        rendering in prop::sample::select(vec![Rendering::Plain, Rendering::Markdown]),
        cache in prop::sample::select(vec![CacheMode::AsIs, CacheMode::Bust, CacheMode::Reuse]),
        confirmation in any::<bool>(), load in any_load(), workload in any_workload(),
        versus in prop::option::of(any_versus()), decision in prop::option::of(any_decision()),
        thresholds in prop::sample::subsequence(vec!["first_visible<800ms", "e2e<=2s"], 0..=2),
        stop_rules in prop::sample::subsequence(vec!["error_rate<=1%", "spend<=2.5"], 0..=2),
        prices in prop::option::of((any_text(), 0u32..9_999_999, 0u32..9_999)),
    ) -> RunConfig {
        let [requests, concurrency, warmup, timeout_ms] = counts;
        RunConfig {
            requests, concurrency, warmup, timeout_ms, seed, useful, thread, rendering, cache, confirmation, load, workload, versus,
            decision,
            thresholds: thresholds.into_iter().map(|line| line.parse().expect("a limit")).collect(),
            stop_rules: stop_rules.into_iter().map(|line| line.parse().expect("a rule")).collect(),
            prices: prices.map(|(currency, input, output)| Prices {
                currency,
                input_per_million: f64::from(input) / 1000.0,
                output_per_million: f64::from(output) / 100.0,
            }),
            ..asking
        }
    }
}

/// Puts a text somewhere into a set-up.
fn plant(config: &mut RunConfig, place: usize, secret: &str) {
    let percent = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    match place {
        0 => config.url = format!("https://a/v1?key={secret}"),
        1 => config.url = format!("https://u:{secret}@a/v1"),
        2 => config.url = format!("https://a/{secret}/v1"),
        3 => config.url = format!("https://a/v1?q={}", percent(secret)),
        4 => config.prompt.push_str(secret),
        5 => config.body = BodyChoice::Custom(json!({"deep": [{ secret: 1 }]})),
        6 => config.body = BodyChoice::Chat(Map::from_iter([("user".to_owned(), json!(secret))])),
        7 => config.model = secret.to_owned(),
        8 => config.workload = of_cases(vec![case(1, &format!("a {secret} b"))]),
        9 => config.probe = Some(format!("/clock?t={secret}")),
        10 => config.server_metrics = Some(ServerMetrics { url: format!("http://a/m?token={secret}"), period_ms: 500 }),
        11 => {
            let what = What::Endpoint { url: format!("http://{secret}@a/"), model: secret.to_owned() };
            config.versus = Some(Versus { what, one_in: 2 });
        }
        12 => config.reading.spans.push(format!("{secret} = a ms queue")),
        _ => config.key_header = secret.to_owned(),
    }
}

proptest! {
    #[test]
    fn a_link_opens_as_what_it_was_made_of(config in any_config()) {
        let made = made(&config);
        prop_assert!(made.fragment.is_ascii() && made.fragment.len() <= MAX_LINK);
        prop_assert!(!made.fragment.contains(['#', ' ', '"', '<', '>', '`', '\n']));
        let opened = opened(&made.fragment);
        prop_assert_eq!(&opened.left_out, &made.left_out);
        prop_assert_eq!(opened.not_taken, [""; 0]);
        let (mut differ, mut left_out) = (differing(&opened.config, &config), made.left_out.clone());
        differ.sort();
        left_out.sort();
        prop_assert_eq!(differ, left_out);
        if made.left_out.is_empty() {
            prop_assert_eq!(opened.config, bare(config));
        }
    }

    /// Whatever else a set-up holds, and wherever a secret was typed a second time.
    #[test]
    fn no_secret_is_in_a_link(
        config in any_config(), key in "[A-Za-z0-9_+/=.-]{8,40}", word in "[A-Za-z0-9_+/=.-]{16,40}",
        places in prop::collection::vec((0usize..14, any::<bool>()), 0..4),
    ) {
        let mut config = RunConfig { target: TargetKind::Own, ..config };
        for (place, of_key) in places {
            plant(&mut config, place, if of_key { &key } else { &word });
        }
        let secrets = Secrets { api_key: key.clone(), headers: vec![("X-Auth".into(), format!("Bearer {word}"))] };
        let made = link(&config, &secrets, "openai");
        let plain = decode(&made.fragment).expect("a sound fragment");
        let twice = decode(&plain).unwrap_or_default();
        for secret in [&key, &word] {
            for text in [&made.fragment, &plain, &twice] {
                prop_assert!(!text.contains(secret.as_str()), "{} is in {}", secret, text);
            }
        }
        prop_assert!(made.left_out.iter().any(|name| name == "api_key") && made.left_out.iter().any(|name| name == "headers"));
        // What it holds is as it was typed.
        let opened = opened(&made.fragment);
        let changed = differing(&opened.config, &config.with_urls(public));
        prop_assert!(changed.iter().all(|name| made.left_out.contains(name)), "{:?} of {:?}", changed, made.left_out);
    }

    #[test]
    fn any_fragment_is_opened_or_refused(text in "(#?measure\\?v=1)?(&[a-z_]{1,9}=)?[ -~가-힣]{0,60}") {
        if let Ok(Some(first)) = open(&text, PROMPT) {
            let made = made(&first.config);
            if made.left_out.is_empty() {
                prop_assert_eq!(opened(&made.fragment).config, first.config);
            }
        }
    }

    #[test]
    fn a_link_is_never_too_long(prompt in "[가-힣]{0,4000}", model in "[a-z&]{0,9000}") {
        let made = made(&RunConfig { prompt, model, ..own("http://a/") });
        prop_assert!(made.fragment.len() <= MAX_LINK);
        prop_assert_eq!(opened(&made.fragment).left_out, made.left_out);
    }
}
