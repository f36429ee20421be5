// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparisons.h"

#include <fmt/format.h>

#include "app/cli/complain.h"
#include "core/ingest/load.h"

namespace rankscope::cli {
namespace {

/// The runs of a side, by their positions.
SideRuns runsAt(const ReadRuns& read, const std::vector<std::size_t>& positions) {
    SideRuns runs;
    for (const std::size_t at : positions) {
        runs.push_back(&read.runs[at]);
    }
    return runs;
}

void tellOfLeftOut(const ComparedSide& side) {
    for (const Recording& one : side.recordings) {
        if (!one.counts()) {
            complain(one.name + " does not count: " + one.left_out);
        }
    }
}

/// Compares the recordings of the first `baselines` paths with those of the others.
void compareTwoSides(const Request& request, const ReadRuns& read, Comparisons& out) {
    std::vector<std::size_t> a;
    std::vector<std::size_t> b;
    for (std::size_t run = 0; run < read.runs.size(); ++run) {
        (read.path_of[run] < *request.baselines ? a : b).push_back(run);
    }
    if (a.empty() || b.empty()) {
        return;
    }
    const RunComparison& made =
        out.made.emplace_back(compareSides(runsAt(read, a), runsAt(read, b), request.matters, readEventText));
    tellOfLeftOut(made.a_side);
    tellOfLeftOut(made.b_side);
    out.of.push_back({a[made.a_side.shown], b[made.b_side.shown], &made});
}

}  // namespace

Comparisons compareAsAsked(const Request& request, const ReadRuns& read) {
    Comparisons out;
    if (request.baselines) {
        compareTwoSides(request, read, out);
        return out;
    }
    for (std::size_t b = 1; b < read.runs.size() && read.path_of.front() == 0; ++b) {
        out.made.push_back(compareSides({&read.runs.front()}, {&read.runs[b]}, request.matters, readEventText));
        out.of.push_back({0, b, &out.made.back()});
    }
    return out;
}

bool hasRegression(const Request& request, const Comparisons& comparisons) {
    bool any = false;
    for (const RunComparison& comparison : comparisons.made) {
        const double percent = request.fail_on_regression.value_or(0);
        any = isRegression(comparison, percent) || any;
        if (const std::string unseen = unseenRegression(comparison, percent); !unseen.empty()) {
            complain(fmt::format("--fail-on-regression {}: {}", percent, unseen));
        }
    }
    return any;
}

}  // namespace rankscope::cli
