// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/parallelism/role.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// A number by which ranks are compared.
enum class RankMeasure : std::uint8_t {
    Lateness,              ///< SegmentTime::late_ns, the median of the rank's steps
    ExposedCommunication,  ///< RankRoles::exposed, the mean of the rank's counted steps
    Idle,                  ///< Partition::idle_ns, the median of the rank's steps
    StepTime,              ///< length of RankStep::span, the median of the rank's steps
    Memory,                ///< bytes: MemoryPeak::reserved_bytes of the rank's device
    InPasses,              ///< PipelineTimes::busy() in the rank's pipeline, the mean of the counted steps
    Bubble,                ///< PipelineTimes::bubbleTotal(), the same
};
inline constexpr std::size_t kRankMeasureCount = 7;
[[nodiscard]] std::string_view rankMeasureTitle(RankMeasure measure);  ///< for people: "Lateness"

/// One measure of all ranks of a run.
struct RankValues {
    std::vector<std::optional<std::int64_t>> of;  ///< parallel to Run::ranks: nanoseconds or bytes; nothing if not
                                                  ///< known
    std::optional<std::int64_t> median;           ///< median of the known values; nothing if none is known
    /// The range of the scale: from the least to the greatest value, but at least a tenth of the run's step (or of the
    /// largest memory), so that noise shows no difference.
    std::int64_t from = 0;
    std::int64_t to = 1;

    /// The rank's position between `from` and `to`, 0 to 1; nothing if its value is unknown.
    [[nodiscard]] std::optional<double> heat(RankPosition rank) const;
};

/// A measure of each rank over its complete, steady-state steps, or over all steps if it has none; ExposedCommunication
/// only of groups of `role`, if given. O(ranks x steps).
[[nodiscard]] RankValues rankValues(const AnalysedRun& run, RankMeasure measure,
                                    std::optional<Role> role = std::nullopt);

}  // namespace rankscope
