// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/fast_hosts.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/evidence/late_host.h"
#include "core/diagnosis/evidence/truncated_timestamps.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/price_remedy.h"

namespace rankscope {
namespace launch_bound {
namespace {

/// The part of the optimizer that a slice is, or is in.
enum class OptimizerPart : std::uint8_t { None, Step, ZeroGrad };

/// Finds the part of the optimizer that a slice of one rank is, or is in. Each name is examined once.
class OptimizerParts {
  public:
    explicit OptimizerParts(const RankTrace& rank) : rank_(rank), of_name_(rank.strings.size()) {
        for (std::uint32_t name = 0; name < of_name_.size(); ++name) {
            const std::string_view text = rank.strings.view(StringId(name));
            of_name_[name] = text.starts_with("Optimizer.step#")        ? OptimizerPart::Step
                             : text.starts_with("Optimizer.zero_grad#") ? OptimizerPart::ZeroGrad
                                                                        : OptimizerPart::None;
        }
    }

    [[nodiscard]] OptimizerPart of(SliceRef slice) const {
        if (!slice.valid()) {
            return OptimizerPart::None;
        }
        const SliceTable& slices = rank_.track(slice).slices;
        for (SliceIndex at = slice.slice; at != kNoSlice; at = slices.parent[at]) {
            const StringId name = slices.name[at];
            if (name.valid() && of_name_[name.value] != OptimizerPart::None) {
                return of_name_[name.value];
            }
        }
        return OptimizerPart::None;
    }

  private:
    const RankTrace& rank_;
    std::vector<OptimizerPart> of_name_;
};

/// The shares of a time, 0 to 1, that are before launches of the optimizer or in its code.
struct OptimizerShare {
    double all = 0;
    double zero_grad = 0;  ///< the part of it in zero_grad
};

OptimizerShare shareOfOptimizer(const RuleContext& context, const std::vector<RankPosition>& ranks,
                                const LedgerFilter& owned) {
    DurationNs all_ns = 0;
    DurationNs step_ns = 0;
    DurationNs zero_ns = 0;
    for (const RankPosition r : ranks) {
        const OptimizerParts optimizer(*context.work[r].trace);
        const Gap* asked = nullptr;
        OptimizerPart of_launch = OptimizerPart::None;
        forEachPart(context, r, owned, [&](const RankStep& /*step*/, const Gap& gap, const GapPart& part) {
            if (asked != &gap) {
                asked = &gap;
                of_launch = optimizer.of(gap.launch);
            }
            // zero_grad(set_to_none=True) launches nothing: the work that waits for it is the next forward.
            const OptimizerPart of_host =
                part.evidence.empty() ? OptimizerPart::None : optimizer.of(part.evidence.front());
            const OptimizerPart of = of_host != OptimizerPart::None ? of_host : of_launch;
            all_ns += part.span.length();
            step_ns += of == OptimizerPart::Step ? part.span.length() : 0;
            zero_ns += of == OptimizerPart::ZeroGrad ? part.span.length() : 0;
        });
    }
    if (all_ns == 0) {
        return {};
    }
    const auto whole = static_cast<double>(all_ns);
    return {static_cast<double>(step_ns + zero_ns) / whole, static_cast<double>(zero_ns) / whole};
}

/// "796 of the step's 1,356 kernels (59 %) are shorter than their launch call. "
std::string kernelsText(const RuleContext& context, const LaunchedKernels& kernels) {
    if (kernels.count == 0) {
        return {};
    }
    const double share = static_cast<double>(kernels.shorter) / static_cast<double>(kernels.count);
    return context.sentences.fill("launch-bound.kernels", {{"kernels", formatCount(kernels.count)},
                                                           {"shorter", formatCount(kernels.shorter)},
                                                           {"share", formatPercent(share)}});
}

/// "The files cut times to whole microseconds, ..." if they do; else empty.
std::string cutText(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    std::size_t without_length = 0;
    bool whole = false;
    for (const RankPosition r : ranks) {
        const TruncatedTimestamps cut(context.work[r], context.facts.ranks[r].work_classes);
        whole = whole || cut.whole();
        without_length = std::max(without_length, cut.withoutLength());
    }
    if (!whole) {
        return {};
    }
    return without_length > 0 ? context.sentences.fill("launch-bound.cut-without-length",
                                                       {{"without_length", formatCount(without_length)}})
                              : context.sentences.fill("launch-bound.cut", {});
}

/// Pauses between queued kernels: part of the cost of many small kernels, and removed with them.
bool isHandOver(const LedgerEntry& e) {
    return e.owner == Owner::Blocked && e.cause == Cause::KernelToKernel;
}

/// "3.1 ms in launch calls, 2.0 ms ..." for all causes with any time.
std::string splitText(const RuleContext& context, const LateHost& late) {
    struct Share {
        Cause cause;
        const char* key;
    };
    constexpr std::array<Share, 6> kShares = {{{Cause::Launch, "launch-bound.launch"},
                                               {Cause::LaunchLatency, "launch-bound.launch-latency"},
                                               {Cause::Operator, "launch-bound.operator"},
                                               {Cause::Python, "launch-bound.python"},
                                               {Cause::Unrecorded, "launch-bound.unrecorded"},
                                               {Cause::KernelToKernel, "launch-bound.kernel-to-kernel"}}};
    std::string text;
    for (const Share& share : kShares) {
        const DurationNs ns = context.pricer.typicalLedgerTime(
            [&](const LedgerEntry& e) { return e.cause == share.cause && (late.isLaunching(e) || isHandOver(e)); });
        if (ns > 0) {
            text += (text.empty() ? "" : ", ") + context.sentences.fill(share.key, {{"time", formatDuration(ns)}});
        }
    }
    return text;
}

/// From this share of the time on, the optimizer is mentioned.
constexpr double kOptimizerShare = 0.1;

/// "17.3 ms of the idle time is in the optimizer (6.0 ms in zero_grad). ", if it is mentioned.
std::string optimizerText(const RuleContext& context, const OptimizerShare& share, const Price& price) {
    if (share.all < kOptimizerShare) {
        return {};
    }
    const auto of_blocked = [&](double part) {
        return formatDuration(static_cast<DurationNs>(part * static_cast<double>(price.blocked_ns)));
    };
    const Sentences& say = context.sentences;
    return say.fill("launch-bound.in-optimizer",
                    {{"time", of_blocked(share.all)},
                     {"zero_grad", share.zero_grad > 0
                                       ? say.fill("launch-bound.in-zero-grad", {{"time", of_blocked(share.zero_grad)}})
                                       : std::string()}});
}

/// Whether a server launches most of its iterations' work outside CUDA graphs.
bool servesWithoutGraphs(const IterationFacts& iterations) {
    const IterationSums* priced = iterations.priced();
    return priced != nullptr && 2 * priced->graph_kernels < priced->kernels;
}

/// Which advice applies, by where the time is spent.
std::vector<std::string> conditions(const RuleContext& context, const Price& price, const OptimizerShare& optimizer) {
    std::vector<std::string> found;
    if (optimizer.all >= kOptimizerShare) {
        found.emplace_back("optimizer");
    }
    if (servesWithoutGraphs(context.facts.iterations)) {
        found.emplace_back("no-graphs");
    }
    if (std::ranges::any_of(price.ranks, [&](RankPosition r) { return hasStacks(*context.run.ranks[r]); })) {
        found.emplace_back("stacks");
    }
    return found;
}

/// Kernels that are longer than their launch calls must be launched too. If the speed of their launches matters, the
/// price is an upper bound; this returns the lower bound, else nothing. `fewer` keeps their launches as recorded.
std::optional<DurationNs> leastSaving(const RuleContext& context, const LedgerFilter& owned, const RunChange& fewer,
                                      const Price& price) {
    constexpr double kPrecision = 0.05;
    const DurationNs alone_ns = price.overlap ? price.overlap->alone_ns : price.saving_ns;
    const DurationNs saving_ns = context.pricer.saving({context.facts.ledger, owned}, fewer);
    const DurationNs least_ns = std::clamp<DurationNs>(saving_ns, 0, alone_ns);
    const double precision_ns = std::max(kPrecision * static_cast<double>(alone_ns),
                                         Pricer::kPrecision * static_cast<double>(context.facts.pricedStep()));
    return static_cast<double>(alone_ns - least_ns) > precision_ns ? std::optional(least_ns) : std::nullopt;
}

/// The state of the rule; it lives as long as the problem.
struct LateLaunches {
    LateLaunches(const RuleContext& context, LateHost late_host)
        : late(std::move(late_host)), fast_hosts(context, late) {}

    LateHost late;
    FastHosts fast_hosts;
};

Explanation explain(const RuleContext& context, const LateLaunches& launches, const LedgerFilter& owned,
                    const Price& price) {
    const LedgerFilter is_late = [&](const LedgerEntry& e) { return launches.late.isLaunching(e); };
    RunChange fewer;
    fewer.of_rank = [&](RankPosition rank) {
        return launches.fast_hosts.changeOf(rank, launchesOfLongKernels(context.work[rank]));
    };
    const std::optional<DurationNs> least_ns = leastSaving(context, owned, fewer, price);
    const OptimizerShare optimizer = shareOfOptimizer(context, price.ranks, is_late);
    const Sentences& say = context.sentences;
    const std::string what = whoText(context, price.ranks) + optimizerText(context, optimizer, price) +
                             kernelsText(context, medianKernels(context)) + cutText(context, price.ranks);
    return {.why = say.fill(
                "launch-bound.why",
                {{"blocked", formatDuration(price.blocked_ns)},
                 {"split", splitText(context, launches.late)},
                 {"what", what},
                 {"replay", replayText(context, price)},
                 {"bound", least_ns ? say.fill("launch-bound.bound", {{"least", formatDuration(*least_ns)}}) : ""}}),
            .conditions = conditions(context, price, optimizer),
            .evidence = evidenceOf(context, price, is_late),
            .at_most = least_ns ? Confidence::Low : Confidence::High,
            .doubt = least_ns ? say.fill("launch-bound.doubt", {{"least", formatDuration(*least_ns)}}) : ""};
}

}  // namespace
}  // namespace launch_bound

std::vector<Problem> launchBound(const RuleContext& context) {
    using namespace launch_bound;
    LateHost late(context);
    const DurationNs late_ns =
        context.pricer.typicalLedgerTime([&](const LedgerEntry& e) { return late.isLaunching(e); });
    if (static_cast<double>(late_ns) < Pricer::kLeastShare * static_cast<double>(context.facts.pricedStep())) {
        return {};  // the device's hand-overs alone do not show a slow host
    }
    const auto launches = std::make_shared<const LateLaunches>(context, std::move(late));
    const LedgerFilter owned = [launches](const LedgerEntry& e) {
        return launches->late.isLaunching(e) || isHandOver(e);
    };
    const ChangeOfRank fast_host = [launches](RankPosition rank) { return launches->fast_hosts.changeOf(rank, {}); };
    return {
        {.id = FindingId::LaunchBound,
         .owned = owned,
         .change = onEachRank(context, fast_host),
         .claim = Claim::LeftOver,
         .at_most = true,
         .cost = [&context](const Price& price) { return costOfGraphs(medianKernels(context).count, price.saving_ns); },
         .explain = [&context, launches,
                     owned](const Price& price) { return explain(context, *launches, owned, price); }}};
}

}  // namespace rankscope
