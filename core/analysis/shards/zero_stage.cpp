// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shards/zero_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/analysis/collectives/collective_names.h"
#include "core/base/format.h"

namespace rankscope {
namespace {

constexpr int kBytesInFull = 16;  // 2 parameter, 2 gradient, 12 optimizer state

/// How often shard groups gather and scatter, by phase.
struct Counts {
    OperationCount gathers;
    OperationCount scatters;
    OperationCount reduces;
    std::int32_t ranks = 0;
};

void add(const OperationCount& count, OperationCount& to) {
    to.forward += count.forward;
    to.backward += count.backward;
    to.elsewhere += count.elsewhere;
}

Counts countsOf(const ParallelismFacts& parallelism) {
    Counts counts;
    for (const GroupRole& group : parallelism.groups) {
        if (group.role != Role::Shard || !group.whole) {
            continue;
        }
        counts.ranks = std::max(counts.ranks, group.size);
        for (const OperationCount& count : group.operations) {
            switch (count.kind) {
                case CollectiveKind::AllGather: add(count, counts.gathers); break;
                case CollectiveKind::ReduceScatter: add(count, counts.scatters); break;
                case CollectiveKind::AllReduce: add(count, counts.reduces); break;
                default: break;
            }
        }
    }
    return counts;
}

void tell(ZeroStage& stage, int lowest, int highest, Confidence confidence, std::string evidence) {
    stage.lowest = lowest;
    stage.highest = highest;
    stage.confidence = confidence;
    stage.evidence.push_back(std::move(evidence));
}

void judge(const Counts& counts, bool phases_told, ZeroStage& stage) {
    const OperationCount& gathers = counts.gathers;
    const OperationCount& scatters = counts.scatters;
    if (!phases_told) {
        stage.evidence.emplace_back("Cannot tell the stage: the trace does not separate forward and backward.");
    } else if (gathers.forward > 0 && 2 * gathers.backward >= gathers.forward) {
        tell(stage, 3, 3, scatters.total() > 0 ? Confidence::High : Confidence::Medium,
             fmt::format("{} in the forward and {} in the backward: parameters are sharded and gathered twice.",
                         formatCounted(gathers.forward, "gather"), formatCount(gathers.backward)));
    } else if (gathers.forward > 0 && scatters.total() > 0) {
        tell(stage, 2, 2, Confidence::Medium,
             fmt::format("{} in the forward, {} in the backward: parameters are gathered once and kept until the "
                         "backward is done, as with reshard_after_forward=False or SHARD_GRAD_OP.",
                         formatCounted(gathers.forward, "gather"), formatCount(gathers.backward)));
    } else if (gathers.elsewhere > 0 && gathers.forward + gathers.backward == 0 && scatters.total() > 0) {
        tell(stage, 1, 2, Confidence::Medium,
             fmt::format(
                 "{} outside forward and backward, and {}: gradients and optimizer state are sharded, and parameters "
                 "are gathered after the optimizer. The trace does not show what is kept of gradients.",
                 formatCounted(gathers.elsewhere, "gather"), formatCounted(scatters.total(), "scatter")));
    } else {
        stage.evidence.emplace_back("Cannot tell the stage: the gathers and scatters fit none.");
    }
}

/// The bytes that one rank gathers and scatters.
struct Moved {
    std::int64_t gathered_bytes = 0;
    std::int64_t scattered_bytes = 0;
    std::int64_t gathered_elements = 0;
    std::int64_t scattered_elements = 0;
    bool sized = true;  ///< all of them have a size
    std::set<RankStepPosition> steps;
};

Moved movedBy(const RunFacts& facts, const ShardFacts& shards, RankPosition rank) {
    Moved moved;
    const std::vector<RankStep>& steps = facts.ranks[rank].steps;
    const bool any_steady = std::ranges::any_of(steps, [](const RankStep& s) { return s.complete && !s.outlier; });
    for (const ShardPart& part : shards.ranks[rank].parts) {
        const RankStep& step = steps[part.step];
        if ((any_steady && (!step.complete || step.outlier)) || !step.span.contains(part.span.start_ns)) {
            continue;
        }
        const ShardCollective& shard = shards.collectives[part.of];
        const Collective& collective = facts.collectives.collectives[shard.collective];
        const std::optional<std::int64_t> size = elementBytes(collective.dtype);
        if (!collective.bytes || !size || *size <= 0) {
            moved.sized = false;
            continue;
        }
        const bool gather = shard.operation == ShardOperation::Gather;
        (gather ? moved.gathered_bytes : moved.scattered_bytes) += *collective.bytes;
        (gather ? moved.gathered_elements : moved.scattered_elements) += *collective.bytes / *size;
        moved.steps.insert(part.step);
    }
    return moved;
}

double over(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// DDP sums gradients of the same bytes in all-reduces, which move them twice.
void measureTraffic(const RunFacts& facts, const ShardFacts& shards, ZeroStage& stage) {
    for (RankPosition r{0}; r < shards.ranks.size(); ++r) {
        const Moved moved = movedBy(facts, shards, r);
        if (!moved.sized || moved.steps.empty()) {
            continue;
        }
        const auto steps = static_cast<std::int64_t>(moved.steps.size());
        stage.gathered_bytes = moved.gathered_bytes / steps;
        stage.scattered_bytes = moved.scattered_bytes / steps;
        if (moved.scattered_bytes > 0) {
            stage.traffic_factor = over(moved.gathered_bytes + moved.scattered_bytes, 2 * moved.scattered_bytes);
            stage.traffic_factor_elements =
                over(moved.gathered_elements + moved.scattered_elements, 2 * moved.scattered_elements);
        }
        return;
    }
}

void countParameters(const ShardFacts& shards, ZeroStage& stage) {
    std::int64_t parameters = 0;
    for (const ShardUnit& unit : shards.units) {
        if (!unit.named) {
            return;  // the gathers of forward and backward would count twice
        }
        parameters += unit.gathered_elements.value_or(0);
    }
    if (parameters > 0) {
        stage.parameters = parameters;
    }
}

void measureMemory(const RunFacts& facts, ZeroStage& stage) {
    for (const RankFacts& rank : facts.ranks) {
        for (const DeviceMemory& memory : rank.memory) {
            if (memory.device == rank.device) {
                stage.peak_allocated =
                    std::max<std::int64_t>(stage.peak_allocated.value_or(0), memory.peak.allocated_bytes);
            }
        }
    }
}

}  // namespace

double ruleBytesEach(int stage, std::int32_t ranks) {
    const double p = std::max(1, ranks);
    switch (stage) {
        case 1: return 4 + 12 / p;
        case 2: return 2 + 14 / p;
        case 3: return kBytesInFull / p;
        default: return kBytesInFull;
    }
}

ZeroStage zeroStage(const RunFacts& facts, const ShardFacts& shards) {
    ZeroStage stage;
    const Counts counts = countsOf(facts.parallelism);
    const bool phases_told = std::ranges::any_of(facts.ranks, [](const RankFacts& rank) {
        return rank.phases.told[Phase::Forward] && rank.phases.told[Phase::Backward];
    });
    judge(counts, phases_told, stage);
    stage.ranks = std::max(0, counts.ranks);
    measureTraffic(facts, shards, stage);
    countParameters(shards, stage);
    measureMemory(facts, stage);
    if (stage.lowest) {
        stage.rule_factor = *stage.highest == 3 ? 1.5 : 1.0;
        if (stage.ranks > 1) {
            stage.rule_bytes_each = ruleBytesEach(*stage.lowest, stage.ranks);
            stage.rule_memory_factor = kBytesInFull / *stage.rule_bytes_each;
        }
    }
    return stage;
}

}  // namespace rankscope
