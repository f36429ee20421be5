// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/finding.h"
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
};

/// A run at one resolution, against the truth.
struct MachineResult {
    std::string error;                    ///< why it could not be judged; empty if it could
    std::vector<SeenFinding> findings;    ///< in the order of the list
    std::optional<std::size_t> position;  ///< of the first finding that is right; from 0
};

/// A run at all resolutions.
struct MachineScore {
    std::string name;
    std::string row;          ///< empty of a healthy run
    std::string finding;      ///< the id that it should lead to
    DurationNs step_ns = 0;   ///< the mean, true
    DurationNs price_ns = 0;  ///< the mean step less that of the run without the fault
    std::vector<std::int32_t> ranks;
    bool moves = false;  ///< hits one rank each step: several of those that it hit are enough
    std::string error;   ///< why the simulation failed
    std::array<MachineResult, kResolutions> results;

    [[nodiscard]] bool healthy() const { return row.empty(); }
    /// Whether the fault has to be found: it is worth 3 % of the step or more.
    [[nodiscard]] bool demanded() const { return !healthy() && 100 * price_ns >= 3 * step_ns; }
    /// Of the results at one resolution:
    [[nodiscard]] bool found(std::size_t at) const { return results.at(at).position.has_value(); }
    [[nodiscard]] bool inFront(std::size_t at) const { return found(at) && *results.at(at).position < 2; }
    [[nodiscard]] bool ranksRight(std::size_t at) const;
    [[nodiscard]] DurationNs priceError(std::size_t at) const;
    /// Within 10 %, or within 1 % of the step.
    [[nodiscard]] bool priceRight(std::size_t at) const;
    /// Ids of findings above low that are not the right one.
    [[nodiscard]] std::vector<std::string> othersAboveLow(std::size_t at) const;

  private:
    [[nodiscard]] const SeenFinding& right(std::size_t at) const {
        return results.at(at).findings.at(*results.at(at).position);
    }
};

/// Simulates with and without the fault, writes at each resolution, loads, analyses and compares.
[[nodiscard]] MachineScore judge(const MachineCase& one);

}  // namespace rankscope::accuracy
