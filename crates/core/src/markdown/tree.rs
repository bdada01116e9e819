//! From Markdown to a tree of known tags and of text.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag as Mark, TagEnd};

use crate::decode::has_visible;

/// Elements inside one another beyond this are drawn in the one around them: a line of ten thousand `>` is nobody's answer.
const DEEPEST: usize = 24;

/// What a part of an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// A paragraph.
    Paragraph,
    /// A heading of a level from 1.
    Heading(u8),
    /// A quotation.
    Quote,
    /// A list, numbered from here if it is.
    List(Option<u64>),
    /// Of a list.
    Item,
    /// A block of code.
    Code,
    /// A line between parts.
    Rule,
    /// A table.
    Table,
    /// Of a table.
    Row,
    /// The head of a column.
    Head,
    /// Of a row.
    Cell,
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// Struck out.
    Struck,
    /// Code inside a line.
    InlineCode,
    /// What a link says; where it leads is left out.
    Link,
    /// What an image is said to show; the image is left out.
    Image,
    /// A new line.
    Break,
}

impl Tag {
    /// A block that holds a line of text, and no other block.
    pub fn is_leaf(self) -> bool {
        matches!(self, Tag::Paragraph | Tag::Heading(_) | Tag::Code | Tag::Head | Tag::Cell)
    }

    /// Part of a line.
    pub fn is_inline(self) -> bool {
        use Tag::{Break, Emphasis, Image, InlineCode, Link, Strong, Struck};
        matches!(self, Emphasis | Strong | Struck | InlineCode | Link | Image | Break)
    }
}

/// A part of an answer. Blocks that are no leaves hold blocks alone; leaves hold text and inline elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Text, to be shown as it is.
    Text(String),
    /// An element and what it holds.
    Element(Tag, Vec<Node>),
}

impl Node {
    /// Its text without any marks.
    pub fn text(&self) -> String {
        match self {
            Node::Text(text) => text.clone(),
            Node::Element(_, inside) => inside.iter().map(Node::text).collect(),
        }
    }

    /// Characters of its text.
    pub fn chars(&self) -> usize {
        match self {
            Node::Text(text) => text.chars().count(),
            Node::Element(_, inside) => inside.iter().map(Node::chars).sum(),
        }
    }

    /// It shows a character that one can see; numbers and points of lists are none.
    pub fn has_visible(&self) -> bool {
        match self {
            Node::Text(text) => has_visible(text),
            Node::Element(_, inside) => inside.iter().any(Node::has_visible),
        }
    }

    /// The last leaf among these with something to see.
    pub fn last_visible_leaf(nodes: &[Node]) -> Option<&Node> {
        nodes.iter().rev().find_map(|node| match node {
            Node::Element(tag, _) if tag.is_leaf() => node.has_visible().then_some(node),
            Node::Element(_, inside) => Node::last_visible_leaf(inside),
            Node::Text(_) => None,
        })
    }
}

fn parser(source: &str) -> Parser<'_> {
    Parser::new_ext(source, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Where the blocks of a text begin: the starts of their first lines.
pub(super) fn starts(source: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut depth = 0_usize;
    for (event, range) in parser(source).into_offset_iter() {
        let opens = matches!(event, Event::Start(_));
        if depth == 0 && (opens || matches!(event, Event::Rule)) {
            starts.push(source[..range.start].rfind('\n').map_or(0, |at| at + 1));
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    starts
}

/// The blocks of a text.
pub(super) fn parse(source: &str) -> Vec<Node> {
    let mut tree = Tree { open: vec![Open { tag: Tag::Quote, implied: false, inside: Vec::new() }], beyond: 0, in_head: false };
    parser(source).for_each(|event| tree.take(event));
    while tree.open.len() > 1 {
        tree.close();
    }
    tree.open.pop().map(|root| root.inside).unwrap_or_default()
}

struct Open {
    tag: Tag,
    /// A paragraph that the text has without saying so: that of a tight item.
    implied: bool,
    inside: Vec<Node>,
}

struct Tree {
    /// The first is no element: what it holds are the blocks.
    open: Vec<Open>,
    /// Elements that were left out for their depth.
    beyond: usize,
    in_head: bool,
}

impl Tree {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(mark) => self.start(&mark),
            Event::End(mark) => self.end(mark),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => self.inline(Node::Element(Tag::InlineCode, vec![Node::Text(text.into_string())])),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.inline(Node::Element(Tag::Break, Vec::new())),
            Event::Rule => {
                self.end_implied();
                self.push(Node::Element(Tag::Rule, Vec::new()));
            }
            // Of extensions that are off.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => self.text(&text),
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, mark: &Mark<'_>) {
        self.in_head |= matches!(mark, Mark::TableHead);
        let Some(tag) = self.tag(mark) else { return };
        if tag.is_inline() {
            self.imply();
        } else {
            self.end_implied();
        }
        if self.open.len() > DEEPEST {
            self.beyond += 1;
        } else {
            self.open.push(Open { tag, implied: false, inside: Vec::new() });
        }
    }

    /// The tag of an element; none of what is drawn as the text that it holds.
    fn tag(&self, mark: &Mark<'_>) -> Option<Tag> {
        Some(match mark {
            Mark::Paragraph | Mark::HtmlBlock => Tag::Paragraph,
            Mark::Heading { level, .. } => Tag::Heading(level_of(*level)),
            Mark::BlockQuote(_) => Tag::Quote,
            Mark::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => Tag::Code,
            Mark::List(first) => Tag::List(*first),
            Mark::Item => Tag::Item,
            Mark::Table(_) => Tag::Table,
            Mark::TableHead | Mark::TableRow => Tag::Row,
            Mark::TableCell if self.in_head => Tag::Head,
            Mark::TableCell => Tag::Cell,
            Mark::Emphasis => Tag::Emphasis,
            Mark::Strong => Tag::Strong,
            Mark::Strikethrough => Tag::Struck,
            Mark::Link { .. } => Tag::Link,
            Mark::Image { .. } => Tag::Image,
            _ => return None,
        })
    }

    fn end(&mut self, mark: TagEnd) {
        use TagEnd::{DefinitionList, DefinitionListDefinition, DefinitionListTitle};
        let unknown =
            matches!(mark, TagEnd::FootnoteDefinition | TagEnd::MetadataBlock(_) | TagEnd::Superscript | TagEnd::Subscript)
                || matches!(mark, DefinitionList | DefinitionListDefinition | DefinitionListTitle);
        if unknown {
            return;
        }
        self.in_head &= mark != TagEnd::TableHead;
        let inline = [TagEnd::Emphasis, TagEnd::Strong, TagEnd::Strikethrough, TagEnd::Link, TagEnd::Image].contains(&mark);
        if !inline {
            self.end_implied();
        }
        if self.beyond > 0 {
            self.beyond -= 1;
        } else {
            self.close();
        }
    }

    fn close(&mut self) {
        if self.open.len() > 1
            && let Some(Open { tag, inside, .. }) = self.open.pop()
        {
            self.push(Node::Element(tag, inside));
        }
    }

    /// A line of text in a block that holds blocks is a paragraph.
    fn imply(&mut self) {
        let within = self.open.last().map(|open| open.tag);
        if within.is_some_and(|tag| !tag.is_leaf() && !tag.is_inline()) {
            self.open.push(Open { tag: Tag::Paragraph, implied: true, inside: Vec::new() });
        }
    }

    fn end_implied(&mut self) {
        if self.open.last().is_some_and(|open| open.implied) {
            self.close();
        }
    }

    fn inline(&mut self, node: Node) {
        self.imply();
        self.push(node);
    }

    fn text(&mut self, text: &str) {
        self.imply();
        match self.open.last_mut().and_then(|open| open.inside.last_mut()) {
            Some(Node::Text(before)) => before.push_str(text),
            _ => self.push(Node::Text(text.to_owned())),
        }
    }

    fn push(&mut self, node: Node) {
        if let Some(open) = self.open.last_mut() {
            open.inside.push(node);
        }
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
