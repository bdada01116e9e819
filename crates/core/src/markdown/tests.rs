//! Blocks as they close: the same for any split, no HTML, bounded work, what can be seen.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser};

use super::{Markdown, Node, Tag};

const ANSWER: &str = "# Why the *sky* is blue\n\nLight is **scattered**, `code` and ~~all~~.\nSoft\\\nhard.\n\n\
- one\n- two with [a link](https://example.com/ \"t\")\n  - inner\n\n  loose\n* other list\n+\n\
1. first\n2. second\n\n> quoted\nlazy\n\n```python\nfor *x* in y:\n\n    print(x)\n```\n\n\
| a | b |\n|---|---|\n| 1 | **2** |\n\n    indented\n\nHeading\n-\n- item\n\n---\n\n\
![alt *text*](https://example.com/i.png)\n\n<div onclick=\"x\">\n<b>bold</b>\n</div>\n\nInline <script>alert(1)</script> &lt;b&gt; \\*.\n";

/// What all pieces give, one after another.
fn drawn<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<Node> {
    let mut markdown = Markdown::new(usize::MAX / 2);
    let mut all = Vec::new();
    for piece in pieces {
        all.extend(markdown.push(piece));
        // Looking changes nothing.
        markdown.open();
    }
    all.extend(markdown.open());
    all
}

fn element(tag: Tag, text: &str) -> Node {
    Node::Element(tag, vec![Node::Text(text.to_owned())])
}

fn text_of(nodes: &[Node]) -> String {
    nodes.iter().map(|node| node.text() + "\n").collect()
}

/// Everything that has text in it, as the parser itself tells.
fn parsed_text(source: &str) -> String {
    let events = Parser::new_ext(source, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let text = |event| match event {
        Event::Text(t) | Event::Code(t) | Event::Html(t) | Event::InlineHtml(t) => t.into_string(),
        Event::SoftBreak => " ".to_owned(),
        _ => String::new(),
    };
    events.map(text).collect()
}

#[test]
fn every_kind_of_block_has_its_tag_and_no_mark_is_left() {
    let nodes = drawn([ANSWER]);
    let tags: Vec<Tag> = nodes.iter().filter_map(|n| if let Node::Element(tag, _) = n { Some(*tag) } else { None }).collect();
    use Tag::{Code, Heading, List, Paragraph, Quote, Rule, Table};
    let lists = [List(None), List(None), List(None), List(Some(1))];
    let wanted = [vec![Heading(1), Paragraph], lists.to_vec(), vec![Quote, Code, Table, Code, Heading(2), List(None), Rule]];
    let mut wanted = wanted.concat();
    wanted.extend([Paragraph; 3]);
    assert_eq!(tags, wanted);
    assert_eq!(nodes[0].text(), "Why the sky is blue");
    assert_eq!(nodes[1].text(), "Light is scattered, code and all. Softhard.");
    assert_eq!(nodes[7], element(Code, "for *x* in y:\n\n    print(x)\n"));
    assert_eq!(nodes[8].text(), "ab12");
}

#[test]
fn the_lines_of_a_tight_item_are_a_leaf_beside_its_inner_list() {
    let nodes = drawn(["- a *b*\n  - c\n"]);
    let inner = Node::Element(Tag::List(None), vec![Node::Element(Tag::Item, vec![element(Tag::Paragraph, "c")])]);
    let line = Node::Element(Tag::Paragraph, vec![Node::Text("a ".into()), element(Tag::Emphasis, "b")]);
    assert_eq!(nodes, [Node::Element(Tag::List(None), vec![Node::Element(Tag::Item, vec![line, inner])])]);
}

#[test]
fn html_is_text_links_lead_nowhere_and_no_image_is_left() {
    let nodes = drawn([ANSWER]);
    let text = text_of(&nodes);
    for shown in ["<div onclick=\"x\">", "<b>bold</b>", "<script>alert(1)</script>", "<b> *.", "a link", "alt text"] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
    assert!(!format!("{nodes:?}").contains("example.com"), "{nodes:?}");
}

#[test]
fn marks_are_not_visible_and_what_they_mark_is() {
    let visible = |text: &str| drawn([text]).iter().any(Node::has_visible);
    for hidden in [
        "",
        "#",
        "# ",
        "- ",
        "1. ",
        "```python",
        "```rust\n",
        "**",
        "> ",
        "---\n",
        "| |\n|-|\n",
        "* * *",
        "[a]: /b\n",
        "![](x)",
    ] {
        assert!(!visible(hidden), "{hidden:?}");
    }
    for seen in ["# A", "- a", "```python\nx", "**A", "> a", "`a`", "[a](b)", "안", "<br>", "5"] {
        assert!(visible(seen), "{seen:?}");
    }
}

#[test]
fn the_last_leaf_is_the_last_with_something_to_see() {
    let nodes = drawn(["a\n\n- b\n- c\n-\n"]);
    assert_eq!(Node::last_visible_leaf(&nodes), Some(&element(Tag::Paragraph, "c")));
    assert_eq!(Node::last_visible_leaf(&drawn(["***\n"])), None);
}

#[test]
fn what_was_given_out_is_not_parsed_again() {
    let mut markdown = Markdown::new(1_000);
    assert_eq!(markdown.push("one\n\n"), []);
    assert_eq!(markdown.push("two\n"), [element(Tag::Paragraph, "one")]);
    assert_eq!(markdown.open(), [element(Tag::Paragraph, "two")]);
    // A mark alone in an unfinished line may become anything.
    assert_eq!(markdown.push("# "), []);
    assert_eq!(markdown.open().len(), 2);
    markdown = Markdown::new(1_000);
    markdown.push("two\n+");
    assert_eq!(markdown.push("5\n\n#"), []);
    assert_eq!(markdown.open()[0], element(Tag::Paragraph, "two +5"));
}

#[test]
fn of_a_block_without_an_end_only_the_end_is_kept() {
    let keep = 300;
    let check = |head: &str, line: &str, tag: Tag| {
        let mut markdown = Markdown::new(keep);
        let mut whole = head.to_owned();
        assert_eq!(markdown.push(head), []);
        for n in 0..400 {
            let piece = line.replace('#', &n.to_string());
            whole.push_str(&piece);
            assert_eq!(markdown.push(&piece), []);
            assert!(markdown.open.len() <= 2 * keep + 50, "{}", markdown.open.len());
        }
        let open = markdown.open();
        assert!(matches!(open[..], [Node::Element(found, _)] if found == tag), "{open:?}");
        let (end, all) = (text_of(&open), text_of(&drawn([whole.as_str()])));
        assert!(end.len() >= keep / 2 && all.ends_with(end.trim_start()), "{end}");
    };
    check("```rust\n", "let x = \"#\";\n", Tag::Code);
    check("", "words of one line # ", Tag::Paragraph);
    check("", "- item *#*\n", Tag::List(None));
    check("", "길고긴낱말#", Tag::Paragraph);
}

#[test]
fn a_long_line_behind_a_code_block_is_no_code() {
    let mut markdown = Markdown::new(100);
    markdown.push("```\ncode\n```\n");
    let closed = markdown.push(&"word ".repeat(100));
    assert_eq!(closed, [element(Tag::Code, "code\n")]);
    assert!(matches!(markdown.open()[..], [Node::Element(Tag::Paragraph, _)]));
}

#[test]
fn nothing_is_too_deep() {
    for mark in [">", "- ", "*", "[", "**a "] {
        let nodes = drawn([format!("{} end", mark.repeat(20_000)).as_str()]);
        assert!(text_of(&nodes).contains("end"), "{mark}");
    }
}

/// Texts with much Markdown in them.
fn source() -> impl Strategy<Value = String> {
    let words = [
        "a", "b ", " ", "\n", "\n\n", "# ", "## ", "- ", "* ", "+ ", "+", "-", "1. ", "2) ", "> ", "```", "~~~", "    ", "  ",
        "`", "*", "**", "_", "[", "](x)", "![", "<b>", "</b>", "<div>", "|", "|-|", "---", "===", "\\", "&amp;", "하늘", "☀️",
        "\t", "\r\n", "[a]: /x", "[a]",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..60).prop_map(|parts| parts.concat())
}

fn cut(source: &str, at: &[usize]) -> Vec<String> {
    let mut cuts: Vec<usize> = at.iter().map(|at| source.floor_char_boundary(at % (source.len() + 1))).collect();
    cuts.extend([0, source.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|w| source[w[0]..w[1]].to_owned()).collect()
}

/// Whether something stands apart: the blocks of a text, put together, say what the parser says of the whole.
fn blocks_agree(source: &str) {
    let apart: String = drawn([source]).iter().map(Node::text).collect();
    assert_eq!(apart, parsed_text(source), "{source:?}");
}

#[test]
fn any_split_of_the_answer_draws_the_same() {
    let whole = drawn([ANSWER]);
    for at in (0..ANSWER.len()).filter(|at| ANSWER.is_char_boundary(*at)) {
        assert_eq!(drawn([&ANSWER[..at], &ANSWER[at..]]), whole, "{at}");
    }
    let singly: Vec<String> = ANSWER.chars().map(String::from).collect();
    assert_eq!(drawn(singly.iter().map(String::as_str)), whole);
    blocks_agree(ANSWER);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_draws_the_same(source in source(), at in proptest::collection::vec(0_usize..400, 0..12)) {
        let pieces = cut(&source, &at);
        prop_assert_eq!(drawn(pieces.iter().map(String::as_str)), drawn([source.as_str()]));
    }

    #[test]
    fn blocks_apart_are_what_the_parser_makes_of_the_whole(source in source()) {
        // A reference holds for a whole text, and each block is read by itself.
        blocks_agree(&source.replace("[a]: /x", "[a]"));
    }

    #[test]
    fn leaves_hold_lines_and_blocks_hold_blocks(source in source()) {
        fn check(nodes: &[Node], inline: bool) {
            for node in nodes {
                match node {
                    Node::Text(_) => assert!(inline, "text outside of a leaf"),
                    Node::Element(tag, inside) => {
                        assert_eq!(tag.is_inline(), inline, "{tag:?}");
                        check(inside, inline || tag.is_leaf());
                    }
                }
            }
        }
        check(&drawn([source.as_str()]), false);
    }
}
