// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/read_runs.h"
#include "core/compare/compare_runs.h"
#include "core/report/reports.h"

namespace rankscope::cli {

/// The comparisons that a request asks for. `of` points into `made`, and has positions of the runs that were read.
struct Comparisons {
    std::list<RunComparison> made;
    std::vector<ComparedRuns> of;
};

/// With --against one comparison of two sides; else the first run against each of the others. None where a side, or the
/// first run, could not be read: it is what is measured against. Says on standard error which recordings do not count.
[[nodiscard]] Comparisons compareAsAsked(const Request& request, const ReadRuns& read);

/// Whether a step is longer by more than --fail-on-regression allows. Says on standard error where that cannot be seen,
/// and how many recordings would be enough.
[[nodiscard]] bool hasRegression(const Request& request, const Comparisons& comparisons);

}  // namespace rankscope::cli
