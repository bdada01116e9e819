//! `firstlight measure --webdriver` against a WebDriver service without browsers: each session does what its place says, so that
//! every way in which a browser can be lost is told, counted, and given its exit code. Real browsers: tests/e2e.

mod common;

use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, Response};
use firstlight_core::report::{Lost, Run};
use serde_json::{Value, json};

/// What a session does when it is told where to go.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    /// Measures, after so many ms.
    Measures(u64),
    /// Measures, and half of it failed.
    Fails,
    /// There is none.
    NoSession,
    /// It can't open the page.
    CannotOpen,
    /// It opens the page, which fetches nothing.
    Nothing,
    /// Its page can't begin.
    CannotBegin,
    /// It begins, and is gone.
    GoesAway,
    /// It reports nonsense.
    Nonsense,
}

#[derive(Clone)]
struct Service {
    does: Arc<Vec<Does>>,
    /// Method and path of all that was asked, with the key.
    asked: Arc<Mutex<Vec<(String, String)>>>,
}

impl Service {
    async fn start(does: &[Does]) -> (Service, String) {
        let service = Service { does: Arc::new(does.to_vec()), asked: Arc::default() };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/wd/hub", listener.local_addr().expect("an address"));
        let routes = Router::new().fallback(Service::answer).with_state(service.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (service, url)
    }

    async fn answer(State(service): State<Service>, request: Request) -> Response<Body> {
        let (head, body) = request.into_parts();
        let key = head.headers.get("authorization").map(|key| key.to_str().expect("text").to_owned()).unwrap_or_default();
        let path = head.uri.path().strip_prefix("/wd/hub").expect("below the base").to_owned();
        let body = to_bytes(body, usize::MAX).await.expect("a body");
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        service.asked.lock().expect("asked").push((format!("{} {path}", head.method), key));
        let (status, value) = match (head.method, path.as_str()) {
            (Method::POST, "/session") => service.open(&body["capabilities"]["alwaysMatch"]),
            (Method::POST, path) => service.go(path, body["url"].as_str().expect("a url")),
            (Method::DELETE, _) => (200, Value::Null),
            other => panic!("{other:?}"),
        };
        let mut response = Response::new(Body::from(json!({"value": value}).to_string()));
        *response.status_mut() = status.try_into().expect("a status");
        response
    }

    /// Sessions are told apart by what was asked for: browsers are opened all at once, in any order.
    fn open(&self, asked: &Value) -> (u16, Value) {
        assert_eq!(asked["pageLoadStrategy"], "eager");
        let at = asked["test:place"].as_u64().expect("a place") as usize;
        if self.does[at] == Does::NoSession {
            return (500, json!({"error": "session not created", "message": "no free place\nsecond line", "stacktrace": ""}));
        }
        let browser = json!({"browserName": "firefox", "browserVersion": "153.0", "platformName": "linux"});
        (200, json!({"sessionId": format!("s{at}"), "capabilities": browser}))
    }

    fn go(&self, path: &str, url: &str) -> (u16, Value) {
        let at: usize = path.trim_start_matches("/session/s").trim_end_matches("/url").parse().expect("a session");
        let does = self.does[at];
        if does == Does::CannotOpen {
            return (500, json!({"error": "unknown error", "message": "net::ERR_CONNECTION_REFUSED", "stacktrace": ""}));
        }
        tokio::spawn(page(does, url.to_owned()));
        (200, Value::Null)
    }

    fn asked(&self, what: &str) -> usize {
        self.asked.lock().expect("asked").iter().filter(|(asked, _)| asked.starts_with(what)).count()
    }
}

/// What a page does that was opened with a job.
async fn page(does: Does, url: String) {
    if does == Does::Nothing {
        return;
    }
    let (origin, query) = url.split_once("/?auto=").expect("a page with a job");
    let (token, rest) = query.split_once('&').expect("more");
    assert_eq!(rest, "line=second&lang=en", "the endpoint that is measured is on the page's own origin");
    let host = common::host(origin);
    let path = format!("/api/auto/{token}");
    let job = common::send(&host, "GET", &path, &[], "").await.json();
    let (line, _) = common::open(&host, "GET", &format!("{path}/line"), &[], "").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    match does {
        Does::GoesAway => drop(line),
        Does::Nonsense => drop(common::send(&host, "POST", &path, &[], "nonsense").await),
        Does::CannotBegin => {
            common::send(&host, "POST", &path, &[], r#"{"run": null, "problems": ["the page is hidden"]}"#).await;
        }
        does => {
            if let Does::Measures(ms) = does {
                tokio::time::sleep(Duration::from_millis(ms)).await;
            }
            let report = json!({"run": run_of(&job["config"], does == Does::Fails)});
            assert_eq!(common::send(&host, "POST", &path, &[], &report.to_string()).await.status, 200);
        }
    }
}

/// Two requests, whose times follow from the seed, so that each browser's are its own.
fn run_of(config: &Value, fails: bool) -> Value {
    let seed = config["seed"].as_i64().expect("a seed");
    let request = |id: i64| {
        let (outcome, status) = if fails && id == 1 { ("http_error", 500) } else { ("complete", 200) };
        json!({
            "id": id, "warmup": false, "mode": "streaming", "pair": null, "painted": false, "outcome": outcome, "status": status,
            "shape": "stream", "dialect": null,
            "marks": {"sent": id * 2_000_000, "first_output": id * 2_000_000 + 1_000 * seed, "last_output": id * 2_000_000 + 900_000},
            "absent": {}, "first_visible": {"absent": "not_in_painted_subset"},
            "complete_visible": {"absent": "not_in_painted_subset"}, "reads": [],
            "response": {"redirected": false, "cross_origin": false}, "network": null, "network_absent": "no_resource_timing",
            "server_timing": "not_sent", "spans": [], "usage": null,
            "amounts": {"answer_chars": 1, "reasoning_chars": 0, "tool_chars": 0, "comments": 0},
            "last_known": id * 2_000_000 + 900_000,
            "flags": {"hidden_during": false, "order_violation": false, "body_left_open": false, "patched_fetch": false},
            "diagnostics": [],
        })
    };
    json!({
        "format": "firstlight-run", "version": firstlight_core::report::VERSION, "firstlight": "0", "created": "2026-01-02T03:04:05.678Z", "config": config,
        "environment": {
            "user_agent": "Mozilla/5.0 Gecko/20100101 Firefox/153.0", "page": "", "isolated": true, "viewport": [1, 1],
            "pixel_ratio_milli": 1000, "frame_interval_us": null, "processors": null, "language": "en", "native_fetch": true,
        },
        "clock": {"step_us": 5}, "stopped": false, "requests": [request(0), request(1)],
    })
}

struct Measured {
    code: Option<i32>,
    printed: String,
    run: Option<Run>,
    service: Service,
}

/// Measures in browsers that do this, with more arguments.
async fn measured(does: &[Does], more: &[&str]) -> Measured {
    let (service, url) = Service::start(does).await;
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("index.html"), "<!doctype html><title>t</title>").expect("written");
    let wanted: Vec<Value> = (0..does.len()).map(|at| json!({"browserName": "firefox", "test:place": at})).collect();
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_firstlight"));
    command.args([
        "measure",
        "--target",
        "builtin:fast",
        "--requests",
        "2",
        "--warmup",
        "0",
        "--seed",
        "100",
        "--out",
        "run.json",
    ]);
    command.args(["--webdriver", &url, "--browsers", &does.len().to_string(), "--capabilities", &json!(wanted).to_string()]);
    command.args(["--dist", "."]).args(more).current_dir(dir.path()).env("GRID_KEY", "me:secret-key");
    let output: Output = command.output().await.expect("it runs");
    let printed = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!printed.contains("secret-key"), "{printed}");
    Measured { code: output.status.code(), printed, run: saved(&dir.path().join("run.json")), service }
}

fn saved(path: &Path) -> Option<Run> {
    std::fs::read_to_string(path).ok().map(|text| Run::from_json(&text).expect("a run"))
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_measure_are_pooled_and_keep_their_browsers() {
    let three = [Does::Measures(0), Does::Measures(400), Does::Measures(200)];
    let of = measured(&three, &["--webdriver-auth-env", "GRID_KEY"]).await;
    assert_eq!(of.code, Some(0), "{}", of.printed);
    assert!(of.printed.contains("3 browsers × closed loop, 1 at once"), "{}", of.printed);
    assert!(of.printed.contains("All 3 browsers measured at the same time"), "{}", of.printed);
    let run = of.run.expect("saved");
    assert_eq!(run.traces.len(), 6);
    // Each had a seed of its own, and its requests stand under its session.
    let origins = run.origins();
    let of_each: Vec<(u64, u32, usize)> =
        origins.iter().map(|o| (o.seed, o.environment.session.as_ref().expect("a session").number, o.traces.len())).collect();
    assert_eq!(of_each, [(100, 1, 2), (101, 2, 2), (102, 3, 2)]);
    assert_eq!(origins[1].label, Some("2: firefox 153.0, linux"));
    let grid = run.environment.grid.as_deref().expect("a grid");
    assert_eq!((grid.asked, grid.measured, grid.at_once), (3, 3, 3));
    // Three calls for each browser, with the key, and nothing in between.
    let calls: Vec<usize> = ["POST /session", "DELETE /session/s"].iter().map(|what| of.service.asked(what)).collect();
    assert_eq!(calls, [6, 3], "three sessions and three addresses; three ends");
    let keys = of.service.asked.lock().expect("asked");
    assert!(keys.iter().all(|(_, key)| key == "Basic bWU6c2VjcmV0LWtleQ=="), "{keys:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_browser_that_is_lost_is_told_and_counted() {
    let does = [
        Does::Measures(0),
        Does::NoSession,
        Does::CannotOpen,
        Does::Nothing,
        Does::CannotBegin,
        Does::GoesAway,
        Does::Nonsense,
        Does::Measures(0),
    ];
    let of = measured(&does, &["--fetch-timeout-s", "2"]).await;
    assert_eq!(of.code, Some(5), "{}", of.printed);
    let run = of.run.expect("saved all the same");
    let grid = run.environment.grid.as_deref().expect("a grid");
    let lost: Vec<(u32, Lost)> = grid.lost.iter().map(|lost| (lost.session.number, lost.why)).collect();
    let whys = [Lost::NoSession, Lost::NotOpened, Lost::NotFetched, Lost::CouldNotBegin, Lost::WentAway, Lost::Unreadable];
    assert_eq!(lost, (2..).zip(whys).collect::<Vec<_>>());
    assert_eq!((grid.asked, grid.measured, run.traces.len(), run.parts.len()), (8, 2, 4, 2));
    for said in [
        "2 of 8 browsers gave a run",
        "session not created: no free place",
        "net::ERR_CONNECTION_REFUSED",
        "the page is hidden",
        "2 of 8 browsers × ",
        "6 of 8 browsers gave no run",
    ] {
        assert!(of.printed.contains(said), "“{said}” is not in {}", of.printed);
    }
    assert!(!of.printed.contains("second line"), "{}", of.printed);
    assert_eq!(of.service.asked("DELETE /session/s"), 7, "every session that was opened is closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_codes_follow_their_rule() {
    // Enough browsers, though one is lost: it is told, and that is all.
    let of = measured(&[Does::Measures(0), Does::NoSession], &["--min-browsers", "1"]).await;
    assert_eq!(of.code, Some(0), "{}", of.printed);
    assert!(of.printed.contains("Browser 2 gave no run: no session was opened"), "{}", of.printed);
    let run = of.run.expect("saved");
    assert_eq!((run.parts.len(), run.traces.len(), run.environment.grid.map(|grid| grid.lost.len())), (0, 2, Some(1)));
    // Failed requests are 1, unless too few browsers came first.
    assert_eq!(measured(&[Does::Measures(0), Does::Fails], &[]).await.code, Some(1));
    assert_eq!(measured(&[Does::Fails, Does::NoSession], &[]).await.code, Some(5));
    // None at all: nothing is saved, and where none came to the page it is said how they must.
    let of = measured(&[Does::CannotOpen, Does::Nothing], &["--fetch-timeout-s", "1"]).await;
    assert_eq!((of.code, of.run.is_none()), (Some(3), true), "{}", of.printed);
    for said in ["no browser gave a run", "--listen 0.0.0.0:8600", "--public-url"] {
        assert!(of.printed.contains(said), "“{said}” is not in {}", of.printed);
    }
    let of = measured(&[Does::NoSession], &[]).await;
    assert!(of.code == Some(3) && !of.printed.contains("--public-url"), "{}", of.printed);
    let of = measured(&[Does::Measures(0)], &["--metrics-url", "builtin"]).await;
    assert_eq!((of.code, of.service.asked("POST /session")), (Some(2), 0), "{}", of.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_webdriver_service_says_so() {
    let stub = axum::Router::new().fallback(|| async { "hello" });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, stub).await });
    let driver = firstlight_server::webdriver::WebDriver::at(&url, None).expect("an address");
    let error = driver.open(1, json!({})).await.expect_err("no service").to_string();
    assert!(error.contains("no WebDriver service (status 200)") && error.contains("/wd/hub"), "{error}");
    let nobody = firstlight_server::webdriver::WebDriver::at("http://127.0.0.1:1", None).expect("an address");
    let error = nobody.open(1, json!({})).await.expect_err("nobody").to_string();
    assert!(error.contains("refused"), "{error}");
}
