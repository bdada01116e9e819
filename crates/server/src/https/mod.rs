//! HTTPS with HTTP/2 on a certificate that this machine made for itself.

mod certificate;
mod kept;
mod port;

pub use certificate::{Certificate, CertificateError};
pub(crate) use port::TlsPort;
