// SPDX-License-Identifier: GPL-3.0-or-later
// The all-reduce of a bucket, and the end of the backward, which waits for all of them.
#include <cmath>

#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

constexpr DurationNs kLatencyNs = 15'000;
constexpr std::uint32_t kBucketsMax = 4096;

// Two events a bucket: gradients ready on the compute stream, reduction done on the communication stream.
std::uint32_t readyEvent(std::size_t bucket) {
    return static_cast<std::uint32_t>(bucket);
}
std::uint32_t doneEvent(std::size_t bucket) {
    return kBucketsMax + static_cast<std::uint32_t>(bucket);
}

// Ring all-reduce: each byte crosses the bus 2 (n - 1) / n times.
DurationNs transferTime(const StepContext& context, const CollectiveCall& call) {
    const int n = context.config.ranks;
    const double bytes = static_cast<double>(call.elements) * 4 * 2 * (n - 1) / n;
    Dice dice(context.config.seed, {static_cast<std::uint64_t>(Draw::Collective), call.sequence, 0});
    return kLatencyNs + dice.around(std::llround(bytes / context.config.bus_gb_per_s), 20);
}

}  // namespace

void buildAllReduce(ProgramBuilder& b, const StepContext& context, std::size_t bucket) {
    const CollectiveCall call{context.model.buckets[bucket].elements, context.collectiveSequence(bucket)};
    const bool modern = context.config.dialect == Dialect::Modern;
    const auto outer = b.operation(modern ? "c10d::allreduce_" : "nccl:all_reduce");
    b.work(20'000);
    b.recordEvent(Stream::Compute, readyEvent(bucket));
    if (modern) {
        const auto record = b.operation("record_param_comms", -1, call);
        b.call(b.words().is_capturing, 1'200);
        b.waitEvent(Stream::Communication, readyEvent(bucket));
        const auto nccl = b.annotation("nccl:all_reduce");
        b.work(12'000);
        b.launchCollective(transferTime(context, call), call);
        b.recordEvent(Stream::Communication, doneEvent(bucket));
        b.work(12'000);
    } else {
        b.waitEvent(Stream::Communication, readyEvent(bucket));
        b.work(12'000);
        b.launchCollective(transferTime(context, call), call);
        b.recordEvent(Stream::Communication, doneEvent(bucket));
        b.work(12'000);
    }
}

void buildAwaitBuckets(ProgramBuilder& b, const StepContext& context) {
    for (std::size_t bucket = 0; bucket < context.model.buckets.size(); ++bucket) {
        b.waitEvent(Stream::Compute, doneEvent(bucket));
        b.work(3'000);
    }
}

}  // namespace rankscope::tracegen
