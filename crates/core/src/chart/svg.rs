//! A figure as one file that shows the same everywhere: no style sheet, no script, no font of its own.

use super::frame::{LINE, text_width};
use super::path::{Brush, point, short};
use super::scene::{Figure, Form, Ink, KeyLine, Layer, Size, Weight};

/// Colours by what they are for.
struct Palette {
    paper: &'static str,
    text: &'static str,
    quiet: &'static str,
    grid: &'static str,
    server: &'static str,
    received: &'static str,
    way: &'static str,
    seen: &'static str,
    seen_fill: &'static str,
    rest: &'static str,
    warn: &'static str,
}

/// Those of the page's light theme, written out.
const OWN: Palette = Palette {
    paper: "#ffffff",
    text: "#16181d",
    quiet: "#595f69",
    grid: "#d8dbe0",
    server: "#23408f",
    received: "#00796b",
    way: "#8e3aa0",
    seen: "#9a5400",
    seen_fill: "#cf7d12",
    rest: "#868c96",
    warn: "#b3123f",
};

/// Those of the document around, by the names of its style sheet.
const AROUND: Palette = Palette {
    paper: "var(--paper)",
    text: "var(--ink)",
    quiet: "var(--quiet)",
    grid: "var(--line)",
    server: "var(--server)",
    received: "var(--received)",
    way: "var(--way)",
    seen: "var(--seen)",
    seen_fill: "var(--seen-fill)",
    rest: "var(--rest)",
    warn: "var(--warn)",
};

impl Palette {
    fn of(&self, ink: Ink, form: Form) -> &'static str {
        let filled = matches!(form, Form::Band | Form::Box);
        match ink {
            Ink::Server => self.server,
            Ink::Received | Ink::Before => self.received,
            Ink::Way => self.way,
            Ink::Seen | Ink::Render if filled => self.seen_fill,
            Ink::Seen | Ink::Render => self.seen,
            Ink::Unattributed if form == Form::Box => "url(#hatch)",
            Ink::Unattributed | Ink::Muted => self.rest,
            Ink::Neutral => self.text,
            Ink::Warn => self.warn,
        }
    }

    /// The hatch of what is unattributed; once a document.
    fn hatch(&self) -> String {
        format!(
            "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"{}\"/><rect width=\"2\" height=\"6\" \
             fill=\"{}\"/></pattern>",
            self.paper, self.rest
        )
    }
}

/// Text for markup; characters that XML does not know are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

/// Lines of at most this width; words wider than that are cut.
fn wrapped(text: &str, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0.0;
    for word in text.split_inclusive(' ') {
        if used > 0.0 && used + text_width(word.trim_end()) > width {
            lines.push(String::new());
            used = 0.0;
        }
        for c in word.chars() {
            let wide = text_width(c.encode_utf8(&mut [0; 4]));
            if used > 0.0 && c != ' ' && used + wide > width {
                lines.push(String::new());
                used = 0.0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
            used += wide;
        }
    }
    lines.into_iter().map(|l| l.trim_end().to_owned()).filter(|l| !l.is_empty()).collect()
}

fn attributes(brush: Brush, of: &Palette, colour: &str) -> String {
    let mut out = match brush.fill {
        true => format!("fill=\"{colour}\""),
        false => "fill=\"none\"".to_owned(),
    };
    match brush.stroke {
        Some(width) => out.push_str(&format!(" stroke=\"{colour}\" stroke-width=\"{}\"", short(width))),
        None if colour.starts_with("url") => out.push_str(&format!(" stroke=\"{}\" stroke-width=\"1\"", of.rest)),
        None if brush.apart => out.push_str(&format!(" stroke=\"{}\" stroke-width=\"1\"", of.paper)),
        None => {}
    }
    if brush.round {
        out.push_str(" stroke-linecap=\"round\"");
    }
    if brush.dashed {
        out.push_str(" stroke-dasharray=\"4 3\"");
    }
    if brush.opacity < 1.0 {
        out.push_str(&format!(" opacity=\"{}\"", short(brush.opacity)));
    }
    out
}

fn layer(layer: &Layer, of: &Palette) -> String {
    let colour = of.of(layer.ink, layer.shape.form());
    format!("<path d=\"{}\" {}/>", layer.path(), attributes(layer.brush(), of, colour))
}

/// The sample of a line of the legend.
fn key_path(line: &KeyLine, x: f64, y: f64, of: &Palette) -> String {
    let brush = line.form.brush(Weight::Plain);
    format!("<path d=\"{}\" {}/>", sample(line.form, x, y), attributes(brush, of, of.of(line.ink, line.form)))
}

/// The shape of a line of the legend, 16 × 12 pixels around the middle of its left edge.
pub fn sample(form: Form, x: f64, y: f64) -> String {
    let (l, r) = (short(x), short(x + 16.0));
    match form {
        Form::Line | Form::Rule => format!("M{l} {}H{r}", short(y)),
        Form::Band | Form::Box => format!("M{l} {}H{r}V{}H{l}Z", short(y - 5.0), short(y + 5.0)),
        Form::Stroke => format!("M{} {}V{}", short(x + 8.0), short(y - 5.0), short(y + 5.0)),
        Form::Point(glyph) => {
            let mut d = String::new();
            point(&mut d, glyph, (x + 8.0, y));
            d
        }
    }
}

struct Page {
    body: String,
    width: f64,
    y: f64,
}

impl Page {
    fn text(&mut self, x: f64, fill: &str, size: u32, weight: &str, text: &str) {
        let (x, y) = (short(x), short(self.y));
        let text = escaped(text);
        self.body.push_str(&format!("<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\" font-size=\"{size}\"{weight}>{text}</text>"));
    }

    fn paragraph(&mut self, fill: &str, text: &str) {
        for line in wrapped(text, self.width) {
            self.y += LINE;
            self.text(16.0, fill, 12, "", &line);
        }
    }

    fn key(&mut self, lines: &[KeyLine]) {
        let mut x = 16.0;
        self.y += 22.0;
        for line in lines {
            let width = 24.0 + text_width(&line.name) + 16.0;
            if x > 16.0 && x + width > self.width + 16.0 {
                x = 16.0;
                self.y += LINE + 2.0;
            }
            self.body.push_str(&key_path(line, x, self.y - 4.0, &OWN));
            self.text(x + 22.0, OWN.text, 12, "", &line.name);
            x += width;
        }
    }
}

/// The whole file: title, drawing, legend, notes and context.
pub fn document(figure: &Figure) -> String {
    let Size { width, height } = figure.size;
    let mut page = Page { body: String::new(), width, y: 10.0 };
    for line in wrapped(&figure.title, width * 0.8) {
        page.y += 18.0;
        page.text(16.0, OWN.text, 15, " font-weight=\"600\"", &line);
    }
    page.y += 14.0;
    page.body.push_str(&format!("<g transform=\"translate(16 {})\">", short(page.y)));
    page.body.push_str(&drawing(figure, &OWN));
    page.body.push_str("</g>");
    page.y += if figure.is_empty() { 0.0 } else { height };
    if !figure.key.is_empty() {
        page.key(&figure.key);
    }
    page.y += 4.0;
    figure.notes.iter().for_each(|note| page.paragraph(OWN.text, note));
    page.y += 4.0;
    page.paragraph(OWN.quiet, &figure.context);
    let (width, height) = (short(width + 32.0), short(page.y + 16.0));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans KR', 'Noto Sans \
         CJK KR', sans-serif\"><title>{}</title><desc>{}</desc><defs>{}</defs><rect width=\"100%\" height=\"100%\" \
         fill=\"{}\"/>{}</svg>",
        escaped(&figure.title),
        escaped(&figure.about),
        OWN.hatch(),
        OWN.paper,
        page.body
    )
}

/// The drawing for a document that has its colours in a style sheet, and the [`hatch`].
pub fn inline(figure: &Figure) -> String {
    let Size { width, height } = figure.size;
    let (width, height) = (short(width), short(height));
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">{}</svg>",
        escaped(&figure.about),
        drawing(figure, &AROUND)
    )
}

/// The sample of a line of the legend, for such a document.
pub fn inline_key(line: &KeyLine) -> String {
    let path = key_path(line, 0.0, 7.0, &AROUND);
    format!("<svg width=\"16\" height=\"14\" aria-hidden=\"true\">{path}</svg>")
}

/// What such a document holds once.
pub fn hatch() -> String {
    format!("<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>{}</defs></svg>", AROUND.hatch())
}

/// Grid, layers and texts; nothing of an empty figure.
fn drawing(figure: &Figure, of: &Palette) -> String {
    if figure.is_empty() {
        return String::new();
    }
    let mut out = format!("<path d=\"{}{}\" fill=\"none\" stroke=\"{}\"/>", figure.grid(), figure.edge(), of.grid);
    figure.layers.iter().for_each(|l| out.push_str(&layer(l, of)));
    for t in figure.texts() {
        let fill = if t.role == super::frame::Role::Tick { of.quiet } else { of.text };
        let (x, y, anchor, text) = (short(t.x), short(t.y), t.anchor.code(), escaped(&t.text));
        out.push_str(&format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"12\" fill=\"{fill}\">{text}</text>"
        ));
    }
    out
}
