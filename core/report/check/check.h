// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/diagnosis/frame/sentences.h"
#include "core/report/check/step_budget.h"
#include "core/report/tables/data_table.h"

namespace rankscope::report {

// The health check of a run: what a person reads first. Complete lines, each with its figure, from facts that the
// reports have too. check_limits.h has the limits for "look here". See docs/definitions/health-check.md.

/// What a line of the check says.
enum class CheckStatus : std::uint8_t {
    Ok,
    Look,       ///< look here
    CannotTell  ///< the trace does not say; CheckLine::record says what would
};
inline constexpr std::size_t kCheckStatuses = 3;
[[nodiscard]] std::string_view checkStatusName(CheckStatus status);   ///< as in the JSON: "look"
[[nodiscard]] std::string_view checkStatusTitle(CheckStatus status);  ///< for people: "look here"

/// What a line is about. The list is closed and is in the JSON schema.
enum class CheckArea : std::uint8_t { Steps, Budget, Hardware, Coverage };
inline constexpr std::size_t kCheckAreas = 4;
[[nodiscard]] std::string_view checkAreaName(CheckArea area);   ///< as in the JSON: "steps"
[[nodiscard]] std::string_view checkAreaTitle(CheckArea area);  ///< for people: "Steps and ranks"

/// Where to jump to; unknown parts are empty.
struct CheckPlace {
    std::optional<RankPosition> rank;
    std::optional<std::int64_t> step;    ///< RankStep::index
    SliceRef slice;                      ///< a slice of that rank; may be invalid
    std::optional<std::size_t> finding;  ///< index in Diagnosis::findings
    [[nodiscard]] bool any() const { return rank || finding; }
};

/// One line of the check.
struct CheckLine {
    std::string key;  ///< as in the JSON: "exposed-communication"
    CheckArea area = CheckArea::Steps;
    CheckStatus status = CheckStatus::CannotTell;
    std::string title;
    std::string text;             ///< a sentence with the figure
    std::optional<double> value;  ///< the figure, in `unit`; nothing if there is none
    Unit unit = Unit::Share;
    std::optional<double> limit;  ///< the limit from which it says "look here", in `unit`
    std::string record;           ///< what to record or enter to know it; empty if nothing is missing
    CheckPlace place;
};

/// A rank's row of the check.
struct CheckRank {
    RankPosition rank;
    std::vector<std::int64_t> indices;  ///< RankStep::index of its complete, steady-state steps
    std::vector<DurationNs> steps_ns;   ///< as `indices`: the step times, which collectives make equal on all ranks
    DurationNs mean_ns = 0;             ///< the mean of these
    std::optional<DurationNs> own_ns;   ///< mean segment time of a step: its own work before collectives
    std::size_t others = 0;             ///< the number of peers whose own work it is compared with, without itself
    DurationNs others_ns = 0;           ///< their median own work
    /// own_ns over others_ns; nothing if others_ns is too small a share of the step for a ratio (kCostsOfStep).
    std::optional<double> over_median;
    std::optional<double> z_score;       ///< RankLateness::z_score
    std::optional<double> mfu;           ///< nothing if the peak of its device is unknown
    std::optional<double> memory_share;  ///< the most memory reserved, over the device's memory
    bool look = false;                   ///< it is a reason for a line that says "look here"
};

/// The health check of a run.
struct Check {
    std::vector<CheckLine> lines;  ///< by area
    std::vector<CheckRank> ranks;  ///< parallel to Run::ranks
    StepBudget budget;             ///< over all ranks
    [[nodiscard]] std::size_t count(CheckStatus status) const;
    /// The line with this key; nullptr if there is none.
    [[nodiscard]] const CheckLine* line(std::string_view key) const;
};

/// The sentences of the check, the check lists and the protocol (resources/check.json), with the keys "id.name".
[[nodiscard]] const Sentences& checkSentences();

/// Checks a run; `words` are checkSentences(), or a translation of them. O(ranks x steps).
[[nodiscard]] Check checkOf(const AnalysedRun& run, const Sentences& words = checkSentences());

/// "3 look here, 12 ok, 2 cannot tell".
[[nodiscard]] std::string checkCounts(const Check& check);

}  // namespace rankscope::report
