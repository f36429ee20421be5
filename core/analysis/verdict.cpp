// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/verdict.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/format.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// One step of one rank, divided as BoundShares is; in nanoseconds.
struct StepParts {
    DurationNs compute = 0;
    DurationNs communication = 0;
    DurationNs input = 0;
    DurationNs launch = 0;
    DurationNs rest = 0;
    DurationNs unknown = 0;
};

/// Idle time before device work of which it is not known who launched it: the host may or may not have been late.
DurationNs idleBeforeUnknownLaunches(const RankStep& step) {
    DurationNs ns = 0;
    for (const Gap& gap : step.gaps) {
        for (const GapPart& part : gap.parts) {
            ns += !gap.launch.valid() && part.cause == Cause::Unrecorded ? part.span.length() : 0;
        }
    }
    return ns;
}

StepParts partsOf(const RankStep& step) {
    const Partition& part = *step.partition;
    const CauseTimes& idle = step.idle_causes;
    StepParts out;
    out.compute = part.compute_ns;
    out.communication = part.exposed_comm_ns + idle[Cause::OtherRank];
    out.input = part.exposed_copy_ns + idle[Cause::DataLoader] + idle[Cause::BlockingCopy];
    out.rest = idle[Cause::Queued] + idle[Cause::KernelToKernel];
    out.unknown = idleBeforeUnknownLaunches(step);
    out.launch = step.span.length() - out.compute - out.communication - out.input - out.rest - out.unknown;
    return out;
}

/// The median of one part over the steady-state steps of a rank.
DurationNs medianPart(const std::vector<StepParts>& steps, DurationNs StepParts::*part) {
    std::vector<DurationNs> values;
    values.reserve(steps.size());
    for (const StepParts& step : steps) {
        values.push_back(step.*part);
    }
    return lowerMedian(std::move(values));
}

/// Adds the shares of one rank. False where it has no steady-state step with device work.
bool addRank(const RankFacts& facts, BoundShares& sum) {
    std::vector<StepParts> steps;
    std::vector<DurationNs> durations;
    for (const RankStep& step : facts.steps) {
        if (step.complete && !step.outlier && step.partition && !step.span.empty()) {
            steps.push_back(partsOf(step));
            durations.push_back(step.span.length());
        }
    }
    if (steps.empty()) {
        return false;
    }
    const auto whole = static_cast<double>(lowerMedian(std::move(durations)));
    const auto share = [&](DurationNs StepParts::*part) {
        return static_cast<double>(medianPart(steps, part)) / whole;
    };
    sum.compute += share(&StepParts::compute);
    sum.communication += share(&StepParts::communication);
    sum.input += share(&StepParts::input);
    sum.launch += share(&StepParts::launch);
    sum.rest += share(&StepParts::rest);
    sum.unknown += share(&StepParts::unknown);
    return true;
}

/// One of the things that a device waits for.
struct Wait {
    double share = 0;
    Bound bound = Bound::Balanced;
    std::string_view title;
};

std::array<Wait, 3> waitsByShare(const BoundShares& shares) {
    std::array<Wait, 3> waits = {{{shares.communication, Bound::Communication, "exposed communication"},
                                  {shares.input, Bound::Input, "waiting for input and copies"},
                                  {shares.launch, Bound::Launch, "waiting for the host's launches"}}};
    std::ranges::stable_sort(waits, std::ranges::greater(), &Wait::share);
    return waits;
}

/// "2.7 times"; how often `part` goes into `whole`.
std::string timesText(double whole, double part) {
    if (part <= 0) {
        return "and nothing stands against it";
    }
    const auto tenths = std::llround(10 * whole / part);
    return fmt::format("{}.{} times", tenths / 10, tenths % 10);
}

std::string factorText(double factor) {
    return timesText(factor, 1);
}

std::string ofStep(std::string_view title, double share) {
    return fmt::format("{} {}", title, formatPercent(share));
}

/// What the rule says, as if nothing were unknown.
Bound boundBy(const BoundShares& shares) {
    if (shares.compute > Verdict::kComputeOverWaits * shares.waits()) {
        return Bound::Compute;
    }
    const std::array<Wait, 3> waits = waitsByShare(shares);
    return waits[0].share > Verdict::kOverNext * waits[1].share ? waits[0].bound : Bound::Balanced;
}

/// Whether the rule would say the same whichever of the waits the unknown time is.
bool holdsWhateverIsUnknown(const BoundShares& shares) {
    return std::ranges::all_of(std::array{&BoundShares::communication, &BoundShares::input, &BoundShares::launch},
                               [&](double BoundShares::*wait) {
                                   BoundShares other = shares;  // NOLINT(misc-const-correctness)
                                   other.*wait += shares.unknown;
                                   return boundBy(other) == boundBy(shares);
                               });
}

void decide(const BoundShares& shares, Verdict& verdict) {
    if (!holdsWhateverIsUnknown(shares)) {
        verdict.rule = fmt::format(
            "{} of a step; for {} the device is idle before work whose launch is not in the trace, so nothing says "
            "what "
            "it waited for. Record host and device together: ProfilerActivity.CPU and the device's.",
            ofStep("compute", shares.compute), formatPercent(shares.unknown));
        return;
    }
    const std::array<Wait, 3> waits = waitsByShare(shares);
    const std::string listed = fmt::format(
        "{}, {}, {}, {} of a step. ", ofStep("compute", shares.compute), ofStep(waits[0].title, waits[0].share),
        ofStep(waits[1].title, waits[1].share), ofStep(waits[2].title, waits[2].share));
    verdict.bound = boundBy(shares);
    if (verdict.bound == Bound::Compute) {
        verdict.rule = fmt::format("{}Compute is above {} all waits together: {}.", listed,
                                   factorText(Verdict::kComputeOverWaits), timesText(shares.compute, shares.waits()));
        return;
    }
    const bool one = verdict.bound != Bound::Balanced;
    verdict.rule = fmt::format(
        "{}Compute is not above {} all waits together ({}), and {} is {}above {} {}, the next: {}.", listed,
        factorText(Verdict::kComputeOverWaits), timesText(shares.compute, shares.waits()), waits[0].title,
        one ? "" : "not ", factorText(Verdict::kOverNext), waits[1].title, timesText(waits[0].share, waits[1].share));
}

}  // namespace

std::string_view boundName(Bound bound) {
    switch (bound) {
        case Bound::Compute: return "compute-bound";
        case Bound::Communication: return "communication-bound";
        case Bound::Input: return "input-bound";
        case Bound::Launch: return "launch-bound";
        case Bound::Balanced: return "balanced";
    }
    return "balanced";
}

Verdict judgeRun(std::span<const RankFacts> ranks) {
    BoundShares shares;
    std::size_t judged = 0;
    for (const RankFacts& facts : ranks) {
        judged += addRank(facts, shares) ? 1U : 0U;
    }
    Verdict verdict;
    if (judged == 0) {
        const bool device = std::ranges::any_of(ranks, [](const RankFacts& facts) { return facts.device >= 0; });
        verdict.rule = device ? "No rank has a step that is complete and steady."
                              : "No rank has device work, so nothing says what the device waited for.";
        return verdict;
    }
    for (double* share :
         {&shares.compute, &shares.communication, &shares.input, &shares.launch, &shares.rest, &shares.unknown}) {
        *share /= static_cast<double>(judged);
    }
    decide(shares, verdict);
    verdict.shares = shares;
    return verdict;
}

}  // namespace rankscope
