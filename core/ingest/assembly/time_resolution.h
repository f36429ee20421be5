// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "core/base/time.h"
#include "core/trace/track.h"

namespace rankscope {

/// Slices from which on a grid that all of them stand on is no chance: each stands on a grid of twice the step in one
/// of two cases.
inline constexpr std::size_t kFewestOnAGrid = 32;

/// The time resolution of a file in ns: the coarser of the grid that the starts of its slices stand on, as they were
/// written, and the grid of their durations; each is the coarsest of 1000, 500, 250, 125, 100, 10 and 1 ns that all of
/// them stand on. An instant, start or end, is known to this step. `tracks` are all of one file, with `base_ns` added
/// to their times. The slices of streams decide, host threads only where no stream has any; fewer than kFewestOnAGrid
/// of them say nothing, which gives 1.
///
/// Times that went through a double at epoch microseconds are multiples of 250 ns, but are written with the fewest
/// digits that tell them apart: .2, .5, .8 and .0 microseconds, or .3 and .7. These are taken as the grid of 250 ns.
///
/// O(slices), and a few dozen slices of a file with a resolution of 1 ns.
[[nodiscard]] DurationNs timeResolution(std::span<const Track> tracks, TimeNs base_ns);

}  // namespace rankscope
