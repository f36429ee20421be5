// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/rank_context.h"
#include "core/analysis/replay/replay_model.h"

namespace rankscope {

/// What files of whole microseconds leave out of the device's work. Kineto wrote lengths until 2024 cut to whole
/// microseconds, so each piece of work may have lasted up to one longer, half of one in the mean, and what took less
/// than one has no length. Facts keep to what is recorded; a replay in which kernels follow one another at once has to
/// count it, or it would save the time in which the device works.
class TruncatedTimestamps {
  public:
    /// Both must outlive it. `classes`: of the same rank.
    TruncatedTimestamps(const RankContext& work, const WorkClasses& classes);

    /// Whether all device work lasts whole microseconds.
    [[nodiscard]] bool whole() const { return whole_; }
    /// The pieces of device work without any length.
    [[nodiscard]] std::size_t withoutLength() const { return without_length_; }
    /// The length of a piece of work in the mean, with that of the work without length that follows it on its stream;
    /// not beyond the start of the next. As recorded where lengths are not cut.
    [[nodiscard]] DurationNs likelyLength(const ReplayEvent& event) const;

  private:
    const RankContext& work_;
    const WorkClasses& classes_;
    bool whole_ = false;
    std::size_t without_length_ = 0;
};

}  // namespace rankscope
