// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/tables/slice_places.h"

// Indices of the slices of some runs, each made in O(slices) when a question first needs it: 4 to 12 bytes per slice.
namespace rankscope::tables {

/// The slices sorted by start on the clocks of their runs.
class StartOrder {
  public:
    explicit StartOrder(const SlicePlaces& places);

    /// The ids of all slices, sorted by start.
    [[nodiscard]] const std::vector<std::uint32_t>& slices() const { return slices_; }
    /// The range in slices() of starts from `least` to `most`.
    [[nodiscard]] Ranges::Range between(std::int64_t least, std::int64_t most) const;

  private:
    std::vector<std::uint32_t> slices_;
    std::vector<std::int64_t> start_ns_;  // in the same order
};

/// The step of each slice: GPU work belongs to the step that launched it, everything else to the step in which it
/// starts.
class StepOrder {
  public:
    explicit StepOrder(const SlicePlaces& places);

    /// The number of the step of a slice; nothing outside of steps.
    [[nodiscard]] std::optional<std::int64_t> stepOf(std::uint64_t slice) const;
    /// The ids of the slices of steps, sorted by the number of the step. The first call takes O(slices).
    [[nodiscard]] const std::vector<std::uint32_t>& slices() const;
    /// The range in slices() of a number. O(log steps).
    [[nodiscard]] Ranges::Range of(std::int64_t step) const;
    /// How many numbers there are.
    [[nodiscard]] std::size_t steps() const { return numbers_.size(); }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    void fill(const SlicePlaces::OfTrack& track);
    void followLaunches(const SlicePlaces& places);
    [[nodiscard]] std::uint32_t at(const AnalysedRun& run, RankPosition rank, TimeNs file_ns) const;

    std::vector<std::int64_t> numbers_;  // of all steps, sorted
    std::vector<std::uint32_t> step_;    // by slice: index in numbers_, or kNone
    mutable std::vector<std::uint32_t> slices_;
    mutable std::vector<std::uint32_t> begin_;  // by number, and the end of all
};

/// The slices by the slice that directly contains them.
class ChildOrder {
  public:
    explicit ChildOrder(const SlicePlaces& places);

    /// The ids of all slices that have a parent, sorted by parent, then by start.
    [[nodiscard]] const std::vector<std::uint32_t>& slices() const { return slices_; }
    /// The range in slices() of the children of a slice.
    [[nodiscard]] Ranges::Range of(std::uint64_t parent) const { return {begin_[parent], begin_[parent + 1]}; }

  private:
    std::vector<std::uint32_t> begin_;  // by slice, and the end of all
    std::vector<std::uint32_t> slices_;
};

}  // namespace rankscope::tables
