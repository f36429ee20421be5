// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace rankscope {

/// An index that cannot be mixed up with another kind of index. Default-constructed it names nothing.
template <class Tag>
struct StrongId {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t value = kNone;

    constexpr StrongId() = default;
    /// Names the element at `index`, which should be below kNone.
    constexpr explicit StrongId(std::uint32_t index) : value(index) {}

    /// Whether it names anything: false for a default-constructed index. Says nothing of whether the container reaches
    /// that far.
    [[nodiscard]] constexpr bool valid() const { return value != kNone; }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

/// A string in the StringPool of one rank trace.
using StringId = StrongId<struct StringTag>;
/// A track: an index into RankTrace::tracks.
using TrackId = StrongId<struct TrackTag>;

/// Position of a slice in the SliceTable of its track.
using SliceIndex = std::uint32_t;
inline constexpr SliceIndex kNoSlice = std::numeric_limits<SliceIndex>::max();

/// One slice of one rank trace.
struct SliceRef {
    TrackId track;
    SliceIndex slice = kNoSlice;

    /// Whether it names a slice: false for a default-constructed reference, as for device work without a launch call.
    [[nodiscard]] constexpr bool valid() const { return track.valid() && slice != kNoSlice; }
    friend constexpr auto operator<=>(const SliceRef&, const SliceRef&) = default;
};

}  // namespace rankscope
