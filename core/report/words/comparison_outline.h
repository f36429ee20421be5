// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/words/comparison_summary.h"

namespace rankscope::report {

/// A part of the mean step, or the whole of it.
struct ComparedPart {
    std::string title;
    DurationNs a_ns = 0;
    DurationNs b_ns = 0;
    DurationNs difference_ns = 0;
    bool is_whole = false;
};

/// What became of a finding.
struct ComparedFinding {
    std::string_view change;  ///< "fixed", "new", "better", "worse", "same", "cannot tell"
    std::string title;
    std::string a_saves;  ///< "up to 28.1 ms"; "-" where A has no such finding
    std::string b_saves;
};

/// Two runs in the few lines that come first.
struct ComparisonOutline {
    StepVerdict verdict = StepVerdict::CannotJudge;
    std::string a;  ///< the names of the runs
    std::string b;
    std::string answer;  ///< "FourWorkers takes 75 % less per step (22.6 ms, was 91.6 ms): ..." with the reason
    std::string change;  ///< "75 % less", "no difference seen", "cannot judge"
    std::string
        reason;         ///< what explains half of the difference or more: "the GPU no longer waits for input"; or empty
    std::string range;  ///< "95 %: 68.9 ms to 71.2 ms less per step, from 4 and 4 steps."; empty without
    std::vector<std::string> runs;    ///< "A  ZeroWorkers: 4 ranks, 4 steps, 91.6 ms per step", and B
    std::string b_step;               ///< B's median step
    std::vector<ComparedPart> parts;  ///< those that changed most, in the order of the step, then the whole
    std::vector<ComparedFinding> findings;
    std::string differs;  ///< what else differs; empty for nothing
    std::string doubt;    ///< what these recordings cannot show
};

/// With the `most_parts` parts of the step that changed most.
[[nodiscard]] ComparisonOutline outlineOf(const ComparisonView& view, std::size_t most_parts);

}  // namespace rankscope::report
