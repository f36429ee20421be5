// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/stream_waits.h"

#include <algorithm>
#include <string_view>

#include "core/analysis/collectives/used_map.h"

namespace rankscope {
namespace {

/// The names of the call, one an entry point.
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

void orderBehindCommunication(const std::vector<TimeNs>& waits, std::vector<ReplayEvent>& events) {
    std::vector<std::uint32_t> communication;  // so far, by launch
    std::size_t told = 0;                      // waits so far
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
            return events[c].launched_ns < waits[told - 1] && events[c].span.end_ns <= event.span.start_ns;
        });
        if (over != communication.rend()) {
            event.comes_after = *over;
        }
    }
}

}  // namespace rankscope
