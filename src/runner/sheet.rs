//! How an answer in Markdown gets into the document: what changed is made anew, everything else stays.
//!
//! The last line with something to see is a fresh element each time, so that its paint can be observed; but the element of
//! the first piece stays until its own paint is known, as a browser reports nothing of an element that is gone. Only known
//! elements are made, and all text is text: nothing of an answer is read as HTML, leads anywhere or is fetched.

use firstlight_core::decode::drawn_tail;
use firstlight_core::markdown::{Markdown, Node, Tag};
use web_sys::{Document, Element};

use crate::browser::paint::IDENTIFIER;

/// Bytes of a block without an end that are parsed in each frame, at least.
const PARSED: usize = 8_000;

/// An answer's elements.
pub(super) struct Sheet {
    source: Markdown,
    blocks: Vec<Block>,
    /// Of the blocks, so many can't change any more.
    closed: usize,
    /// So many characters of the end are in the document, at least.
    drawn: usize,
    /// The class of a piece inside a line.
    piece: &'static str,
}

/// A block in the document.
struct Block {
    tag: Tag,
    element: Element,
    /// Of a leaf, its line; else nothing.
    line: Vec<Node>,
    /// Of any other block, those in it that are drawn: all but so many of the first.
    inside: Vec<Block>,
    left_out: usize,
}

/// What is to be observed of a change, and what must stay.
struct Change<'a> {
    document: &'a Document,
    /// The line whose element is to be fresh, and the name under which its paint is reported.
    last: Option<&'a Node>,
    name: &'a str,
    /// The first piece, while its paint is not known.
    pinned: Option<&'a Element>,
    drawn: usize,
    piece: &'static str,
    fresh: Option<Element>,
}

/// The end of a line that gets an element of its own.
#[derive(Clone, Copy)]
struct Tail {
    chars: usize,
    /// Characters of the whole line.
    of: usize,
}

impl Tail {
    /// The end of this text; nothing if that would be the whole line, since the line's own element must keep some text.
    fn of(self, text: &str) -> &str {
        let tail = drawn_tail(text, self.chars);
        if tail.chars().count() < self.of { tail } else { "" }
    }
}

impl Sheet {
    /// Nothing so far.
    pub fn new(drawn: usize, piece: &'static str) -> Sheet {
        Sheet { source: Markdown::new(PARSED), blocks: Vec::new(), closed: 0, drawn, piece }
    }

    /// Takes more text and draws it. Gives the element of the last line, if what can be seen has changed; its paint is
    /// reported under `name`. `pinned` is the first piece, while its paint is not known.
    pub fn insert(&mut self, answer: &Element, text: &str, name: &str, pinned: Option<&Element>) -> Option<Element> {
        let document = answer.owner_document()?;
        let mut nodes = self.source.push(text);
        let closed = nodes.len();
        nodes.extend(self.source.open());
        // Of much at once only the end is drawn; the first of it goes on with what is there.
        let left_out = left_out(&nodes, self.drawn).min(closed);
        let kept = left_out.min(usize::from(pinned.is_some()));
        nodes.drain(kept..left_out);
        let last = Node::last_visible_leaf(&nodes);
        let (drawn, piece) = (self.drawn, self.piece);
        let mut change = Change { document: &document, last, name, pinned, drawn, piece, fresh: None };
        change.draw(answer, &mut self.blocks, self.closed, &nodes);
        let fresh = change.fresh;
        self.closed += closed + kept - left_out;
        self.forget(pinned);
        fresh
    }

    /// Nothing of what is shown stands any more. The first piece stays, empty, while its paint is not known.
    pub fn blank(&mut self, pinned: Option<&Element>) {
        for block in self.blocks.drain(..) {
            match pinned.filter(|pinned| block.element.contains(Some(pinned))) {
                Some(pinned) => pinned.set_text_content(None),
                None => block.element.remove(),
            }
        }
        (self.source, self.closed) = (Markdown::new(PARSED), 0);
    }

    /// Removes closed blocks above what is shown; twice as much before they go, so that it is rare. That of the first piece
    /// stays while its paint is not known, which may be for ever where it was pushed out of sight before its frame.
    fn forget(&mut self, pinned: Option<&Element>) {
        let holds = |block: &Block| pinned.is_some_and(|pinned| block.element.contains(Some(pinned)));
        let from = usize::from(self.blocks.first().is_some_and(holds));
        let chars: Vec<usize> = self.blocks.iter().map(Block::chars).collect();
        let mut all: usize = chars.iter().skip(from).sum();
        if all <= 2 * self.drawn {
            return;
        }
        let mut gone = from;
        while gone < self.closed && all - chars[gone] >= self.drawn {
            all -= chars[gone];
            gone += 1;
        }
        if gone > from {
            self.blocks.drain(from..gone).for_each(|block| block.element.remove());
            self.closed -= gone - from;
        }
    }
}

/// How many of the first parts are above what is drawn.
fn left_out(nodes: &[Node], drawn: usize) -> usize {
    let mut chars = 0;
    let at = nodes.iter().rposition(|node| {
        chars += node.chars();
        chars >= 2 * drawn
    });
    at.unwrap_or(0)
}

impl Block {
    fn chars(&self) -> usize {
        let line: usize = self.line.iter().map(Node::chars).sum();
        line + self.inside.iter().map(Block::chars).sum::<usize>()
    }

    /// It is drawn as this node would be.
    fn is(&self, node: &Node) -> bool {
        match node {
            Node::Element(tag, inside) if *tag == self.tag && tag.is_leaf() => self.line == *inside,
            Node::Element(tag, inside) if *tag == self.tag => {
                let drawn = inside.get(self.left_out..).unwrap_or_default();
                drawn.len() == self.inside.len() && drawn.iter().zip(&self.inside).all(|(node, block)| block.is(node))
            }
            _ => false,
        }
    }
}

impl Change<'_> {
    /// Makes the blocks from a place on what the nodes say.
    fn draw(&mut self, parent: &Element, blocks: &mut Vec<Block>, from: usize, nodes: &[Node]) {
        let same = blocks[from..].iter().zip(nodes).take_while(|(block, node)| block.is(node)).count();
        let (mut at, mut nodes) = (from + same, &nodes[same..]);
        if let (Some(block), Some((node, rest))) = (blocks.get_mut(at), nodes.split_first())
            && self.redraw(block, node)
        {
            (at, nodes) = (at + 1, rest);
        }
        blocks.drain(at..).for_each(|block| block.element.remove());
        for node in nodes {
            if let Some(block) = self.make(node) {
                // A document accepts its own elements.
                let _ = parent.append_child(&block.element);
                blocks.push(block);
            }
        }
    }

    /// Changes a block and keeps its element; false if it has to be made anew.
    fn redraw(&mut self, block: &mut Block, node: &Node) -> bool {
        let Node::Element(tag, inside) = node else { return false };
        if *tag != block.tag {
            return false;
        }
        if !tag.is_leaf() {
            let inside = inside.get(block.left_out..).unwrap_or_default();
            self.draw(&block.element, &mut block.inside, 0, inside);
            return true;
        }
        if self.pinned != Some(&block.element) {
            return false;
        }
        // The text that was added gets an element of its own inside the line.
        let of = node.chars();
        let grown = of.saturating_sub(block.line.iter().map(Node::chars).sum());
        block.element.set_text_content(None);
        let is_last = self.last.is_some_and(|last| std::ptr::eq(last, node));
        let mut tail = (is_last && of > 1).then(|| Tail { chars: grown.clamp(1, of - 1), of });
        self.fill(&block.element, inside, &mut tail);
        block.line.clone_from(inside);
        true
    }

    fn make(&mut self, node: &Node) -> Option<Block> {
        let Node::Element(tag, inside) = node else { return None };
        let element = self.element(*tag)?;
        let mut block = Block { tag: *tag, element, line: Vec::new(), inside: Vec::new(), left_out: 0 };
        if tag.is_leaf() {
            if self.last.is_some_and(|last| std::ptr::eq(last, node)) {
                self.observe(&block.element);
            }
            self.fill(&block.element, inside, &mut None);
            block.line.clone_from(inside);
        } else {
            block.left_out = left_out(inside, self.drawn);
            for node in &inside[block.left_out..] {
                if let Some(part) = self.make(node) {
                    let _ = block.element.append_child(&part.element);
                    block.inside.push(part);
                }
            }
        }
        Some(block)
    }

    /// Before it gets text, and into the document: later, no paint would be reported.
    fn observe(&mut self, element: &Element) {
        let _ = element.set_attribute(IDENTIFIER, self.name);
        self.fresh = Some(element.clone());
    }

    /// Puts a line into an element. Its `tail` gets an element of its own.
    fn fill(&mut self, parent: &Element, line: &[Node], tail: &mut Option<Tail>) {
        // The last text with something to see has the tail.
        let place = tail.and_then(|_| line.iter().rposition(Node::has_visible));
        for (at, node) in line.iter().enumerate() {
            match node {
                Node::Text(text) => {
                    let text = if text.len() > 2 * self.drawn { drawn_tail(text, self.drawn) } else { text };
                    let tail = tail.filter(|_| place == Some(at)).map_or("", |tail| tail.of(text));
                    let (before, apart) = text.split_at(text.len() - tail.len());
                    let _ = parent.append_child(&self.document.create_text_node(before));
                    if !apart.is_empty()
                        && let Ok(piece) = self.document.create_element("span")
                    {
                        piece.set_class_name(self.piece);
                        self.observe(&piece);
                        piece.set_text_content(Some(apart));
                        let _ = parent.append_child(&piece);
                    }
                }
                Node::Element(tag, inside) => {
                    let Some(element) = self.element(*tag) else { continue };
                    let mut tail = tail.filter(|_| place == Some(at));
                    self.fill(&element, inside, &mut tail);
                    let _ = parent.append_child(&element);
                }
            }
        }
    }

    fn element(&self, tag: Tag) -> Option<Element> {
        let (name, class) = match tag {
            Tag::Paragraph => ("p", ""),
            // The page's own headings are above those of an answer.
            Tag::Heading(1) => ("h3", ""),
            Tag::Heading(2) => ("h4", ""),
            Tag::Heading(3) => ("h5", ""),
            Tag::Heading(_) => ("h6", ""),
            Tag::Quote => ("blockquote", ""),
            Tag::List(None) => ("ul", ""),
            Tag::List(Some(_)) => ("ol", ""),
            Tag::Item => ("li", ""),
            Tag::Code => ("pre", ""),
            Tag::Rule => ("hr", ""),
            Tag::Table => ("table", ""),
            Tag::Row => ("tr", ""),
            Tag::Head => ("th", ""),
            Tag::Cell => ("td", ""),
            Tag::Emphasis => ("em", ""),
            Tag::Strong => ("strong", ""),
            Tag::Struck => ("del", ""),
            Tag::InlineCode => ("code", ""),
            Tag::Link => ("span", "link"),
            Tag::Image => ("span", "image"),
            Tag::Break => ("br", ""),
        };
        let element = self.document.create_element(name).ok()?;
        if !class.is_empty() {
            element.set_class_name(class);
        }
        if let Tag::List(Some(first)) = tag {
            let _ = element.set_attribute("start", &first.to_string());
        }
        Some(element)
    }
}
