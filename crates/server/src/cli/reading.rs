//! Arguments that say how replies are read, where they are not to be recognised.

use firstlight_core::config::Reading;
use firstlight_core::decode::DIALECTS;

/// How replies are read.
#[derive(clap::Args)]
#[group(id = "reading")]
pub(super) struct Args {
    /// The reply's format, if it is not to be recognised
    #[arg(long, value_name = "F", value_parser = clap::builder::PossibleValuesParser::new(DIALECTS.iter().map(|d| d.code)))]
    format: Option<String>,
    /// JSON pointer to the text of an event, or to the result of one body
    #[arg(long, value_name = "POINTER")]
    text: Option<String>,
    /// JSON pointer to the list of results of one body
    #[arg(long, value_name = "POINTER")]
    items: Option<String>,
    /// Take <think>…</think> inside the answer as reasoning
    #[arg(long)]
    split_think: bool,
    /// A response header or field that is a span: 'HEADER-OR-/POINTER = NAME UNIT BOUNDARY' (repeatable)
    #[arg(long, value_name = "MAPPING")]
    span: Vec<String>,
}

impl From<&Args> for Reading {
    fn from(args: &Args) -> Reading {
        Reading {
            format: args.format.clone().unwrap_or_default(),
            text: args.text.clone(),
            items: args.items.clone(),
            split_think: args.split_think,
            spans: args.span.clone(),
        }
    }
}
