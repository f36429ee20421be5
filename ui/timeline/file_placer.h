// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"
#include "ui/timeline/viewport.h"

namespace rankscope::ui {

/// Places the times of one rank's file on the pixels of a frame. It holds what that takes by value: a frame places
/// hundreds of thousands, between writes that a compiler cannot tell from changes of the rank.
class FilePlacer {
  public:
    FilePlacer(const RankView& rank, const PixelScale& scale)
        : rank_(&rank),
          scale_(scale),
          drifts_(rank.clock.drift_ppm != 0.0),
          to_axis_ns_(rank.clock.offset_ns - rank.base_ns) {}

    [[nodiscard]] int pixelAt(TimeNs file_ns) const {
        return scale_.pixelAt(drifts_ ? rank_->toAxis(file_ns) : file_ns + to_axis_ns_);
    }

  private:
    const RankView* rank_;
    PixelScale scale_;
    bool drifts_;
    DurationNs to_axis_ns_;  // of a clock that does not drift
};

}  // namespace rankscope::ui
