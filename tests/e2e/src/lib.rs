//! Harness of the end-to-end tests: three browsers through WebDriver, a real inference server, a real gateway, a real proxy,
//! and servers that misbehave.
//!
//! Every function blocks: a test reads like what a person does. What needs tokio runs on one runtime, see [`rt`].

pub mod browser;
pub mod chat;
pub mod clock;
pub mod engine;
pub mod guard;
pub mod hub;
pub mod litellm;
pub mod llama;
pub mod nginx;
pub mod page;
pub mod places;
pub mod ports;
pub mod raw_http;
pub mod relay;
pub mod rt;
pub mod served;
pub mod shared;
pub mod site;
pub mod stub;
pub mod tape;
pub mod tls;
pub mod watch;

pub use browser::Browser;
pub use engine::Engine;
pub use page::Page;
pub use served::Served;
pub use site::Site;
