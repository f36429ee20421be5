// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <optional>

#include "core/analysis/tensor/find_tensor.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/exposed_reasons.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/gradient_buckets.h"
#include "core/diagnosis/prices/price_remedy.h"

namespace rankscope {
namespace exposed_communication {
namespace {

/// Transfers that overlap less than this share with compute started when no compute was left.
constexpr double kSentLate = 0.1;
constexpr std::size_t kMostEvidence = 8;

/// The transfers of the critical ranks in steady-state steps.
struct Transfers {
    std::size_t count = 0;
    DurationNs time_ns = 0;
    DurationNs hidden_ns = 0;      ///< during compute
    DurationNs unknown_ns = 0;     ///< of kernels of unknown kind: dispatches and combines of experts
    DurationNs sized_time_ns = 0;  ///< of transfers with known bytes
    std::int64_t bytes = 0;
    double bus_bytes = 0;  ///< bus bandwidth x time: bytes over the slowest link
    RoleTimes open;        ///< exposed time by role, without what `tensor-communication` prices
    bool reduces_gradients = false;

    /// Whether most of the exposed communication has this role.
    [[nodiscard]] bool isMostly(Role role) const { return 2 * open[role] > open.total(); }
    [[nodiscard]] double hidden() const {
        return time_ns > 0 ? static_cast<double>(hidden_ns) / static_cast<double>(time_ns) : 0.0;
    }
};

void add(const RunFacts& facts, CollectivePosition position, const CollectiveMember& member, Transfers& transfers) {
    const Collective& collective = facts.collectives.collectives[position];
    const RankFacts& rank = facts.ranks[member.rank];
    const TimeSpan transfer{collective.beginOf(member).value_or(member.span.end_ns), member.span.end_ns};
    const DurationNs transfer_ns = transfer.length();
    ++transfers.count;
    transfers.time_ns += transfer_ns;
    const DurationNs hidden_ns = rank.compute.lengthIn(transfer);
    transfers.hidden_ns += hidden_ns;
    const std::optional<Role> role = facts.parallelism.roleOf(position);
    transfers.open[role] += role == Role::Tensor || role == Role::Sequence ? 0 : transfer_ns - hidden_ns;
    transfers.unknown_ns += collective.kind == CollectiveKind::Unknown ? transfer_ns : 0;
    if (collective.bytes && collective.bus_gb_per_s) {
        transfers.sized_time_ns += transfer_ns;
        transfers.bytes += *collective.bytes;
        transfers.bus_bytes += *collective.bus_gb_per_s * static_cast<double>(transfer_ns);
    }
    transfers.reduces_gradients |= mayBeOfDdp(facts, collective, member.rank);
}

Transfers transfersOf(const RuleContext& context) {
    Transfers transfers;
    const std::vector<Collective>& all = context.facts.collectives.collectives;
    for (CollectivePosition c{0}; c < all.size(); ++c) {
        const Collective& collective = all[c];
        for (const CollectiveMember& member : collective.members) {
            const RankFacts& rank = context.facts.ranks[member.rank];
            const RankStep* const step = collective.transfer_ns ? stepAt(rank, member.span.end_ns - 1) : nullptr;
            if (step != nullptr && step->complete && !step->outlier) {
                add(context.facts, c, member, transfers);
            }
        }
    }
    return transfers;
}

/// ", on the compute stream", if it is; else empty.
std::string streamText(const RuleContext& context, const LedgerEntry& entry) {
    return entry.evidence.front().track == computeStream(context.work[entry.rank].device)
               ? context.sentences.fill("exposed-communication.note-same-stream", {})
               : std::string();
}

/// The kernels of the longest exposed transfers.
std::vector<Evidence> evidenceOfTransfers(const RuleContext& context, const Price& price, const LedgerFilter& owned) {
    std::vector<const LedgerEntry*> entries;
    for (const RunStep* step : context.pricer.steady()) {
        for (const RankPosition rank : price.ranks) {
            if (const std::optional<RankStepPosition> own = step->of(rank)) {
                for (const LedgerEntry& entry : context.pricer.entries(rank, *own)) {
                    if (owned(entry) && !entry.evidence.empty()) {
                        entries.push_back(&entry);
                    }
                }
            }
        }
    }
    std::ranges::stable_sort(entries, std::greater<>(), &LedgerEntry::ns);
    std::vector<Evidence> evidence;
    for (const LedgerEntry* entry : entries) {
        if (evidence.size() < kMostEvidence) {
            const RankStep& step = context.facts.ranks[entry->rank].steps[entry->step];
            evidence.push_back({entry->rank, step.index, entry->evidence.front(),
                                "the longest of " + formatDuration(entry->ns) + " of exposed " + entry->label +
                                    streamText(context, *entry)});
        }
    }
    return evidence;
}

std::string speedText(const RuleContext& context, const Transfers& transfers) {
    if (transfers.sized_time_ns <= 0) {
        return {};
    }
    const double gb_per_s = transfers.bus_bytes / static_cast<double>(transfers.sized_time_ns);
    return context.sentences.fill("exposed-communication.speed", {{"gb_per_s", formatDecimal(gb_per_s, 1)}});
}

/// Whether most of the exposed transfers are of shard units that are too large to hide, or at the ends of a step, where
/// nothing can hide them.
bool isOfUnits(const RunFacts& facts) {
    DurationNs of_units_ns = 0;
    for (const RankShards& rank : facts.shards.ranks) {
        ShardTimes times = rank.counted.gathers;
        times += rank.counted.scatters;
        of_units_ns += times[ShardCause::TooLarge] + times[ShardCause::FirstUnit] + times[ShardCause::LastUnit];
    }
    DurationNs all_ns = 0;
    for (const RankFacts& rank : facts.ranks) {
        for (const RankStep& step : rank.steps) {
            const bool counts = step.complete && !step.outlier && step.partition;
            all_ns += counts ? step.partition->exposed_transfer_ns.value_or(0) : 0;
        }
    }
    return of_units_ns > 0 && 2 * of_units_ns >= all_ns;
}

std::vector<std::string> conditionsOf(const RunFacts& facts, const Transfers& transfers, ExposedBecause because) {
    std::vector<std::string> conditions;
    if (2 * transfers.unknown_ns > transfers.time_ns) {
        return {"experts"};
    }
    if (because == ExposedBecause::SameStream) {
        conditions.emplace_back(exposedBecauseName(because));
        if (purposeOf(facts) == RunPurpose::Serving) {
            conditions.emplace_back("sent-late");
        }
        return conditions;
    }
    if (isOfUnits(facts)) {
        conditions.push_back(std::string(shardFrameworkName(facts.shards.framework)) + "-units");
    }
    const bool late = transfers.hidden() < kSentLate;
    const bool fsdp =
        facts.shards.framework == ShardFramework::Fsdp1 || facts.shards.framework == ShardFramework::Fsdp2;
    const bool pipeline = transfers.isMostly(Role::Pipeline);
    conditions.emplace_back("model");
    if (pipeline) {
        conditions.emplace_back("pipeline");
    } else if (transfers.isMostly(Role::Expert) && !isForwardOnly(facts)) {
        conditions.emplace_back("experts-training");
    } else if (!isForwardOnly(facts)) {
        conditions.emplace_back(fsdp ? "training-fsdp" : "training");
    }
    if (late && !pipeline) {
        conditions.emplace_back(fsdp ? "sent-late-fsdp" : "sent-late");
    } else if (!late) {
        conditions.emplace_back("too-long");
    }
    if (transfers.reduces_gradients) {
        conditions.emplace_back("ddp");
        conditions.emplace_back(late ? "ddp-sent-late" : "ddp-too-long");
    }
    return conditions;
}

Explanation explain(const RuleContext& context, const LedgerFilter& owned, const Price& price) {
    const Sentences& say = context.sentences;
    const Transfers transfers = transfersOf(context);
    const bool late = transfers.hidden() < kSentLate;
    const ExposedReasons reasons = exposedReasons(context, [&facts = context.facts](CollectivePosition collective) {
        const std::optional<Role> role = facts.parallelism.roleOf(collective);
        return role != Role::Tensor && role != Role::Sequence;
    });
    Explanation told{.why = say.fill("exposed-communication.why",
                                     {{"blocked", formatDuration(price.blocked_ns)},
                                      {"hidden", formatPercent(transfers.hidden())},
                                      {"speed", speedText(context, transfers)},
                                      {"replay", replayText(context, price)},
                                      {"why", exposedReasonsText(say, reasons)},
                                      {"beside", late ? std::string() : say.fill("exposed-communication.beside", {})}}),
                     .conditions = conditionsOf(context.facts, transfers, reasons.main()),
                     .evidence = evidenceOfTransfers(context, price, owned)};
    if (reasons.total() > 0) {
        told.cause = reasons.main();
        told.cause_share = reasons.share(reasons.main());
    }
    if (reasons.main() == ExposedBecause::SameStream) {
        told.title = say.fill("exposed-communication.title-same-stream", {});
    }
    return told;
}

/// DDP can send all gradients during the backward, except for the last bucket, the rest of the one before it, and what
/// exceeds the backward. Any part of other transfers may have no compute to hide it.
RemedyCost costOfHiding(const RuleContext& context, const GradientBuckets& buckets, const Price& price) {
    const bool of_gradients = !buckets.sent().empty() && 2 * buckets.stepTransfer() >= price.blocked_ns;
    const DurationNs stays_ns = of_gradients
                                    ? std::max(2 * longestTransfer(context, buckets), beyondBackward(context, buckets))
                                    : price.saving_ns;
    return costOfOverlap(context, RemedyKind::Overlap, price.saving_ns, std::min(stays_ns, price.saving_ns));
}

}  // namespace
}  // namespace exposed_communication

std::vector<Problem> exposedCommunication(const RuleContext& context) {
    using namespace exposed_communication;
    const auto buckets = std::make_shared<const GradientBuckets>(context);
    const LedgerFilter owned = [buckets](const LedgerEntry& e) {
        return e.owner == Owner::ExposedTransfer && !e.slow_excess && !buckets->owns(e);
    };
    RunChange hidden;
    hidden.transfer = [&facts = context.facts, buckets](CollectivePosition collective, DurationNs transfer_ns) {
        const Collective& of = facts.collectives.collectives[collective];
        return buckets->owns(of) ? transfer_ns : transfer_ns - baselinePart(of, transfer_ns);
    };
    return {{.id = FindingId::ExposedCommunication,
             .owned = owned,
             .change = std::move(hidden),
             .claim = Claim::LeftOver,
             .at_most = true,
             .cost = [&context, buckets](const Price& price) { return costOfHiding(context, *buckets, price); },
             .explain = [&context, owned](const Price& price) { return explain(context, owned, price); }}};
}

}  // namespace rankscope
