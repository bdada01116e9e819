//! Writer's completions.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};

pub(crate) static DIALECT: Dialect = Dialect {
    code: "writer",
    name: "Writer completions",
    usual: Usual::Sse,
    ending: Ending::Body,
    free_text: false,
    fits: |frame| frame.json.is_some_and(|j| j.members().count() == 1) && frame.text("value").is_some(),
    decode,
};

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    out.answer(frame.text("value"));
}
