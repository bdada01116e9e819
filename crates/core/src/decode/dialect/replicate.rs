//! Replicate's stream: the data of an event are the text itself.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};

pub(crate) static DIALECT: Dialect = Dialect {
    code: "replicate",
    name: "Replicate stream",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: true,
    fits: |frame| frame.name == "output",
    decode,
};

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    match frame.name {
        "output" => out.answer(Some(frame.data.into())),
        "done" => {
            match frame.text("reason").as_deref() {
                Some(reason @ ("error" | "canceled")) => out.error(reason),
                _ => out.finish(Some("done".into())),
            }
            out.end();
        }
        _ => {}
    }
}
