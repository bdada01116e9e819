//! Keys go to the endpoint and nowhere else.

use firstlight_e2e::Browser;
use firstlight_e2e::page::Setup;
use firstlight_e2e::stub::Stub;

use crate::checks::{LIMIT, measure, open, own};

const KEY: &str = "sk-e2e-4711-secret";
const HEADER: &str = "header-0815-secret";

const BODY: &str = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}"#;

/// Everything of a page that outlives it or that others can read.
const TRACES: &str = r#"
const storage = (area) => Object.entries(area).flat().join(" ");
return [
  document.documentElement.outerHTML,
  document.body.innerText,
  location.href,
  document.title,
  document.cookie,
  storage(localStorage),
  storage(sessionStorage),
  JSON.stringify(history.state),
  performance.getEntries().map((entry) => entry.name).join(" "),
].join("\n");
"#;

pub(crate) fn a_key_is_sent_and_kept_nowhere(browser: &Browser) {
    let stub = Stub::json(BODY).expect("a stub");
    let (served, page) = open(browser);
    let setup =
        own(stub.url(), 2).with("mode", "non-streaming").with("api-key", KEY).with("headers", format!("X-Secret: {HEADER}"));
    measure(&page, &setup);
    let posts: Vec<String> = stub.heads().into_iter().filter(|head| head.starts_with("POST")).collect();
    assert_eq!(posts.len(), 2);
    for head in posts.iter().map(|head| head.to_ascii_lowercase()) {
        assert!(
            head.contains(&format!("authorization: bearer {KEY}")) && head.contains(&format!("x-secret: {HEADER}")),
            "{head}"
        );
    }
    let nowhere = |what: &str, text: &str| {
        for secret in [KEY, HEADER] {
            assert!(!text.contains(secret), "{secret} is in {what}: {text}");
        }
    };
    nowhere("the saved run", &page.saved_text().expect("a text"));
    nowhere("the page", &page.string(TRACES, vec![]).expect("traces"));
    // A key inside an address is left out of the file too.
    let again = served.open(browser).expect("opened afresh");
    again.set("target-kind", "own").expect("chosen");
    assert_eq!(again.value("api-key").expect("a field"), "");
    nowhere("the page opened again", &again.string(TRACES, vec![]).expect("traces"));
    let in_url = Setup::own(&format!("{}?key={KEY}&x=1", stub.url())).with("mode", "non-streaming");
    again.measure(&in_url.with("requests", 1).with("warmup", 0), LIMIT).expect("the run ends");
    nowhere("the saved run", &again.saved_text().expect("a text"));
}
