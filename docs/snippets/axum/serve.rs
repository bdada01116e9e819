//! Aligned time stamps (docs/aligned.md) in axum: the stage times of each answer, and a clock to ask. Run: serve `[PORT]`

use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::extract::{Json, Request};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::{Map, Value, json};

static START: LazyLock<Instant> = LazyLock::new(Instant::now);
/// New for every process: each has a clock of its own.
static CLOCK: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("{:x}-{since:x}", std::process::id())
});

fn now_us() -> u64 {
    u64::try_from(START.elapsed().as_micros()).unwrap_or(u64::MAX)
}

#[derive(Clone, Copy)]
struct Received(u64);

/// Stamps every request first thing, before anything else of the application runs.
async fn received(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Received(now_us()));
    let wanted = request.headers().get("access-control-request-headers").cloned();
    let mut response = match *request.method() {
        Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-expose-headers", "Server-Timing"),
        ("timing-allow-origin", "*"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("access-control-allow-headers", wanted.unwrap_or(HeaderValue::from_static("*")));
    response
}

async fn clock(Extension(Received(received_us)): Extension<Received>) -> Json<Value> {
    Json(json!({"clock": *CLOCK, "received_us": received_us, "sent_us": now_us()}))
}

/// Stands for the model.
fn tokens() -> impl Stream<Item = &'static str> {
    stream::iter(["Light", " is", " scattered", " by", " air."]).then(|word| async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        word
    })
}

fn event(choices: Value, stages: Option<&Map<String, Value>>) -> String {
    let mut chunk = json!({"object": "chat.completion.chunk", "choices": choices});
    if let Some(stages) = stages {
        chunk["firstlight"] = json!(stages);
    }
    format!("data: {chunk}\n\n")
}

async fn chat(Extension(Received(received_us)): Extension<Received>, Json(body): Json<Value>) -> Response {
    let mut stages = Map::new();
    stages.insert("clock".to_owned(), json!(*CLOCK));
    stages.insert("received_us".to_owned(), json!(received_us));
    stages.insert("started_us".to_owned(), json!(now_us()));
    if body["stream"] != true {
        let content: String = tokens().collect().await;
        stages.insert("last_token_us".to_owned(), json!(now_us()));
        let choice = json!({"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"});
        return Json(json!({"object": "chat.completion", "choices": [choice], "firstlight": stages})).into_response();
    }
    // What is left to say: a token, or at the end the stages.
    let said = tokens().map(Some).chain(stream::iter([None])).scan(stages, |stages, token| {
        let text = match token {
            Some(word) => {
                let at = json!(now_us());
                stages.entry("first_token_us").or_insert(at.clone());
                stages.insert("last_token_us".to_owned(), at);
                event(json!([{"index": 0, "delta": {"content": word}, "finish_reason": null}]), None)
            }
            None => {
                let finish = event(json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]), None);
                format!("{finish}{}data: [DONE]\n\n", event(json!([]), Some(stages)))
            }
        };
        std::future::ready(Some(Ok::<_, Infallible>(Bytes::from(text))))
    });
    ([("content-type", "text/event-stream")], Body::from_stream(said)).into_response()
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    LazyLock::force(&START);
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(8000_u16);
    let app = Router::new().route("/clock", get(clock)).route("/v1/chat/completions", post(chat)).layer(from_fn(received));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, app).await
}
