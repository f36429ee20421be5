// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/text/screen_parts.h"
#include "core/report/words/snapshot_summary.h"

namespace rankscope {
namespace {

using namespace report;

/// What fits on 24 lines.
constexpr std::size_t kRowsOfOne = 5;
constexpr std::size_t kRowsOfTwo = 4;
constexpr std::size_t kLastOfOne = 17;
constexpr std::size_t kLastOfTwo = 10;
constexpr std::size_t kMostRunsWithRows = 2;
constexpr std::size_t kMostRuns = 18;
constexpr std::size_t kMostSnapshots = 2;

ScreenTable tableOf(const RunOutline& run, std::size_t shown) {
    ScreenTable table;
    table.columns = {{"#", true},         {"saves per step"},     {"95 %"}, {""}, {"what", false, 24, true},
                     {"where", false, 6}, {"do", false, 14, true}};
    for (std::size_t i = 0; i < shown; ++i) {
        const OutlineRow& row = run.rows[i];
        table.rows.push_back({{std::to_string(row.number)},
                              {row.saves, inkOf(row.severity)},
                              {row.range, Ink::Dim},
                              {row.is_quick ? "quick" : "", Ink::Good},
                              {row.what, Ink::Bold},
                              {row.where},
                              {row.change}});
    }
    return table;
}

/// The first `most` findings, as many as fit above `last_line`.
void addFindings(Screen& screen, const RunOutline& run, std::size_t most, std::size_t last_line) {
    if (run.rows.empty()) {
        screen.paragraph({"  "}, run.no_rows, 2);
        return;
    }
    std::size_t shown = std::min(most, run.rows.size());
    const auto too_high = [&] {
        Screen trial(screen.style());
        trial.table(tableOf(run, shown));
        return screen.height() + trial.height() > last_line;
    };
    while (shown > 1 && too_high()) {
        --shown;
    }
    screen.table(tableOf(run, shown));
    addRestOf(screen, run.rows.size() - shown, "finding");
}

/// What needs a look, what is unknown, and what is wrong in the files: two lines each while there is room.
void addRest(Screen& screen, const RunOutline& run) {
    constexpr std::size_t kRoomy = 16;  // lines used so far, of 24
    const std::size_t most = screen.height() <= kRoomy ? 2 : 1;
    if (!run.looks.empty()) {
        addTitled(screen, "Check",
                  fmt::format("{} of {} need a look: {} (rankscope-cli check)", run.looks.size(),
                              formatCounted(run.checks, "check"), listed(run.looks)),
                  most);
    }
    if (!run.health.empty()) {
        const std::size_t more = run.health.size() - 1;
        addTitled(screen, "Files",
                  run.health.front() + (more > 0 ? fmt::format(" ({} more: --section health)", more) : std::string()),
                  most);
    }
    if (!run.unknown.empty()) {
        const std::size_t more = run.unknown.size() - 1;
        addTitled(
            screen, "Cannot tell",
            run.unknown.front() + (more > 0 ? fmt::format(" ({} more: --section cannot-tell)", more) : std::string()),
            most);
    }
    if (!run.coverage.empty()) {
        addTitled(screen, "Prices", run.coverage, 1);
    }
}

/// If there are too many runs to show each in parts: one line per run.
void addRunTable(Screen& screen, const std::vector<RunOutline>& runs) {
    ScreenTable table;
    table.columns = {
        {"run", false, 12}, {"", false, 12}, {"verdict", false, 14}, {"saves per step"}, {"what", false, 16}};
    for (std::size_t i = 0; i < std::min(runs.size(), kMostRuns); ++i) {
        const RunOutline& run = runs[i];
        const bool none = run.rows.empty();
        const Ink ink = none ? Ink::Plain : inkOf(run.rows.front().severity);
        table.rows.push_back({{run.name, Ink::Bold},
                              {run.size},
                              {run.headline.title, ink},
                              {none ? "-" : run.rows.front().saves, ink},
                              {none ? "-" : run.rows.front().what}});
    }
    screen.table(table);
    addRestOf(screen, runs.size() - std::min(runs.size(), kMostRuns), "run");
}

/// One sentence per snapshot.
void addSnapshots(Screen& screen, const std::vector<ReportedSnapshot>& snapshots) {
    for (std::size_t i = 0; i < std::min(snapshots.size(), kMostSnapshots); ++i) {
        const std::vector<std::string> lines = snapshotLines(snapshots[i]);
        screen.line({{snapshotTitle(snapshots[i]), Ink::Bold}});
        screen.paragraph({"  "}, lines.empty() ? std::string() : lines.front(), 1);
    }
    addRestOf(screen, snapshots.size() - std::min(snapshots.size(), kMostSnapshots), "memory snapshot");
}

}  // namespace

std::string analysisScreen(const ReportInput& input, const ScreenStyle& style) {
    std::vector<RunOutline> runs;
    for (const AnalysedRun* run : input.runs) {
        runs.push_back(outlineOf(*run));
    }
    Screen screen(style);
    if (runs.size() > kMostRunsWithRows) {
        addRunTable(screen, runs);
    } else {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const bool alone = runs.size() == 1;
            if (i > 0) {
                screen.gap();
            }
            addHead(screen, runs[i], runs[i].headline.known ? 2 : 3);  // also what to record
            if (alone) {
                screen.gap();
            }
            addFindings(screen, runs[i], alone ? kRowsOfOne : kRowsOfTwo, alone ? kLastOfOne : kLastOfTwo * (i + 1));
            if (alone) {
                screen.gap();
                addRest(screen, runs[i]);
            }
        }
    }
    addSnapshots(screen, input.snapshots);
    for (const RunWithLogs& of : runsWithLogs(input)) {
        addJoinedLogs(screen, of);
    }
    if (runs.size() == 1 && !runs.front().rows.empty()) {
        addTitled(screen, "More", "--full, --finding 1, --section NAME, --html report.html");
    } else if (!runs.empty()) {
        addTitled(screen, "More",
                  runs.size() == 2 ? "--full, --section NAME; rankscope-cli compare A B shows what changed"
                                   : "--full, --section NAME, --html report.html");
    }
    return screen.text();
}

}  // namespace rankscope
