// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/host_bars.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace rankscope::ui {
namespace {

constexpr double kMargin = 4;  // logical pixels above and below the bars

/// The stalls of one thread, sorted by start and also by end.
std::span<const HostStall> stallsOf(const std::vector<HostStall>& stalls, TrackId track) {
    return {std::ranges::equal_range(stalls, track, {}, &HostStall::track)};
}

}  // namespace

void addHostBars(const HostIndex& host, TimeNs base_ns, FrameHostRow row, Frame& frame) {
    const auto pixel_of = [&](TimeNs at_ns) { return frame.scale.pixelAt(at_ns - base_ns); };
    const auto& changes = host.changes;
    const std::int32_t first = std::max(0, pixel_of(host.window.start_ns));
    const std::int32_t last = std::min(frame.width, pixel_of(host.window.end_ns));
    row.ranks = static_cast<std::uint32_t>(host.ranks.size());
    row.first = static_cast<std::uint32_t>(frame.host_bars.size());
    // The first change after the pixel; the value at the pixel's start is that of the last change before it.
    const auto behind = [&](std::int32_t x, std::ptrdiff_t from) {
        return std::partition_point(changes.begin() + from, changes.end(),
                                    [&](const RunningRanks& change) { return pixel_of(change.at_ns) <= x; }) -
               changes.begin();
    };
    std::ptrdiff_t next = first < last ? behind(first - 1, 0) : 0;
    for (std::int32_t x = first; x < last;) {
        const std::ptrdiff_t after = behind(x, next);
        const auto held = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, next - 1));
        const ValueRange range = host.lod.range(held, static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after)));
        // Without a change inside, the value is constant up to the pixel of the next change.
        const bool steady = after == next;
        const bool to_end = after == std::ssize(changes);
        const std::int32_t until = !steady  ? x + 1
                                   : to_end ? last
                                            : std::min(last, pixel_of(changes[static_cast<std::size_t>(after)].at_ns));
        if (frame.host_bars.size() > row.first && frame.host_bars.back().running == range) {
            frame.host_bars.back().x1 = until;
        } else {
            frame.host_bars.push_back({x, until, range});
        }
        x = until;
        next = after;
    }
    row.last = static_cast<std::uint32_t>(frame.host_bars.size());
    row.pad = static_cast<std::int32_t>(std::lround(kMargin * frame.pixel_ratio));
    frame.host_rows.push_back(row);
}

std::int32_t barHeight(const FrameHostRow& row, std::uint64_t running) {
    const std::int32_t room = row.height - 2 * row.pad;
    return row.ranks == 0 ? 0 : static_cast<std::int32_t>(std::lround(room * static_cast<double>(running) / row.ranks));
}

HostBarAt hostBarAt(const Frame& frame, int x, int y) {
    for (const FrameHostRow& row : frame.host_rows) {
        if (y < row.y || y >= row.y + row.height || frame.staysAtTop(row.y, row.height) != (y < frame.sticky)) {
            continue;
        }
        const auto bars = std::span(frame.host_bars).subspan(row.first, row.last - row.first);
        const auto at = std::ranges::partition_point(bars, [x](const FrameBar& bar) { return bar.x1 <= x; });
        if (at != bars.end() && at->x0 <= x) {
            return {&row, &*at};
        }
    }
    return {};
}

Selection stallAtBar(const TimelineModel& model, const Frame& frame, const HitRunning& over, int x) {
    const RunView& run = model.runs()[over.run];
    if (run.index == nullptr || over.host >= run.index->hosts.size()) {
        return {};
    }
    const TimeSpan pixel{frame.scale.timeAt(x), frame.scale.timeAt(x + 1)};
    DurationNs longest_ns = 0;
    Selection found;
    for (const RankPosition rank : run.index->hosts[over.host].ranks) {
        const RankView* view = model.rank(over.run, rank);
        if (view == nullptr || view->facts == nullptr) {
            continue;
        }
        const std::vector<HostStall>& stalls = view->facts->stalls;
        const TimeSpan at{view->toFile(pixel.start_ns), view->toFile(pixel.end_ns)};
        for (auto thread = stalls.begin(); thread != stalls.end();) {
            const auto of_thread = stallsOf(stalls, thread->track);
            const auto after = std::ranges::partition_point(
                of_thread, [&](const HostStall& stall) { return stall.span.start_ns < at.end_ns; });
            const HostStall* stall = after != of_thread.begin() ? &*std::prev(after) : nullptr;
            if (stall != nullptr && stall->span.end_ns > at.start_ns && stall->slice != kNoSlice &&
                stall->span.length() > longest_ns) {
                longest_ns = stall->span.length();
                found = SliceSelection{over.run, rank, {stall->track, stall->slice}};
            }
            thread += std::ssize(of_thread);
        }
    }
    return found;
}

}  // namespace rankscope::ui
