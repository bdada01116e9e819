//! Every command line that the documentation of pipelines, the files for build servers and `--help` show is one that the program takes.

use std::path::Path;

use clap::{CommandFactory as _, Parser as _};
use firstlight_core::slo::{Criterion, Subject};
use firstlight_core::stats::{Share, minimum_n};
use yaml_rust2::{Yaml, YamlLoader};

use super::Cli;

fn docs(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The command lines of a text, with lines that go on joined; nothing behind what the shell takes for itself.
fn commands(text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().map(str::trim).filter(|line| line.starts_with("firstlight ") && !line.contains('…'));
    let of_shell = |word: &String| ["|", "||", "&&", ">", ">>", "#"].contains(&word.as_str());
    lines
        .map(|line| {
            let words = shlex::split(line).unwrap_or_else(|| panic!("no command line: {line}"));
            words.into_iter().take_while(|word| !of_shell(word)).collect()
        })
        .collect()
}

/// What stands behind an option, each time.
fn values<'a>(words: &'a [String], option: &'a str) -> impl Iterator<Item = &'a str> {
    words.windows(2).filter(move |pair| pair[0] == option).map(|pair| pair[1].as_str())
}

/// A measurement asks for as many requests as its limits need at the least: with fewer nobody could ever tell.
fn limits_can_be_met(words: &[String]) {
    if words.get(1).is_none_or(|command| command != "measure") {
        return;
    }
    let requests: usize = values(words, "--requests").next().map_or(50, |number| number.parse().expect("a number"));
    for text in values(words, "--slo").chain(values(words, "--criterion")) {
        let criterion: Criterion = text.parse().expect("a limit");
        let needed = match criterion.subject {
            Subject::Percentile(p, _) => Some(minimum_n(p)),
            Subject::ErrorRate => Share { hits: 0, of: 0 }.trials_to_stay_below(criterion.limit as f64 / 1e6),
            Subject::PassRate => Share { hits: 0, of: 0 }.trials_to_stay_below(1.0 - criterion.limit as f64 / 1e6),
        };
        let words = words.join(" ");
        assert!(needed.is_some_and(|needed| needed <= requests), "{text} needs {needed:?} of {requests} requests: {words}");
    }
}

/// How many there are, all of them taken.
fn taken(text: &str) -> usize {
    let all = commands(text);
    for words in &all {
        if let Err(error) = Cli::try_parse_from(words) {
            panic!("{}\n{error}", words.join(" "));
        }
        limits_can_be_met(words);
    }
    all.len()
}

/// Every text inside a document.
fn texts(of: &Yaml, found: &mut Vec<String>) {
    match of {
        Yaml::String(text) => found.push(text.clone()),
        Yaml::Array(list) => list.iter().for_each(|item| texts(item, found)),
        Yaml::Hash(members) => members.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn yaml(name: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(&docs(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(documents.len(), 1, "{name}");
    documents.remove(0)
}

#[test]
fn files_for_build_servers_are_yaml_and_their_commands_are_taken() {
    for (name, at_least) in [("examples/ci/github-actions.yml", 3), ("examples/ci/gitlab-ci.yml", 2)] {
        let mut found = Vec::new();
        texts(&yaml(name), &mut found);
        let commands: usize = found.iter().map(|text| taken(text)).sum();
        assert!(commands >= at_least, "{name}: {commands}");
    }
    let steps = &yaml("examples/ci/github-actions.yml")["jobs"]["latency"]["steps"];
    assert!(steps.as_vec().is_some_and(|steps| steps.iter().all(|s| s["uses"].as_str().or(s["run"].as_str()).is_some())));
    let job = &yaml("examples/ci/gitlab-ci.yml")["latency"];
    assert_eq!(job["artifacts"]["reports"]["junit"][0].as_str(), Some("limits.xml"));
}

#[test]
fn the_collectors_pipelines_name_what_there_is() {
    let of = yaml("examples/otel/collector.yaml");
    for signal in ["metrics", "traces"] {
        let pipeline = &of["service"]["pipelines"][signal];
        for kind in ["receivers", "processors", "exporters"] {
            let named = pipeline[kind].as_vec().unwrap_or_else(|| panic!("{signal} has no {kind}"));
            for name in named.iter().filter_map(Yaml::as_str) {
                let members = of[kind].as_hash().expect("a section");
                assert!(members.contains_key(&Yaml::String(name.to_owned())), "{kind} {name}");
            }
        }
    }
    assert!(!of["receivers"]["otlp"]["protocols"]["http"]["cors"]["allowed_origins"].is_badvalue());
}

#[test]
fn the_documentation_and_the_help_show_commands_that_are_taken() {
    assert!(taken(&docs("pipelines.md")) >= 5);
    assert!(taken(&docs("otlp.md")) >= 4);
    for (name, at_least) in
        [("collect.md", 1), ("engine.md", 3), ("exports.md", 4), ("grid.md", 2), ("server-metrics.md", 2), ("../README.md", 2)]
    {
        let found = taken(&docs(name));
        assert!(found >= at_least, "{name}: {found}");
    }
    let mut examples = 0;
    for command in Cli::command().get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        examples += taken(&help);
    }
    assert!(examples >= 15, "{examples}");
}

#[test]
fn the_dashboard_asks_for_what_is_exported() {
    let dashboard: serde_json::Value = serde_json::from_str(&docs("grafana/firstlight.json")).expect("JSON");
    let documentation = docs("otlp.md");
    let panels = dashboard["panels"].as_array().expect("panels");
    let queries = panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let queries: Vec<&str> = queries.filter_map(|target| target["rawSql"].as_str()).collect();
    assert!(queries.len() >= 10, "{}", queries.len());
    let exported = firstlight_core::export::otlp::metric_names();
    for query in queries {
        let names = query.split('\'').filter(|text| text.starts_with("firstlight.") || text.starts_with("gen_ai."));
        for name in names {
            assert!(exported.contains(&name) || documentation.contains(name), "{name} in {query}");
        }
        assert!(query.contains("$__timeFilter("), "{query}");
    }
}
