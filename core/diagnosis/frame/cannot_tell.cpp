// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/cannot_tell.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/gradient_buckets.h"
#include "core/diagnosis/prices/merged_buckets.h"

namespace rankscope {
namespace {

void add(const RuleContext& context, Diagnosis& diagnosis, FindingId id, std::string reason) {
    diagnosis.cannot_tell.push_back({id, std::move(reason), context.advice.record(id)});
}

/// Adds several findings that cannot be judged for one reason, and that one recording would decide.
void addTogether(const RuleContext& context, Diagnosis& diagnosis, std::initializer_list<FindingId> ids,
                 const std::string& reason) {
    for (const FindingId id : ids) {
        diagnosis.cannot_tell.push_back({id, reason, context.advice.record(FindingId::LaunchBound)});
    }
}

/// The same for data that is recorded but not evaluated yet: there is nothing to record.
void addOpenWork(Diagnosis& diagnosis, FindingId id, std::string reason) {
    diagnosis.cannot_tell.push_back({id, std::move(reason), kNothingToRecord});
}

std::int32_t worldSize(const Run& run) {
    std::int32_t world = 0;
    for (const auto& rank : run.ranks) {
        world = std::max(world, rank->world_size.value_or(0));
    }
    return world;
}

bool allMembersKnown(const CollectiveFacts& facts) {
    return facts.unmatched.empty() && std::ranges::all_of(facts.collectives, &Collective::complete);
}

/// The priced steps of a rank; all of its steps if there is no price.
std::vector<const RankStep*> countedSteps(const RuleContext& context, RankPosition rank) {
    const std::vector<RankStep>& own = context.facts.ranks[rank].steps;
    std::vector<const RankStep*> counted;
    for (const RunStep* const step : context.pricer.steady()) {
        if (const std::optional<RankStepPosition> at = step->of(rank)) {
            counted.push_back(&own[*at]);
        }
    }
    if (context.pricer.steady().empty()) {
        for (const RankStep& step : own) {
            counted.push_back(&step);
        }
    }
    return counted;
}

void judgeRanks(const RuleContext& context, Diagnosis& diagnosis) {
    const bool communicates =
        std::ranges::any_of(context.facts.ranks, [](const RankFacts& rank) { return !rank.communication.empty(); });
    const std::int32_t world = worldSize(context.run);
    const auto opened = static_cast<std::int32_t>(context.run.ranks.size());
    if (world > opened || (world == 0 && opened == 1 && communicates)) {
        const std::string of = world > opened ? " of " + std::to_string(world) : std::string();
        add(context, diagnosis, FindingId::StragglerRank,
            "Only " + std::to_string(opened) + of + (opened == 1 && world <= opened ? " rank was" : " ranks were") +
                " opened. Without the others, it is unknown whether a rank slows them down.");
    }
    DurationNs unsplit_ns = 0;
    DurationNs all_ns = 0;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        for (const RankStep* const step : countedSteps(context, r)) {
            const DurationNs exposed_ns = step->partition ? step->partition->exposed_comm_ns : 0;
            unsplit_ns += step->partition ? step->partition->exposed_unsplit_ns.value_or(exposed_ns) : 0;
            all_ns += step->span.length();
        }
    }
    if (static_cast<double>(unsplit_ns) > Pricer::kLeastShare * static_cast<double>(all_ns)) {
        const std::string share = formatPercent(static_cast<double>(unsplit_ns) / static_cast<double>(all_ns));
        if (allMembersKnown(context.facts.collectives)) {
            addOpenWork(diagnosis, FindingId::ExposedCommunication,
                        share +
                            " of the time is exposed communication in which a rank waits for only some of the others "
                            "(broadcasts, sends and receives). Segment times do not show how much is transfer and how "
                            "much is waiting.");
        } else {
            add(context, diagnosis, FindingId::ExposedCommunication,
                share +
                    " of the time is exposed communication in collectives that are not matched with all members. How "
                    "much is transfer and how much is waiting for other ranks is unknown.");
        }
    }
    if (opened > 1 && opened >= world && communicates && context.facts.stragglers.segments.empty()) {
        diagnosis.cannot_tell.push_back(whySegmentsAreUnknown(context));
    }
    const bool priced = !context.pricer.steady().empty();
    const std::vector<RankPosition>& apart = context.pricer.model().apart;
    if (opened > 1 && communicates && priced && !context.pricer.coupled() && !apart.empty() &&
        !context.pricer.model().rendezvous.empty()) {
        add(context, diagnosis, FindingId::ExposedCommunication,
            "No collective, send or receive recorded on all its ranks connects " + rankNamesWithin(context, apart) +
                " with the others. The ranks cannot be simulated together, so savings in communication are unknown. "
                "Other savings are simulated on each rank alone, with collectives as long as recorded.");
    } else if (opened > 1 && communicates && priced && !context.pricer.coupled()) {
        addOpenWork(diagnosis, FindingId::ExposedCommunication,
                    "Too few collectives are matched with all members. The ranks cannot be simulated together, so "
                    "savings in communication are unknown. Other savings are simulated on each rank alone, with "
                    "collectives as long as recorded.");
    }
}

/// Pipelines whose bubble, or whose price, is not known: the first one represents all.
void judgePipelines(const RuleContext& context, Diagnosis& diagnosis) {
    const std::vector<Pipeline>& pipelines = context.facts.pipeline.pipelines;
    const auto unknown = std::ranges::find_if(pipelines, [](const Pipeline& pipeline) { return !pipeline.forecast; });
    if (unknown == pipelines.end()) {
        return;
    }
    if (unknown->steps.empty()) {
        add(context, diagnosis, FindingId::PipelineBubble,
            "A group is a pipeline, but its passes were not found: no step has as many backwards as forwards, the same "
            "on all ranks.");
    } else if (!unknown->schedule) {
        add(context, diagnosis, FindingId::PipelineBubble,
            "The bubble of a pipeline is measured, but its passes follow no known schedule. What would shrink the "
            "bubble is unknown.");
    } else if (!std::cmp_equal(unknown->ranks.size(), unknown->size)) {
        add(context, diagnosis, FindingId::PipelineBubble,
            "Not all ranks of a pipeline were opened, so the time of another schedule is unknown.");
    } else {
        addOpenWork(diagnosis, FindingId::PipelineBubble,
                    "The bubble of a pipeline is measured, but this version cannot simulate a step of " +
                        std::string(scheduleTitle(*unknown->schedule)) +
                        " as it ran here. The time with other stages or micro-batches is unknown.");
    }
}

/// A tenth of DDP's default, 25 MiB.
constexpr std::int64_t kSmallBucketBytes = std::int64_t{25} * 1024 * 1024 / 10;

/// The bytes of the median all-reduce of gradients; 0 if there is none.
std::int64_t medianGradientBytes(const RuleContext& context) {
    const GradientBuckets buckets(context);
    std::vector<std::int64_t> bytes;
    for (const GradientBuckets::Sent& sent : buckets.sent()) {
        bytes.push_back(sent.collective->bytes.value_or(0));  // those that were sent and have a size
    }
    return lowerMedian(std::move(bytes));
}

bool canMergeBuckets(const RuleContext& context) {
    return context.pricer.coupled() && !MergedBuckets(context).gone().empty();
}

/// Collectives are compared at equal sizes; their cost for DDP depends on its buckets.
void judgeSizes(const RuleContext& context, Diagnosis& diagnosis) {
    const auto& all = context.facts.collectives.collectives;
    const auto timed = std::ranges::count_if(all, [](const Collective& c) { return c.transfer_ns.has_value(); });
    const auto sized = std::ranges::count_if(all, [](const Collective& c) { return c.transfer_ns && c.bytes; });
    const DurationNs exposed_ns =
        context.pricer.typicalLedgerTime([](const LedgerEntry& e) { return e.owner == Owner::ExposedTransfer; });
    const double least_ns = Pricer::kLeastShare * static_cast<double>(context.facts.pricedStep());
    if (timed == 0 || static_cast<double>(exposed_ns) < least_ns) {
        return;
    }
    const bool ddp = std::ranges::any_of(context.facts.ranks, [](const RankFacts& rank) { return rank.ddp.in_use; });
    if (2 * sized < timed) {
        add(context, diagnosis, FindingId::SlowCollective,
            "The sizes of most collectives were not recorded, so it is unknown whether some are slower than others of "
            "their size.");
        if (ddp) {
            add(context, diagnosis, FindingId::BucketSize,
                "The sizes of most collectives were not recorded, so it is unknown whether DDP's buckets are too large "
                "or too small.");
        }
    } else if (const std::int64_t bytes = medianGradientBytes(context);
               ddp && bytes > 0 && bytes < kSmallBucketBytes && !canMergeBuckets(context)) {
        addOpenWork(diagnosis, FindingId::BucketSize,
                    "DDP sends gradients in all-reduces of " + formatBytes(static_cast<std::uint64_t>(bytes)) +
                        " (median), much less than with bucket_cap_mb=25. Each costs latency and CPU time. The saving "
                        "of fewer, larger ones is computed only if autograd's thread sends them and the ranks can be "
                        "simulated together.");
    }
}

/// Without host activity every gap is unexplained, whatever its cause.
bool hasLaunches(const RuleContext& context) {
    return std::ranges::any_of(context.run.ranks, [](const auto& rank) { return !rank->launches.all().empty(); });
}

void judgeMemory(const RuleContext& context, Diagnosis& diagnosis) {
    bool any_events = false;
    bool any_capacity = false;
    for (const RankFacts& rank : context.facts.ranks) {
        for (const DeviceMemory& device : rank.memory) {
            any_events = true;
            any_capacity = any_capacity || device.capacity_bytes > 0;
        }
    }
    if (!any_events) {
        add(context, diagnosis, FindingId::MemoryPressure,
            "No memory events with the allocator's totals were recorded for any GPU.");
    } else if (!any_capacity) {
        addOpenWork(diagnosis, FindingId::MemoryPressure, "The files do not say how much memory the GPU has.");
    }
}

}  // namespace

std::string CannotTellTogether::names() const {
    std::string names;
    for (const FindingId id : ids) {
        names += (names.empty() ? "" : ", ") + std::string(findingName(id));
    }
    return names;
}

std::vector<CannotTellTogether> cannotTellByReason(const std::vector<CannotTell>& all) {
    std::vector<CannotTellTogether> together;
    for (const CannotTell& one : all) {
        const auto known = std::ranges::find_if(together, [&](const CannotTellTogether& other) {
            return other.reason == one.reason && other.record == one.record;
        });
        if (known == together.end()) {
            together.push_back({{one.id}, one.reason, one.record});
        } else {
            known->ids.push_back(one.id);
        }
    }
    return together;
}

void listWhatCannotBeTold(const RuleContext& context, Diagnosis& diagnosis) {
    const bool no_device = std::ranges::none_of(context.facts.ranks, [](const RankFacts& r) { return r.device >= 0; });
    if (no_device) {
        addTogether(
            context, diagnosis,
            {FindingId::DataloaderStall, FindingId::UnpinnedMemcpy, FindingId::HostSync, FindingId::AllocatorStall,
             FindingId::HostCode, FindingId::LaunchBound, FindingId::FindUnusedParameters, FindingId::GradientCopies},
            "The traces contain no GPU work, so it is unknown when a GPU was kept waiting.");
        return;
    }
    if (context.pricer.steady().empty()) {
        add(context, diagnosis, FindingId::TraceHealth,
            "No step is complete on all ranks, so nothing can be priced per step.");
    }
    judgeRanks(context, diagnosis);
    judgePipelines(context, diagnosis);
    judgeSizes(context, diagnosis);
    if (!hasLaunches(context)) {
        addTogether(context, diagnosis,
                    {FindingId::DataloaderStall, FindingId::HostSync, FindingId::AllocatorStall, FindingId::HostCode,
                     FindingId::LaunchBound, FindingId::FindUnusedParameters, FindingId::GradientCopies},
                    "No launches were recorded on the CPU, so it is unknown what the CPU did while the GPU was idle.");
    } else if (!recordsOperators(context.run)) {
        addTogether(context, diagnosis,
                    {FindingId::DataloaderStall, FindingId::HostCode, FindingId::FindUnusedParameters,
                     FindingId::GradientCopies},
                    "No operators were recorded on the CPU, so it is unknown what it did between its launches.");
    } else if (std::ranges::none_of(context.run.ranks, [](const auto& rank) { return hasStacks(*rank); })) {
        add(context, diagnosis, FindingId::HostCode,
            "No Python stacks were recorded, so CPU time cannot be traced to a line of code.");
    }
    judgeMemory(context, diagnosis);
}

}  // namespace rankscope
