// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/finding.h"

#include <array>

namespace rankscope {

std::string_view findingName(FindingId id) {
    static constexpr std::array<std::string_view, kFindingIds> kNames = {"dataloader-stall",
                                                                         "unpinned-memcpy",
                                                                         "host-sync",
                                                                         "allocator-stall",
                                                                         "host-stall",
                                                                         "host-code",
                                                                         "launch-bound",
                                                                         "device-shared",
                                                                         "late-answer",
                                                                         "warm-up",
                                                                         "unexplained-idle",
                                                                         "find-unused-parameters",
                                                                         "gradient-copies",
                                                                         "bucket-size",
                                                                         "shard-gather-late",
                                                                         "tensor-communication",
                                                                         "expert-imbalance",
                                                                         "slow-collective",
                                                                         "exposed-communication",
                                                                         "step-spikes",
                                                                         "straggler-rank",
                                                                         "moving-straggler",
                                                                         "gpu-slows-down",
                                                                         "pipeline-bubble",
                                                                         "no-tensor-cores",
                                                                         "low-precision-unused",
                                                                         "stage-imbalance",
                                                                         "memory-pressure",
                                                                         "trace-health"};
    return kNames[static_cast<std::size_t>(id)];
}

std::string_view lateBecauseName(LateBecause cause) {
    switch (cause) {
        case LateBecause::SlowerKernels: return "slower-kernels";
        case LateBecause::MoreKernels: return "more-kernels";
        case LateBecause::DataLoader: return "dataloader";
        case LateBecause::HostSync: return "host-sync";
        case LateBecause::BlockingCopy: return "blocking-copy";
        case LateBecause::Allocator: return "allocator";
        case LateBecause::Host: return "host";
        case LateBecause::Copies: return "copies";
        case LateBecause::DeviceShared: return "device-shared";
        case LateBecause::LateAnswer: return "late-answer";
        case LateBecause::Throttling: return "throttling";
    }
    return "host";
}

std::string_view spikeCauseName(SpikeCause cause) {
    switch (cause) {
        case SpikeCause::Checkpoint: return "checkpoint";
        case SpikeCause::Evaluation: return "evaluation";
        case SpikeCause::DataLoader: return "dataloader";
        case SpikeCause::Allocator: return "allocator";
        case SpikeCause::Profiler: return "profiler";
        case SpikeCause::Collection: return "collection";
        case SpikeCause::HostCode: return "host-code";
        case SpikeCause::HostPause: return "host-pause";
    }
    return "host-pause";
}

std::string_view exposedBecauseName(ExposedBecause cause) {
    switch (cause) {
        case ExposedBecause::SameStream: return "same-stream";
        case ExposedBecause::Awaited: return "awaited";
        case ExposedBecause::IssuedLate: return "issued-late";
        case ExposedBecause::NothingLeft: break;
    }
    return "nothing-left";
}

std::string_view findingCauseName(const FindingCause& cause) {
    if (const auto* const exposed = std::get_if<ExposedBecause>(&cause)) {
        return exposedBecauseName(*exposed);
    }
    if (const auto* const late = std::get_if<LateBecause>(&cause)) {
        return lateBecauseName(*late);
    }
    const auto* const spike = std::get_if<SpikeCause>(&cause);
    return spike == nullptr ? std::string_view() : spikeCauseName(*spike);
}

std::string_view severityName(Severity severity) {
    switch (severity) {
        case Severity::Low: return "low";
        case Severity::Medium: return "medium";
        case Severity::High: return "high";
    }
    return "low";
}

std::string_view ddpPartName(DdpPartKind part) {
    switch (part) {
        case DdpPartKind::SearchUnused: return "search_unused_parameters";
        case DdpPartKind::CopyToGradient: return "copy_bucket_to_grad";
        case DdpPartKind::BroadcastBuffers: return "broadcast_buffers";
    }
    return "broadcast_buffers";
}

bool isToldAsRange(const Finding& finding, DurationNs step_ns) {
    constexpr double kSure = 0.02;
    return !finding.at_most && finding.range &&
           finding.range->high_ns - finding.range->low_ns >
               static_cast<DurationNs>(kSure * static_cast<double>(step_ns));
}

}  // namespace rankscope
