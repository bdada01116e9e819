//! What the fuzz targets share: how bytes become a reply, a person's choice and cuts, and what must hold of them.

use firstlight_core::decode::{Choice, DIALECTS, Dialect, Head, whole};
use firstlight_core::server_report::{Boundary, From, Mapping, Unit};

/// Before the body stand this many bytes of settings, so that a body in the corpus stays what it is.
pub const SETTINGS: usize = 16;

/// One input: settings, and the body after them.
pub struct Input<'a> {
    /// A number for what only one target needs.
    pub own: u8,
    choice: Choice,
    cuts: [u16; 6],
    /// The body.
    pub body: &'a [u8],
}

impl<'a> Input<'a> {
    /// Reads an input; none if it is too short for the settings.
    pub fn read(data: &'a [u8]) -> Option<Input<'a>> {
        let (settings, body) = data.split_first_chunk::<SETTINGS>()?;
        let [own, dialect, flags, pointer, cuts @ ..] = settings;
        let pointers = ["", "/response", "/choices/0/delta/content", "/a/0", "/~1/~0", "x"];
        let is = |bit: u8| flags & 1 << bit != 0;
        let pointer = |bit| is(bit).then(|| pointers[usize::from(*pointer) % pointers.len()].to_owned());
        let choice = Choice {
            dialect: DIALECTS.get(usize::from(*dialect)).copied(),
            text: pointer(0),
            items: pointer(1),
            split_think: is(2),
            spans: if is(3) { vec![mapping("/usage/queue_time"), mapping("/timings/prompt_ms")] } else { Vec::new() },
        };
        let cuts = std::array::from_fn(|n| u16::from_le_bytes([cuts[2 * n], cuts[2 * n + 1]]));
        Some(Input { own: *own, choice, cuts, body })
    }

    /// The same, with the dialect fixed.
    pub fn with(mut self, dialect: Option<&'static Dialect>) -> Input<'a> {
        self.choice.dialect = dialect;
        self
    }

    /// No split of the body changes what is decoded: whole, in the pieces of the cuts, and byte by byte.
    pub fn check(&self, content_type: Option<&str>, body: &[u8]) {
        let head = Head { content_type, headers: &[] };
        let want = whole(&self.choice, &head, &[body]);
        let mut at: Vec<usize> = self.cuts.iter().map(|cut| usize::from(*cut) % (body.len() + 1)).collect();
        at.extend([0, body.len()]);
        at.sort_unstable();
        let pieces: Vec<&[u8]> = at.windows(2).map(|w| &body[w[0]..w[1]]).collect();
        assert_eq!(whole(&self.choice, &head, &pieces), want, "in pieces, cut at {at:?}");
        // Slow, and a fault that needs a long body is found by the cuts.
        if body.len() <= 512 {
            let singles: Vec<&[u8]> = body.chunks(1).collect();
            assert_eq!(whole(&self.choice, &head, &singles), want, "byte by byte");
        }
    }
}

fn mapping(pointer: &str) -> Mapping {
    Mapping { from: From::Pointer(pointer.to_owned()), name: "x".to_owned(), unit: Unit::Ms, boundary: Boundary::Queue }
}

/// Binary messages around what a fuzzer wrote: lengths and CRCs that it would never find. Every message is two lengths of one
/// byte, its headers and its payload.
pub fn aws_messages(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let [headers, payload, rest @ ..] = bytes {
        let (headers, rest) = rest.split_at(rest.len().min(usize::from(*headers)));
        let (payload, rest) = rest.split_at(rest.len().min(usize::from(*payload)));
        bytes = rest;
        let mut message = ((headers.len() + payload.len() + 16) as u32).to_be_bytes().to_vec();
        message.extend((headers.len() as u32).to_be_bytes());
        message.extend(crc32fast::hash(&message).to_be_bytes());
        message.extend(headers);
        message.extend(payload);
        message.extend(crc32fast::hash(&message).to_be_bytes());
        all.extend(message);
    }
    all
}
