// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/words/comparison_summary.h"

namespace rankscope {
class Advice;  // core/diagnosis/frame/advice.h
}  // namespace rankscope

namespace rankscope::report {

/// A part of the mean step, several of them as one, or the whole of it.
struct ComparedPart {
    std::string title;
    DurationNs a_ns = 0;
    DurationNs b_ns = 0;
    std::optional<BreakdownRow> row = {};  ///< nothing for kOtherParts and for the whole
    bool is_whole = false;
    [[nodiscard]] DurationNs differenceNs() const { return b_ns - a_ns; }
};

/// What became of a finding.
struct ComparedFinding {
    FindingChange change = FindingChange::CannotTell;
    std::string title;
    std::string a_saves;                  ///< "up to 28.1 ms"; "-" where A has no such finding
    std::string b_saves;                  ///< the same of B
    std::optional<std::size_t> a_number;  ///< from 1: its place among A's findings
    std::optional<std::size_t> b_number;
};

inline constexpr std::string_view kOtherParts = "Other parts";
/// A part that changed by less than this hardly changed: 0.5 % of the longer step, at least 1 ns.
[[nodiscard]] DurationNs leastChange(const Breakdown& breakdown);

/// "fixed", "new", "better", "worse", "same", "cannot tell"
[[nodiscard]] std::string_view changeTitle(FindingChange change);

/// Titles of the columns of parts, and of findings.
inline constexpr std::array<std::string_view, 4> kComparedPartTitles = {"mean step of a rank", "A", "B", "B - A"};
inline constexpr std::array<std::string_view, 4> kComparedFindingTitles = {"change", "finding", "saves in A",
                                                                           "saves in B"};
/// Titles of the columns where several runs are compared with `a`: b, b_step, change and reason.
[[nodiscard]] std::array<std::string, 4> comparedRunTitles(const std::string& a);
/// The title of what else differs.
inline constexpr std::string_view kAlsoDiffers = "Also differs";

/// Two runs in the few lines that come first.
struct ComparisonOutline {
    StepVerdict verdict = StepVerdict::CannotJudge;
    std::string a;  ///< the names of the runs; "A" and "B" where a side has several recordings
    std::string b;
    std::string answer;  ///< "Faster: B takes 75 % less per step (22.6 ms, was 91.6 ms): ..." with the reason
    std::string change;  ///< "75 % less", "no difference that matters", "cannot judge"
    std::string
        reason;         ///< what explains half of the difference or more: "the GPU no longer waits for input"; or empty
    std::string range;  ///< "95 %: 68.9 ms to 71.2 ms less per step, from 4 and 4 steps."; empty without
    /// "A  ZeroWorkers: 4 ranks, 4 steps, 91.6 ms per step", and B; of several recordings how many there are and which
    /// one the parts and findings are of.
    std::vector<std::string> runs;
    std::string b_step;               ///< B's step
    std::vector<ComparedPart> parts;  ///< those that changed most, in the order of the step, the others, the whole
    std::vector<ComparedFinding> findings;
    std::string differs;  ///< what else differs; empty for nothing
    std::string doubt;    ///< what these recordings cannot show, to be said behind `range`; empty for nothing
};

/// With at most `most_parts` parts of the step (2 or more). Where it has more, the last one is all others, so that the
/// parts add up to the whole. `advice` says what is true once a finding is fixed; nullptr: in English. O(ranks x
/// steps), as outlineOf() of each run.
[[nodiscard]] ComparisonOutline outlineOf(const ComparisonView& view, std::size_t most_parts,
                                          const Advice* advice = nullptr);

}  // namespace rankscope::report
