// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/launch_counts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace rankscope {
namespace {

/// Calls that launch work; if there is no device record for them, that record was lost.
constexpr std::array<std::string_view, 12> kLaunchPrefixes = {
    "cudaLaunch",   "cuLaunch",        "cudaMemcpyAsync",    "cudaMemsetAsync", "cudaGraphLaunch", "hipLaunch",
    "hipExtLaunch", "hipModuleLaunch", "hipExtModuleLaunch", "hipMemcpyAsync",  "hipMemsetAsync",  "hipGraphLaunch"};

bool launchesWork(std::string_view name) {
    return std::ranges::any_of(kLaunchPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::vector<SliceRef> launchingCalls(const std::vector<SliceRef>& calls, const RankTrace& trace) {
    std::vector<std::optional<bool>> known(trace.strings.size());
    std::vector<SliceRef> launching;
    for (const SliceRef call : calls) {
        const StringId name = trace.track(call).slices.name[call.slice];
        std::optional<bool>& launches = known[name.value];
        if (!launches) {
            launches = launchesWork(trace.strings.view(name));
        }
        if (*launches) {
            launching.push_back(call);
        }
    }
    return launching;
}

std::uint64_t countUnlinked(const std::vector<SliceRef>& calls, std::span<const Launch> launches) {
    std::uint64_t count = 0;
    auto launch = launches.begin();
    for (const SliceRef call : calls) {
        while (launch != launches.end() && launch->host < call) {
            ++launch;
        }
        count += launch == launches.end() || launch->host != call ? 1U : 0U;
    }
    return count;
}

std::size_t countDeviceWork(const RankTrace& trace) {
    std::size_t count = 0;
    for (const Track& track : trace.tracks) {
        count += track.kind == TrackKind::Stream ? track.slices.size() : 0;
    }
    return count;
}

std::uint64_t countEarlyKernels(const RankTrace& trace) {
    std::uint64_t count = 0;
    for (const Launch& launch : trace.launches.all()) {
        count += trace.span(launch.device).start_ns < trace.span(launch.host).start_ns ? 1U : 0U;
    }
    return count;
}

}  // namespace rankscope
