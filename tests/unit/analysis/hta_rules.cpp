// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/analysis/hta_rules.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "core/base/interval_set.h"

namespace rankscope::test {
namespace {

bool has(std::string_view name, std::string_view part) {
    return name.find(part) != std::string_view::npos;
}

/// The start of the last ProfilerStep where there are several; the end of time where there is one or none. What has no
/// `stream` argument is a host row to HTA, and so are the `gpu_user_annotation` rows that ROCm writes: where the last
/// step has one, HTA takes its start, which is the later.
TimeNs lastStepStart(const RankTrace& rank) {
    std::set<std::string_view> names;
    TimeNs last_ns = std::numeric_limits<TimeNs>::min();
    for (const Track& track : rank.tracks) {
        const bool counts = track.kind == TrackKind::CpuThread || track.kind == TrackKind::StreamAnnotation;
        for (SliceIndex i = 0; counts && i < track.slices.size(); ++i) {
            const std::string_view name = rank.strings.view(track.slices.name[i]);
            if (name.starts_with("ProfilerStep")) {
                names.insert(name);
                last_ns = std::max(last_ns, track.slices.start_ns[i]);
            }
        }
    }
    return names.size() > 1 ? last_ns : std::numeric_limits<TimeNs>::max();
}

struct Rows {
    std::vector<TimeSpan> all;
    std::vector<TimeSpan> compute;
    std::vector<TimeSpan> communication;
};

Rows rowsOf(const RankTrace& rank) {
    const TimeNs until_ns = lastStepStart(rank);
    const bool several = until_ns != std::numeric_limits<TimeNs>::max();
    Rows rows;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const Track& track = rank.tracks[t];
        if (track.kind != TrackKind::Stream && track.kind != TrackKind::StreamSync) {
            continue;
        }
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            const SliceRef launch = rank.launches.launchOf({TrackId(t), i});
            if (several && (!launch.valid() || rank.span(launch).start_ns >= until_ns)) {
                continue;
            }
            rows.all.push_back(track.slices.span(i));
            switch (htaClassOf(rank.strings.view(track.slices.name[i]))) {
                case HtaClass::Computation: rows.compute.push_back(rows.all.back()); break;
                case HtaClass::Communication: rows.communication.push_back(rows.all.back()); break;
                default: break;
            }
        }
    }
    return rows;
}

}  // namespace

HtaClass htaClassOf(std::string_view name) {
    if (name.starts_with("nccl") || name.starts_with("hip") || name.starts_with("hccl") || has(name, "ncclKernel")) {
        return HtaClass::Communication;
    }
    if (name.starts_with("Memcpy") || name.starts_with("Memset") || name.starts_with("dma")) {
        return HtaClass::Memory;
    }
    const std::size_t cuda = name.find("cuda");
    const bool launch = cuda != std::string_view::npos && has(name.substr(cuda), "LaunchKernel");
    const bool excluded = has(name, "Memcpy") || has(name, "Memset") || has(name, "dma") || has(name, "Sync") ||
                          name.starts_with("Stream Wait Event") || launch || name.starts_with("runFunction");
    return excluded ? HtaClass::Other : HtaClass::Computation;
}

HtaBreakdown htaBreakdown(const RankTrace& rank) {
    const Rows rows = rowsOf(rank);
    HtaBreakdown out;
    out.rows = rows.all.size();
    if (rows.all.empty()) {
        return out;
    }
    const TimeNs start_ns = std::ranges::min(rows.all, {}, &TimeSpan::start_ns).start_ns;
    const TimeNs end_ns = std::ranges::max(rows.all, {}, &TimeSpan::end_ns).end_ns;
    const IntervalSet compute = IntervalSet::unionOf(rows.compute);
    const IntervalSet communication = IntervalSet::unionOf(rows.communication);
    const DurationNs busy_ns = IntervalSet::unionOf(rows.all).length();
    out.window_ns = end_ns - start_ns;
    out.idle_ns = out.window_ns - busy_ns;
    out.compute_ns = compute.length();
    out.non_compute_ns = busy_ns - out.compute_ns;
    if (!communication.empty()) {
        out.overlap_percent = 100.0 * static_cast<double>(compute.intersect(communication).length()) /
                              static_cast<double>(communication.length());
    }
    return out;
}

}  // namespace rankscope::test
