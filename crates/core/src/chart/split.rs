//! Where did the wait pass, in the middle and in the tail? Parts of real requests at a rank and beside it, since percentiles
//! of parts don't add up.

use super::frame::{Along, across, along_side, plot, text_width};
use super::scene::{Figure, Form, Ink, Layer, Reading, Rect, Shape, Tick};
use super::sheet::{Sheet, axis_value};
use crate::format::count;
use crate::gap::{Split, Wait};
use crate::stats::{P, P50, P95, P99};
use crate::summary::{Role, part_lines, parts_sentence, wait_name};
use crate::text::{Cht, Res, Sum};

/// A request in the picture.
struct Bar {
    p: P,
    /// 0 at the rank itself.
    off: i64,
    /// From 1.
    rank: usize,
    id: u32,
    split: Split,
}

impl Bar {
    fn name(&self) -> String {
        match self.off {
            0 => self.p.name().to_owned(),
            off if off < 0 => format!("{} −{}", self.p.name(), -off),
            off => format!("{} +{off}", self.p.name()),
        }
    }
}

fn ink(role: Role) -> Ink {
    match role {
        Role::Server => Ink::Server,
        Role::Received => Ink::Before,
        Role::Seen => Ink::Render,
        Role::Way => Ink::Way,
        Role::Unattributed => Ink::Unattributed,
    }
}

/// The requests at each rank and beside it, each once; of one that stands beside two ranks, the rank itself goes first.
fn bars(sheet: &Sheet, wait: Wait) -> (Vec<Bar>, usize) {
    let mut ranked = sheet.splits(wait);
    ranked.sort_by_key(|(id, split)| (split.total, *id));
    let n = ranked.len();
    if n == 0 {
        return (Vec::new(), 0);
    }
    let mut taken: Vec<(usize, P, i64)> = Vec::new();
    for off in [0, -1, 1] {
        for p in [P50, P95, P99] {
            let rank = p.rank(n) as i64 + off;
            if (1..=n as i64).contains(&rank) && !taken.iter().any(|(r, _, _)| *r == rank as usize) {
                taken.push((rank as usize, p, off));
            }
        }
    }
    taken.sort_unstable_by_key(|(rank, _, _)| *rank);
    let bar = |(rank, p, off): (usize, P, i64)| {
        let (id, split) = ranked[rank - 1].clone();
        Bar { p, off, rank, id, split }
    };
    (taken.into_iter().map(bar).collect(), n)
}

/// The wait for the first words.
pub fn split_first(sheet: &Sheet) -> Figure {
    figure(sheet, "split_first", Cht::SplitFirst, [Wait::FirstVisible, Wait::FirstAnswer])
}

/// The wait for the whole answer.
pub fn split_whole(sheet: &Sheet) -> Figure {
    figure(sheet, "split_whole", Cht::SplitWhole, [Wait::CompleteVisible, Wait::LastOutput])
}

/// Of the first of these waits that can be split.
fn figure(sheet: &Sheet, id: &'static str, title: Cht, waits: [Wait; 2]) -> Figure {
    let title = title.get(sheet.lang).to_owned();
    let found = waits.into_iter().map(|wait| (wait, bars(sheet, wait))).find(|(_, (bars, _))| !bars.is_empty());
    let Some((wait, (bars, n))) = found else {
        return sheet.nothing(id, title, vec![Res::PictureNone.get(sheet.lang).to_owned()]);
    };
    let widest = bars.iter().map(|b| text_width(&b.name())).fold(0.0, f64::max);
    let plot = plot(sheet.size, widest);
    let longest = bars.iter().map(|b| b.split.total.0).max().unwrap_or(0);
    let x = Along::right(plot, 0.0, axis_value(longest));
    let mut figure = sheet.figure(id, title, plot);
    let mut rects: Vec<(Ink, Vec<Rect>)> = Role::ALL.map(|role| (ink(role), Vec::new())).to_vec();
    let (mut ticks, mut texts, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let height = plot.height / bars.len() as f64;
    for (at, bar) in bars.iter().enumerate() {
        let (top, bottom) = (plot.y + height * (at as f64 + 0.15), plot.y + height * (at as f64 + 0.85));
        for part in part_lines(&bar.split, sheet.step(), sheet.lang) {
            // Parts that exceed the wait by less than the clock's error end where the wait does.
            let [from, to] = [part.from, part.to].map(|t| t.0.min(bar.split.total.0));
            let rect = Rect::between((x.at(axis_value(from)), top), (x.at(axis_value(to)), bottom));
            if let Some((_, rects)) = rects.iter_mut().find(|(of, _)| *of == ink(part.role)).filter(|_| to > from) {
                rects.push(rect);
            }
            rows.push([bar.name(), count(bar.id as usize), part.name, part.ms, part.share]);
        }
        let end = x.at(axis_value(bar.split.total.0));
        let middle = ((plot.x + end) / 2.0, (top + bottom) / 2.0);
        figure.spot(middle, ((end - plot.x) / 2.0, (bottom - top) / 2.0), &[bar.id]);
        let parts = parts_sentence(&bar.split, sheet.step(), sheet.lang);
        texts.push(sheet.say(Cht::ReadBar, &[&bar.name(), &count(bar.id as usize), &count(bar.rank), &count(n), &parts]));
        ticks.push(Tick { at: middle.1, label: bar.name() });
    }
    for (role, (ink, rects)) in Role::ALL.into_iter().zip(rects).filter(|(_, (_, rects))| !rects.is_empty()) {
        figure.layers.push(Layer::new(ink, Shape::Rects(rects)));
        let name = match role {
            Role::Received => Cht::BeforeSent.get(sheet.lang),
            Role::Seen => Sum::PartRender.get(sheet.lang),
            Role::Server | Role::Way | Role::Unattributed => role.name(sheet.lang),
        };
        figure.key(ink, Form::Box, name);
    }
    figure.x = across(wait_name(wait, sheet.lang), "ms", x.ticks(), sheet.size);
    figure.y = along_side(Cht::AxisRank.get(sheet.lang), "", ticks);
    figure.about = format!("{}. {}", figure.title, texts.join(" "));
    figure.reading = Reading::Texts(texts);
    figure.notes.push(Cht::NoteNeighbours.get(sheet.lang).to_owned());
    let head = [Cht::ColRank, Cht::ColRequest].map(|k| k.get(sheet.lang)).into_iter();
    let head = head.chain([Res::ColPart.get(sheet.lang), "ms", "%"]).map(str::to_owned).collect();
    figure.table = crate::sections::Table { caption: String::new(), head, rows: rows.iter().map(|r| r.to_vec()).collect() };
    figure.context = sheet.wait_context(wait, n);
    figure
}
