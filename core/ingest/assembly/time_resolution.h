// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/time.h"
#include "core/trace/track.h"

namespace rankscope {

/// Slices from which on a grid that all of them stand on is no chance: each stands on a grid of twice the step in one
/// of two cases.
inline constexpr std::size_t kFewestOnAGrid = 32;

/// The grids that the times of slices stand on, as they were written, in ns: each the coarsest of 1000, 500, 250, 125,
/// 100, 10 and 1 that all of them stand on.
struct TimeGrid {
    DurationNs start_ns = 1;
    DurationNs duration_ns = 1;

    /// An instant, start or end, is known to this step.
    [[nodiscard]] DurationNs resolution() const { return std::max(start_ns, duration_ns); }
    /// How far two instants of the file may lie from how they stand to one another: one step. An end comes of two
    /// rounded times, but it stands on the grid too, where its error and that of another end differ by less than two.
    [[nodiscard]] DurationNs slack() const { return resolution() > 1 ? resolution() : 0; }
};

/// The grids of one kind of tracks. `tracks` are all of one file, with `base_ns` added to their times. Fewer than
/// kFewestOnAGrid slices say nothing, which gives grids of 1.
///
/// Times that went through a double at epoch microseconds are multiples of 250 ns, but are written with the fewest
/// digits that tell them apart: .2, .5, .8 and .0 microseconds, or .3 and .7. These are taken as the grid of 250 ns.
///
/// O(slices), and a few dozen slices of a file with a resolution of 1 ns.
[[nodiscard]] TimeGrid timeGrid(std::span<const Track> tracks, TrackKind kind, TimeNs base_ns);

/// The time resolution of a file in ns: that of its streams, and of its host threads only where no stream has a slice.
[[nodiscard]] DurationNs timeResolution(std::span<const Track> tracks, TimeNs base_ns);

}  // namespace rankscope
