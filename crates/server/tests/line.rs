//! The line that a page holds while it measures: it carries nothing, and its end is noticed.

mod common;

use std::time::Duration;

use common::{complete, host, open, send};
use firstlight_core::config::{RunConfig, Secrets};
use firstlight_core::report::AutoJob;
use firstlight_server::{Automation, Options, Public, Running, Server, line_broke};
use tokio::io::AsyncReadExt as _;

fn job() -> AutoJob {
    AutoJob { config: RunConfig::of("http://127.0.0.1:1/"), secrets: Secrets::default(), clock_probes: 0 }
}

/// The path below which its page asks.
fn path(automation: &Automation) -> String {
    format!("/api/auto/{}", automation.url.split_once("?auto=").expect("a token").1)
}

async fn fetched(running: &Running) -> (Automation, String) {
    let automation = running.submit(job()).expect("a job");
    let path = path(&automation);
    assert_eq!(send(&host(&running.origin()), "GET", &path, &[], "").await.status, 200);
    (automation, path)
}

async fn held(automation: &Automation, lines: u32) {
    let mut line = automation.line.clone();
    let wait = line.wait_for(|held| *held == lines);
    tokio::time::timeout(Duration::from_secs(20), wait).await.expect("in time").expect("a job");
}

#[tokio::test]
async fn a_browser_that_goes_away_is_noticed_and_a_line_that_is_held_anew_is_not() {
    let running = common::start().await;
    let (automation, path) = fetched(&running).await;
    let broke = tokio::spawn(line_broke(automation.line.clone()));
    // On the second origin, so that it takes no connection from what is measured on the first.
    let second = host(&running.second_origin());
    let (line, _) = open(&second, "GET", &format!("{path}/line"), &[], "").await;
    held(&automation, 1).await;
    // Something on the way ended it, and the page holds another.
    drop(line);
    held(&automation, 0).await;
    let (line, _) = open(&second, "GET", &format!("{path}/line"), &[], "").await;
    held(&automation, 1).await;
    tokio::time::sleep(Duration::from_millis(3_500)).await;
    assert!(!broke.is_finished(), "it is held");
    drop(line);
    tokio::time::timeout(Duration::from_secs(20), broke).await.expect("noticed").expect("ended");
    running.stop().await;
}

#[tokio::test]
async fn it_is_answered_when_the_job_is_over() {
    let running = common::start().await;
    let page = host(&running.origin());
    // Before the job is fetched there is none to hold a line for.
    let unfetched = running.submit(job()).expect("a job");
    assert_eq!(send(&page, "GET", &format!("{}/line", path(&unfetched)), &[], "").await.status, 404);
    let (automation, path) = fetched(&running).await;
    let broke = tokio::spawn(line_broke(automation.line.clone()));
    let (mut line, _) = open(&page, "GET", &format!("{path}/line"), &[("Origin", "http://page.example")], "").await;
    held(&automation, 1).await;
    let report = r#"{"run": null, "problems": ["hidden"]}"#;
    assert_eq!(send(&page, "POST", &path, &[], report).await.status, 200);
    let mut answer = Vec::new();
    while !complete(&answer) {
        assert!(line.read_buf(&mut answer).await.expect("read") > 0);
    }
    let answer = String::from_utf8_lossy(&answer).to_ascii_lowercase();
    assert!(answer.starts_with("http/1.1 204") && answer.contains("access-control-allow-origin: *"), "{answer}");
    assert_eq!(automation.report.await.expect("a report").expect("read").problems, ["hidden"]);
    assert_eq!(send(&page, "GET", &format!("{path}/line"), &[], "").await.status, 404, "over");
    assert!(!broke.is_finished(), "a job that is over breaks no line");
    // One whose browser is lost is forgotten: what comes of it later is refused.
    let (lost, path) = fetched(&running).await;
    running.forget(&lost);
    assert_eq!(send(&page, "POST", &path, &[], report).await.status, 404);
    running.stop().await;
}

#[tokio::test]
async fn browsers_of_other_machines_are_told_where_to_come() {
    let public = Public::Origin("http://bench.example:8600".to_owned());
    let running = Server::start(Options { public, ..Options::default() }).await.expect("a server");
    assert_eq!(running.page_url(), "http://bench.example:8600/");
    let port = running.second_origin().rsplit_once(':').expect("a port").1.to_owned();
    assert_eq!(running.second_origin(), format!("http://bench.example:{port}"));
    let automation = running.submit(job()).expect("a job");
    assert!(automation.url_with_line(true).starts_with("http://bench.example:8600/?auto="));
    assert!(automation.url_with_line(true).ends_with("&line=second") && automation.url_with_line(false).ends_with("&line=own"));
    running.stop().await;
    let running =
        Server::start(Options { public: Public::Host("192.0.2.7".into()), ..Options::default() }).await.expect("a server");
    assert!(running.page_url().starts_with("http://192.0.2.7:") && running.second_origin().starts_with("http://192.0.2.7:"));
    running.stop().await;
}
