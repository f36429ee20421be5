// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lod/counter_lod.h"

#include <algorithm>
#include <bit>

namespace rankscope {
namespace {

// Shorter series are read change by change.
constexpr std::size_t kShortSeries = 512;
// For the finest level, on average.
constexpr std::uint64_t kChangesABucket = 4;
// A level this small is not worth halving again.
constexpr std::size_t kSmallCounterLevel = 64;

}  // namespace

CounterLod::CounterLod(std::span<const TimeNs> at_ns, std::span<const std::uint64_t> value) {
    if (at_ns.size() < kShortSeries) {
        return;
    }
    const auto extent = static_cast<std::uint64_t>(at_ns.back() - at_ns.front());
    Level level;
    level.log2_step = static_cast<unsigned>(std::bit_width(extent / at_ns.size() * kChangesABucket));
    level.first = at_ns.front() >> level.log2_step;
    const std::int64_t last = at_ns.back() >> level.log2_step;
    level.ranges.reserve(static_cast<std::size_t>(last - level.first) + 1);
    std::uint64_t held = 0;
    std::size_t next = 0;
    for (std::int64_t bucket = level.first; bucket <= last; ++bucket) {
        ValueRange range{held, held};
        for (; next < at_ns.size() && at_ns[next] >> level.log2_step == bucket; ++next) {
            held = value[next];
            range = range.with({held, held});
        }
        level.ranges.push_back(range);
    }
    levels_.push_back(std::move(level));
    while (levels_.back().ranges.size() > kSmallCounterLevel) {
        levels_.push_back(coarser(levels_.back()));
    }
}

CounterLod::Level CounterLod::coarser(const Level& finer) {
    Level level{finer.log2_step + 1, finer.first >> 1, {}};
    for (std::size_t i = 0; i < finer.ranges.size(); ++i) {
        const std::int64_t bucket = (finer.first + static_cast<std::int64_t>(i)) >> 1;
        if (bucket == level.first + static_cast<std::int64_t>(level.ranges.size())) {
            level.ranges.push_back(finer.ranges[i]);
        } else {
            level.ranges.back() = level.ranges.back().with(finer.ranges[i]);
        }
    }
    return level;
}

std::optional<CounterLod::Buckets> CounterLod::query(const TimeSpan& window, DurationNs step_ns) const {
    const auto coarse_enough = std::ranges::find_if(
        levels_, [step_ns](const Level& level) { return (DurationNs{1} << level.log2_step) > step_ns; });
    if (coarse_enough == levels_.begin() || window.empty()) {
        return std::nullopt;
    }
    const Level& level = *std::prev(coarse_enough);
    const auto count = static_cast<std::int64_t>(level.ranges.size());
    const std::int64_t from = std::clamp<std::int64_t>((window.start_ns >> level.log2_step) - level.first, 0, count);
    const std::int64_t to =
        std::clamp<std::int64_t>(((window.end_ns - 1) >> level.log2_step) - level.first + 1, from, count);
    return Buckets{
        (level.first + from) << level.log2_step, DurationNs{1} << level.log2_step,
        std::span(level.ranges).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from))};
}

}  // namespace rankscope
