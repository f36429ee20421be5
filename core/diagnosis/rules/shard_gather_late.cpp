// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/gathers.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace shard_gather_late {
namespace {

constexpr std::size_t kMostEvidence = 8;

/// A gather that would be hidden if it started sooner, or a scatter that would be hidden without such a gather behind
/// it.
struct LateGather {
    const ShardCollective* shard = nullptr;
    DurationNs hideable_ns = 0;  ///< part of its transfer
};

bool beginsLate(const ShardCollective& shard) {
    const ShardCause cause = shard.transfer_cause;
    const bool gather = shard.operation == ShardOperation::Gather;
    return cause == ShardCause::NoPrefetch ||
           (gather && (cause == ShardCause::HostLate || cause == ShardCause::Limited));
}

/// The gathers that start late, and their share of the exposed transfers of such collectives.
class LateGathers {
  public:
    explicit LateGathers(const RuleContext& context) : facts_(context.facts) {
        const std::vector<DurationNs> exposed = exposedOnLast();
        for (std::size_t i = 0; i < facts_.shards.collectives.size(); ++i) {
            const ShardCollective& shard = facts_.shards.collectives[i];
            const bool gather = shard.operation == ShardOperation::Gather;
            gathers_ += gather && shard.transfer_cause != ShardCause::Unknown ? 1U : 0U;
            all_ns_ += gather || beginsLate(shard) ? exposed[i] : 0;
            const Collective& collective = facts_.collectives.collectives[shard.collective];
            if (!beginsLate(shard) || !shard.compute_ns || !collective.transfer_ns) {
                continue;
            }
            // Compute in that time already overlaps with the transfer, or could.
            const DurationNs hidden_ns = *collective.transfer_ns - exposed[i];
            const DurationNs hideable_ns = std::min(exposed[i], *shard.compute_ns - hidden_ns);
            if (hideable_ns > 0) {
                late_.emplace(shard.collective, LateGather{&shard, hideable_ns});
                late_gathers_ += gather ? 1U : 0U;
                names_.emplace(collective.group, collective.name);
                late_ns_ += hideable_ns;
            }
        }
    }

    /// Whether late gathers cause most of the exposed transfers of gathers.
    [[nodiscard]] bool areMost() const { return late_gathers_ > 0 && 2 * late_ns_ >= all_ns_; }
    [[nodiscard]] bool owns(const LedgerEntry& entry) const {
        return entry.owner == Owner::ExposedTransfer && !entry.slow_excess &&
               names_.contains({entry.group, entry.label});
    }
    /// The transfer time of a collective, or of one of its kernels, if it started in time.
    [[nodiscard]] DurationNs inTime(CollectivePosition collective, DurationNs transfer_ns) const {
        const auto late = late_.find(collective);
        const std::optional<DurationNs>& whole_ns = facts_.collectives.collectives[collective].transfer_ns;
        if (late == late_.end() || !whole_ns || *whole_ns <= 0) {
            return transfer_ns;
        }
        const double share = static_cast<double>(late->second.hideable_ns) / static_cast<double>(*whole_ns);
        return transfer_ns - static_cast<DurationNs>(std::llround(share * static_cast<double>(transfer_ns)));
    }
    /// The gathers that are late because nothing was launched ahead.
    [[nodiscard]] std::vector<CollectivePosition> unprefetched() const {
        std::vector<CollectivePosition> gathers;
        for (const auto& [position, late] : late_) {
            const bool gather = late.shard->operation == ShardOperation::Gather;
            if (gather && late.shard->transfer_cause == ShardCause::NoPrefetch) {
                gathers.push_back(position);
            }
        }
        return gathers;
    }
    [[nodiscard]] const std::map<CollectivePosition, LateGather>& late() const { return late_; }
    [[nodiscard]] std::size_t gathers() const { return gathers_; }  ///< gathers with a known cause
    [[nodiscard]] std::size_t lateGathers() const { return late_gathers_; }

  private:
    /// By shard: the exposed part of its transfer on the last rank to arrive. If a gather and a scatter transfer at the
    /// same time, both delay the device, so both get that exposed time.
    [[nodiscard]] std::vector<DurationNs> exposedOnLast() const {
        std::vector<DurationNs> exposed(facts_.shards.collectives.size());
        for (std::size_t i = 0; i < exposed.size(); ++i) {
            const ShardCollective& shard = facts_.shards.collectives[i];
            const Collective& collective = facts_.collectives.collectives[shard.collective];
            const CollectiveMember* const member = shard.last ? collective.memberOf(*shard.last) : nullptr;
            if (member != nullptr && collective.transfer_ns) {
                const TimeSpan transfer{member->span.end_ns - *collective.transfer_ns, member->span.end_ns};
                exposed[i] = facts_.ranks[*shard.last].exposed_transfer.lengthIn(transfer);
            }
        }
        return exposed;
    }

    const RunFacts& facts_;
    std::map<CollectivePosition, LateGather> late_;
    std::set<std::pair<std::uint32_t, std::string>> names_;  // by group
    std::size_t gathers_ = 0;
    std::size_t late_gathers_ = 0;
    DurationNs all_ns_ = 0;
    DurationNs late_ns_ = 0;
};

std::array<std::size_t, kShardCauses> countCauses(const LateGathers& gathers) {
    std::array<std::size_t, kShardCauses> counts{};
    for (const auto& [position, late] : gathers.late()) {
        const bool gather = late.shard->operation == ShardOperation::Gather;
        counts[static_cast<std::size_t>(late.shard->transfer_cause)] += gather ? 1U : 0U;
    }
    return counts;
}

std::string causesText(const RuleContext& context, const LateGathers& gathers) {
    const std::array<std::size_t, kShardCauses> counts = countCauses(gathers);
    std::string text;
    for (std::size_t i = 0; i < kShardCauses; ++i) {
        if (counts[i] > 0) {
            text += (text.empty() ? "" : ", ") +
                    context.sentences.fill("shard-gather-late.cause",
                                           {{"count", formatCount(counts[i])},
                                            {"reason", std::string(shardCauseText(static_cast<ShardCause>(i)))}});
        }
    }
    return text;
}

/// The remedies that apply, by what mostly starts late, in the terms of the library that shards.
std::vector<std::string> conditionsOf(const RuleContext& context, const LateGathers& gathers) {
    const std::array<std::size_t, kShardCauses> counts = countCauses(gathers);
    const auto of = [&](ShardCause cause) { return counts[static_cast<std::size_t>(cause)]; };
    const ShardFramework framework = context.facts.shards.framework;
    const std::string name(shardFrameworkName(framework));
    std::vector<std::string> conditions;
    if (framework == ShardFramework::Unknown) {
        return {"any"};
    }
    if (of(ShardCause::Limited) > 0) {
        conditions.emplace_back("limited");
    }
    if (framework != ShardFramework::DeepSpeed && of(ShardCause::NoPrefetch) > 0) {
        conditions.push_back(name + "-no-prefetch");
    }
    if (framework != ShardFramework::DeepSpeed && of(ShardCause::HostLate) > of(ShardCause::NoPrefetch)) {
        conditions.push_back(name + "-host-late");
    }
    conditions.push_back(name);
    return conditions;
}

/// The rank that arrives last at more than half of them; nothing if there is none.
std::optional<RankPosition> mostlyLast(const LateGathers& gathers) {
    std::map<RankPosition, std::size_t> counts;
    for (const auto& [position, late] : gathers.late()) {
        ++counts[*late.shard->last];
    }
    for (const auto& [rank, count] : counts) {
        if (2 * count > gathers.late().size()) {
            return rank;
        }
    }
    return std::nullopt;
}

std::vector<const LateGather*> worstFirst(const LateGathers& gathers) {
    std::vector<const LateGather*> worst;
    for (const auto& [position, late] : gathers.late()) {
        if (late.shard->operation == ShardOperation::Gather) {
            worst.push_back(&late);
        }
    }
    std::ranges::stable_sort(worst, std::greater(), [](const LateGather* late) { return late->hideable_ns; });
    return worst;
}

std::vector<Evidence> evidenceFor(const RuleContext& context, const std::vector<const LateGather*>& worst) {
    std::vector<Evidence> evidence;
    for (const LateGather* const late : worst) {
        const RankPosition rank = *late->shard->last;
        const Collective& collective = context.facts.collectives.collectives[late->shard->collective];
        const CollectiveMember& member = *collective.memberOf(rank);
        const RankStep* const step = stepAt(context.facts.ranks[rank], member.span.end_ns - 1);
        if (step == nullptr || evidence.size() >= kMostEvidence) {
            continue;
        }
        evidence.push_back({rank, step->index, member.slices.front(),
                            "gathers " + context.facts.shards.units[late->shard->unit].name + ": " +
                                formatDuration(late->hideable_ns) + " of it could be hidden, but " +
                                std::string(shardCauseText(late->shard->transfer_cause))});
    }
    return evidence;
}

Explanation explain(const RuleContext& context, const LateGathers& gathers, const Price& price) {
    const Sentences& say = context.sentences;
    const std::vector<const LateGather*> worst = worstFirst(gathers);
    const std::optional<RankPosition> last = context.facts.ranks.size() > 1 ? mostlyLast(gathers) : std::nullopt;
    const std::string who =
        last ? say.fill("shard-gather-late.who", {{"rank", rankNames(context, {*last})}}) : std::string();
    const std::size_t late_scatters = gathers.late().size() - gathers.lateGathers();
    const std::string scatters =
        late_scatters == 0 ? std::string()
                           : say.fill("shard-gather-late.scatters", {{"scatters", countText(late_scatters, "scatter")},
                                                                     {"are", late_scatters == 1 ? "is" : "are"}});
    return {
        .why = say.fill("shard-gather-late.why", {{"late", formatCount(gathers.lateGathers())},
                                                  {"gathers", countText(gathers.gathers(), "gather")},
                                                  {"causes", causesText(context, gathers)},
                                                  {"blocked", formatDuration(price.blocked_ns)},
                                                  {"unit", context.facts.shards.units[worst.front()->shard->unit].name},
                                                  {"scatters", scatters},
                                                  {"who", who},
                                                  {"replay", replayText(context, price)}}),
        .conditions = conditionsOf(context, gathers),
        .evidence = evidenceFor(context, worst)};
}

/// A gather that is launched ahead is also copied together ahead, during compute instead of before it.
ReplayChange withoutCopies(const std::shared_ptr<const std::vector<std::vector<SliceRef>>>& copies, RankPosition rank) {
    ReplayChange change;
    change.length = [copies, rank](const ReplayEvent& event) {
        return std::ranges::binary_search((*copies)[rank], event.ref) ? 0 : event.span.length();
    };
    return change;
}

}  // namespace
}  // namespace shard_gather_late

std::vector<Problem> lateShardGathers(const RuleContext& context) {
    using namespace shard_gather_late;
    const auto gathers = std::make_shared<const LateGathers>(context);
    if (!gathers->areMost()) {
        return {};
    }
    RunChange in_time;
    if (const std::vector<CollectivePosition> copied = gathers->unprefetched(); !copied.empty()) {
        const auto copies = std::make_shared<const std::vector<std::vector<SliceRef>>>(gatherCopies(context, copied));
        in_time.of_rank = [copies](RankPosition rank) { return withoutCopies(copies, rank); };
    }
    in_time.transfer = [gathers](CollectivePosition collective, DurationNs transfer_ns) {
        return gathers->inTime(collective, transfer_ns);
    };
    return {{.id = FindingId::ShardGatherLate,
             .owned = [gathers](const LedgerEntry& entry) { return gathers->owns(entry); },
             .change = std::move(in_time),
             .at_most = true,
             .explain = [&context, gathers](const Price& price) { return explain(context, *gathers, price); }}};
}

}  // namespace rankscope
