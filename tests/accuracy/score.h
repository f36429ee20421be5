// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "tests/accuracy/clock_score.h"
#include "tests/accuracy/matrix.h"

namespace rankscope::accuracy {

/// What a finding would save if its remedy took nothing itself: a planted fault is left out of the truth, not remedied.
[[nodiscard]] DurationNs savingWithoutCost(const Finding& finding);

/// One planted fault against what was found.
struct FaultScore {
    std::string fault;    ///< its name
    std::string finding;  ///< the id that it should lead to
    DurationNs step_ns = 0;
    DurationNs saving_ns = 0;  ///< the truth: step time with less step time without the fault
    /// Whether it has to be found: its saving is above the least that a finding may have by more than the tolerance.
    bool demanded = false;
    bool priced = true;  ///< whether it has a price: full memory has none until it leads to something
    std::optional<DurationNs> found_saving_ns;  ///< of the finding; nothing where it was not found
    std::vector<std::int32_t> ranks;
    std::vector<std::int32_t> found_ranks;

    Confidence confidence = Confidence::High;  ///< of the finding

    /// The price is too high, and the finding says itself that it is an estimate: it is of low confidence.
    [[nodiscard]] bool estimated() const {
        return found() && confidence == Confidence::Low && *found_saving_ns > saving_ns && !priceRight();
    }
    [[nodiscard]] bool found() const { return found_saving_ns.has_value(); }
    bool moves = false;  ///< hits one rank each step: the window is too short for all of them to have had their turn

    /// The same ranks; of a fault that moves, several of those that it hit in the window and no other.
    [[nodiscard]] bool ranksRight() const;
    [[nodiscard]] DurationNs priceError() const;
    /// The larger of 5 % of the saving and 0.5 % of the step.
    [[nodiscard]] DurationNs tolerance() const;
    [[nodiscard]] bool priceRight() const { return !priced || (found() && priceError() <= tolerance()); }
};

/// A finding that no planted fault explains.
struct StrayFinding {
    std::string id;
    Severity severity = Severity::Low;
    double share = 0;
    std::string why;
};

/// One run of the matrix, judged.
struct CaseScore {
    std::string name;
    std::vector<FaultScore> faults;
    std::vector<StrayFinding> strays;
    std::vector<ClockScore> clocks;
    std::string error;  ///< why it could not be judged; empty if it could
};

/// The numbers of the ranks that a finding names, ascending; -1 for one without a number.
[[nodiscard]] std::vector<std::int32_t> culpritsOf(const Finding& finding, const Run& run);

/// Simulates, loads from memory, analyses and compares.
[[nodiscard]] CaseScore judge(const Case& one);

}  // namespace rankscope::accuracy
