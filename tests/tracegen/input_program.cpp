// SPDX-License-Identifier: GPL-3.0-or-later
// The first part of a step: the batch is made or awaited, and copied to the device.
#include <cmath>

#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

constexpr double kPinnedGBPerS = 24;

DurationNs milliseconds(double ms) {
    return std::llround(ms * 1e6);
}

// The batch is made here: read and decoded image by image, then stacked. The parts vary, their sum does not.
void makeBatch(ProgramBuilder& b, DurationNs total_ns) {
    constexpr int kImages = 6;
    DurationNs left = total_ns;
    const auto spend = [&b, &left](DurationNs ns) {
        left -= ns;
        b.exactWork(ns);
    };
    for (int i = 0; i < kImages; ++i) {
        const DurationNs image = b.dice().around(total_ns / (kImages + 1), 100);
        const auto python = b.python("torchvision/datasets/folder.py(245): __getitem__");
        spend(image * 6 / 10);  // read and decode, outside of PyTorch
        {
            const auto copy = b.operation("aten::copy_");
            spend(image * 2 / 10);
        }
        const auto normalise = b.operation("aten::div");
        spend(image * 2 / 10);
    }
    const auto stack = b.operation("aten::stack");
    const auto cat = b.operation("aten::cat");
    b.exactWork(left);
}

void copyBatch(ProgramBuilder& b, const StepContext& context, std::int64_t bytes, DurationNs transfer_ns,
               bool blocking) {
    const Vocabulary& words = b.words();
    const auto python = b.python("<built-in method to of Tensor object>");
    const auto to = b.operation("aten::to");
    const auto to_copy = b.operation("aten::_to_copy");
    b.leaf("aten::empty_strided", 4'500);
    const auto copy = b.operation("aten::copy_");
    const bool pageable = context.fault(FaultKind::UnpinnedMemcpy) != nullptr || !context.config.loader.pinned;
    b.copy(blocking ? words.copy_blocking : words.copy_async, pageable ? words.copy_pageable : words.copy_pinned,
           transfer_ns, bytes, blocking);
    if (blocking && !words.copy_sync.empty()) {
        b.synchronize(words.copy_sync, 2'500, Stream::Compute);
    }
}

}  // namespace

bool loadsInMainThread(const StepContext& context) {
    return context.config.loader.workers == 0 || context.fault(FaultKind::Dataloader) != nullptr;
}

DurationNs batchTime(const StepContext& context) {
    const Fault* in_main = context.fault(FaultKind::Dataloader);
    const bool segment_time = in_main != nullptr && in_main->amount > 0;
    Dice dice = context.dice(Draw::Batch);
    DurationNs time = dice.around(segment_time ? milliseconds(in_main->amount) : context.config.loader.batch_ns, 15);
    if (const Fault* cold = context.fault(FaultKind::ColdBatches); cold != nullptr && isRanksTurn(context)) {
        time += milliseconds(cold->amount);
    }
    if (const Fault* slow = context.fault(FaultKind::SlowLoader)) {
        time += milliseconds(slow->amount);
    }
    return time;
}

void buildInput(ProgramBuilder& b, const StepContext& context) {
    const ProgramBuilder::DiceScope own(b, context.dice(Draw::Copy));
    if (loadsInMainThread(context)) {
        const auto python = b.python("torch/utils/data/dataloader.py(701): __next__");
        const auto next = b.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
        makeBatch(b, batchTime(context));
    } else {
        const auto python = b.python("torch/utils/data/dataloader.py(701): __next__");
        const auto next = b.annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
        b.awaitBatch();
        b.work(75'000);
    }
    const ProgramBuilder::DiceScope copies(b, context.dice(Draw::Copy, 1));
    b.work(10'000);
    const Fault* unpinned = context.fault(FaultKind::UnpinnedMemcpy);
    const bool blocking = unpinned != nullptr || !context.config.loader.pinned;
    // Pageable memory is copied by way of a pinned buffer, at a fraction of the bus's speed.
    const double pageable = unpinned != nullptr ? unpinned->amount : traitsOf(FaultKind::UnpinnedMemcpy).amount;
    const double gb_per_s = blocking ? pageable : kPinnedGBPerS;
    const std::int64_t bytes = context.config.loader.batch_bytes;
    copyBatch(b, context, bytes, std::llround(static_cast<double>(bytes) / gb_per_s), blocking);
    b.work(6'000);
    copyBatch(b, context, 256, 3'000, blocking);  // the labels
    b.work(15'000);
}

}  // namespace rankscope::tracegen
