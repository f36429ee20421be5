// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/time_resolution.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace rankscope {
namespace {

constexpr DurationNs kMicrosecond = 1000;
/// Coarsest first; all except the last are recognised by the part of a time below a microsecond.
constexpr std::array<DurationNs, 7> kGrids = {1000, 500, 250, 125, 100, 10, 1};
constexpr unsigned kAllGrids = (1U << kGrids.size()) - 1;
constexpr unsigned kFinest = 1U << (kGrids.size() - 1);
constexpr DurationNs kQuarter = 250;

/// Whether a multiple of 250 ns has this form when written with the fewest digits.
constexpr bool shortQuarter(DurationNs below_us) {
    return below_us == 200 || below_us == 300 || below_us == 700 || below_us == 800;
}

/// The grids that a time is a multiple of, one bit each, by its part below a microsecond.
constexpr auto kGridsOf = [] {
    std::array<std::uint8_t, kMicrosecond> of{};
    for (DurationNs below_us = 0; below_us < kMicrosecond; ++below_us) {
        for (std::size_t i = 0; i < kGrids.size(); ++i) {
            const bool on = below_us % kGrids[i] == 0 || (kGrids[i] == kQuarter && shortQuarter(below_us));
            of[static_cast<std::size_t>(below_us)] |= static_cast<std::uint8_t>(on ? 1U << i : 0U);
        }
    }
    return of;
}();

unsigned gridsOf(TimeNs t) {
    const TimeNs below_us = t % kMicrosecond;
    return kGridsOf[static_cast<std::size_t>(below_us < 0 ? below_us + kMicrosecond : below_us)];
}

DurationNs coarsest(unsigned grids) {
    for (std::size_t i = 0; i < kGrids.size(); ++i) {
        if ((grids & (1U << i)) != 0) {
            return kGrids[i];
        }
    }
    return 1;
}

}  // namespace

TimeGrid timeGrid(std::span<const Track> tracks, TrackKind kind, TimeNs base_ns) {
    unsigned starts = kAllGrids;
    unsigned durations = kAllGrids;
    std::size_t seen = 0;
    for (const Track& track : tracks) {
        const SliceTable& slices = track.slices;
        for (std::size_t i = 0; i < slices.size() && track.kind == kind; ++i) {
            starts &= gridsOf(slices.start_ns[i] - base_ns);
            durations &= gridsOf(slices.end_ns[i] - slices.start_ns[i]);
            ++seen;
            if (starts == kFinest && durations == kFinest && seen >= kFewestOnAGrid) {
                return {};
            }
        }
    }
    return seen < kFewestOnAGrid ? TimeGrid() : TimeGrid{coarsest(starts), coarsest(durations)};
}

DurationNs timeResolution(std::span<const Track> tracks, TimeNs base_ns) {
    const bool device = std::ranges::any_of(
        tracks, [](const Track& track) { return track.kind == TrackKind::Stream && track.slices.size() > 0; });
    return timeGrid(tracks, device ? TrackKind::Stream : TrackKind::CpuThread, base_ns).resolution();
}

}  // namespace rankscope
