// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "core/lod/lod_levels.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// The colours of buckets of many slices: the middle of their hue, fainter the less of their place they cover.
class BucketFills {
  public:
    BucketFills(const SliceColors& colors, QRgb background);
    [[nodiscard]] QRgb fill(Hue hue, const LodItem& bucket) const {
        const int share = static_cast<int>(bucket.busyShare() * (kShares - 1));
        return fills_[static_cast<std::size_t>(hue)][static_cast<std::size_t>(share)];
    }

  private:
    static constexpr std::size_t kShares = 147;  // as many as can be distinguished
    std::array<std::array<QRgb, kShares>, kHueCount> fills_{};
};

/// How slices look, alone and in buckets.
struct SliceLooks {
    explicit SliceLooks(const Theme& theme) : colors(SliceColors::of(theme)), buckets(colors, theme.track.rgb()) {}

    const SliceColors& colors;
    BucketFills buckets;
};

/// Appends to the items of `frame` the results of the index of `track` for a row: in order of time, and none over the
/// pixel of the previous one. What is outside the frame is left out.
void addItems(std::span<const LodItem> found, const RankView& rank, TrackId track, const SliceLooks& looks,
              Frame& frame);

}  // namespace rankscope::ui
