// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/base/format.h"
#include "core/diagnosis/frame/advice.h"
#include "core/report/check/check_limits.h"
#include "core/report/check/list_questions.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

ListLine isIdle(const CheckContext& context, std::string_view key) {
    return byPart(context, key, {context.budget.idle_ns, kMuchIdle, [](const StepBudget& one) { return one.idle_ns; }});
}

DurationNs waitingForInput(const StepBudget& budget) {
    return budget.idle_causes[Cause::DataLoader];
}

ListLine inputIsLate(const CheckContext& context, std::string_view key) {
    if (loaderIsUnrecorded(context)) {
        return answerLine(context, key, ListAnswer::CannotTell, {}, "unrecorded");
    }
    ListLine line = byPart(context, key, {waitingForInput(context.budget), kMuchInput, waitingForInput});
    line.place.finding = findingWith(context.run, {FindingId::DataloaderStall});
    return line;
}

/// Idle because the CPU is late: launches, its own code, its waits, and stalled threads.
DurationNs waitingForHost(const StepBudget& budget) {
    DurationNs sum_ns = 0;
    for (const Cause cause : {Cause::HostSync, Cause::BlockingCopy, Cause::Allocator, Cause::Launch,
                              Cause::LaunchLatency, Cause::Operator, Cause::Python, Cause::HostStall}) {
        sum_ns += budget.idle_causes[cause];
    }
    return sum_ns;
}

ListLine hostIsLate(const CheckContext& context, std::string_view key) {
    ListLine line = byPart(context, key, {waitingForHost(context.budget), kReason, waitingForHost});
    if (line.answer == ListAnswer::Yes && purposeOf(context.run.facts) != RunPurpose::Training) {
        line.advice = context.words.fill(std::string(key) + ".advice-forward", {});
    }
    line.place.finding = findingWith(context.run, {FindingId::LaunchBound, FindingId::HostCode, FindingId::HostSync,
                                                   FindingId::HostStall, FindingId::AllocatorStall});
    return line;
}

ListLine transfersAreExposed(const CheckContext& context, std::string_view key) {
    const auto transfers = [](const StepBudget& one) { return one.exposedTransfer(); };
    return byDividedPart(context, key, {transfers(context.budget), kReason, transfers});
}

ListLine ranksAreWaitedFor(const CheckContext& context, std::string_view key) {
    if (context.budget.exposed_comm_ns > 0 && !context.budget.exposed_wait_ns) {
        return answerLine(context, key, ListAnswer::CannotTell, {});
    }
    const auto waits = [](const StepBudget& one) { return one.exposed_wait_ns.value_or(0); };
    ListLine line = byDividedPart(context, key, {waits(context.budget), kReason, waits});
    line.place.finding = findingWith(context.run, {FindingId::StragglerRank, FindingId::MovingStraggler,
                                                   FindingId::PipelineBubble, FindingId::StageImbalance});
    return line;
}

ListLine numbersAreWide(const CheckContext& context, std::string_view key) {
    // For an unknown device, the fast number types are not known.
    const bool told = context.run.facts.efficiency.any() && context.run.facts.efficiency.peaks_known;
    return told || findingWith(context.run, {FindingId::NoTensorCores, FindingId::LowPrecisionUnused})
               ? byFinding(context, key, {FindingId::NoTensorCores, FindingId::LowPrecisionUnused})
               : answerLine(context, key, ListAnswer::CannotTell, {},
                            context.run.facts.efficiency.any() ? "no-peak" : "");
}

/// A part of the device's time that is known from counted products: yes if it is a tenth of the step or more.
ListLine byTimePart(const CheckContext& context, std::string_view key, TimePart part, bool needs_peak) {
    const EfficiencyFacts& facts = context.run.facts.efficiency;
    if (!facts.any() || (needs_peak && !facts.peaks_known)) {
        return answerLine(context, key, ListAnswer::CannotTell, {}, facts.any() ? "no-peak" : "");
    }
    const double share = shareOf(facts.total.parts[part], facts.total.time_ns).value_or(0);
    ListLine line = answerLine(context, key, yesFrom(share, kReason),
                               {{"share", formatPercent(share)}, {"limit", formatPercent(kReason)}});
    for (const ProductRow& row : facts.products) {
        const RoofBound roof = part == TimePart::MemoryBound ? RoofBound::Memory : RoofBound::Compute;
        if (needs_peak && row.bound() == roof) {
            line.place.rank = row.longest.rank;
            line.place.slice = row.longest.slice;
            break;
        }
    }
    if (part == TimePart::Uncounted && !facts.uncounted.empty()) {
        line.place.rank = facts.uncounted.front().longest.rank;
        line.place.slice = facts.uncounted.front().longest.slice;
    }
    return line;
}

ListLine memoryIsSlow(const CheckContext& context, std::string_view key) {
    return byTimePart(context, key, TimePart::MemoryBound, true);
}

ListLine productsAreSlow(const CheckContext& context, std::string_view key) {
    return byTimePart(context, key, TimePart::ComputeBound, true);
}

ListLine othersCompute(const CheckContext& context, std::string_view key) {
    return byTimePart(context, key, TimePart::Uncounted, false);
}

ListLine isRecomputed(const CheckContext& context, std::string_view key) {
    const EfficiencyFacts& facts = context.run.facts.efficiency;
    if (!facts.any()) {
        return answerLine(context, key, ListAnswer::CannotTell, {});
    }
    const double share = facts.total.recomputed_flops / (facts.total.model_flops + facts.total.recomputed_flops);
    return answerLine(context, key, yesFrom(share, kRecomputes), {{"share", formatPercent(share)}});
}

constexpr std::array kQuestions = {Question{"device-idle", isIdle},
                                   Question{"input-late", inputIsLate},
                                   Question{"host-late", hostIsLate},
                                   Question{"transfers-exposed", transfersAreExposed},
                                   Question{"ranks-waited-for", ranksAreWaitedFor},
                                   Question{"numbers-wide", numbersAreWide},
                                   Question{"products-slow", productsAreSlow},
                                   Question{"memory-bound", memoryIsSlow},
                                   Question{"other-kernels", othersCompute},
                                   Question{"recomputation", isRecomputed},
                                   Question{"throttled", notInTraces}};

}  // namespace

std::span<const Question> lowMfuQuestions() {
    return kQuestions;
}

}  // namespace rankscope::report
