//! Each rule of diagnosis against a real cause, and against a run that lacks it. A test has the name of its rule.

mod client;
mod server;
mod stream;
mod wire;

pub(crate) use client::{client_limited, hidden_or_throttled, render_bound};
pub(crate) use server::{batching, cache_made_it_fast, completion_unchanged, hidden_tail, queue_outside_report, server_unit};
pub(crate) use stream::{buffered_upstream_and_coalesced_reads, compression_holds};
pub(crate) use wire::{browser_queue, cold_connections, preflight_each_time, unreadable_header};

use firstlight_core::diagnosis::{Finding, Rule, Verdict, diagnose};
use firstlight_core::report::Run;
use firstlight_core::summary::Summary;
use firstlight_core::text::Lang;
use firstlight_e2e::Page;
use firstlight_e2e::page::Setup;

use crate::checks::{all_complete, measure};

/// A run, and the page that shows it.
struct Shown<'p, 'b> {
    page: &'p Page<'b>,
    run: Run,
}

/// Measures, on a page that may show an earlier result.
fn shown<'p, 'b>(page: &'p Page<'b>, setup: &Setup) -> Shown<'p, 'b> {
    if page.state().expect("a state") == "done" {
        page.click("change").expect("pressed");
        page.wait_until("return document.body.dataset.state === 'setup';").expect("the form");
    }
    let run = measure(page, setup);
    all_complete(&run);
    Shown { page, run }
}

impl Shown<'_, '_> {
    fn finding(&self, rule: Rule) -> Finding {
        let findings = diagnose(&self.run, &Summary::of(&self.run), Lang::En);
        findings.into_iter().find(|finding| finding.rule == rule).expect("every rule speaks")
    }

    fn is(&self, rule: Rule, verdict: Verdict) -> Finding {
        let finding = self.finding(rule);
        assert_eq!(finding.verdict, verdict, "{finding:?}");
        finding
    }

    /// It is found, and the page says so with its evidence.
    fn found(&self, rule: Rule) -> Finding {
        let finding = self.is(rule, Verdict::Found);
        let item = format!("#diagnosis .found li[data-rule=\"{}\"]", rule.code());
        let says = format!("return document.querySelector('{item}')?.innerText || '';");
        self.page.wait_until(&says).expect("it is on the page");
        let said = self.page.string(&says, vec![]).expect("a text");
        assert!(said.contains(&finding.evidence), "“{}” is not in “{said}”", finding.evidence);
        finding
    }

    fn not_found(&self, rule: Rule) {
        self.is(rule, Verdict::NotFound);
    }
}
