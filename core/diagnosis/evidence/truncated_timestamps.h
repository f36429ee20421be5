// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/rank_context.h"
#include "core/analysis/replay/replay_model.h"

namespace rankscope {

/// Device time that is missing in files of whole microseconds. Until 2024, Kineto cut lengths to whole microseconds. So
/// each piece of work may have taken up to 1 us longer, 0.5 us on average, and work of less than 1 us has no length.
/// Facts use what is recorded. A replay in which kernels follow one another at once has to add the missing time, or it
/// would save time in which the device works.
class TruncatedTimestamps {
  public:
    /// Both must outlive this object. `classes`: of the same rank.
    TruncatedTimestamps(const RankContext& work, const WorkClasses& classes);

    /// Whether all device work lasts whole microseconds.
    [[nodiscard]] bool whole() const { return whole_; }
    /// The number of pieces of device work with length zero.
    [[nodiscard]] std::size_t withoutLength() const { return without_length_; }
    /// The mean true length of a piece of work, including the work of zero length that follows it on its stream; up to
    /// the start of the next piece. As recorded if lengths are not cut.
    [[nodiscard]] DurationNs likelyLength(const ReplayEvent& event) const;

  private:
    const RankContext& work_;
    const WorkClasses& classes_;
    bool whole_ = false;
    std::size_t without_length_ = 0;
};

}  // namespace rankscope
