// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/check.h"

#include "core/report/check/check_lists.h"
#include "core/report/check/check_tables.h"
#include "core/report/check/protocol.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/cut_table.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kCheckRankRows = 200;

/// A word with a mark in front of it, by shape and colour: `kind` is a class of report.css.
std::string mark(std::string_view kind, std::string_view word) {
    return element("span", attribute("class", "mark " + std::string(kind)), htmlText(word));
}

/// A row of marked lines: what, a sentence, and what stands behind it.
std::string markedRow(const std::string& marked, std::string_view title, const std::string& text) {
    return element("tr", "",
                   element("td", " class=\"marked\"", marked) + element("td", " class=\"what\"", htmlText(title)) +
                       element("td", "", text)) +
           "\n";
}

/// `name` is that of its data; `caption` names it for those who cannot see it.
std::string markedTable(std::string_view name, std::string_view caption, const std::string& rows) {
    const auto head = [](std::string_view key, std::string_view title) {
        return element("th", " scope=\"col\"" + attribute("data-key", key), htmlText(title));
    };
    const std::string content =
        element("caption", "", htmlText(caption)) +
        element("thead", "", element("tr", "", head("status", "") + head("what", "what") + head("says", "says"))) +
        "\n" + element("tbody", "", "\n" + rows);
    return element("div", R"( class="scroll" tabindex="0" role="region")" + attribute("aria-label", caption),
                   element("table", " class=\"marks\"" + attribute("data-table", name), content)) +
           "\n";
}

std::string note(std::string_view label, std::string_view text) {
    return text.empty() ? std::string()
                        : element("div", " class=\"note\"", htmlText(std::string(label) + std::string(text)));
}

/// The place of a finding in the page is not known here: it is named by its number.
std::string findingNote(std::optional<std::size_t> finding) {
    return finding ? note("Finding ", std::to_string(*finding + 1)) : std::string();
}

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

std::string listHtml(const CheckList& list) {
    std::string rows;
    for (const ListLine& line : list.lines) {
        rows += markedRow(mark(markOf(line.answer), listAnswerTitle(line.answer)), line.question,
                          htmlText(line.text) + note("Do: ", line.advice) + note("To tell: ", line.record) +
                              note("Source: ", line.source));
    }
    return folded(htmlText(std::string(checkListTitle(list.id)) + ": " + std::to_string(list.count(ListAnswer::Yes)) +
                           " yes, " + std::to_string(list.count(ListAnswer::No)) + " no, " +
                           std::to_string(list.count(ListAnswer::CannotTell)) + " cannot tell"),
                  markedTable(checkListName(list.id), checkListTitle(list.id), rows), false);
}

}  // namespace

Section checkSection(const AnalysedRun& run) {
    const Check check = checkOf(run);
    std::string content = paragraph(checkCounts(check) + ".");
    for (std::size_t i = 0; i < kCheckAreas; ++i) {
        const auto area = static_cast<CheckArea>(i);
        std::string rows;
        for (const CheckLine& line : check.lines) {
            if (line.area == area) {
                rows +=
                    markedRow(mark(checkStatusName(line.status), checkStatusTitle(line.status)), line.title,
                              htmlText(line.text) + note("To tell: ", line.record) + findingNote(line.place.finding));
            }
        }
        content += element("h3", "", htmlText(checkAreaTitle(area))) + "\n" +
                   markedTable("check_" + std::string(checkAreaName(area)), checkAreaTitle(area), rows);
    }
    if (const Table ranks = checkRankTable(run, check, kAllRows); !ranks.rows.empty()) {
        content += htmlTable(asData(ranks, "check_rank_rows"), "Each rank", kCheckRankRows) +
                   paragraph(checkRankNote(), "note");
    }
    return {"check", "Health check", content};
}

Section checkListsSection(const AnalysedRun& run) {
    std::string content;
    for (const CheckList& list : checkListsOf(run)) {
        content += listHtml(list);
    }
    return {"check-lists", "Check lists", content};
}

Section protocolSection(const AnalysedRun& run, const Validation& validation) {
    std::string rows;
    for (const ProtocolStep& step : protocolOf(run, validation).steps) {
        const std::string command =
            step.command.empty() ? "" : element("div", "", element("code", "", htmlText(step.command)));
        rows += markedRow(mark(markOf(step.state), protocolStateTitle(step.state)), step.title,
                          htmlText(step.text) + note("To record: ", step.record) + command +
                              findingNote(step.place.finding) + findingNote(step.other_finding));
    }
    return {"protocol", "Protocol", markedTable("protocol_steps", "Protocol", rows)};
}

}  // namespace rankscope::report
