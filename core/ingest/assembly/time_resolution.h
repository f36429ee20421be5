// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/time.h"
#include "core/trace/track.h"

namespace rankscope {

/// Fewer slices than this say nothing about the resolution: by chance, half of all slices are also multiples of twice
/// the step.
inline constexpr std::size_t kFewestOnAGrid = 32;

/// Time resolution of a file, in ns: the coarsest of 1000, 500, 250, 125, 100, 10 and 1 that all its written timestamps
/// are multiples of.
struct TimeGrid {
    DurationNs start_ns = 1;
    DurationNs duration_ns = 1;

    /// An instant, start or end, is known to this step.
    [[nodiscard]] DurationNs resolution() const { return std::max(start_ns, duration_ns); }
    /// The largest error between two instants of the file: one step. An end comes from two rounded times, but is a
    /// multiple of the step too, so its error and that of another end differ by less than two steps.
    [[nodiscard]] DurationNs slack() const { return resolution() > 1 ? resolution() : 0; }
};

/// The time grid of one kind of tracks. `tracks` are all of one file, with `base_ns` added to their times. Fewer than
/// kFewestOnAGrid slices show nothing, which gives a grid of 1.
///
/// Times that went through a double at epoch microseconds are multiples of 250 ns, but are written with the fewest
/// digits that distinguish them: .2, .5, .8 and .0 microseconds, or .3 and .7. These count as the grid of 250 ns.
///
/// O(slices); only a few dozen slices of a file with a resolution of 1 ns.
[[nodiscard]] TimeGrid timeGrid(std::span<const Track> tracks, TrackKind kind, TimeNs base_ns);

/// The time resolution of a file in ns: that of its streams, or of its host threads if no stream has a slice.
[[nodiscard]] DurationNs timeResolution(std::span<const Track> tracks, TimeNs base_ns);

}  // namespace rankscope
