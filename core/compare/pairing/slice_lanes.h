// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What one sequence contains when the slices of two steps are paired.
enum class Lane : std::uint8_t {
    Compute,  ///< device work by class, in launch order: work may move to another stream without being other work
    Communication,
    Copy,
    MainThread,    ///< operators, ranges and calls of the thread that marks the steps
    OtherThreads,  ///< operators, ranges and calls of the other host threads, such as autograd's
    Python,        ///< Python functions of all threads
};
inline constexpr std::size_t kLaneCount = 6;

/// Numbers for names, equal in both runs.
class NameNumbers {
  public:
    /// By StringId of this rank; 0 for slices without a name.
    [[nodiscard]] std::vector<std::uint32_t> numbersOf(const RankTrace& rank);

  private:
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

/// The place of a slice.
struct LanePlace {
    RankStepPosition step;
    Lane lane = Lane::Compute;
    std::uint32_t index = 0;  ///< in the lane's sequence in that step
};

/// The slices of one rank in sequence, by step and lane. Left out: slices outside all steps, slices of other devices,
/// and the marks of the steps.
class SliceLanes {
  public:
    /// Ranks to be compared must share `names`. Linear in the slices, except for sorting.
    SliceLanes(const RankTrace& rank, const RankFacts& facts, NameNumbers& names);

    struct Sequence {
        std::vector<TimeNs> order_ns;      ///< sorted: start of the launch call, or of the slice itself
        std::vector<SliceRef> slices;      ///< as order_ns
        std::vector<std::uint32_t> names;  ///< as order_ns
    };
    /// The slices of one lane in one step, in sequence; empty if the step has none. `step` must be a step of the rank.
    [[nodiscard]] const Sequence& sequence(RankStepPosition step, Lane lane) const {
        return sequences_[step * kLaneCount + static_cast<std::size_t>(lane)];
    }
    /// Nothing if the slice is in no lane. O(log n).
    [[nodiscard]] std::optional<LanePlace> find(SliceRef slice) const;

  private:
    struct Key {
        Lane lane;
        TimeNs order_ns;
    };
    [[nodiscard]] std::optional<Key> keyOf(SliceRef slice) const;
    [[nodiscard]] std::optional<RankStepPosition> stepAt(TimeNs host_ns) const;
    static void sort(Sequence& sequence);

    const RankTrace& rank_;
    const RankFacts& facts_;
    std::vector<Sequence> sequences_;  // by step and lane
};

}  // namespace rankscope
