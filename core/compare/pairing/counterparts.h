// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/compare/pairing/slice_lanes.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// A slice of a rank.
struct SliceLocation {
    RankPosition rank;
    SliceRef slice;
};
/// A gap of a step of a rank.
struct GapLocation {
    RankPosition rank;
    RankStepPosition step;
    std::uint32_t gap = 0;  ///< index in RankStep::gaps
};

/// A counterpart, or the reason why there is none, for people.
template <class Location>
struct Counterpart {
    std::optional<Location> place;
    std::string missing;  ///< "Rank 2 was not recorded in the other run."
};

/// Finds the counterparts in run B of things in run A: same rank, same step, same lane, same place in the sequence of
/// names. The two sequences of a step are aligned so that as many equal names as possible pair (align_names.h):
/// inserted and removed kernels do not shift the others. Each lane of a step is aligned on first use and cached. Not
/// thread-safe.
class Counterparts {
  public:
    /// If sequences differ in more places, the k-th of a name pairs with the k-th: the cost of an alignment grows with
    /// the square of this.
    static constexpr std::size_t kMostEdits = 500;

    /// The runs must outlive this.
    Counterparts(const AnalysedRun& a, const AnalysedRun& b);

    /// Of a kernel or copy, an operator, a range, a call, or a Python function.
    [[nodiscard]] Counterpart<SliceLocation> ofSlice(SliceLocation in_a);
    /// The gap that ends with the counterpart of the slice that ends A's gap. If no gap precedes that slice in B, the
    /// gap is gone, and `missing` says what runs there.
    [[nodiscard]] Counterpart<GapLocation> ofGap(GapLocation in_a);
    /// Found through its slice on the first rank that both runs have.
    [[nodiscard]] Counterpart<CollectivePosition> ofCollective(CollectivePosition in_a);

    /// B's rank for a rank of A, by number, or by position if either has no number. Nothing if it was not recorded.
    [[nodiscard]] std::optional<RankPosition> rankOf(RankPosition rank_a) const { return rank_of_[rank_a]; }
    /// B's step for a step of A on two ranks. The same number if the two share at least half of their step numbers,
    /// else the same distance from the first complete, steady-state step.
    [[nodiscard]] std::optional<RankStepPosition> stepOf(RankPosition rank_a, RankStepPosition step_a) const;

  private:
    /// By place in A's sequence: the place in B's, or kNoPartner.
    using Partners = std::vector<std::uint32_t>;

    [[nodiscard]] const SliceLanes& lanesOf(const AnalysedRun& run, RankPosition rank,
                                            std::vector<std::unique_ptr<SliceLanes>>& kept);
    [[nodiscard]] const Partners& partnersOf(RankPosition rank_a, RankStepPosition step_a, RankStepPosition step_b,
                                             Lane lane);
    [[nodiscard]] std::string takesItsPlace(SliceLocation releasing) const;

    const AnalysedRun& a_;
    const AnalysedRun& b_;
    std::vector<std::optional<RankPosition>> rank_of_;
    std::vector<std::int64_t> step_shift_;  // by rank of A
    NameNumbers names_;
    std::vector<std::unique_ptr<SliceLanes>> lanes_a_;  // by rank, created on first use
    std::vector<std::unique_ptr<SliceLanes>> lanes_b_;
    std::map<std::tuple<RankPosition, RankStepPosition, Lane>, Partners> partners_;
};

}  // namespace rankscope
