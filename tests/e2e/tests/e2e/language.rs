//! Both languages, everywhere and at once.

use firstlight_core::text::{Lang, Ui};
use firstlight_e2e::Browser;
use firstlight_e2e::page::Setup;

use crate::checks::{LIMIT, open};

pub(crate) fn korean_and_back(browser: &Browser) {
    let (_served, page) = open(browser);
    let language = || page.string("return document.documentElement.lang;", vec![]).expect("a language");
    let switch = |lang: Lang| {
        page.set("language", lang.code()).expect("switched");
        page.wait_until(&format!("return document.documentElement.lang === '{}';", lang.code())).expect("the language");
    };
    switch(Lang::En);
    assert_eq!(page.text("run").expect("a button"), Ui::Run.get(Lang::En));
    switch(Lang::Ko);
    assert_eq!(page.text("run").expect("a button"), Ui::Run.get(Lang::Ko));
    // What was typed stays, and a run speaks the language too.
    page.fill_in(&Setup::built_in("chat").with("requests", 2).with("warmup", 0)).expect("filled in");
    page.click("run").expect("started");
    page.wait_done(LIMIT).expect("the run ends");
    let hangul = |text: &str| text.chars().any(|c| ('\u{ac00}'..='\u{d7a3}').contains(&c));
    let korean = page.text("headline").expect("a headline");
    assert!(hangul(&korean), "{korean}");
    switch(Lang::En);
    let english = page.text("headline").expect("a headline");
    assert!(!english.is_empty() && !hangul(&english), "{english}");
    assert_eq!(language(), "en");
    assert!(!hangul(&page.text("metrics").expect("a table")));
}
