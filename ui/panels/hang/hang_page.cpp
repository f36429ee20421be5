// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/hang/hang_page.h"

#include <QObject>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/report/hang.h"
#include "core/report/linked_traces.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

using report::Cell;
using report::numberCell;
using report::textCell;
using report::Unit;

QString frameWords(const FlightFrame& frame) {
    return QStringLiteral("%1:%2 %3").arg(text(frame.file)).arg(frame.line).arg(text(frame.function));
}

Cell sinceCell(const hang::Place& place) {
    return place.created_ns ? textCell(report::instantWords(*place.created_ns)) : Cell();
}

QString whyWords(hang::Why why) {
    switch (why) {
        case hang::Why::NotEntered: return QObject::tr("did not make the call");
        case hang::Why::NotCompleted: return QObject::tr("GPU or network failed");
        case hang::Why::Differs: return QObject::tr("makes another call");
        case hang::Why::Deadlock: return QObject::tr("waits in a circle");
    }
    return {};
}

/// Where the last call is in an open run.
void addPlace(const std::vector<RunWithDumps>& traces, const OpenRuns& runs, const hang::Culprit& culprit,
              LastCall& last) {
    const auto call = report::lastCallInTrace(traces, culprit.rank, *culprit.last);
    const auto of = std::ranges::find_if(runs, [&](const auto& run) { return call && run.get() == call->run; });
    if (of != runs.end()) {
        last.slice = SliceSelection{static_cast<std::uint32_t>(of - runs.begin()), call->rank, call->slice};
        last.in_trace = text(report::callInTraceWords(*call));
    }
}

void addCulprits(const hang::Hang& hang, const std::vector<RunWithDumps>& traces, const OpenRuns& runs,
                 HangPage& page) {
    auto table = std::make_shared<report::DataTable>();
    table->name = "culprits";
    table->columns = {{"rank", "Rank", Unit::Number},     {"why", "Why", Unit::Text},
                      {"call", "Call", Unit::Text},       {"group", "Group", Unit::Text},
                      {"frame", "Last call", Unit::Text}, {"since", "Since", Unit::Text}};
    for (const report::CulpritGroup& group : report::culpritGroups(hang)) {
        page.culprits.push_back({text(group.sentence), text(group.remedy)});
        for (const hang::Culprit* culprit : group.culprits) {
            LastCall& last = page.last.emplace_back();
            if (culprit->last) {
                last.title =
                    QObject::tr("Last call of rank %1: %2 %3")
                        .arg(culprit->rank)
                        .arg(text(report::kindWords(culprit->last->kind)),
                             count(static_cast<std::uint64_t>(std::max<std::int64_t>(0, culprit->last->number))));
                std::ranges::transform(culprit->last->frames, std::back_inserter(last.frames), frameWords);
                addPlace(traces, runs, *culprit, last);
            }
            table->rows.push_back({numberCell(culprit->rank), textCell(whyWords(culprit->why).toStdString()),
                                   textCell(report::placeWords(culprit->at)),
                                   textCell(report::groupWords(hang.groups[culprit->at.group])),
                                   textCell(last.frames.value(0).toStdString()), sinceCell(culprit->at)});
        }
    }
    *table = table->withoutEmpty("frame");
    page.tables.push_back({QObject::tr("Culprits"), std::move(table), QObject::tr("No rank stops others.")});
}

void addWaiting(const hang::Hang& hang, HangPage& page) {
    auto table = std::make_shared<report::DataTable>();
    table->name = "waiting";
    table->columns = {{"rank", "Rank", Unit::Number},
                      {"waits_for", "Waits for", Unit::Text},
                      {"call", "In", Unit::Text},
                      {"group", "Group", Unit::Text},
                      {"since", "Since", Unit::Text}};
    for (const hang::Waiting& waiting : hang.waiting) {
        table->rows.push_back({numberCell(waiting.rank), textCell(formatNumbered("rank", waiting.waits_for)),
                               textCell(report::placeWords(waiting.in)),
                               textCell(report::groupWords(hang.groups[waiting.in.group])), sinceCell(waiting.in)});
    }
    page.tables.push_back({QObject::tr("Who waits for whom"), std::move(table), QObject::tr("No rank waits.")});
}

void addMismatches(const hang::Hang& hang, HangPage& page) {
    auto table = std::make_shared<report::DataTable>();
    table->name = "mismatches";
    table->columns = {{"place", "Call", Unit::Number},
                      {"group", "Group", Unit::Text},
                      {"ranks", "Ranks", Unit::Text},
                      {"call", "They call", Unit::Text},
                      {"complete", "Complete", Unit::Flag}};
    for (const hang::Mismatch& mismatch : hang.mismatches) {
        for (const hang::Mismatch::Variant& variant : mismatch.variants) {
            table->rows.push_back(
                {numberCell(mismatch.at.number), textCell(report::groupWords(hang.groups[mismatch.at.group])),
                 textCell(formatNumbered("rank", variant.ranks)), textCell(variant.call), Cell(mismatch.is_complete)});
        }
    }
    page.tables.push_back({QObject::tr("Calls that differ"), std::move(table),
                           QObject::tr("All ranks make the same calls under the same numbers.")});
}

void addFiles(const ReadDumps& dumps, HangPage& page) {
    auto table = std::make_shared<report::DataTable>();
    table->name = "dumps";
    table->columns = {{"rank", "Rank", Unit::Number},
                      {"file", "File", Unit::Text},
                      {"calls", "Calls", Unit::Count},
                      {"state", "State", Unit::Text}};
    const auto add = [&table](const Cell& rank, const std::string& file, const Cell& calls, const QString& state) {
        table->rows.push_back({rank, textCell(file), calls, textCell(state.toStdString())});
    };
    for (const std::int64_t rank : dumps.hang.missing) {
        add(numberCell(rank), {}, {}, QObject::tr("missing: its group names it, and no dump is open"));
    }
    for (const Error& error : dumps.unreadable) {
        add({}, error.path, {}, text(Error{{}, error.byte_offset, error.cause}.text()));
    }
    for (const FlightDump& dump : dumps.dumps) {
        const bool is_older = std::ranges::find(dumps.hang.older, dump.rank) != dumps.hang.older.end();
        add(numberCell(dump.rank), dump.path, numberCell(dump.calls.size()),
            is_older ? QObject::tr("older than those of its peers") : QObject::tr("read"));
    }
    page.tables.push_back({QObject::tr("Files"), std::move(table), {}});
}

QString titleOf(const hang::Hang& hang) {
    std::string title = "Flight recorder, " + formatCount(hang.ranks.size()) + " of " +
                        formatCounted(hang.ranks.size() + hang.missing.size(), "rank");
    for (const std::string& version : hang.nccl_versions) {
        title += ", NCCL " + version;
    }
    return text(title);
}

}  // namespace

std::vector<RunWithDumps> linkedRuns(const ReadDumps& dumps, const OpenRuns& runs) {
    tables::Runs analysed;
    for (const auto& run : runs) {
        if (!run->facts.ranks.empty()) {
            analysed.push_back(run.get());
        }
    }
    return runsWithDumps(analysed, dumps.dumps);
}

HangPage hangPage(const ReadDumps& dumps, const OpenRuns& runs) {
    const hang::Hang& hang = dumps.hang;
    HangPage page;
    const std::vector<RunWithDumps> traces = linkedRuns(dumps, runs);
    for (const RunWithDumps& of : traces) {
        page.traces << text(report::linkSummary(of));
    }
    page.title = titleOf(hang);
    page.answer = text(report::hangAnswer(hang));
    std::optional<std::int64_t> since;
    for (const hang::Waiting& waiting : hang.waiting) {
        if (waiting.in.created_ns) {
            since = std::min(since.value_or(*waiting.in.created_ns), *waiting.in.created_ns);
        }
    }
    if (since) {
        page.since = QObject::tr("The first of them waits since %1.").arg(text(report::instantWords(*since)));
    }
    for (const std::string& doubt : report::hangDoubts(hang)) {
        page.doubts << text(doubt);
    }
    addCulprits(hang, traces, runs, page);
    addWaiting(hang, page);
    addMismatches(hang, page);
    addFiles(dumps, page);
    return page;
}

QString hangHtml(const HangPage& page, std::size_t culprit, const Theme& theme) {
    const auto paragraph = [](const QString& words) {
        return words.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped());
    };
    const auto heading = [](const QString& words) { return QStringLiteral("<h4>%1</h4>").arg(words.toHtmlEscaped()); };
    QString html = QStringLiteral("<h3>%1</h3>").arg(page.answer.toHtmlEscaped()) + paragraph(page.since);
    for (std::size_t i = 1; i < page.culprits.size(); ++i) {  // the answer has the first
        html += paragraph(page.culprits[i].sentence);
    }
    if (culprit < page.last.size() && !page.last[culprit].title.isEmpty()) {
        html += heading(page.last[culprit].title);
        for (const QString& frame : page.last[culprit].frames) {
            html += QStringLiteral("<p style=\"font-family:'%1'; margin: 0 0 2px 0\">%2</p>")
                        .arg(theme.mono_font.family(), frame.toHtmlEscaped());
        }
        if (page.last[culprit].slice) {
            html += QStringLiteral("<p>%1 <a href=\"%2\">%3</a></p>")
                        .arg(QObject::tr("In the trace: %1.").arg(page.last[culprit].in_trace).toHtmlEscaped(),
                             QLatin1String(kLastCallLink), QObject::tr("Show it in the timeline").toHtmlEscaped());
        }
        html +=
            page.last[culprit].frames.isEmpty() ? paragraph(QObject::tr("The dump has no stack of it.")) : QString();
    }
    html += page.culprits.empty() ? QString() : heading(QObject::tr("What to do"));
    for (const CulpritText& each : page.culprits) {
        html += paragraph(each.remedy);
    }
    for (const QString& trace : page.traces) {
        html += paragraph(trace);
    }
    html += page.doubts.isEmpty() ? QString() : heading(QObject::tr("What the dumps do not show"));
    for (const QString& doubt : page.doubts) {
        html += paragraph(doubt);
    }
    return html;
}

}  // namespace rankscope::ui
