// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/efficiency/products.h"
#include "core/base/format.h"
#include "core/diagnosis/prices/fitted_links.h"
#include "core/whatif/activations.h"
#include "core/whatif/change.h"
#include "core/whatif/event_phases.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

DurationNs perStep(const RuleContext& context, double sum) {
    return std::llround(sum / static_cast<double>(std::max<std::size_t>(1, context.facts.steps.size())));
}

// Stage 3 to stage 2: parameters stay gathered from the forward to the backward.

Result<WhatIfEffect> keptParameters(const RuleContext& context) {
    std::set<CollectivePosition> gathers;
    double kept_bytes = 0;
    for (const ShardCollective& shard : context.facts.shards.collectives) {
        const Collective& collective = context.facts.collectives.collectives[shard.collective];
        if (shard.operation == ShardOperation::Gather && shard.phase == Phase::Backward) {
            gathers.insert(shard.collective);
            kept_bytes += static_cast<double>(collective.bytes.value_or(0));
        }
    }
    if (gathers.empty() || !context.pricer.coupled()) {
        return cannotTell(gathers.empty() ? "The backward gathers no parameters."
                                          : "Transfers and waits for other ranks cannot be separated: not all ranks "
                                            "were recorded.");
    }
    WhatIfEffect effect;
    effect.notes.push_back(
        "A step then has " +
        formatCounted(static_cast<std::uint64_t>(perStep(context, static_cast<double>(gathers.size()))), "gather") +
        " less.");
    if (kept_bytes > 0) {
        effect.notes.push_back("Each rank then keeps up to " +
                               formatBytes(static_cast<std::uint64_t>(perStep(context, kept_bytes))) +
                               " of gathered parameters from the forward to the backward.");
    }
    effect.replay.removed = [gathers = std::make_shared<const std::set<CollectivePosition>>(std::move(gathers))](
                                CollectivePosition collective) { return gathers->contains(collective); };
    return effect;
}

// Replicas to stages 1 and 2: gradients are scattered instead of reduced, each rank updates its share, and the new
// parameters are gathered behind the optimizer.

/// The all-reduces of gradients, and what they become.
struct DividedGradients {
    /// By CollectiveFacts::collectives: how many times as long each takes as a scatter; 1 for all others. The last of a
    /// step takes as long as all gathers of the step, too: nothing else runs on its stream until they would follow.
    std::vector<double> ratio;
    DurationNs gathers_ns = 0;  ///< all gathers of a step
    std::int64_t bytes = 0;     ///< of the gradients of a step
    std::size_t ranks = 0;
};

/// An all-reduce as a scatter and a gather.
struct DividedTransfer {
    std::size_t collective = 0;
    double scatter = 1;  ///< of today's time
    double gather_ns = 0;
    std::size_t ranks = 0;
};

bool isInBackward(const RuleContext& context, const Collective& collective) {
    const CollectiveMember& member = collective.members.front();
    return !member.slices.empty() &&
           launchPhase(context.facts.ranks[member.rank].phases, member.slices.front()) == Phase::Backward;
}

std::optional<DividedTransfer> dividedTransfer(const RuleContext& context, const std::vector<FittedLink>& links,
                                               std::size_t index) {
    const CollectiveFacts& facts = context.facts.collectives;
    const Collective& collective = facts.collectives[index];
    const TransferFit* const fit = facts.fitOf(collective);
    if (fit == nullptr || !collective.bytes || !collective.transfer_ns ||
        collective.kind != CollectiveKind::AllReduce || !isInBackward(context, collective)) {
        return std::nullopt;
    }
    const FittedLink& link = links[static_cast<std::size_t>(fit - facts.fits.data())];
    if (!link.model || link.ranks != context.run.ranks.size()) {
        return std::nullopt;
    }
    const auto predicted = [&](CollectiveKind kind, Algorithm algorithm) {
        return static_cast<double>(link.model->predict(kind, algorithm, link.ranks, *collective.bytes).value_or(0));
    };
    const double now_ns = predicted(collective.kind, link.algorithm);
    if (now_ns <= 0 || *collective.transfer_ns <= 0) {
        return std::nullopt;
    }
    return DividedTransfer{index, predicted(CollectiveKind::ReduceScatter, Algorithm::Ring) / now_ns,
                           predicted(CollectiveKind::AllGather, Algorithm::Ring), link.ranks};
}

DividedGradients dividedGradients(const RuleContext& context) {
    const CollectiveFacts& facts = context.facts.collectives;
    const std::vector<FittedLink> links = fittedLinks(context.run, context.facts, {});
    DividedGradients out;
    out.ratio.assign(facts.collectives.size(), 1);
    std::map<const RankStep*, std::vector<DividedTransfer>> steps;
    double gathers_ns = 0;
    double bytes = 0;
    for (std::size_t i = 0; i < facts.collectives.size(); ++i) {
        const std::optional<DividedTransfer> divided = dividedTransfer(context, links, i);
        if (!divided) {
            continue;
        }
        const CollectiveMember& member = facts.collectives[i].members.front();
        steps[stepAt(context.facts.ranks[member.rank], member.span.start_ns)].push_back(*divided);
        out.ratio[i] = divided->scatter;
        out.ranks = divided->ranks;
        gathers_ns += divided->gather_ns;
        bytes += static_cast<double>(facts.collectives[i].bytes.value_or(0));
    }
    for (const auto& [step, transfers] : steps) {
        double sum_ns = 0;
        for (const DividedTransfer& transfer : transfers) {
            sum_ns += transfer.gather_ns;
        }
        const std::size_t last = transfers.back().collective;
        out.ratio[last] += sum_ns / static_cast<double>(facts.collectives[last].transfer_ns.value_or(1));
    }
    out.gathers_ns = perStep(context, gathers_ns);
    out.bytes = perStep(context, bytes);
    return out;
}

Result<WhatIfEffect> dividedStates(const RuleContext& context) {
    if (!context.pricer.coupled()) {
        return cannotTell("Transfers and waits for other ranks cannot be separated: not all ranks were recorded.");
    }
    const auto divided = std::make_shared<const DividedGradients>(dividedGradients(context));
    if (divided->gathers_ns <= 0) {
        return cannotTell("No all-reduces of gradients among all ranks, with a fitted link, were recorded.");
    }
    const double share = 1 / static_cast<double>(divided->ranks);
    WhatIfEffect effect;
    effect.transfer = [divided](CollectivePosition collective, DurationNs transfer_ns) {
        return static_cast<DurationNs>(std::llround(divided->ratio[collective] * static_cast<double>(transfer_ns)));
    };
    effect.length = optimizerOnShare(context, share);
    effect.added = [divided](const PlayedChange& /*played*/) { return AddedTime{-divided->gathers_ns, 0, 0}; };
    effect.notes.push_back("The gathers of the new parameters take " + formatDuration(divided->gathers_ns) +
                           " in a step. The range reaches to a next forward that hides them all.");
    effect.notes.push_back("Parameters are taken to have the size of their gradients, " +
                           formatBytes(static_cast<std::uint64_t>(divided->bytes)) +
                           ". The optimizer's state of a rank shrinks to a share of " + formatPercent(share) + ".");
    return effect;
}

// Recomputation.

/// The device work of a rank that computes a second time what was computed in the forward, as far as it is marked, and
/// the calls that launch it.
struct Recomputed {
    std::set<SliceRef> work;
    std::vector<HostChange> calls;
    std::set<SliceRef> products;  ///< other counted products
    double product_ns = 0;        ///< of `work`
};

Recomputed recomputedOn(const RankContext& work) {
    KernelKinds kinds(*work.trace);
    const RankProducts products = findProducts(*work.trace, work.device, kinds);
    Recomputed out;
    for (std::size_t i = 0; i < work.device.events.size(); ++i) {
        const std::uint32_t product = products.of_events[i];
        if (product == RankProducts::kNone) {
            continue;
        }
        const DeviceEvent& event = work.device.events[i];
        const bool again = products.calls[product].recomputed;
        (again ? out.work : out.products).insert(event.ref);
        out.product_ns += again ? static_cast<double>(event.span.length()) : 0;
    }
    for (const CountedProduct& product : products.calls) {
        if (product.recomputed) {
            out.calls.push_back({work.trace->span(product.call), 0});
        }
    }
    return out;
}

/// Device work of forward and backward that computes, on one rank.
struct PassWork {
    double forward_ns = 0;
    double backward_ns = 0;
};

bool computes(const RankContext& work, const ReplayEvent& event) {
    return !event.communication && work.trace->category(event.ref) == Category::Kernel;
}

/// What else is recomputed in a step, if it is the same share as in the forward: the kernels of the forward that are no
/// counted products, in proportion to these. On the rank with most; 0 if that is not known.
DurationNs unmarkedWork(const RuleContext& context, const std::vector<Recomputed>& ranks) {
    const EventPhases phases = eventPhases(context);
    double most_ns = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const std::vector<ReplayEvent>& events = context.pricer.model().ranks[r].events;
        double products_ns = 0;
        double others_ns = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (phases[r][i] == Phase::Forward && computes(context.work[r], events[i])) {
                (ranks[r].products.contains(events[i].ref) ? products_ns : others_ns) +=
                    static_cast<double>(events[i].span.length());
            }
        }
        most_ns = std::max(most_ns, products_ns > 0 ? ranks[r].product_ns * others_ns / products_ns : 0);
    }
    return perStep(context, most_ns);
}

}  // namespace

Result<WhatIfEffect> otherZeroStage(const RuleContext& context, const WhatIfValues& values) {
    if (values.count > 3) {
        return cannotTell("ZeRO has the stages 1, 2 and 3.");
    }
    const ShardFacts& shards = context.facts.shards;
    if (shards.any()) {
        if (values.count == 2 && shards.stage.lowest == 3) {
            return keptParameters(context);
        }
        return cannotTell(shards.stage.lowest == values.count
                              ? "The job runs by that stage already."
                              : "ZeRO stage 3 can become stage 2: that leaves gathers out. For another change of "
                                "stage, the run does not show when the new gathers would begin.");
    }
    if (values.count == 3) {
        return cannotTell(
            "The job does not divide its parameters: the run does not show in which units they would be gathered.");
    }
    return dividedStates(context);
}

Result<WhatIfEffect> noRecomputation(const RuleContext& context, const WhatIfValues& /*values*/) {
    const auto ranks = std::make_shared<std::vector<Recomputed>>();
    for (const RankContext& work : context.work) {
        ranks->push_back(recomputedOn(work));
    }
    if (std::ranges::all_of(*ranks, [](const Recomputed& rank) { return rank.work.empty(); })) {
        return cannotTell(
            "No matrix product is known to be recomputed in the backward. Record record_shapes=True to have them "
            "counted.");
    }
    WhatIfEffect effect;
    effect.replay.of_rank = [ranks](RankPosition rank) {
        return ReplayChange{
            .removed = [ranks, rank](const ReplayEvent& event) { return (*ranks)[rank].work.contains(event.ref); },
            .host = (*ranks)[rank].calls};
    };
    if (const DurationNs unmarked_ns = unmarkedWork(context, *ranks); unmarked_ns > 0) {
        effect.added = [unmarked_ns](const PlayedChange& /*played*/) { return AddedTime{-unmarked_ns, 0, 0}; };
        effect.notes.emplace_back(
            "Only products are marked as recomputed: the range reaches to as much other work as the forward has.");
    }
    if (auto note = activationNote(context, "it grows by what is no longer recomputed.")) {
        effect.notes.push_back(*std::move(note));
    }
    return effect;
}

Result<WhatIfEffect> wholeRecomputation(const RuleContext& context, const WhatIfValues& /*values*/) {
    const auto phases = std::make_shared<const EventPhases>(eventPhases(context));
    const auto& models = context.pricer.model().ranks;
    const auto factors = std::make_shared<std::vector<double>>();
    for (std::size_t r = 0; r < models.size(); ++r) {
        if (!recomputedOn(context.work[r]).work.empty()) {
            return cannotTell("The job recomputes already.");
        }
        PassWork work;
        for (std::size_t i = 0; i < models[r].events.size(); ++i) {
            const ReplayEvent& event = models[r].events[i];
            const Phase phase = computes(context.work[r], event) ? (*phases)[r][i] : Phase::Other;
            work.forward_ns += phase == Phase::Forward ? static_cast<double>(event.span.length()) : 0;
            work.backward_ns += phase == Phase::Backward ? static_cast<double>(event.span.length()) : 0;
        }
        if (!models[r].events.empty() && (work.forward_ns <= 0 || work.backward_ns <= 0)) {
            return cannotTell("The run does not show which work is that of forward and backward.");
        }
        factors->push_back(work.backward_ns > 0 ? 1 + work.forward_ns / work.backward_ns : 1);
    }
    WhatIfEffect effect;
    effect.length = [&context, &models, phases, factors](RankPosition rank, const ReplayEvent& event,
                                                         DurationNs length_ns) {
        const bool grows =
            (*phases)[rank][indexOf(models[rank], event)] == Phase::Backward && computes(context.work[rank], event);
        return grows ? static_cast<DurationNs>(std::llround((*factors)[rank] * static_cast<double>(length_ns)))
                     : length_ns;
    };
    if (auto note = activationNote(context, "most of it is then freed in the forward.")) {
        effect.notes.push_back(*std::move(note));
    }
    return effect;
}

}  // namespace rankscope
