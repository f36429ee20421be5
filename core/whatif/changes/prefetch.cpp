// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/gathers.h"
#include "core/whatif/change.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

/// A gather, judged on the last rank to arrive.
struct TimedGather {
    CollectivePosition collective;
    DurationNs transfer_ns = 0;
    DurationNs exposed_ns = 0;  ///< of the transfer, today
    DurationNs compute_ns = 0;  ///< between the use of the gather before it and its own
    bool copied = false;        ///< nothing was launched ahead: copies that pack it take time of the compute stream
};

std::optional<TimedGather> timedGather(const RunFacts& facts, const ShardCollective& shard) {
    const Collective& collective = facts.collectives.collectives[shard.collective];
    const CollectiveMember* const member = shard.last ? collective.memberOf(*shard.last) : nullptr;
    if (shard.operation != ShardOperation::Gather || member == nullptr || !collective.transfer_ns) {
        return std::nullopt;
    }
    const TimeSpan transfer{member->span.end_ns - *collective.transfer_ns, member->span.end_ns};
    return TimedGather{.collective = shard.collective,
                       .transfer_ns = *collective.transfer_ns,
                       .exposed_ns = facts.ranks[*shard.last].exposed_transfer.lengthIn(transfer),
                       .compute_ns = shard.compute_ns.value_or(0),
                       .copied = shard.transfer_cause == ShardCause::NoPrefetch};
}

/// The gathers of one phase of one step, in order.
using GatherRow = std::vector<TimedGather>;

std::vector<GatherRow> gatherRows(const RunFacts& facts) {
    std::vector<GatherRow> rows;
    for (const RankShards& rank : facts.shards.ranks) {
        if (rank.parts.empty()) {
            continue;
        }
        std::optional<std::pair<RankStepPosition, Phase>> last;
        for (const ShardPart& part : rank.parts) {
            const ShardCollective& shard = facts.shards.collectives[part.of];
            const std::optional<TimedGather> gather = timedGather(facts, shard);
            if (!gather) {
                continue;
            }
            const std::pair place(part.step, shard.phase);
            if (last != place) {
                rows.emplace_back();
                last = place;
            }
            rows.back().push_back(*gather);
        }
        break;  // the ranks of a group have the same gathers
    }
    return rows;
}

/// What of each transfer is exposed if a gather is launched when the unit `ahead` places before it is first used, and
/// gathers follow each other. The first of a row is launched at its start.
std::vector<DurationNs> exposedWith(const GatherRow& row, std::size_t ahead) {
    std::vector<TimeNs> used_ns;
    std::vector<DurationNs> exposed;
    TimeNs free_ns = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        const TimeNs needed_ns = k == 0 ? 0 : used_ns.back() + row[k].compute_ns;
        const TimeNs launched_ns = k < ahead ? 0 : used_ns[k - ahead];
        free_ns = std::max(free_ns, launched_ns) + row[k].transfer_ns;
        exposed.push_back(std::clamp<DurationNs>(free_ns - needed_ns, 0, row[k].transfer_ns));
        used_ns.push_back(std::max(needed_ns, free_ns));
    }
    return exposed;
}

/// By collective: how much shorter its transfer is, since that part of it becomes hidden.
struct HiddenParts {
    std::map<CollectivePosition, DurationNs> ns;
    std::vector<CollectivePosition> copied;  ///< whose copies are hidden too
};

HiddenParts hiddenWith(const RunFacts& facts, std::size_t ahead) {
    HiddenParts hidden;
    for (const GatherRow& row : gatherRows(facts)) {
        const std::vector<DurationNs> exposed = exposedWith(row, ahead);
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (exposed[k] < row[k].exposed_ns) {
                hidden.ns.emplace(row[k].collective, row[k].exposed_ns - exposed[k]);
                if (row[k].copied) {
                    hidden.copied.push_back(row[k].collective);
                }
            }
        }
    }
    return hidden;
}

std::int64_t largestGather(const RunFacts& facts) {
    std::int64_t bytes = 0;
    for (const ShardCollective& shard : facts.shards.collectives) {
        if (shard.operation == ShardOperation::Gather) {
            bytes = std::max(bytes, facts.collectives.collectives[shard.collective].bytes.value_or(0));
        }
    }
    return bytes;
}

}  // namespace

Result<WhatIfEffect> prefetchedGathers(const RuleContext& context, const WhatIfValues& values) {
    const RunFacts& facts = context.facts;
    if (!facts.shards.any() || !context.pricer.coupled()) {
        return cannotTell(facts.shards.any() ? "Transfers and waits for other ranks cannot be separated: not all ranks "
                                               "were recorded."
                                             : "The job does not divide its parameters, so it gathers none.");
    }
    const auto hidden = std::make_shared<const HiddenParts>(hiddenWith(facts, static_cast<std::size_t>(values.count)));
    if (hidden->ns.empty()) {
        return cannotTell("Computation hides the gathers no better than today.");
    }
    WhatIfEffect effect;
    effect.transfer = [&facts, hidden](CollectivePosition collective, DurationNs transfer_ns) {
        const auto part = hidden->ns.find(collective);
        const std::optional<DurationNs>& whole_ns = facts.collectives.collectives[collective].transfer_ns;
        if (part == hidden->ns.end() || !whole_ns || *whole_ns <= 0) {
            return transfer_ns;
        }
        const double left = 1 - static_cast<double>(part->second) / static_cast<double>(*whole_ns);
        return static_cast<DurationNs>(std::llround(left * static_cast<double>(transfer_ns)));
    };
    if (!hidden->copied.empty()) {
        const auto copies =
            std::make_shared<const std::vector<std::vector<SliceRef>>>(gatherCopies(context, hidden->copied));
        effect.length = [copies](RankPosition rank, const ReplayEvent& event, DurationNs length_ns) {
            return std::ranges::binary_search((*copies)[rank], event.ref) ? 0 : length_ns;
        };
    }
    effect.notes.push_back("It hides more of " + formatCounted(hidden->ns.size(), "gather") + ".");
    if (const std::int64_t bytes = largestGather(facts); bytes > 0) {
        effect.notes.push_back("Up to " + formatCounted(static_cast<std::uint64_t>(values.count) + 1, "gathered unit") +
                               " of at most " + formatBytes(static_cast<std::uint64_t>(bytes)) +
                               " are kept at a time.");
    }
    effect.at_most = true;
    return effect;
}

}  // namespace rankscope
