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

/// What a part of a step is for. Forward, backward, optimizer and data are known by ranges on the host; device work
/// follows its launch. Communication is known by the work itself, and is across the others. Other is the rest.
enum class Phase : std::uint8_t { Forward, Backward, Optimizer, Data, Communication, Other };
inline constexpr std::size_t kPhaseCount = 6;
[[nodiscard]] std::string_view phaseName(Phase phase);  ///< as in the JSON: "forward"

/// Why a phase cannot be determined of a rank, and what to record to be able to; a sentence.
[[nodiscard]] std::string_view phaseUnknownReason(Phase phase);

/// What one phase took of one step of one rank.
struct PhaseTime {
    /// Inside the step's mark on the host: when at least one thread was in the phase; of Other, when none was in any.
    DurationNs host_ns = 0;
    DurationNs device_ns = 0;       ///< inside the step: union of the device work that belongs to it
    DurationNs device_span_ns = 0;  ///< from the first start to the last end of that work
    friend bool operator==(const PhaseTime&, const PhaseTime&) = default;
};

/// One value a phase.
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

/// A piece of communication with the phase that launched it; Other where its launch is unknown, or in none.
struct LaunchPhase {
    SliceRef work;
    Phase phase = Phase::Other;
};

/// The phases of one rank.
struct RankPhases {
    ByPhase<bool> told;                     ///< false: nothing recorded says where it was, and its times are no zeros
    std::vector<ByPhase<PhaseTime>> steps;  ///< as RankFacts::steps
    /// As RankFacts::steps: the stretches of each phase in order of launch (see phaseSpans), which comparisons align.
    std::vector<std::vector<PhaseSpan>> spans;
    std::vector<LaunchPhase> communication;  ///< by slice: all of the device's
    /// The stretches of the host, where memory events were recorded, which they explain
    /// (core/analysis/steps/phase_row.h).
    std::vector<PhaseSpan> host;
};

/// The phase that launched a piece of communication; Other where `phases` do not have it. O(log n).
[[nodiscard]] Phase launchPhase(const RankPhases& phases, SliceRef work);

/// Finds the phases of all steps of a rank: device work of `work.device`, by what was launched inside each step. Linear
/// in slices and device work.
[[nodiscard]] RankPhases measurePhases(const RankContext& work, const ExplainedRank& facts);

}  // namespace rankscope
