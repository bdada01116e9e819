//! Triton's `/generate_stream` and `/generate`.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};

pub(crate) static DIALECT: Dialect = Dialect {
    code: "triton",
    name: "Triton generate",
    usual: Usual::Sse,
    ending: Ending::Body,
    free_text: false,
    fits: |frame| frame.has("text_output"),
    decode,
};

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    out.answer(frame.text("text_output"));
}
