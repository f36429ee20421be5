// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/rank_dependencies.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "core/analysis/collectives/used_map.h"

namespace rankscope {
namespace {

constexpr std::size_t kDeepQueue = 256;
constexpr DurationNs kQuickCallNs = 20'000;

/// For each piece of work, by launch: how many were launched before it, including those in `beside`.
std::vector<std::size_t> launchNumbers(std::span<const DeviceEvent* const> launched,
                                       std::span<const DeviceEvent> beside) {
    std::vector<std::size_t> numbers(launched.size());
    std::size_t more = 0;
    for (std::size_t i = 0; i < launched.size(); ++i) {
        while (more < beside.size() && beside[more].launched_ns < launched[i]->launched_ns) {
            ++more;
        }
        numbers[i] = i + more;
    }
    return numbers;
}

}  // namespace

std::vector<BlockedLaunch> findBlockedLaunches(std::span<const DeviceEvent* const> launched,
                                               std::span<const DeviceEvent> beside) {
    const std::vector<std::size_t> numbers = launchNumbers(launched, beside);
    std::vector<BlockedLaunch> blocked;
    std::uint32_t old = 0;  // the first that was not launched kDeepQueue before the current one
    SliceRef call;          // launch call of a graph, which launches many
    for (std::uint32_t i = 0; i < launched.size(); ++i) {
        const DeviceEvent& event = *launched[i];
        const bool is_new = event.launch.valid() && event.launch != call;
        call = event.launch;
        while (numbers[old] + kDeepQueue <= numbers[i]) {
            ++old;
        }
        if (is_new && event.call.length() > kQuickCallNs && old > 0 &&
            launched[old - 1]->span.end_ns > event.call.start_ns) {
            blocked.push_back({i, 0});
        }
    }
    if (blocked.empty()) {
        return blocked;
    }
    std::vector<std::uint32_t> by_end(launched.size());
    std::iota(by_end.begin(), by_end.end(), 0U);
    const auto end_of = [&](std::uint32_t i) { return launched[i]->span.end_ns; };
    std::ranges::sort(by_end, {}, end_of);
    std::erase_if(blocked, [&](BlockedLaunch& one) {
        const TimeSpan& span = launched[one.event]->call;
        auto last = std::ranges::upper_bound(by_end, span.end_ns, {}, end_of);
        while (last != by_end.begin() && end_of(*(last - 1)) > span.start_ns) {
            --last;
            if (numbers[*last] + kDeepQueue <= numbers[one.event]) {
                one.released_by = *last;
                return false;
            }
        }
        return true;
    });
    return blocked;
}

namespace {

/// The names of the call, one per entry point.
std::vector<StringId> namesOfWait(const RankTrace& trace) {
    std::vector<StringId> names;
    for (std::uint32_t i = 0; i < trace.strings.size(); ++i) {
        if (trace.strings.view(StringId(i)).find("StreamWaitEvent") != std::string_view::npos) {
            names.emplace_back(i);
        }
    }
    return names;
}

}  // namespace

std::vector<TimeNs> waitsForCommunication(const RankContext& work) {
    std::vector<TimeNs> waits;
    const std::vector<StringId> names = namesOfWait(*work.trace);
    for (const HostThread& thread : work.threads.all()) {
        if (names.empty() || !thread.track.valid() || !thread.puts_work) {
            continue;
        }
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (std::ranges::find(names, slices.name[i]) != names.end() &&
                !collectiveAround(work, {thread.track, i}).valid()) {
                waits.push_back(slices.start_ns[i]);
            }
        }
    }
    std::ranges::sort(waits);
    return waits;
}

void orderBehindCommunication(const std::vector<TimeNs>& waits, DurationNs slack_ns, std::vector<ReplayEvent>& events) {
    std::vector<std::uint32_t> communication;  // so far, by launch
    std::size_t told = 0;                      // number of waits so far
    for (std::uint32_t i = 0; i < events.size() && told < waits.size(); ++i) {
        ReplayEvent& event = events[i];
        if (event.communication) {
            communication.push_back(i);
            continue;
        }
        if (waits[told] > event.launched_ns) {
            continue;
        }
        while (told < waits.size() && waits[told] <= event.launched_ns) {
            ++told;
        }
        const auto over = std::ranges::find_if(communication.rbegin(), communication.rend(), [&](std::uint32_t c) {
            return events[c].launched_ns < waits[told - 1] && events[c].span.end_ns <= event.span.start_ns + slack_ns;
        });
        if (over != communication.rend()) {
            event.comes_after = *over;
            event.after_gap_ns = std::min<DurationNs>(0, event.span.start_ns - events[*over].span.end_ns);
        }
    }
}

}  // namespace rankscope
