// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/finding.h"
#include "tests/accuracy/awaited.h"
#include "tests/accuracy/machine_cases.h"

namespace rankscope::accuracy {

/// The resolutions that every run is written at: 1 ns, 250 ns (through a double), 1 us.
inline constexpr std::size_t kResolutions = 3;
inline constexpr std::array<tracegen::TimeGrid, kResolutions> kGrids = {
    tracegen::TimeGrid::OfDialect, tracegen::TimeGrid::Double, tracegen::TimeGrid::Microseconds};
inline constexpr std::array<std::string_view, kResolutions> kGridNames = {"1 ns", "250 ns", "1 us"};

/// One finding, as far as the judge looks at it.
struct SeenFinding {
    std::string id;
    Severity severity = Severity::Low;
    DurationNs saving_ns = 0;
    std::vector<std::int32_t> ranks;
    bool at_most = false;                   ///< it says that the saving is an upper bound
    std::optional<SavingRange> range = {};  ///< of a forecast: what it says that as many steps may save
    /// Of a run without a fault: it is so all the same. A schedule of few micro-batches has its bubble, however well
    /// all goes, and theory says how large it is; divided layers are put together with nothing beside it, and a
    /// simulation in which that takes no time says what it costs.
    bool is_true = false;
};

/// What steps truly lose to the planted fault, in the mean.
struct MachineTruth {
    DurationNs step_ns = 0;   ///< of the steps with the fault
    DurationNs price_ns = 0;  ///< and so much less without it
};

/// A run at one resolution, against the truth.
struct MachineResult {
    std::string error;                    ///< why it could not be judged; empty if it could
    std::vector<SeenFinding> findings;    ///< in the order of the list
    std::optional<std::size_t> position;  ///< of the first finding that is right; from 0
    /// Of the steps that the price of this finding stands on (Finding::coverage); of those that prices stand on, where
    /// it was not found. What happens in other steps no price of these holds, and the finding says how many there are.
    MachineTruth covered;
};

/// A run at all resolutions.
struct MachineScore {
    std::string name;
    std::string row;      ///< empty of a healthy run
    std::string finding;  ///< the id that it should lead to
    MachineTruth window;  ///< of all steps of the window
    std::vector<std::int32_t> ranks;
    bool moves = false;        ///< hits one rank each step: several of those that it hit are enough
    bool job = false;          ///< of a job whose work is divided in a grid
    bool by_interval = false;  ///< its price is right where the interval that is told holds the truth
    Awaited awaited;           ///< of all runs of its fault
    std::string error;         ///< why the simulation failed
    std::array<MachineResult, kResolutions> results;

    [[nodiscard]] bool healthy() const { return row.empty(); }
    /// Whether the fault has to be found: it is worth 3 % of the step or more.
    [[nodiscard]] bool demanded() const;
    /// Of the results at one resolution:
    [[nodiscard]] bool found(std::size_t at) const { return results.at(at).position.has_value(); }
    [[nodiscard]] bool inFront(std::size_t at) const { return found(at) && *results.at(at).position < 2; }
    [[nodiscard]] bool ranksRight(std::size_t at) const;
    /// How far the price is from the truth of the steps that it stands on.
    [[nodiscard]] DurationNs priceError(std::size_t at) const;
    /// Within 10 % of the truth of the steps that it stands on, or within 1 % of such a step; an upper bound may be
    /// above.
    [[nodiscard]] bool priceRight(std::size_t at) const;
    /// The same against the truth of the whole window, upper bounds alike.
    [[nodiscard]] bool windowPriceRight(std::size_t at) const;
    /// Right, or a forecast whose interval holds the truth.
    [[nodiscard]] bool rangeRight(std::size_t at) const;
    /// What is demanded of the price: that it is right, or of a fault that is judged so, its interval.
    [[nodiscard]] bool priceHolds(std::size_t at) const { return by_interval ? rangeRight(at) : priceRight(at); }
    /// The finding that is right says that it is an upper bound.
    [[nodiscard]] bool isBound(std::size_t at) const { return found(at) && right(at).at_most; }
    /// Ids of findings above low that are not the right one, and not true of a healthy run.
    [[nodiscard]] std::vector<std::string> othersAboveLow(std::size_t at) const;

  private:
    [[nodiscard]] const SeenFinding& right(std::size_t at) const {
        return results.at(at).findings.at(*results.at(at).position);
    }
};

/// Simulates with and without the fault, writes at each resolution, loads, analyses and compares.
[[nodiscard]] MachineScore judge(const MachineCase& one);
/// The same of the case of that name in machineMatrix(). Throws std::out_of_range where there is none.
[[nodiscard]] MachineScore judgeCase(const std::string& name);

}  // namespace rankscope::accuracy
