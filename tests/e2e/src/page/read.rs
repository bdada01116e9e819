//! What a person reads from the page, and what it saves.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use firstlight_core::report::Run;

use super::Page;

/// A row of the table of metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The metric's code.
    pub metric: String,
    /// The mode's code.
    pub mode: String,
    /// `value`, or which bound.
    pub edge: String,
    /// The figures, by statistic, each with its interval where it has one; empty if there are none.
    pub cells: BTreeMap<String, (String, Option<String>)>,
    /// Why there are no figures.
    pub reason: String,
}

impl Row {
    /// The figure of a statistic.
    pub fn figure(&self, stat: &str) -> Option<&str> {
        self.cells.get(stat).map(|(figure, _)| figure.as_str())
    }
}

/// A table of a part of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartTable {
    /// What it shows; empty if the part's title says it.
    pub caption: String,
    /// Its rows, the name first.
    pub rows: Vec<Vec<String>>,
}

/// A row of the table of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRow {
    /// Position in the plan.
    pub id: u32,
    /// The outcome's code.
    pub outcome: String,
    /// What is written.
    pub text: String,
}

impl Page<'_> {
    /// The page's state.
    pub fn state(&self) -> Result<String> {
        self.string("return document.body.dataset.state || '';", vec![])
    }

    /// The text of the element with an id as it is shown; empty if there is none.
    pub fn text(&self, id: &str) -> Result<String> {
        let script = "const e = document.getElementById(arguments[0]); return e ? e.innerText.trim() : '';";
        self.string(script, vec![json!(id)])
    }

    /// The value of the field with an id.
    pub fn value(&self, id: &str) -> Result<String> {
        self.string("return String(document.getElementById(arguments[0]).value);", vec![json!(id)])
    }

    /// Whether the element with an id is there and shown.
    pub fn shows(&self, id: &str) -> Result<bool> {
        let script = "const e = document.getElementById(arguments[0]); return !!e && e.getClientRects().length > 0;";
        Ok(self.browser.execute(script, vec![json!(id)])? == json!(true))
    }

    /// The table of metrics.
    pub fn table(&self) -> Result<Vec<Row>> {
        let rows = self.browser.execute(include_str!("../scripts/table.js"), vec![])?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let cell = |cell: &Value| (text(&cell["figure"]), cell["interval"].as_str().map(str::to_owned));
        let row = |row: &Value| Row {
            metric: text(&row["metric"]),
            mode: text(&row["mode"]),
            edge: text(&row["edge"]),
            cells: row["cells"].as_object().into_iter().flatten().map(|(stat, value)| (stat.clone(), cell(value))).collect(),
            reason: text(&row["reason"]),
        };
        Ok(rows.as_array().context("no table")?.iter().map(row).collect())
    }

    /// A row of the table of metrics by its codes.
    pub fn row(&self, metric: &str, mode: &str) -> Result<Row> {
        let found = self.table()?.into_iter().find(|row| row.metric == metric && row.mode == mode);
        found.with_context(|| format!("no row {metric} {mode}"))
    }

    /// The tables of the part of the result with an id.
    pub fn part_tables(&self, id: &str) -> Result<Vec<PartTable>> {
        let tables = self.browser.execute(include_str!("../scripts/part.js"), vec![json!(id)])?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let table = |table: &Value| PartTable {
            caption: text(&table["caption"]),
            rows: list(&table["rows"]).iter().map(|row| list(row).iter().map(text).collect()).collect(),
        };
        Ok(tables.as_array().with_context(|| format!("there is no part #{id}"))?.iter().map(table).collect())
    }

    /// The table of requests.
    pub fn requests(&self) -> Result<Vec<RequestRow>> {
        let rows = self.browser.execute(include_str!("../scripts/requests.js"), vec![])?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let row = |row: &Value| {
            let id = row["id"].as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(u32::MAX);
            RequestRow { id, outcome: text(&row["outcome"]), text: text(&row["text"]) }
        };
        Ok(rows.as_array().context("no table of requests")?.iter().map(row).collect())
    }

    /// The run file behind the link that saves it.
    pub fn saved_text(&self) -> Result<String> {
        let text = self.browser.execute_async(include_str!("../scripts/saved.js"), vec![])?;
        Ok(text.as_str().context("the saved run is no text")?.to_owned())
    }

    /// The run file, read.
    pub fn saved_run(&self) -> Result<Run> {
        Run::from_json(&self.saved_text()?).map_err(|error| anyhow!("{error}"))
    }

    /// Everything that the page keeps in this browser, as it lies there: a text by its key.
    pub fn kept(&self) -> Result<BTreeMap<String, String>> {
        let kept = self.browser.execute_async(include_str!("../scripts/kept.js"), vec![])?;
        serde_json::from_value(kept).context("what is kept are texts")
    }

    /// Waits until what the page keeps is as wanted: nothing tells of that.
    pub fn wait_for_kept(&self, wanted: impl Fn(&BTreeMap<String, String>) -> bool) -> Result<BTreeMap<String, String>> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let kept = self.kept()?;
            if wanted(&kept) {
                return Ok(kept);
            }
            anyhow::ensure!(Instant::now() < end, "what was waited for is not kept; kept are {:?}", kept.keys());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Errors that the page ran into since it was opened.
    pub fn errors(&self) -> Result<Vec<String>> {
        let errors = self.browser.execute("return window.__e2e ? window.__e2e.errors : [];", vec![])?;
        Ok(errors.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// Runs a script that returns a text.
    pub fn string(&self, script: &str, args: Vec<Value>) -> Result<String> {
        let value = self.browser.execute(script, args)?;
        Ok(value.as_str().with_context(|| format!("no text from {script}"))?.to_owned())
    }
}
