//! The certificate that is kept from start to start, so that it has to be accepted only once: where it lies, who can read it,
//! and when a new one is made.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::certificate::{Certificate, CertificateError, VALID, make, names};

/// A new one is made when the old one is valid no longer than this.
const LEFT: Duration = Duration::from_secs(30 * 86_400);
/// What only the user may read.
const SECRET: &str = "https-key.json";
/// What is to be trusted.
const PUBLIC: &str = "https-certificate.pem";

/// The secret file.
#[derive(Serialize, Deserialize)]
struct Kept {
    names: Vec<String>,
    expires_s: u64,
    certificate: String,
    key: String,
}

impl Certificate {
    /// The one that is kept in a directory, for `host` and the names of this machine; a new one if there is none, it expires
    /// within a month, or it has not this name.
    pub fn kept(dir: &Path, host: &str) -> Result<Certificate, CertificateError> {
        Certificate::kept_at(dir, host, SystemTime::now())
    }

    /// The directory of the user's data for this program.
    pub fn default_dir() -> Result<PathBuf, CertificateError> {
        data_dir(|name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
            .ok_or(CertificateError::NoDirectory)
    }

    fn kept_at(dir: &Path, host: &str, now: SystemTime) -> Result<Certificate, CertificateError> {
        let (secret, public) = (dir.join(SECRET), dir.join(PUBLIC));
        let now_s = |after: Duration| now.duration_since(UNIX_EPOCH).unwrap_or_default().saturating_add(after).as_secs();
        let mut names = names(host);
        let old = read(&secret)?;
        let kept = match old {
            Some(old) if old.expires_s > now_s(LEFT) && names.iter().all(|name| old.names.contains(name)) => old,
            old => {
                // The names of before stay, so that starting with one host name and another by turns asks for trust once.
                let before = old.map(|old| old.names).unwrap_or_default();
                names.extend(before.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
                let (certificate, key) = make(&names, now)?;
                let kept = Kept { names, expires_s: now_s(VALID), certificate, key };
                fs::create_dir_all(dir).map_err(at(dir))?;
                let text = serde_json::to_string_pretty(&kept).map_err(|e| CertificateError::Make(e.to_string()))?;
                write(&secret, &text, true).map_err(at(&secret))?;
                kept
            }
        };
        if fs::read_to_string(&public).ok().as_ref() != Some(&kept.certificate) {
            write(&public, &kept.certificate, false).map_err(at(&public))?;
        }
        Certificate::read(&kept.certificate, &kept.key, Some(public)).map_err(damaged(&secret))
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> CertificateError {
    move |source| CertificateError::File { path: path.to_owned(), source }
}

fn damaged(path: &Path) -> impl FnOnce(String) -> CertificateError {
    move |what| CertificateError::Damaged { path: path.to_owned(), what }
}

fn read(path: &Path) -> Result<Option<Kept>, CertificateError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(path)(error)),
    };
    if others_can_read(path).map_err(at(path))? {
        return Err(CertificateError::Readable(path.to_owned()));
    }
    serde_json::from_str(&text).map(Some).map_err(|e| damaged(path)(e.to_string()))
}

/// Whole or not at all: beside its place first, then into it.
fn write(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".https-").tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    // A temporary file is its owner's alone.
    if !secret {
        readable_by_all(&file)?;
    }
    file.persist(path)?;
    Ok(())
}

#[cfg(unix)]
fn others_can_read(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

#[cfg(unix)]
fn readable_by_all(file: &tempfile::NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))
}

/// The directory of the user's data is theirs alone on other systems.
#[cfg(not(unix))]
fn others_can_read(_path: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(not(unix))]
fn readable_by_all(_file: &tempfile::NamedTempFile) -> io::Result<()> {
    Ok(())
}

fn data_dir(var: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let base = if cfg!(windows) {
        var("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        var("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        // Relative ones are to be ignored, says their specification.
        var("XDG_DATA_HOME").filter(|dir| dir.is_absolute()).or_else(|| var("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("firstlight"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs((20_000 + n) * 86_400)
    }

    fn hash(dir: &Path, host: &str, at: SystemTime) -> String {
        Certificate::kept_at(dir, host, at).expect("a certificate").sha256()
    }

    #[test]
    fn it_stays_until_it_is_old_or_has_not_the_name() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("a/b");
        let first = hash(&dir, "127.0.0.1", day(0));
        assert_eq!(first, hash(&dir, "localhost", day(300)));
        let named = hash(&dir, "bench.example", day(300));
        assert_ne!(first, named);
        assert_eq!(named, hash(&dir, "127.0.0.1", day(301)));
        let other = hash(&dir, "other.example", day(302));
        assert_eq!(
            [hash(&dir, "bench.example", day(303)), hash(&dir, "other.example", day(303))],
            [other.clone(), other.clone()]
        );
        assert_ne!(other, hash(&dir, "127.0.0.1", day(302 + 336)), "less than a month was left");
    }

    #[test]
    fn the_public_file_is_the_certificate_alone_and_is_put_back() {
        let dir = tempfile::tempdir().expect("a directory");
        let certificate = Certificate::kept_at(dir.path(), "localhost", day(0)).expect("a certificate");
        let path = certificate.path().expect("a file").to_owned();
        let text = fs::read_to_string(&path).expect("written");
        assert!(text.contains("BEGIN CERTIFICATE") && !text.contains("PRIVATE"), "{text}");
        fs::remove_file(&path).expect("removed");
        assert_eq!(certificate.sha256(), hash(dir.path(), "localhost", day(0)));
        assert_eq!(fs::read_to_string(&path).expect("written again"), text);
    }

    #[cfg(unix)]
    #[test]
    fn the_key_is_the_users_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().expect("a directory");
        hash(dir.path(), "localhost", day(0));
        let secret = dir.path().join(SECRET);
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&secret), mode(&dir.path().join(PUBLIC))), (0o600, 0o644));
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o640)).expect("set");
        let refused = Certificate::kept_at(dir.path(), "localhost", day(0)).expect_err("refused").to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
    }

    #[test]
    fn what_is_damaged_is_named_and_not_overwritten() {
        let dir = tempfile::tempdir().expect("a directory");
        let secret = dir.path().join(SECRET);
        write(&secret, "{}", true).expect("written");
        let refused = Certificate::kept_at(dir.path(), "localhost", day(0)).expect_err("refused").to_string();
        assert!(refused.contains(SECRET) && refused.contains("delete it"), "{refused}");
        assert_eq!(fs::read_to_string(&secret).expect("still there"), "{}");
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_directory_is_that_of_the_users_data() {
        let dir =
            |set: &[(&str, &str)]| data_dir(|name| set.iter().find(|(n, _)| *n == name).map(|(_, value)| PathBuf::from(value)));
        assert_eq!(dir(&[("HOME", "/h")]), Some("/h/.local/share/firstlight".into()));
        assert_eq!(dir(&[("HOME", "/h"), ("XDG_DATA_HOME", "/d")]), Some("/d/firstlight".into()));
        assert_eq!(dir(&[("HOME", "/h"), ("XDG_DATA_HOME", "d")]), Some("/h/.local/share/firstlight".into()));
        assert_eq!(dir(&[]), None);
    }
}
