//! A certificate for this machine that it signed itself. It can't sign others: whoever trusts it trusts this server and
//! nothing else.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose, PublicKeyData as _};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// How long it is valid.
pub(super) const VALID: Duration = Duration::from_secs(365 * 86_400);
/// Clocks of other machines may be behind by so much.
const BEHIND: Duration = Duration::from_secs(86_400);
/// The names under which a machine finds itself.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// A certificate with its key.
#[derive(Clone)]
pub struct Certificate(Arc<Inner>);

struct Inner {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
    spki: Vec<u8>,
    path: Option<PathBuf>,
}

/// Why there is no certificate, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A name that no certificate can have.
    #[error("a certificate can't be made for {0}: use a host name or an address for --host")]
    Name(String),
    /// The library refuses.
    #[error("a certificate can't be made: {0}")]
    Make(String),
    /// No place to keep it.
    #[error(
        "there is no directory for the certificate: neither HOME nor XDG_DATA_HOME is set. Name one with --certificate-dir"
    )]
    NoDirectory,
    /// It can't be read or written.
    #[error("{path}: {source}. Put that right, or name another directory with --certificate-dir")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others can read the key.
    #[error("{0} holds a private key, and others can read it: delete it for a new one, or make it yours with chmod 600")]
    Readable(PathBuf),
    /// It holds something else.
    #[error("{path} is not what was written there ({what}): delete it for a new certificate")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// The names of this machine and the host that the server was told to listen on.
pub(super) fn names(host: &str) -> Vec<String> {
    let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
    let means_all = host.parse::<IpAddr>().is_ok_and(|ip| ip.is_unspecified());
    let mut names: Vec<String> = OWN_NAMES.map(str::to_owned).to_vec();
    if !means_all && !names.contains(&host) {
        names.push(host);
    }
    names
}

/// A certificate and its key, as text.
pub(super) fn make(names: &[String], now: SystemTime) -> Result<(String, String), CertificateError> {
    let failed = |error: rcgen::Error| CertificateError::Make(error.to_string());
    let mut params = CertificateParams::new(names.to_vec()).map_err(|_| CertificateError::Name(names.join(", ")))?;
    params.is_ca = IsCa::ExplicitNoCa;
    params.distinguished_name.push(DnType::CommonName, "Firstlight on this machine");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let since_1970 = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let at = |since: Duration| rcgen::date_time_ymd(1970, 1, 1) + since;
    (params.not_before, params.not_after) = (at(since_1970.saturating_sub(BEHIND)), at(since_1970 + VALID));
    let key = KeyPair::generate().map_err(failed)?;
    let certificate = params.self_signed(&key).map_err(failed)?;
    Ok((certificate.pem(), key.serialize_pem()))
}

impl Certificate {
    /// A new one, which is forgotten with the process. It is for `host` and the names of this machine.
    pub fn fresh(host: &str) -> Result<Certificate, CertificateError> {
        let (certificate, key) = make(&names(host), SystemTime::now())?;
        Certificate::read(&certificate, &key, None).map_err(CertificateError::Make)
    }

    /// From text. An error says what is wrong.
    pub(super) fn read(certificate: &str, key: &str, path: Option<PathBuf>) -> Result<Certificate, String> {
        use rustls::pki_types::pem::PemObject as _;
        let certificate = CertificateDer::from_pem_slice(certificate.as_bytes()).map_err(|e| format!("certificate: {e}"))?;
        let key = KeyPair::from_pem(key).map_err(|e| format!("key: {e}"))?;
        let (spki, key) = (key.subject_public_key_info(), key.serialize_der());
        Ok(Certificate(Arc::new(Inner { certificate, key, spki, path })))
    }

    /// The file to be trusted, where it is kept.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// SHA-256 of the public key in base64, as Chromium's `--ignore-certificate-errors-spki-list` wants it.
    pub fn public_key_sha256(&self) -> String {
        base64::engine::general_purpose::STANDARD.encode(sha256(&self.0.spki))
    }

    /// SHA-256 of the certificate as browsers show it: bytes in hexadecimal, with colons between.
    pub fn sha256(&self) -> String {
        sha256(&self.0.certificate).map(|byte| format!("{byte:02X}")).join(":")
    }

    /// TLS with HTTP/2, or HTTP/1.1 where a client does not offer it.
    pub(super) fn config(&self) -> Result<ServerConfig, rustls::Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(self.0.key.clone()));
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let mut config = config.with_no_client_auth().with_single_cert(vec![self.0.certificate.clone()], key)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    let mut hash = [0; 32];
    hash.copy_from_slice(digest.as_ref());
    hash
}

impl fmt::Debug for Certificate {
    /// Without its key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate").field("sha256", &self.sha256()).field("path", &self.0.path).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_names_of_this_machine_and_the_one_that_was_given() {
        assert_eq!(names("127.0.0.1"), OWN_NAMES);
        assert_eq!(names("0.0.0.0"), OWN_NAMES);
        assert_eq!(names("[::]"), OWN_NAMES);
        assert_eq!(names("Bench.Example"), ["localhost", "127.0.0.1", "::1", "bench.example"]);
        assert!(matches!(Certificate::fresh("b\u{e9}nch"), Err(CertificateError::Name(_))));
    }

    #[test]
    fn the_key_is_in_no_message() {
        let certificate = Certificate::fresh("localhost").expect("a certificate");
        let shown = format!("{certificate:?}");
        assert!(shown.contains(&certificate.sha256()) && !shown.contains("key"), "{shown}");
        assert_eq!((certificate.sha256().len(), certificate.public_key_sha256().len()), (95, 44));
        let other = Certificate::fresh("localhost").expect("a certificate");
        assert_ne!(certificate.public_key_sha256(), other.public_key_sha256());
    }

    #[test]
    fn the_hash_is_that_of_the_published_example() {
        let hex: String = sha256(b"abc").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
