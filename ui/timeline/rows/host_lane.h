// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ui/timeline/rows/rank_tracks.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// The one row of slices that represents the host threads of a rank while these are folded.
struct HostLane {
    TrackId track;
    std::uint16_t depth = 0;  ///< the row of the track
};

/// The main thread, else the thread with most slices; of that thread the row directly inside the step marks, which
/// shows the parts of a step, else its first row. Nothing if there are no threads. O(threads).
[[nodiscard]] std::optional<HostLane> hostLane(const RankView& rank, std::span<const RankTracks::Listed> threads);

/// Whether a thread records almost nothing, so that its row would be empty: it launches no device work, is not the main
/// thread, has fewer than 256 slices, and these cover less than 1 % of the time that the rank recorded. At the usual
/// width, a pixel is about 0.1 % of it: such a thread shows at most a few dots. Examines fewer than 256 slices.
[[nodiscard]] bool isQuietThread(const RankView& rank, TrackId thread);

}  // namespace rankscope::ui
