//! `serve`: the page and the endpoint until Ctrl-C.

use std::path::PathBuf;

use firstlight_server::{Certificate, CertificateError, EmbedOrigin, FORWARD_PREFIX, Options, Server};

use super::{Failure, dist, forwards, stop};

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
The built-in endpoint:
  It answers POST /v1/chat/completions by a schedule that its address asks for, such as
  ?preset=chat&format=anthropic&ttft_ms=500&fault=truncate. A wrong parameter is answered with all that are known.
  Formats: openai, responses, anthropic, ollama, gemini, text, prediction, embeddings, html; or the paths of their APIs:
  /v1/responses, /v1/messages, /api/chat, /v1beta/models/MODEL:streamGenerateContent (and :generateContent), /v1/embeddings.
  Faults: status-401, -404, -429, -500, -503, -529, hang, error-inside, truncate, reset, stall, never-ends, html, json,
  trickle, wrong-content-type, missing-terminator, gzip, gzip-no-flush, lying-server-timing.

The certificate of --https:
  Browsers speak HTTP/2 only over https, and over HTTP/1.1 they keep six connections to a server: the seventh request at
  once waits in the browser. --https lifts that to a hundred and more.
  The certificate is made on this machine at the first start and kept for a year. It signs itself, is no authority, and is
  valid for localhost, 127.0.0.1, ::1 and the name of --host: who trusts it trusts this server and nothing else. Its key
  stays in https-key.json, which only you can read. It is installed nowhere; the browser decides in one of three ways:
  - Accept the warning, after comparing the fingerprint that is printed at start: on the page, and once more on the address
    of the second origin, which is opened in a tab for that.
  - Trust https-certificate.pem. Chromium on Linux: certutil -d sql:$HOME/.pki/nssdb -A -t P,, -n firstlight -i FILE.
    macOS: security add-trusted-cert -p ssl -k ~/Library/Keychains/login.keychain-db FILE.
    Windows: certutil -user -addstore Root FILE. Remove it there by the same tools when you no longer need it.
  - Start a browser for this only, such as chromium --user-data-dir=DIR --ignore-certificate-errors-spki-list=KEY with the
    KEY printed at start. `firstlight measure --https` does this with a certificate of its own and needs nothing else.";

/// Where to serve.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Name or address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port of the page and the built-in endpoint (0: a free one)
    #[arg(long, default_value_t = 8600)]
    port: u16,
    /// Port of the built-in endpoint's second origin (0: a free one)
    #[arg(long, default_value_t = 8601)]
    second_port: u16,
    /// Directory of the built page [default: dist]
    #[arg(long, value_name = "DIR")]
    dist: Option<PathBuf>,
    /// Serve over https with HTTP/2 instead of plain http, on a certificate that this machine signs itself (see below)
    #[arg(long)]
    https: bool,
    /// Where the certificate of --https is kept [default: the user's data directory, such as ~/.local/share/firstlight]
    #[arg(long, value_name = "DIR", requires = "https")]
    certificate_dir: Option<PathBuf>,
    /// Forward /forward/NAME/… to an endpoint that refuses browsers; may be given several times
    #[arg(long, value_name = "NAME=URL")]
    forward: Vec<String>,
    /// Let pages of this origin show /embed/ in a frame; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    embed_origin: Vec<EmbedOrigin>,
}

fn certificate(dir: Option<PathBuf>, host: &str) -> Result<Certificate, CertificateError> {
    Certificate::kept(&dir.map_or_else(Certificate::default_dir, Ok)?, host)
}

pub(super) async fn run(args: Args) -> Result<(), Failure> {
    let forwards = forwards(&args.forward).map_err(Failure::Arguments)?;
    let (host, port, second_port) = (args.host, args.port, args.second_port);
    let https = if args.https { Some(certificate(args.certificate_dir, &host)?) } else { None };
    let dist = Some(dist(args.dist));
    let embed_origins = args.embed_origin;
    let options =
        Options { host, port, second_port, dist, forwards: forwards.clone(), https, embed_origins, ..Options::default() };
    let server = Server::start(options).await?;
    println!("Page: {}", server.page_url());
    println!("Second origin for cross-origin requests: {}", server.second_origin());
    for (name, url) in forwards.urls() {
        println!("Forwards: {}{FORWARD_PREFIX}{name}/ to {url}", server.origin());
    }
    if let Some(certificate) = server.certificate() {
        let path = certificate.path().map_or(String::new(), |path| path.display().to_string());
        println!("Certificate: {path}");
        println!("  SHA-256 {}", certificate.sha256());
        println!("  KEY {}", certificate.public_key_sha256());
        println!(
            "  Nobody vouches for it: the browser warns once. Compare this fingerprint, then accept it on both addresses,"
        );
        println!("  or make the browser trust the file (see `firstlight serve --help`). Nothing was installed anywhere.");
    }
    if !server.is_loopback() {
        match args.https {
            true => println!("Other machines can open it too, under a name that the certificate has (see --host)."),
            false => println!(
                "Other machines can open it too; over plain http their browsers give coarser clocks than on this machine."
            ),
        }
        if !forwards.is_empty() {
            let crossing = if args.https { "" } else { ", and keys that they send cross the network unencrypted" };
            println!("They can use the forwards as well{crossing}.");
        }
    }
    println!("Ctrl-C stops it.");
    stop::asked().await;
    server.stop().await;
    Ok(())
}
