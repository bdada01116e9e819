//! A real reverse proxy: nginx in front of a server, configured as people configure it, well or badly.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::guard::Guarded;
use crate::ports::free_port;
use crate::{places, raw_http};

/// One of its servers: everything that comes is passed on, under the directives that are given.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    https: bool,
    directives: &'static str,
}

impl Site {
    /// Over plain HTTP.
    pub const fn http(directives: &'static str) -> Site {
        Site { https: false, directives }
    }

    /// Over TLS, with a certificate that nobody vouches for.
    pub const fn https(directives: &'static str) -> Site {
        Site { https: true, directives }
    }
}

/// A running nginx, as the user who runs the tests; ends with this value.
pub struct Nginx {
    _process: Guarded,
    origins: Vec<String>,
    /// Its configuration and whatever it writes; removed after its end.
    _folder: TempDir,
}

impl Nginx {
    /// These servers, each on a port of its own, in front of the server at an `http://` address.
    pub fn before(url: &str, sites: &[Site]) -> Result<Nginx> {
        let program = places::program("nginx", "the package nginx")?;
        let folder = tempfile::tempdir()?;
        let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).context("no certificate")?;
        std::fs::write(folder.path().join("cert.pem"), own.cert.pem())?;
        std::fs::write(folder.path().join("key.pem"), own.signing_key.serialize_pem())?;
        let ports = sites.iter().map(|_| free_port()).collect::<Result<Vec<u16>>>()?;
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, configuration(folder.path(), raw_http::authority(url)?, sites, &ports))?;
        let args = ["-p".into(), folder.path().into(), "-c".into(), file.into(), "-e".into(), "stderr".into()];
        let process = Guarded::start(&program, &args, &[])?;
        // It says so when its ports listen.
        process.wait_for(Duration::from_secs(30), |line| line.contains("event method").then_some(()))?;
        let origin = |(site, port): (&Site, &u16)| format!("{}://127.0.0.1:{port}", if site.https { "https" } else { "http" });
        let origins = sites.iter().zip(&ports).map(origin).collect();
        Ok(Nginx { _process: process, origins, _folder: folder })
    }

    /// An address of the server behind it, through one of its own servers.
    pub fn through(&self, site: usize, url: &str) -> Result<String> {
        let origin = self.origins.get(site).with_context(|| format!("there is no server {site}"))?;
        let (_, path) = url.split_once(raw_http::authority(url)?).context("no path")?;
        Ok(format!("{origin}{path}"))
    }
}

/// One process without a master, which would give up root's rights and then not reach the folder.
fn configuration(folder: &Path, upstream: &str, sites: &[Site], ports: &[u16]) -> String {
    let folder = folder.display();
    let mut text = format!(
        "daemon off;\nmaster_process off;\nerror_log stderr notice;\npid {folder}/pid;\nevents {{ worker_connections 512; }}\n\
         http {{\naccess_log off;\nssl_certificate {folder}/cert.pem;\nssl_certificate_key {folder}/key.pem;\n"
    );
    for of in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        let _ = writeln!(text, "{of}_temp_path {folder}/{of};");
    }
    for (site, port) in sites.iter().zip(ports) {
        let ssl = if site.https { " ssl" } else { "" };
        let directives = site.directives;
        let _ = writeln!(
            text,
            "server {{ listen 127.0.0.1:{port}{ssl}; {directives} location / {{ proxy_pass http://{upstream}; }} }}"
        );
    }
    text + "}\n"
}
