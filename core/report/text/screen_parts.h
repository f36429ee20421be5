// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/joined_logs.h"
#include "core/report/text/screen.h"
#include "core/report/words/outline.h"

// What the screens of analyze, check and compare share. Private to core/report.
namespace rankscope::report {

[[nodiscard]] std::string inCapitals(std::string text);  ///< "HIGH" of "high"; letters of ASCII only
[[nodiscard]] Ink inkOf(Severity severity);              ///< the colour of a severity
/// The run, its verdict in capitals with its sentence (up to `most` lines), and the bar of the step.
void addHead(Screen& screen, const RunOutline& run, std::size_t most);
/// An extra line: its title in a column, and up to `most` lines of text.
void addTitled(Screen& screen, std::string_view title, std::string_view text, std::size_t most = 1);
/// "and 3 more rows (--full)", if there are any.
void addRestOf(Screen& screen, std::size_t rest, std::string_view one);
/// What became of the logs next to a run, and the worst of their findings.
void addJoinedLogs(Screen& screen, const RunWithLogs& of);

}  // namespace rankscope::report
