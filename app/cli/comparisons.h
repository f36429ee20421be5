// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>
#include <vector>

#include "app/cli/command_line.h"
#include "core/compare/compare_runs.h"
#include "core/report/reports.h"
#include "core/request/read_runs.h"

namespace rankscope::cli {

/// The comparisons of a request. `of` points into `made`, and has positions of the runs that were read.
struct Comparisons {
    std::list<RunComparison> made;
    std::vector<ComparedRuns> of;
};

/// With --against one comparison of two sides, else the first run against each other run. None if a side or the first
/// run could not be read: it is the baseline. Prints on standard error which recordings do not count.
[[nodiscard]] Comparisons compareAsAsked(const Request& request, const ReadRuns& read);

/// Whether a step is longer by more than --fail-on-regression allows. If that cannot be seen, prints on standard error
/// how many recordings would be enough.
[[nodiscard]] bool hasRegression(const Request& request, const Comparisons& comparisons);

}  // namespace rankscope::cli
