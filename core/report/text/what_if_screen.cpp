// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/text/screen_parts.h"
#include "core/report/what_if.h"

namespace rankscope {
namespace {

using namespace report;

/// A change that saves less than this share of the step is not listed: it is the precision of a replay.
constexpr double kLeastSaving = 0.005;

void addForecastHead(Screen& screen, const WhatIfRun& run) {
    screen.line({{"WHAT IF", Ink::Bold}, {"  " + printable(run.run().name), Ink::Dim}});
    screen.gap();
}

std::string savedWords(const Forecast& forecast) {
    const DurationNs saved_ns = forecast.step_ns - forecast.forecast_ns;
    if (forecast.step_ns <= 0 || saved_ns == 0) {
        return {};
    }
    const double share = static_cast<double>(std::abs(saved_ns)) / static_cast<double>(forecast.step_ns);
    return formatPercent(share) + (saved_ns > 0 ? " less" : " more");
}

void addParts(Screen& screen, const Forecast& forecast) {
    ScreenTable table;
    table.columns = {{"part of the step"}, {"today", true}, {"then", true}};
    const auto add = [&table](const char* name, DurationNs before_ns, DurationNs after_ns) {
        if (before_ns != 0 || after_ns != 0) {
            table.rows.push_back({{name}, {formatDuration(before_ns)}, {formatDuration(after_ns)}});
        }
    };
    add("compute", forecast.before.compute_ns, forecast.after.compute_ns);
    add("exposed communication", forecast.before.exposed_comm_ns, forecast.after.exposed_comm_ns);
    add("exposed copies", forecast.before.exposed_copy_ns, forecast.after.exposed_copy_ns);
    add("idle", forecast.before.idle_ns, forecast.after.idle_ns);
    add("cost of the changes", 0, forecast.after.added_ns);
    table.rows.push_back({{"step", Ink::Bold},
                          {formatDuration(forecast.step_ns), Ink::Bold},
                          {formatDuration(forecast.forecast_ns), Ink::Bold}});
    screen.gap();
    screen.table(table);
}

void addChange(Screen& screen, const WhatIfChange& change) {
    screen.gap();
    screen.paragraph({printable(change.text) + "  ", Ink::Bold}, printable(meaningOf(change)), 2);
    screen.paragraph({"  assumes     ", Ink::Dim}, change.kind->assumes, 3);
    if (!change.kind->leaves_out.empty()) {
        screen.paragraph({"  leaves out  ", Ink::Dim}, change.kind->leaves_out, 3);
    }
}

}  // namespace

std::string whatIfScreen(const WhatIfRun& run, const Forecast& forecast, const ScreenStyle& style) {
    Screen screen(style);
    addForecastHead(screen, run);
    screen.paragraph({"", Ink::Bold}, forecastAnswer(forecast), 3);
    const std::string saved = savedWords(forecast);
    const std::string bound = boundSentence(forecast);
    screen.paragraph({saved.empty() ? "" : saved + ". ", Ink::Good}, bound, 2);
    if (forecast.at_most) {
        screen.line({{"The saving is an upper bound."}});
    }
    addParts(screen, forecast);
    for (const WhatIfChange& change : forecast.changes) {
        addChange(screen, change);
    }
    for (const std::string& note : forecast.notes) {
        screen.paragraph({"  ", Ink::Dim}, note, 3);
    }
    return screen.text();
}

std::string singlesScreen(const WhatIfRun& run, const SingleChanges& singles, const ScreenStyle& style, bool is_full) {
    Screen screen(style);
    addForecastHead(screen, run);
    screen.line({{"A step takes " + formatDuration(run.facts().pricedStep()) + ". Each change alone:"}});
    ScreenTable table;
    table.columns = {{"change"}, {"step", true}, {"range", true}, {"saves", true}, {"what", false, 20, true}};
    std::size_t small = 0;
    for (const Forecast& forecast : singles.forecasts) {
        const WhatIfChange& change = forecast.changes.front();
        const DurationNs saved_ns = std::max<DurationNs>(0, forecast.step_ns - forecast.forecast_ns);
        if (!is_full && static_cast<double>(saved_ns) < kLeastSaving * static_cast<double>(forecast.step_ns)) {
            ++small;
            continue;
        }
        table.rows.push_back({{change.text, Ink::Bold},
                              {formatDuration(forecast.forecast_ns)},
                              {formatDuration(forecast.low_ns) + " to " + formatDuration(forecast.high_ns), Ink::Dim},
                              {(forecast.at_most ? "up to " : "") + formatDuration(saved_ns)},
                              {meaningOf(change)}});
    }
    if (!table.rows.empty()) {
        screen.gap();
        screen.table(table);
    }
    if (small > 0) {
        screen.line({{" " + formatCounted(small, table.rows.empty() ? "change" : "more change") +
                          " of less than 0.5 % of the step (--full)",
                      Ink::Dim}});
    }
    if (!singles.refused.empty()) {
        screen.gap();
        screen.line({{"This run cannot tell:", Ink::Dim}});
        for (const RefusedChange& refused : singles.refused) {
            screen.paragraph({"  " + refused.text + "  ", Ink::Dim}, refused.reason, is_full ? 4 : 1);
        }
    }
    screen.gap();
    screen.line({{"Together: --set CHANGE --set CHANGE. All kinds: --list. The fewest that reach a step: --search 40ms",
                  Ink::Dim}});
    return screen.text();
}

std::string kindsScreen(const ScreenStyle& style) {
    Screen screen(style);
    for (const WhatIfKind& kind : whatIfKinds()) {
        screen.paragraph({std::string(kind.form) + "  ", Ink::Bold}, kind.described(), 3);
    }
    return screen.text();
}

}  // namespace rankscope
