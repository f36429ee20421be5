// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

struct ExplainedRank;
struct RankContext;

/// What a part of a step is for. Forward, backward, optimizer and data are known from ranges on the host; device work
/// follows its launch. Communication is known from the work itself, and overlaps the others. Other is the rest.
enum class Phase : std::uint8_t { Forward, Backward, Optimizer, Data, Communication, Other };
inline constexpr std::size_t kPhaseCount = 6;
[[nodiscard]] std::string_view phaseName(Phase phase);  ///< as in the JSON: "forward"

/// Why a phase of a rank is unknown, and what to record; a sentence.
[[nodiscard]] std::string_view phaseUnknownReason(Phase phase);

/// The times of one phase in one step of one rank.
struct PhaseTime {
    /// Inside the step's mark on the host: when at least one thread was in the phase; for Other, when none was in any.
    DurationNs host_ns = 0;
    DurationNs device_ns = 0;       ///< inside the step: union of the device work that belongs to it
    DurationNs device_span_ns = 0;  ///< from the first start to the last end of that work
    friend bool operator==(const PhaseTime&, const PhaseTime&) = default;
};

/// One value per phase.
template <class T>
struct ByPhase {
    std::array<T, kPhaseCount> values{};
    [[nodiscard]] T& operator[](Phase p) { return values[static_cast<std::size_t>(p)]; }
    [[nodiscard]] const T& operator[](Phase p) const { return values[static_cast<std::size_t>(p)]; }
};

/// A stretch of a step that belongs to one phase; on the rank's file clock.
struct PhaseSpan {
    Phase phase = Phase::Forward;
    TimeSpan span;
};

/// A piece of communication with the phase that launched it; Other if its launch is unknown, or in no phase.
struct LaunchPhase {
    SliceRef work;
    Phase phase = Phase::Other;
};

/// The phases of one rank.
struct RankPhases {
    ByPhase<bool> told;                     ///< false: nothing recorded shows this phase, so its zero times mean
                                            ///< unknown
    std::vector<ByPhase<PhaseTime>> steps;  ///< parallel to RankFacts::steps
    /// As RankFacts::steps: the stretches of each phase in order of launch (see phaseSpans()), which comparisons align.
    std::vector<std::vector<PhaseSpan>> spans;
    std::vector<LaunchPhase> communication;  ///< by slice: all communication of the device
    /// The stretches on the host, if memory events were recorded, which they explain (core/analysis/steps/phase_row.h).
    std::vector<PhaseSpan> host;
};

/// The phase that launched a piece of communication; Other if `phases` do not have it. O(log n).
[[nodiscard]] Phase launchPhase(const RankPhases& phases, SliceRef work);

/// Finds the phases of all steps of a rank: device work of `work.device`, by what was launched inside each step. Linear
/// in slices and device work.
[[nodiscard]] RankPhases measurePhases(const RankContext& work, const ExplainedRank& facts);

}  // namespace rankscope
