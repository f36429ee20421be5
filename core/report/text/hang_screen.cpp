// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/hang.h"
#include "core/report/text/screen_parts.h"

namespace rankscope {
namespace {

using namespace report;

/// How many rows of each kind a screen shows.
struct HangRoom {
    std::size_t culprits = 5;
    std::size_t waiting = 4;
    std::size_t mismatches = 2;
};

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

void addHangHead(Screen& screen, const hang::Hang& hang) {
    std::string head = fmt::format("  flight recorder, {} of {}", hang.ranks.size(),
                                   formatCounted(hang.ranks.size() + hang.missing.size(), "rank"));
    for (const std::string& version : hang.nccl_versions) {
        head += ", NCCL " + printable(version);
    }
    const std::string_view title = !hang.culprits.empty()  ? "HANG"
                                   : !hang.waiting.empty() ? "RANKS WAIT"
                                                           : "NO HANG FOUND";
    screen.line({{std::string(title), Ink::Bold}, {head, Ink::Dim}});
    screen.gap();
    screen.paragraph({"", Ink::Bold}, hangAnswer(hang), 4);
    std::optional<std::int64_t> since;
    for (const hang::Waiting& waiting : hang.waiting) {
        if (waiting.in.created_ns && (!since || *waiting.in.created_ns < *since)) {
            since = waiting.in.created_ns;
        }
    }
    if (since) {
        screen.line({{"The first of them waits since " + instantWords(*since) + "."}});
    }
}

void addCulprits(Screen& screen, const hang::Hang& hang, std::size_t most) {
    if (hang.culprits.empty()) {
        return;
    }
    ScreenTable table;
    table.columns = {{"rank", true}, {"why"}, {"call"}, {"group", false, 20, true}, {"last call from", false, 20}};
    std::size_t rest = 0;
    for (const CulpritGroup& group : culpritGroups(hang)) {
        for (const hang::Culprit* culprit : group.culprits) {
            if (table.rows.size() == most) {
                ++rest;
                continue;
            }
            const bool has_frame = culprit->last && !culprit->last->frames.empty();
            const FlightFrame frame = has_frame ? culprit->last->frames.front() : FlightFrame{};
            std::string why(whyId(culprit->why));
            std::ranges::replace(why, '-', ' ');
            table.rows.push_back(
                {{std::to_string(culprit->rank), Ink::High},
                 {why},
                 {printable(placeWords(culprit->at))},
                 {printable(groupWords(hang.groups[culprit->at.group]))},
                 {has_frame ? printable(fmt::format("{}:{} {}", frame.file, frame.line, frame.function)) : ""}});
        }
    }
    screen.gap();
    screen.table(table);
    addRestOf(screen, rest, "rank");
}

/// Ranks that wait in the same call, or in sends or receives of the same kind.
struct WaitingRow {
    std::vector<std::int64_t> ranks;
    std::vector<std::int64_t> waits_for;
    std::string in;
};

std::vector<WaitingRow> waitingRows(const hang::Hang& hang) {
    std::map<std::string, WaitingRow> rows;
    for (const hang::Waiting& waiting : hang.waiting) {
        const hang::Place& at = waiting.in;
        const std::string call = at.is_exchange ? kindWords(at.kind) : placeWords(at);
        WaitingRow& row = rows[call + " of " + hang.groups[at.group].label()];
        row.ranks.push_back(waiting.rank);
        row.waits_for.insert(row.waits_for.end(), waiting.waits_for.begin(), waiting.waits_for.end());
    }
    std::vector<WaitingRow> sorted;
    for (auto& [in, row] : rows) {
        row.in = in;
        sorted.push_back(std::move(row));
    }
    std::ranges::stable_sort(sorted, std::greater(), [](const WaitingRow& row) { return row.ranks.size(); });
    return sorted;
}

void addWaiting(Screen& screen, const hang::Hang& hang, std::size_t most) {
    const std::vector<WaitingRow> rows = waitingRows(hang);
    if (rows.empty()) {
        return;
    }
    ScreenTable table;
    table.columns = {{"waiting", false, 10, true}, {"for", false, 10, true}, {"in", false, 20, true}};
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
        table.rows.push_back({{formatNumbered("rank", rows[i].ranks)},
                              {formatNumbered("rank", rows[i].waits_for), Ink::Medium},
                              {printable(rows[i].in)}});
    }
    screen.gap();
    screen.table(table);
    addRestOf(screen, rows.size() - std::min(most, rows.size()), "row");
}

void addMismatches(Screen& screen, const hang::Hang& hang, std::size_t most) {
    std::size_t shown = 0;
    for (const hang::Mismatch& mismatch : hang.mismatches) {
        if (shown == most) {
            break;
        }
        ++shown;
        screen.gap();
        screen.line({{printable("Call " + formatCount(static_cast<std::uint64_t>(mismatch.at.number)) + " of " +
                                groupWords(hang.groups[mismatch.at.group]) + " is not the same on all ranks:"),
                      Ink::Bold}});
        for (const hang::Mismatch::Variant& variant : mismatch.variants) {
            screen.paragraph({"  " + formatNumbered("rank", variant.ranks) + "  ", Ink::Medium},
                             printable(variant.call), 2);
        }
    }
    addRestOf(screen, hang.mismatches.size() - shown, "mismatch");
}

/// What became of the traces of the job, and where the last calls of culprits are in them.
void addTraces(Screen& screen, const hang::Hang& hang, const std::vector<RunWithDumps>& traces, std::size_t most,
               bool is_full) {
    if (traces.empty()) {
        return;
    }
    screen.gap();
    for (const RunWithDumps& of : traces) {
        screen.paragraph({"TRACE  ", Ink::Bold}, printable(linkSummary(of)), 2);
        for (const hang::GroupLink& link : of.links.groups) {
            if (is_full || link.state != hang::LinkState::Linked) {
                screen.paragraph({fmt::format("  group {}  ", link.group)}, printable(linkWords(of, link)), 2);
            }
        }
    }
    std::size_t shown = 0;
    for (const hang::Culprit& culprit : hang.culprits) {
        const auto call = culprit.last ? lastCallInTrace(traces, culprit.rank, *culprit.last) : std::nullopt;
        if (call && shown++ < most) {
            screen.paragraph({"  "}, printable("Its last call in the trace: " + callInTraceWords(*call)), 1);
        }
    }
}

void addStacks(Screen& screen, const hang::Hang& hang) {
    for (const hang::Culprit& culprit : hang.culprits) {
        if (!culprit.last) {
            continue;
        }
        screen.gap();
        screen.line({{fmt::format("Last call of rank {}: {} {}", culprit.rank, printable(culprit.last->kind),
                                  formatCount(static_cast<std::uint64_t>(culprit.last->number))),
                      Ink::Bold}});
        for (const FlightFrame& frame : culprit.last->frames) {
            screen.line({{printable(fmt::format("  {}:{} {}", frame.file, frame.line, frame.function))}});
        }
    }
}

}  // namespace

std::string hangScreen(const hang::Hang& hang, const ScreenStyle& style, bool is_full,
                       const std::vector<RunWithDumps>& traces) {
    const HangRoom room = is_full ? HangRoom{kAll, kAll, kAll} : HangRoom{};
    Screen screen(style);
    addHangHead(screen, hang);
    addCulprits(screen, hang, room.culprits);
    addWaiting(screen, hang, room.waiting);
    addMismatches(screen, hang, room.mismatches);
    addTraces(screen, hang, traces, room.culprits, is_full);
    if (is_full) {
        addStacks(screen, hang);
    }
    screen.gap();
    for (const CulpritGroup& group : culpritGroups(hang)) {
        addTitled(screen, "Do", printable(group.remedy), 2);
        if (!is_full) {
            break;
        }
    }
    for (const std::string& doubt : hangDoubts(hang)) {
        addTitled(screen, "Note", printable(doubt), 2);
    }
    return screen.text();
}

}  // namespace rankscope
