// SPDX-License-Identifier: GPL-3.0-or-later
// What DDP adds to a step: the all-reduce of each bucket, the end of the backward, which waits for all of them, and
// what its options cost.
#include <algorithm>
#include <cmath>

#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

constexpr DurationNs kLatencyNs = 15'000;
constexpr std::uint32_t kCollectivesMax = 4096;
// A device copies within its own memory, each byte read once and written once.
constexpr double kCopyBytesPerNs = 650;
constexpr std::int64_t kElementBytes = 4;

// Two events a collective: what it sends is ready on the compute stream, it is over on the communication stream.
std::uint32_t readyEvent(std::size_t index) {
    return static_cast<std::uint32_t>(index);
}
std::uint32_t doneEvent(std::size_t index) {
    return kCollectivesMax + static_cast<std::uint32_t>(index);
}

std::size_t usedMapIndex(const StepContext& context) {
    return context.firstBucket() + context.model.buckets.size();
}

// Ring all-reduce: each byte crosses the bus 2 (n - 1) / n times; broadcast: once. The latency comes on top.
DurationNs transferTime(const StepContext& context, const CollectiveCall& call, double times_slower) {
    const int n = context.config.ranks;
    const Fault* network = context.fault(FaultKind::SlowNetwork);
    const double gb_per_s = network != nullptr ? network->amount : context.config.bus_gb_per_s;
    const double crossings = call.kind == CollectiveKind::AllReduce ? 2.0 * (n - 1) / n : 1.0;
    const double bytes = static_cast<double>(call.elements * kElementBytes) * crossings;
    Dice dice(context.config.chanceSeed(), {static_cast<std::uint64_t>(Draw::Collective), call.sequence, 0});
    return kLatencyNs +
           std::llround(static_cast<double>(dice.around(std::llround(bytes / gb_per_s), 20)) * times_slower);
}

struct CollectiveNames {
    std::string_view c10d;
    std::string_view range;
};

CollectiveNames namesOf(CollectiveKind kind) {
    return kind == CollectiveKind::AllReduce ? CollectiveNames{"c10d::allreduce_", "nccl:all_reduce"}
                                             : CollectiveNames{"c10d::broadcast_", "nccl:broadcast"};
}

// `index`: of the collective in the step.
void buildCollective(ProgramBuilder& b, const StepContext& context, std::size_t index, const CollectiveCall& call,
                     double times_slower = 1) {
    const bool modern = context.config.dialect == Dialect::Modern;
    const CollectiveNames names = namesOf(call.kind);
    const auto outer = b.operation(modern ? names.c10d : names.range);
    b.work(20'000);
    b.recordEvent(Stream::Compute, readyEvent(index));
    if (modern) {
        const auto record = b.operation("record_param_comms", -1, call);
        b.call(b.words().is_capturing, 1'200);
        b.waitEvent(Stream::Communication, readyEvent(index));
        const auto nccl = b.annotation(names.range);
        b.work(12'000);
        b.launchCollective(transferTime(context, call, times_slower), call);
        b.recordEvent(Stream::Communication, doneEvent(index));
        b.work(12'000);
    } else {
        b.waitEvent(Stream::Communication, readyEvent(index));
        b.work(12'000);
        b.launchCollective(transferTime(context, call, times_slower), call);
        b.recordEvent(Stream::Communication, doneEvent(index));
        b.work(12'000);
    }
}

DurationNs copyTime(std::int64_t bytes) {
    return 2'000 + std::llround(static_cast<double>(bytes) / kCopyBytesPerNs);
}

void copyGradientsBack(ProgramBuilder& b, const StepContext& context, std::size_t bucket) {
    const Fault* copies = context.fault(FaultKind::GradientCopies);
    if (copies == nullptr) {
        return;
    }
    const auto& buckets = context.model.buckets;
    const std::size_t begin = bucket == 0 ? context.model.layers.size() : buckets[bucket - 1].last_layer;
    for (std::size_t layer = begin; layer-- > buckets[bucket].last_layer;) {
        const ProgramBuilder::DiceScope own(b, context.dice(Draw::GradientCopy, 2 * layer + 1));
        const std::int64_t bytes = context.model.layers[layer].parameters * kElementBytes / std::max(copies->count, 1);
        for (int i = 0; i < copies->count; ++i) {
            const auto back = b.operation("torch.distributed.ddp.reducer::copy_bucket_to_grad");
            const auto copy = b.operation("aten::copy_");
            b.copy(b.words().copy_async, b.words().copy_on_device, copyTime(bytes), bytes, false);
        }
    }
}

void scaleIntoBucket(ProgramBuilder& b, std::int64_t bytes) {
    const auto into = b.operation("torch::distributed::reducer::mul_out");
    const auto mul = b.operation("aten::mul");
    b.work(3'500);
    b.kernel(kernels::kMul, copyTime(bytes));
}

}  // namespace

void buildBroadcast(ProgramBuilder& b, const StepContext& context) {
    if (!context.config.broadcast_buffers) {
        return;
    }
    // Of each batch norm the running mean and variance of 128 channels.
    const auto norms = std::ranges::count(context.model.layers, LayerKind::Convolution, &Layer::kind);
    const ProgramBuilder::DiceScope own(b, context.dice(Draw::Broadcast));
    const CollectiveCall call{256 * std::int64_t{norms} + 1, context.collectiveSequence(0), CollectiveKind::Broadcast};
    buildCollective(b, context, 0, call);
    b.waitEvent(Stream::Compute, doneEvent(0));
}

void buildAllReduce(ProgramBuilder& b, const StepContext& context, std::size_t bucket) {
    const std::size_t index = context.firstBucket() + bucket;
    const Fault* slow = context.fault(FaultKind::SlowCollective);
    const bool slowed = slow != nullptr && static_cast<std::size_t>(slow->count) == bucket;
    buildCollective(b, context, index, {context.model.buckets[bucket].elements, context.collectiveSequence(index)},
                    slowed ? slow->amount : 1);
}

void buildUsedMap(ProgramBuilder& b, const StepContext& context) {
    const Fault* unused = context.fault(FaultKind::FindUnused);
    if (unused == nullptr) {
        return;
    }
    const ProgramBuilder::DiceScope own(b, context.dice(Draw::UsedMap));
    const auto parameters = static_cast<std::int64_t>(context.model.layers.size()) * std::max(unused->count, 1);
    {
        const auto copy = b.operation("aten::copy_");
        b.copy(b.words().copy_async, b.words().copy_pinned, 2'000, parameters * kElementBytes, false);
    }
    const std::size_t index = usedMapIndex(context);
    buildCollective(b, context, index,
                    {parameters, context.collectiveSequence(index), CollectiveKind::AllReduce, ElementType::Int});
}

void buildAwaitBuckets(ProgramBuilder& b, const StepContext& context) {
    for (std::size_t bucket = 0; bucket < context.model.buckets.size(); ++bucket) {
        b.waitEvent(Stream::Compute, doneEvent(context.firstBucket() + bucket));
        b.work(3'000);
        copyGradientsBack(b, context, bucket);
    }
    if (const Fault* unused = context.fault(FaultKind::FindUnused)) {
        // A parameter that this rank did not use: whether another did is read from the device.
        const ProgramBuilder::DiceScope own(b, context.dice(Draw::UsedMap, 1));
        b.waitEvent(Stream::Compute, doneEvent(usedMapIndex(context)));
        const auto copy = b.operation("aten::copy_");
        const auto parameters = static_cast<std::int64_t>(context.model.layers.size()) * std::max(unused->count, 1);
        b.copy(b.words().copy_blocking, b.words().copy_to_host, 2'000, parameters * kElementBytes, true);
        if (!b.words().copy_sync.empty()) {
            b.synchronize(b.words().copy_sync, 2'500, Stream::Compute);
        }
    }
}

void buildAccumulate(ProgramBuilder& b, const StepContext& context, std::size_t layer) {
    const int scaled = context.config.scaled_parameters;
    const int parameters = std::max(scaled, 1);
    for (int i = 0; i < parameters; ++i) {
        const auto engine = b.operation("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad");
        {
            const auto node = b.operation("torch::autograd::AccumulateGrad");
            const auto detach = b.operation("aten::detach");
            b.leaf("detach", 1'500);
        }
        if (scaled > 0) {
            const ProgramBuilder::DiceScope own(b, context.dice(Draw::GradientCopy, 2 * layer));
            scaleIntoBucket(b, context.model.layers[layer].parameters * kElementBytes / parameters);
        }
    }
}

}  // namespace rankscope::tracegen
