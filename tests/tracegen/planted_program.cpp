// SPDX-License-Identifier: GPL-3.0-or-later
// The faults that add their own instructions to the forward pass.
#include <cmath>

#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

// How many of `count` things, spread evenly over `layers` layers, stand before layer `index`.
int thingsBefore(std::size_t index, std::size_t layers, int count) {
    const auto up_to = [layers, count](std::size_t i) { return static_cast<std::size_t>(count) * i / layers; };
    return static_cast<int>(up_to(index + 1) - up_to(index));
}

void readBack(ProgramBuilder& b, DurationNs python_ns) {
    const Vocabulary& words = b.words();
    {
        const auto python = b.python("<built-in method item of Tensor object>");
        const auto item = b.operation("aten::item");
        const auto scalar = b.operation("aten::_local_scalar_dense");
        b.work(1'500);
        b.copy(words.copy_blocking, words.copy_to_host, 2'000, 4, true);
        if (!words.copy_sync.empty()) {
            b.synchronize(words.copy_sync, 2'500, Stream::Compute);
        }
    }
    const auto python = b.python("train.py(38): log_activation");
    b.work(python_ns);
}

void allocate(ProgramBuilder& b, DurationNs each_ns, int count) {
    const auto empty = b.operation("aten::empty");
    // The caching allocator gives its blocks back first, and to free one is to wait for the device.
    b.synchronize(b.words().device_free, each_ns / 2, std::nullopt);
    for (int i = 0; i < count; ++i) {
        b.call(b.words().device_malloc, each_ns);
    }
}

// A long piece of the same work varies less than the short ones between launches.
void steadyWork(ProgramBuilder& b, double ms) {
    constexpr std::int64_t kJitter = 30;  // thousandths
    b.exactWork(b.dice().around(std::llround(ms * 1e6), kJitter));
}

// Activations come with the forward and go with the backward; here the whole wave of one layer.
void wave(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    constexpr double kTypicalShare = 0.6;
    constexpr std::int64_t kLeastUsed = 4;  // tenths of what is held, before the forward
    const Fault* pressure = context.fault(FaultKind::MemoryPressure);
    const double share = pressure != nullptr ? pressure->amount : kTypicalShare;
    const auto reserved = std::llround(static_cast<double>(deviceBytes(context.config.vendor)) * share);
    const auto layers = static_cast<std::int64_t>(context.model.layers.size());
    const std::int64_t each = reserved * (9 - kLeastUsed) / 10 / layers;
    const std::int64_t before = reserved * kLeastUsed / 10 + each * static_cast<std::int64_t>(index);
    b.memory(each, before + each, reserved);
    b.memory(each / 8, before + each + each / 8, reserved);
    b.memory(-(each / 8), before + each, reserved);
}

}  // namespace

void plantAfterModel(ProgramBuilder& b, const StepContext& context) {
    if (const Fault* unused = context.fault(FaultKind::FindUnused)) {
        const ProgramBuilder::DiceScope own(b, context.dice(Draw::UsedMap, 2));
        const auto search = b.operation("torch.distributed.ddp.reducer::search_unused_parameters");
        steadyWork(b, unused->amount);
    }
}

void plantAfterForward(ProgramBuilder& b, const StepContext& context) {
    if (const Fault* code = context.fault(FaultKind::HostCode)) {
        const ProgramBuilder::DiceScope own(b, context.dice(Draw::HostCode));
        const auto python = b.python("train.py(87): compute_metrics");
        const auto range = b.annotation("compute_metrics");
        steadyWork(b, code->amount);
    }
}

void plantInForward(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    const std::size_t layers = context.model.layers.size();
    if (recordsMemory(context.config, context.rank)) {
        wave(b, context, index);
    }
    if (const Fault* sync = context.fault(FaultKind::HostSync)) {
        const ProgramBuilder::DiceScope own(b, context.dice(Draw::HostSync, index));
        for (int i = thingsBefore(index, layers, sync->count); i > 0; --i) {
            readBack(b, std::llround(sync->amount * 1e6));
        }
    }
    if (const Fault* allocator = context.fault(FaultKind::AllocatorStall); allocator && index == layers / 4) {
        const ProgramBuilder::DiceScope own(b, context.dice(Draw::Allocator, index));
        allocate(b, std::llround(allocator->amount * 1e6), allocator->count);
    }
}

}  // namespace rankscope::tracegen
