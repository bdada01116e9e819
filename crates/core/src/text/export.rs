//! Texts of exports: the menu, and what stands in a summary or report beside the texts of the results.

use super::catalogue::messages;
use crate::export::Format;
use crate::text::Lang;

messages! {
    /// Texts of exports.
    Exp {
        Menu: "Export", "내보내기";
        Hint: "The same bytes as “firstlight report” writes. No format holds what was asked or answered.", "“firstlight report”가 쓰는 것과 바이트까지 같습니다. 질문이나 응답 내용은 어느 형식에도 없습니다.";
        NoSamples: "No request of this run gave a time, so there is no histogram to write.", "시간을 준 요청이 없어 쓸 히스토그램이 없습니다.";
        Save: "Save", "저장";
        FormatLabel: "Format", "형식";
        Series: "Series", "계열";
        AsCsv: "samples, CSV", "표본, CSV";
        AsJsonl: "samples, JSON lines", "표본, JSON Lines";
        AsMarkdown: "summary, Markdown", "요약, Markdown";
        AsHtml: "report, HTML", "보고서, HTML";
        AsHlog: "histograms, HdrHistogram log", "히스토그램, HdrHistogram 로그";
        AsHgrm: "one distribution, HdrHistogram text", "분포 하나, HdrHistogram 텍스트";
        AsOtlpMetrics: "metrics, OTLP", "지표, OTLP";
        AsOtlpTraces: "requests as spans, OTLP", "요청별 스팬, OTLP";
        Title: "Firstlight: {0}", "Firstlight: {0}";
        Context: "Context", "맥락";
        Boundary: "Boundary", "경계";
        BoundaryOf: "Boundary, {0}", "경계({0})";
        Workload: "Workload", "작업";
        Load: "Load", "부하";
        Statistic: "Statistic", "통계";
        Where: "Measured in", "측정 환경";
        Machine: "Machine", "기기";
        Processors: "{0} logical processors", "논리 프로세서 {0}개";
        Browser: "Browser, in its own words", "브라우저(스스로 밝힌 이름)";
        WrittenBy: "Written by", "작성";
        Mode: "Asked", "요청 방식";
        Left: "Not in the figures", "수치에 없는 것";
        Count: "Requests", "요청";
        Effect: "Effect", "영향";
        Met: "Met in", "범위";
        Meaning: "What it means", "의미";
        Definitions: "Definitions", "정의";
        Missing: "No figure", "수치 없음";
    }
}

/// A format in words, for a menu.
pub fn format_name(lang: Lang, format: Format) -> &'static str {
    match format {
        Format::Csv => Exp::AsCsv,
        Format::Jsonl => Exp::AsJsonl,
        Format::Markdown => Exp::AsMarkdown,
        Format::Html => Exp::AsHtml,
        Format::Hlog => Exp::AsHlog,
        Format::Hgrm => Exp::AsHgrm,
        Format::OtlpMetrics => Exp::AsOtlpMetrics,
        Format::OtlpTraces => Exp::AsOtlpTraces,
    }
    .get(lang)
}
