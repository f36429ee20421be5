// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/step_program.h"

#include <algorithm>
#include <string>

namespace rankscope::tracegen {

Dice StepContext::dice(Draw draw, std::uint64_t index) const {
    return Dice(config.chanceSeed(), {static_cast<std::uint64_t>(draw), static_cast<std::uint64_t>(rank),
                                      static_cast<std::uint64_t>(step), index});
}

std::int64_t StepContext::sequence(std::size_t index, int part) const {
    const std::size_t in_run = static_cast<std::size_t>(config.first_step + step) * model.layers.size() + index;
    return 1'000 + static_cast<std::int64_t>(in_run) * 4 + part;
}

std::uint64_t StepContext::collectiveSequence(std::size_t index) const {
    const bool maps =
        std::ranges::any_of(config.faults, [](const Fault& f) { return f.kind == FaultKind::FindUnused; });
    const std::size_t a_step = firstBucket() + model.buckets.size() + (maps ? 1 : 0);
    return static_cast<std::uint64_t>(config.first_step + step) * a_step + index + 1;
}

// The ranks take turns, from one that the seed chooses.
bool isRanksTurn(const StepContext& context) {
    const Config& config = context.config;
    Dice dice(config.seed, {static_cast<std::uint64_t>(Draw::Turn)});
    const auto ranks = static_cast<std::uint64_t>(config.ranks);
    const auto turn = (dice.below(ranks) + static_cast<std::uint64_t>(config.first_step + context.step)) % ranks;
    return turn == static_cast<std::uint64_t>(context.rank);
}

namespace {

double kernelFactor(const StepContext& context) {
    double factor = context.config.kernel_scale;
    if (const Fault* slow = context.fault(FaultKind::SlowKernels)) {
        factor *= slow->amount;
    }
    factor *= throttlingOf(context.config, context.rank, context.step);
    if (const Fault* uneven = context.fault(FaultKind::UnevenWork); uneven != nullptr && isRanksTurn(context)) {
        factor *= uneven->amount;
    }
    return factor;
}

}  // namespace

Program buildStep(const StepContext& context, StringPool& names) {
    ProgramBuilder b(names, vocabularyOf(context.config.vendor, context.config.dialect), context.dice(Draw::Step),
                     kernelFactor(context), context.config.with_stack);
    {
        const auto step = b.annotation("ProfilerStep#" + std::to_string(context.config.first_step + context.step));
        const auto frame = b.python("train.py(61): train_one_step");
        b.work(20'000);
        buildInput(b, context);
        {
            const auto python = b.python("torch/optim/optimizer.py(904): zero_grad");
            const auto zero = b.annotation("Optimizer.zero_grad#Adam.zero_grad");
            b.work(60'000);
        }
        b.work(25'000);
        buildForward(b, context);
        plantAfterForward(b, context);
        b.work(30'000);
        {
            const auto python = b.python("torch/_tensor.py(525): backward");
            buildBackward(b, context);
        }
        b.work(30'000);
        buildOptimizer(b, context);
        b.work(12'000);
    }
    b.work(25'000);
    return b.take();
}

Program buildWindowEnd(const Config& config, int rank, StringPool& names) {
    const Dice dice(config.seed, {static_cast<std::uint64_t>(Draw::Step), static_cast<std::uint64_t>(rank)});
    const Vocabulary& words = vocabularyOf(config.vendor, config.dialect);
    ProgramBuilder b(names, words, dice, 1.0, false);
    b.synchronize(words.device_sync, 20'000, std::nullopt);
    return b.take();
}

}  // namespace rankscope::tracegen
