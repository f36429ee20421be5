// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/facts.h"

#include <numeric>
#include <utility>

namespace rankscope {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, kCauseCount> kCauses = {{
    {"dataloader", "DataLoader"},
    {"host-sync", "GPU synchronisation"},
    {"blocking-copy", "Blocking copy"},
    {"allocator", "GPU allocator"},
    {"launch", "Launch calls"},
    {"launch-latency", "Launch latency"},
    {"operator", "Operator code"},
    {"python", "Python code"},
    {"host-stall", "Stalled CPU thread"},
    {"unrecorded", "Unrecorded CPU time"},
    {"queued", "Queued, cause unknown"},
    {"kernel-to-kernel", "Kernel to kernel"},
    {"inside-graph", "Inside a graph launch"},
    {"device-shared", "GPU used by others"},
    {"late-answer", "GPU answers late"},
    {"warm-up", "Warm-up of graphs and modules"},
    {"other-rank", "Another rank"},
}};

}  // namespace

std::string_view causeName(Cause cause) {
    return kCauses[static_cast<std::size_t>(cause)].first;
}

std::string_view causeTitle(Cause cause) {
    return kCauses[static_cast<std::size_t>(cause)].second;
}

std::string_view waitedForName(WaitedFor what) {
    switch (what) {
        case WaitedFor::Compute: return "compute";
        case WaitedFor::Communication: return "communication";
        case WaitedFor::Copy: return "copy";
        case WaitedFor::Idle: return "idle";
        case WaitedFor::Unknown: return "unknown";
    }
    return "unknown";
}

DurationNs CauseTimes::total() const {
    return std::accumulate(ns.begin(), ns.end(), DurationNs{0});
}

PathTimes& PathTimes::operator+=(const PathTimes& other) {
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        idle.ns[i] += other.idle.ns[i];
    }
    compute_ns += other.compute_ns;
    transfer_ns += other.transfer_ns;
    copy_ns += other.copy_ns;
    unknown_ns += other.unknown_ns;
    unsplit_ns += other.unsplit_ns;
    return *this;
}

std::string_view stepBasisName(StepBasis basis) {
    return basis == StepBasis::Mean ? "mean" : "median";
}

std::string_view stepSourceName(StepSource source) {
    switch (source) {
        case StepSource::ProfilerStep: return "profiler-step";
        case StepSource::NamedRange: return "named-range";
        case StepSource::Iteration: return "iteration";
        case StepSource::OptimizerStep: return "optimizer-step";
        case StepSource::DataLoaderNext: return "dataloader-next";
        case StepSource::WholeWindow: return "whole-window";
    }
    return "whole-window";
}

}  // namespace rankscope
