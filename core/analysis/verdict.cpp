// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/verdict.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/verdict_words.h"
#include "core/base/format.h"
#include "core/base/format_factor.h"

namespace rankscope {
namespace {

/// The share that idle time with this cause belongs to.
double BoundShares::*shareOf(Cause cause) {
    switch (cause) {
        case Cause::DataLoader:
        case Cause::BlockingCopy: return &BoundShares::input;
        case Cause::OtherRank: return &BoundShares::communication;
        case Cause::HostStall: return &BoundShares::stall;
        case Cause::Queued:
        case Cause::KernelToKernel:
        case Cause::DeviceShared:
        case Cause::LateAnswer:
        case Cause::InsideGraph: return &BoundShares::rest;
        case Cause::WarmUp: return &BoundShares::warm_up;
        case Cause::HostSync:
        case Cause::Allocator:
        case Cause::Launch:
        case Cause::LaunchLatency:
        case Cause::Operator:
        case Cause::Python:
        case Cause::Unrecorded: break;
    }
    return &BoundShares::launch;
}

/// Adds the shares of one path, which sum to 1. False if the path has no time.
bool addPath(const PathTimes& path, BoundShares& sum) {
    const DurationNs whole_ns = path.total();
    if (whole_ns <= 0) {
        return false;
    }
    const auto share = [&](DurationNs ns) { return static_cast<double>(ns) / static_cast<double>(whole_ns); };
    sum.compute += share(path.compute_ns);
    sum.communication += share(path.transfer_ns);
    sum.input += share(path.copy_ns);
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        sum.*shareOf(static_cast<Cause>(i)) += share(path.idle.ns[i]);
    }
    sum.unknown += share(path.unknown_ns);
    sum.unsplit += share(path.unsplit_ns);
    return true;
}

constexpr std::string_view kComputeTitle = "compute";
constexpr std::string_view kCommunicationTitle = "exposed communication";
constexpr std::string_view kInputTitle = "waiting for input and copies";
constexpr std::string_view kLaunchTitle = "waiting for kernel launches";
constexpr std::string_view kStallTitle = "waiting for stalled CPU threads";
constexpr std::string_view kRestTitle = "idle between queued work";
constexpr std::string_view kWarmUpTitle = "warm-up of graphs and modules";
constexpr std::string_view kUnknownTitle = "idle (launch not recorded)";
constexpr std::string_view kUnsplitTitle = "communication (transfer or waiting unknown)";

/// One of the things for which a device waits.
struct Wait {
    double share = 0;
    Bound bound = Bound::Balanced;
    std::string_view title;
};

/// The waits, the longest first.
using Waits = std::array<Wait, 4>;

Waits waitsByShare(const BoundShares& shares) {
    Waits waits = {{{shares.communication, Bound::Communication, kCommunicationTitle},
                    {shares.input, Bound::Input, kInputTitle},
                    {shares.launch, Bound::Launch, kLaunchTitle},
                    {shares.stall, Bound::HostStall, kStallTitle}}};
    std::ranges::stable_sort(waits, std::ranges::greater(), &Wait::share);
    return waits;
}

/// "2.7 times": `whole` divided by `part`, which is not 0.
std::string timesText(double whole, double part) {
    return fmt::format("{} times", formatFactor(whole / part, 1));
}

std::string factorText(double factor) {
    return timesText(factor, 1);
}

std::string ofStep(std::string_view title, double share) {
    return fmt::format("{} {}", title, formatPercent(share));
}

/// The whole step without compute, as if nothing were unknown.
double allWaits(const BoundShares& shares) {
    return shares.waits() + shares.rest + shares.warm_up;
}

/// The result of the rule, as if nothing were unknown; nothing if the device mostly waits between queued work, or warms
/// up.
std::optional<Bound> boundBy(const BoundShares& shares) {
    if (shares.compute > Verdict::kComputeOverWaits * allWaits(shares)) {
        return Bound::Compute;
    }
    const Waits waits = waitsByShare(shares);
    if (std::max(shares.rest, shares.warm_up) > waits[0].share) {
        return std::nullopt;
    }
    return waits[0].share > Verdict::kOverNext * waits[1].share ? waits[0].bound : Bound::Balanced;
}

/// Whether the rule gives the same result for any share of the unknown time: idle time before unknown launches is one
/// of the waits; waiting for other ranks may also be for their computation.
bool holdsWhateverIsUnknown(const BoundShares& shares) {
    using Share = double BoundShares::*;
    static constexpr std::array<Share, 4> kWaits = {&BoundShares::communication, &BoundShares::input,
                                                    &BoundShares::launch, &BoundShares::stall};
    static constexpr std::array<Share, 5> kAny = {&BoundShares::compute, &BoundShares::communication,
                                                  &BoundShares::input, &BoundShares::launch, &BoundShares::stall};
    return std::ranges::all_of(kWaits, [&](Share wait) {
        return std::ranges::all_of(kAny, [&](Share any) {
            BoundShares other = shares;  // NOLINT(misc-const-correctness)
            other.*wait += shares.unknown;
            other.*any += shares.unsplit;
            return boundBy(other) == boundBy(shares);
        });
    });
}

/// Why there is no verdict; there is at least one reason.
std::string unknownText(const BoundShares& shares) {
    std::string out = ofStep(kComputeTitle, shares.compute) + " of the step.";
    // The other one may be almost zero, and then explains nothing.
    const double least = std::min(Verdict::kLeastTold, std::max(shares.unknown, shares.unsplit));
    if (shares.unknown >= least) {
        out += fmt::format(
            " For {} the GPU is idle before work whose launch is not in the trace. Record CPU and GPU together: "
            "ProfilerActivity.CPU and the GPU's.",
            formatPercent(shares.unknown));
    }
    if (shares.unsplit >= least) {
        out += fmt::format(
            " For {} the GPU is in communication, and these files do not separate transfer from waiting for other "
            "ranks. Load the traces of all ranks.",
            formatPercent(shares.unsplit));
    }
    return out;
}

std::string listed(const BoundShares& shares, const Waits& waits) {
    std::string out = ofStep(kComputeTitle, shares.compute);
    for (const Wait& wait : waits) {
        if (wait.bound != Bound::HostStall || wait.share >= Verdict::kLeastTold) {  // most runs have none
            out += ", " + ofStep(wait.title, wait.share);
        }
    }
    for (const auto& [title, share] :
         {std::pair(kRestTitle, shares.rest), std::pair(kWarmUpTitle, shares.warm_up),
          std::pair(kUnknownTitle, shares.unknown), std::pair(kUnsplitTitle, shares.unsplit)}) {
        if (share >= Verdict::kLeastTold) {
            out += ", " + ofStep(title, share);
        }
    }
    return out + " of the step. ";
}

/// The rule that decided for `bound`, with its numbers.
std::string reasonFor(const std::optional<Bound>& bound, const BoundShares& shares) {
    if (!bound && shares.warm_up > shares.rest) {
        return "Largest wait: graphs and modules are loaded for the first time. What limits a step after that is not "
               "recorded.";
    }
    if (!bound) {
        return "Largest wait: idle time before work that was launched in time. The trace does not show what this work "
               "waited for.";
    }
    if (bound == Bound::Compute && allWaits(shares) < Verdict::kLeastTold) {
        return fmt::format("All waits together are below {} of the step.", formatPercent(Verdict::kLeastTold));
    }
    if (bound == Bound::Compute) {
        return fmt::format("Compute is more than {} all waits together: {}.", factorText(Verdict::kComputeOverWaits),
                           timesText(shares.compute, allWaits(shares)));
    }
    const Waits waits = waitsByShare(shares);
    if (waits[1].share < Verdict::kLeastTold) {  // a ratio to almost zero says nothing
        return fmt::format("Largest wait: {}.", waits[0].title);
    }
    const std::string over_next = timesText(waits[0].share, waits[1].share);
    return bound == Bound::Balanced
               ? fmt::format("Largest wait: {}, but not {} the next one, {} ({}).", waits[0].title,
                             factorText(Verdict::kOverNext), waits[1].title, over_next)
               : fmt::format("Largest wait: {} ({} the next one, {}).", waits[0].title, over_next, waits[1].title);
}

/// From this difference on, the text says what the path leaves out.
constexpr double kLeastBeside = 0.1;

void decide(const BoundShares& shares, Verdict& verdict) {
    if (!holdsWhateverIsUnknown(shares)) {
        verdict.rule = unknownText(shares);
        return;
    }
    verdict.bound = boundBy(shares);
    verdict.rule = listed(shares, waitsByShare(shares)) + reasonFor(verdict.bound, shares);
}

}  // namespace

std::string_view boundName(Bound bound) {
    switch (bound) {
        case Bound::Compute: return "compute-bound";
        case Bound::Communication: return "communication-bound";
        case Bound::Input: return "input-bound";
        case Bound::Launch: return "launch-bound";
        case Bound::HostStall: return "host-stalled";
        case Bound::Balanced: return "balanced";
    }
    return "balanced";
}

std::array<NamedShare, 9> namedShares(const BoundShares& shares) {
    return {{{"compute", kComputeTitle, shares.compute},
             {"communication", kCommunicationTitle, shares.communication},
             {"input", kInputTitle, shares.input},
             {"launch", kLaunchTitle, shares.launch},
             {"stall", kStallTitle, shares.stall},
             {"rest", kRestTitle, shares.rest},
             {"warm_up", kWarmUpTitle, shares.warm_up},
             {"unknown", kUnknownTitle, shares.unknown},
             {"unsplit", kUnsplitTitle, shares.unsplit}}};
}

std::string verdictReason(const Verdict& verdict) {
    return verdict.bound && verdict.shares ? reasonFor(verdict.bound, *verdict.shares) : verdict.rule;
}

std::optional<double> bubbleBesidePath(const RunFacts& facts) {
    if (!facts.verdict.shares) {
        return std::nullopt;
    }
    PipelineTimes all;
    for (const Pipeline& pipeline : facts.pipeline.pipelines) {
        all += pipeline.times();
    }
    const auto window_ns = static_cast<double>(all.window());
    const double share = window_ns > 0 ? static_cast<double>(all.bubbleTotal()) / window_ns : 0;
    return share >= kLeastBeside ? std::optional(share) : std::nullopt;
}

std::optional<double> computeBesidePath(const RunFacts& facts) {
    if (!facts.verdict.shares) {
        return std::nullopt;
    }
    DurationNs compute_ns = 0;
    DurationNs steps_ns = 0;
    for (const RankFacts& rank : facts.ranks) {
        for (const RankStep& step : rank.steps) {
            if (step.complete && !step.outlier && step.partition) {
                compute_ns += step.partition->compute_ns;
                steps_ns += step.span.length();
            }
        }
    }
    if (steps_ns <= 0) {
        return std::nullopt;
    }
    const double share = static_cast<double>(compute_ns) / static_cast<double>(steps_ns);
    return std::abs(share - facts.verdict.shares->compute) >= kLeastBeside ? std::optional(share) : std::nullopt;
}

std::string besidePathText(const RunFacts& facts) {
    if (const std::optional<double> bubble = bubbleBesidePath(facts)) {
        const bool whole = std::ranges::all_of(facts.pipeline.pipelines, &Pipeline::whole);
        return fmt::format(
            "These are shares of the path through all pipeline stages. On average, each rank spends {}{} of the "
            "pipeline's time in the bubble.",
            whole ? "" : "at least ", formatPercent(*bubble));
    }
    const std::optional<double> compute = computeBesidePath(facts);
    return compute ? fmt::format(
                         "These are shares of the critical path through all ranks. On average, a rank itself computes "
                         "for {} of its step.",
                         formatPercent(*compute))
                   : std::string();
}

Verdict judgeRun(std::span<const RankFacts> ranks) {
    BoundShares shares;
    std::size_t judged = 0;
    for (const RankFacts& facts : ranks) {
        judged += addPath(facts.path, shares) ? 1U : 0U;
    }
    Verdict verdict;
    if (judged == 0) {
        const bool device = std::ranges::any_of(ranks, [](const RankFacts& facts) { return facts.device >= 0; });
        verdict.rule = device ? "No rank has a complete, steady-state step."
                              : "No rank has GPU work, so it is unknown what the GPU waited for.";
        return verdict;
    }
    for (double* share : {&shares.compute, &shares.communication, &shares.input, &shares.launch, &shares.stall,
                          &shares.rest, &shares.warm_up, &shares.unknown, &shares.unsplit}) {
        *share /= static_cast<double>(judged);
    }
    decide(shares, verdict);
    verdict.shares = shares;
    return verdict;
}

}  // namespace rankscope
