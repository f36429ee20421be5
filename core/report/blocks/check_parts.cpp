// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/report/blocks/parts.h"
#include "core/report/check/check_tables.h"

namespace rankscope::report {
namespace {

constexpr RowLimit kCheckedRanks{16, "rank"};
constexpr std::size_t kHtmlRanks = 200;

std::string_view markOf(ListAnswer answer) {
    switch (answer) {
        case ListAnswer::Yes: return "look";
        case ListAnswer::No: return "ok";
        case ListAnswer::CannotTell: break;
    }
    return "cannot-tell";
}

std::string_view markOf(ProtocolState state) {
    switch (state) {
        case ProtocolState::Done: return "ok";
        case ProtocolState::Next: return "next";
        case ProtocolState::Record: break;
    }
    return "cannot-tell";
}

void addNote(MarkedLine& line, const char* label, const std::string& text) {
    if (!text.empty()) {
        line.notes.push_back(label + text);
    }
}

/// Only HTML refers to findings, by their number.
void addFinding(MarkedLine& line, std::optional<std::size_t> finding, Format format) {
    if (finding && format == Format::Html) {
        addNote(line, "Finding ", std::to_string(*finding + 1));
    }
}

MarkedLine marked(const CheckLine& line, Format format) {
    MarkedLine out{checkStatusName(line.status), checkStatusTitle(line.status), line.title, line.text, {}, {}};
    addNote(out, "To find out: ", line.record);
    addFinding(out, line.place.finding, format);
    return out;
}

MarkedLine marked(const ListLine& line, Format format) {
    MarkedLine out{markOf(line.answer), listAnswerTitle(line.answer), line.question, line.text, {}, {}};
    addNote(out, "Do: ", line.advice);
    addNote(out, "To find out: ", line.record);
    addNote(out, "Source: ", format == Format::Html ? line.source : std::string());
    return out;
}

MarkedLine marked(const ProtocolStep& step, Format format) {
    MarkedLine out{markOf(step.state), protocolStateTitle(step.state), step.title, step.text, {}, step.command};
    addNote(out, "To record: ", step.record);
    addFinding(out, step.place.finding, format);
    addFinding(out, step.other_finding, format);
    return out;
}

template <class Line, class Wanted>
Marks marksOf(Marks::Kind kind, const std::vector<Line>& lines, Format format, const OnPage& html, Wanted wanted) {
    Marks marks{kind, {}, html};
    for (const Line& line : lines) {
        if (wanted(line)) {
            marks.lines.push_back(marked(line, format));
        }
    }
    return marks;
}

constexpr auto kAny = [](const auto& /*line*/) { return true; };

}  // namespace

Part lookHerePart(const Check& check) {
    const auto look = [](const CheckLine& line) { return line.status == CheckStatus::Look; };
    return {"Health check: " + checkCounts(check), {marksOf(Marks::Kind::Lines, check.lines, Format::Text, {}, look)}};
}

Part checkPart(const AnalysedRun& run, const Check& check, Format format) {
    Part part{"Health check"};
    if (format == Format::Markdown) {  // one table, since its columns show the kind of each line
        part.blocks = {Note{checkCounts(check) + "."}, marksOf(Marks::Kind::Lines, check.lines, format, {}, kAny)};
    }
    for (std::size_t i = 0; format != Format::Markdown && i < kCheckAreas; ++i) {
        const auto area = static_cast<CheckArea>(i);
        const std::string title(checkAreaTitle(area));
        part.blocks.emplace_back(Subtitle{title});
        part.blocks.emplace_back(marksOf(Marks::Kind::Lines, check.lines, format,
                                         {"check_" + std::string(checkAreaName(area)), title},
                                         [area](const CheckLine& line) { return line.area == area; }));
    }
    if (Table ranks = checkRankTable(run, check, kAllRows); !ranks.rows.empty()) {
        if (format == Format::Text) {
            part.blocks.emplace_back(Subtitle{"Each rank"});
        }
        part.blocks.insert(part.blocks.end(),
                           {Rows{std::move(ranks), kCheckedRanks, {"check_rank_rows", "Each rank", kHtmlRanks}},
                            Note{checkRankNote()}});
    }
    return part;
}

Part protocolPart(const AnalysedRun& run, const Validation& validation, Format format) {
    return {
        "Protocol",
        {marksOf(Marks::Kind::Steps, protocolOf(run, validation).steps, format, {"protocol_steps", "Protocol"}, kAny)}};
}

Part checkListPart(const CheckList& list, Format format) {
    const std::string title(checkListTitle(list.id));
    return {format == Format::Markdown
                ? "Check list: " + title
                : fmt::format("{}: {} yes, {} no, {} cannot tell", title, list.count(ListAnswer::Yes),
                              list.count(ListAnswer::No), list.count(ListAnswer::CannotTell)),
            {marksOf(Marks::Kind::Questions, list.lines, format, {std::string(checkListName(list.id)), title}, kAny)}};
}

}  // namespace rankscope::report
