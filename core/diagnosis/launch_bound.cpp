// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/cut_times.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/host_changes.h"
#include "core/diagnosis/late_host.h"
#include "core/diagnosis/launched_work.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// The kernels of one step against the calls that launched them.
struct LaunchedKernels {
    std::size_t count = 0;
    std::size_t shorter = 0;  ///< than their launch call
};

/// Those of the step with the median count.
LaunchedKernels usualKernels(const RuleContext& context) {
    const auto add = [](LaunchedKernels& kernels, const RankWork& work, const DeviceEvent& event) {
        if (event.launch.valid() && work.trace->category(event.ref) == Category::Kernel) {
            ++kernels.count;
            kernels.shorter += event.span.length() < event.call.length() ? 1U : 0U;
        }
    };
    auto steps = sumLaunchedWork<LaunchedKernels>(context, add);
    std::ranges::sort(steps, {}, &LaunchedKernels::count);
    return steps.empty() ? LaunchedKernels() : steps[(steps.size() - 1) / 2];
}

bool isInOptimizer(const RankTrace& rank, SliceRef launch) {
    if (!launch.valid()) {
        return false;
    }
    const SliceTable& slices = rank.track(launch).slices;
    for (SliceIndex at = slices.parent[launch.slice]; at != kNoSlice; at = slices.parent[at]) {
        if (slices.name[at].valid() && rank.strings.view(slices.name[at]).starts_with("Optimizer.step#")) {
            return true;
        }
    }
    return false;
}

/// The share of this time before launches of the optimizer, 0 to 1.
double shareOfOptimizer(const RuleContext& context, const std::vector<std::uint32_t>& ranks,
                        const LedgerFilter& owned) {
    DurationNs all_ns = 0;
    DurationNs optimizer_ns = 0;
    for (const std::uint32_t r : ranks) {
        const Gap* asked = nullptr;
        bool in_optimizer = false;
        forEachPart(context, r, owned, [&](const RankStep& /*step*/, const Gap& gap, const GapPart& part) {
            if (asked != &gap) {
                asked = &gap;
                in_optimizer = isInOptimizer(*context.work[r].trace, gap.launch);
            }
            all_ns += part.span.length();
            optimizer_ns += in_optimizer ? part.span.length() : 0;
        });
    }
    return all_ns == 0 ? 0.0 : static_cast<double>(optimizer_ns) / static_cast<double>(all_ns);
}

/// "Of the step's 1,356 kernels, 796 (59 %) are shorter than the call that launches them. "
std::string kernelsText(const LaunchedKernels& kernels) {
    if (kernels.count == 0) {
        return {};
    }
    const double share = static_cast<double>(kernels.shorter) / static_cast<double>(kernels.count);
    return "Of the step's " + formatCount(kernels.count) + " kernels, " + formatCount(kernels.shorter) + " (" +
           formatPercent(share) + ") are shorter than the call that launches them. ";
}

/// "The file's lengths are whole microseconds: ..." where they are.
std::string cutText(const RuleContext& context, const std::vector<std::uint32_t>& ranks) {
    std::size_t without_length = 0;
    bool whole = false;
    for (const std::uint32_t r : ranks) {
        const CutTimes cut(context.work[r], context.facts.ranks[r].work_classes);
        whole = whole || cut.whole();
        without_length = std::max(without_length, cut.withoutLength());
    }
    if (!whole) {
        return {};
    }
    return "The files give lengths in whole microseconds, cut, so what the device does is taken to last half of one "
           "longer" +
           (without_length > 0
                ? ", " + formatCount(without_length) + " pieces of work of a rank that have no length included. "
                : std::string(". "));
}

/// The pauses between queued kernels: part of what many small kernels cost, and gone with them.
bool isHandOver(const LedgerEntry& e) {
    return e.owner == Owner::Blocked && e.cause == Cause::KernelToKernel;
}

/// "3.1 ms in launch calls, 2.0 ms ..." for the causes that have any.
std::string splitText(const RuleContext& context, const LateHost& late) {
    struct Share {
        Cause cause;
        const char* text;
    };
    constexpr std::array<Share, 6> kShares = {
        {{Cause::Launch, "in launch calls"},
         {Cause::LaunchLatency, "from the launch call to the start on the device"},
         {Cause::Operator, "in operator code"},
         {Cause::Python, "in Python"},
         {Cause::Unrecorded, "between these, with nothing recorded"},
         {Cause::KernelToKernel, "from kernel to kernel although the next was queued"}}};
    std::string text;
    for (const Share& share : kShares) {
        const DurationNs ns = context.pricer.medianLedgerTime(
            [&](const LedgerEntry& e) { return e.cause == share.cause && (late.isLaunching(e) || isHandOver(e)); });
        if (ns > 0) {
            text += (text.empty() ? "" : ", ") + formatDuration(ns) + " " + share.text;
        }
    }
    return text;
}

/// Which advice fits, by what the time was spent on.
std::vector<std::string> conditions(const RuleContext& context, const Price& price, const LedgerFilter& owned) {
    constexpr double kOptimizerShare = 0.1;
    std::vector<std::string> found;
    if (shareOfOptimizer(context, price.ranks, owned) >= kOptimizerShare) {
        found.emplace_back("optimizer");
    }
    if (std::ranges::any_of(price.ranks, [&](std::uint32_t r) { return hasStacks(*context.run.ranks[r]); })) {
        found.emplace_back("stacks");
    }
    return found;
}

/// Hosts that take no time but for what others own.
class FastHosts {
  public:
    FastHosts(const RuleContext& context, const LateHost& late) : context_(context) {
        const auto of_others = [&](const LedgerEntry& e) { return !late.isLaunching(e); };
        for (std::uint32_t rank = 0; rank < context.work.size(); ++rank) {
            const RankWork& work = context.work[rank];
            // All slices of others, not only what stands in gaps: where the host catches up, they would hold up the
            // next launches.
            const std::vector<bool> names = late.namesOfOthers(work);
            const auto others = [&](StringId name, Category category) {
                return (name.valid() && names[name.value]) || work.names.kind(name, category) == HostKind::Allocator;
            };
            of_others_.push_back(hostTimeOf(context, rank, of_others, others));
        }
    }

    /// What a replay leaves out where `kept` takes its time, too.
    [[nodiscard]] ReplayChange changeOf(std::uint32_t rank, std::vector<TimeSpan> kept) const {
        const RankWork& work = context_.work[rank];
        const IntervalSet staying = of_others_[rank].unite(IntervalSet::unionOf(std::move(kept)));
        ReplayChange change;
        change.queue_gap = 0;
        change.host = without(staying.gapsIn(work.trace->window));
        const CutTimes cut(work, context_.facts.ranks[rank].work_classes);
        if (cut.whole()) {
            change.length = [cut](const ReplayEvent& event) { return cut.likelyLength(event); };
        }
        return change;
    }

  private:
    const RuleContext& context_;
    std::vector<IntervalSet> of_others_;  // by rank: their host time
};

/// Kernels that run longer than their launch calls have to be launched too. Where it matters how fast, the price is
/// what can be saved at most, and the finding says so.
void boundPrice(const RuleContext& context, const LedgerSet& owned, const RunChange& fewer_launches, Finding& finding) {
    constexpr double kPrecision = 0.05;
    const DurationNs alone_ns = finding.overlap ? finding.overlap->alone_ns : finding.saving_ns;
    const DurationNs least_ns = std::clamp<DurationNs>(context.pricer.saving(owned, fewer_launches), 0, alone_ns);
    const double precision_ns = std::max(kPrecision * static_cast<double>(alone_ns),
                                         Pricer::kPrecision * static_cast<double>(context.facts.median_step_ns));
    if (static_cast<double>(alone_ns - least_ns) > precision_ns) {
        finding.confidence = Confidence::Low;
        finding.why +=
            " That is at most: if the host comes to the kernels that run longer than their launch calls no "
            "sooner than it did, " +
            formatDuration(least_ns) + " a step are saved.";
    }
}

}  // namespace

void findLaunchBound(const RuleContext& context, Diagnosis& diagnosis) {
    const LateHost late(context);
    const auto is_late = [&](const LedgerEntry& e) { return late.isLaunching(e); };
    const auto late_ns = static_cast<double>(context.pricer.medianLedgerTime(is_late));
    if (late_ns < Pricer::kLeastShare * static_cast<double>(context.facts.median_step_ns)) {
        return;  // the device's own hand-overs alone are no sign of a slow host
    }
    const auto in_ledger = [&](const LedgerEntry& e) { return is_late(e) || isHandOver(e); };
    const FastHosts fast_hosts(context, late);
    const auto fast_host = [&](std::uint32_t rank) { return fast_hosts.changeOf(rank, {}); };
    const Price price = context.claims.price("launch-bound", in_ledger, fast_host, Reach::OwnTime, Claim::LeftOver);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("launch-bound", price, context.facts.ranks.size());
    finding.title = context.advice.title(finding.id);
    finding.why = "For " + formatDuration(price.blocked_ns) +
                  " of the median step the device has finished what was launched and waits for more: " +
                  splitText(context, late) + ". " + kernelsText(usualKernels(context)) + cutText(context, price.ranks) +
                  "If the host had launched all of it in time, in kernels that follow one another at once, " +
                  replayText(context, price) + ".";
    RunChange fewer_launches;
    fewer_launches.of_rank = [&](std::uint32_t rank) {
        return fast_hosts.changeOf(rank, launchesOfLongKernels(context.work[rank]));
    };
    boundPrice(context, {context.facts.ledger, in_ledger}, fewer_launches, finding);
    finding.remedies = context.advice.remedies(finding.id, conditions(context, price, is_late));
    finding.evidence = evidenceOf(context, price.ranks, is_late);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
