//! How Firefox is started.

use std::io;
use std::path::Path;
use std::process::Command;

use super::{Accept, WINDOW};

/// Off: first-run pages, updates, telemetry and everything else that would use the network beside the measurement. The
/// precision of timers is left as it is.
const USER_JS: &str = r#"
user_pref("app.normandy.enabled", false);
user_pref("app.shield.optoutstudies.enabled", false);
user_pref("app.update.auto", false);
user_pref("app.update.enabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.contentblocking.report.hide_vpn_banner", true);
user_pref("browser.discovery.enabled", false);
user_pref("browser.newtabpage.activity-stream.feeds.section.topstories", false);
user_pref("browser.newtabpage.activity-stream.feeds.topsites", false);
user_pref("browser.newtabpage.activity-stream.telemetry", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("browser.region.network.url", "");
user_pref("browser.region.update.enabled", false);
user_pref("browser.safebrowsing.blockedURIs.enabled", false);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("browser.safebrowsing.downloads.remote.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("browser.safebrowsing.provider.google.updateURL", "");
user_pref("browser.safebrowsing.provider.google4.updateURL", "");
user_pref("browser.safebrowsing.provider.mozilla.updateURL", "");
user_pref("browser.search.update", false);
user_pref("browser.sessionstore.resume_from_crash", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage", "about:blank");
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("browser.startup.page", 0);
user_pref("browser.tabs.warnOnClose", false);
user_pref("browser.topsites.contile.enabled", false);
user_pref("browser.uitour.enabled", false);
user_pref("browser.urlbar.suggest.quicksuggest.sponsored", false);
user_pref("captivedetect.canonicalURL", "");
user_pref("datareporting.healthreport.uploadEnabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("datareporting.policy.firstRunURL", "");
user_pref("datareporting.usage.uploadEnabled", false);
user_pref("dom.push.connection.enabled", false);
user_pref("extensions.blocklist.enabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("extensions.systemAddon.update.enabled", false);
user_pref("extensions.systemAddon.update.url", "");
user_pref("extensions.update.enabled", false);
user_pref("geo.provider.network.url", "");
user_pref("identity.fxaccounts.enabled", false);
user_pref("media.gmp-manager.updateEnabled", false);
user_pref("media.gmp-manager.url", "");
user_pref("messaging-system.rsexperimentloader.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.dns.disablePrefetch", true);
user_pref("network.http.speculative-parallel-limit", 0);
user_pref("network.predictor.enabled", false);
user_pref("network.prefetch-next", false);
user_pref("network.trr.mode", 5);
user_pref("privacy.trackingprotection.enabled", false);
user_pref("privacy.trackingprotection.pbmode.enabled", false);
user_pref("security.remote_settings.crlite_filters.enabled", false);
user_pref("security.remote_settings.intermediates.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-off");
user_pref("services.sync.enabled", false);
user_pref("signon.rememberSignons", false);
user_pref("startup.homepage_welcome_url", "about:blank");
user_pref("startup.homepage_welcome_url.additional", "");
user_pref("termsofuse.bypassNotification", true);
user_pref("toolkit.telemetry.bhrPing.enabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("toolkit.telemetry.firstShutdownPing.enabled", false);
user_pref("toolkit.telemetry.newProfilePing.enabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("toolkit.telemetry.server", "");
user_pref("toolkit.telemetry.shutdownPingSender.enabled", false);
user_pref("toolkit.telemetry.unified", false);
user_pref("toolkit.telemetry.updatePing.enabled", false);
"#;

/// What SHA-256 is called in Firefox's list of exceptions.
const SHA256: &str = "OID.2.16.840.1.101.3.4.2.1";

/// An exception for this certificate at these hosts and ports, as Firefox keeps those that a user has made.
pub(super) fn accept(profile: &Path, accept: Accept<'_>) -> io::Result<()> {
    let hosts = accept.origins.iter().filter_map(|origin| origin.strip_prefix("https://"));
    // After the second colon stand the attributes of a container, which there is none of.
    let lines = hosts.map(|host| format!("{host}:\t{SHA256}\t{}\t\n", accept.certificate.sha256()));
    std::fs::write(profile.join("cert_override.txt"), lines.collect::<String>())
}

/// On a display it fills the screen.
pub(super) fn command(binary: &Path, profile: &Path, on_display: bool) -> io::Result<Command> {
    std::fs::write(profile.join("user.js"), USER_JS)?;
    let (width, height) = (WINDOW.0.to_string(), WINDOW.1.to_string());
    let mut command = Command::new(binary);
    command.arg(if on_display { "--kiosk" } else { "--headless" });
    command.args(["--no-remote", "--profile"]).arg(profile);
    command.args(["--width", &width, "--height", &height]);
    // The size of the headless screen, which would be smaller than the window otherwise.
    command.env("MOZ_HEADLESS_WIDTH", &width).env("MOZ_HEADLESS_HEIGHT", &height);
    command.env("MOZ_CRASHREPORTER_DISABLE", "1");
    Ok(command)
}
