// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fact_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace rankscope::test {
namespace {

void checkGap(const Gap& gap, const RankStep& step) {
    EXPECT_GE(gap.span.start_ns, step.span.start_ns);
    EXPECT_LE(gap.span.end_ns, step.span.end_ns);
    EXPECT_FALSE(gap.span.empty());
    TimeNs at_ns = gap.span.start_ns;
    for (const GapPart& part : gap.parts) {
        EXPECT_EQ(part.span.start_ns, at_ns);
        EXPECT_FALSE(part.span.empty());
        at_ns = part.span.end_ns;
    }
    EXPECT_EQ(at_ns, gap.span.end_ns);
}

void checkWaits(const RankStep& step) {
    const Partition& p = *step.partition;
    ASSERT_EQ(p.exposed_transfer_ns.has_value(), p.exposed_wait_ns.has_value());
    ASSERT_EQ(p.exposed_transfer_ns.has_value(), p.exposed_unsplit_ns.has_value());
    if (!p.exposed_wait_ns) {
        return;
    }
    EXPECT_EQ(*p.exposed_transfer_ns + *p.exposed_wait_ns + *p.exposed_unsplit_ns, p.exposed_comm_ns);
    DurationNs wait_ns = 0;
    for (const ExposedWait& wait : step.waits) {
        TimeNs at_ns = wait.span.start_ns;
        for (const WaitPart& part : wait.parts) {
            EXPECT_EQ(part.span.start_ns, at_ns);
            EXPECT_FALSE(part.span.empty());
            at_ns = part.span.end_ns;
        }
        EXPECT_EQ(at_ns, wait.span.end_ns);
        wait_ns += wait.span.length();
    }
    EXPECT_EQ(wait_ns, *p.exposed_wait_ns);
    EXPECT_EQ(step.wait_causes.total(), *p.exposed_wait_ns);
}

void checkPartition(const RankFacts& facts, const RankStep& step, const Partition& p) {
    EXPECT_EQ(p.compute_ns + p.exposed_comm_ns + p.exposed_copy_ns + p.idle_ns, step.span.length());
    EXPECT_EQ(facts.overlap.lengthIn(step.span), p.overlap_ns);
    EXPECT_EQ(facts.exposed_communication.lengthIn(step.span), p.exposed_comm_ns);
    DurationNs idle_ns = 0;
    TimeNs gap_end_ns = step.span.start_ns;
    for (const Gap& gap : step.gaps) {
        checkGap(gap, step);
        EXPECT_GE(gap.span.start_ns, gap_end_ns);
        gap_end_ns = gap.span.end_ns;
        idle_ns += gap.span.length();
    }
    EXPECT_EQ(idle_ns, p.idle_ns);
    EXPECT_EQ(step.idle_causes.total(), p.idle_ns);
    checkWaits(step);
}

}  // namespace

RankFacts factsAlone(const MeasuredRank& rank) {
    RankFacts facts;
    static_cast<RankMeasures&>(facts) = static_cast<const RankMeasures&>(rank);
    for (const MeasuredStep& measured : rank.steps) {
        static_cast<MeasuredStep&>(facts.steps.emplace_back()) = measured;
    }
    return facts;
}

void checkFacts(const MeasuredRank& rank) {
    checkFacts(factsAlone(rank));
}

void checkFacts(const RankFacts& facts) {
    EXPECT_EQ(facts.overlap.unite(facts.exposed_communication), facts.communication);
    EXPECT_TRUE(facts.overlap.intersect(facts.exposed_communication).empty());
    EXPECT_EQ(facts.communication_tracks.empty(), facts.communication.empty());
    TimeNs before_ns = std::numeric_limits<TimeNs>::min();
    for (const RankStep& step : facts.steps) {
        SCOPED_TRACE("step " + std::to_string(step.index));
        EXPECT_GE(step.span.start_ns, before_ns);
        EXPECT_GE(step.span.end_ns, step.span.start_ns);
        before_ns = step.span.end_ns;
        ASSERT_EQ(step.partition.has_value(), facts.device >= 0);
        if (step.partition) {
            checkPartition(facts, step, *step.partition);
        }
    }
}

void checkLedger(const RunFacts& facts) {
    std::vector<std::vector<DurationNs>> owned(facts.ranks.size());
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        owned[r].resize(facts.ranks[r].steps.size());
    }
    for (const LedgerEntry& entry : facts.ledger) {
        EXPECT_GT(entry.ns, 0);
        owned[entry.rank][entry.step] += entry.ns;
    }
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        for (std::size_t s = 0; s < facts.ranks[r].steps.size(); ++s) {
            const RankStep& step = facts.ranks[r].steps[s];
            if (step.partition) {
                EXPECT_EQ(owned[r][s] + step.partition->compute_ns, step.span.length())
                    << "rank " << r << " step " << s;
            }
        }
    }
}

void checkRoles(const RunFacts& facts) {
    ASSERT_EQ(facts.parallelism.ranks.size(), facts.ranks.size());
    DurationNs of_ranks_ns = 0;
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        const RankRoles& roles = facts.parallelism.ranks[r];
        ASSERT_EQ(roles.steps.size(), facts.ranks[r].steps.size());
        for (std::size_t s = 0; s < roles.steps.size(); ++s) {
            const std::optional<Partition>& partition = facts.ranks[r].steps[s].partition;
            EXPECT_EQ(roles.steps[s].total(), partition ? partition->exposed_comm_ns : 0);
        }
        of_ranks_ns += roles.exposed.total();
    }
    DurationNs of_groups_ns = 0;
    for (const GroupRole& group : facts.parallelism.groups) {
        of_groups_ns += group.exposed_ns;
    }
    EXPECT_EQ(of_groups_ns, of_ranks_ns);
}

void checkPipelines(const RunFacts& facts) {
    for (const Pipeline& pipeline : facts.pipeline.pipelines) {
        for (const PipelineStep& step : pipeline.steps) {
            ASSERT_EQ(step.ranks.size(), pipeline.ranks.size());
            for (std::size_t r = 0; r < step.ranks.size(); ++r) {
                const RankPipelineStep& rank = step.ranks[r];
                EXPECT_EQ(rank.times.total(), facts.ranks[pipeline.ranks[r]].steps[rank.step].span.length());
                std::array<DurationNs, kBubbleCauses> bubble{};
                for (const BubblePart& part : rank.bubble) {
                    EXPECT_FALSE(part.span.empty());
                    bubble[static_cast<std::size_t>(part.cause)] += part.span.length();
                }
                EXPECT_EQ(bubble, rank.times.bubble);
                EXPECT_GE(rank.times.outside_ns, 0);
                EXPECT_GE(std::min(rank.times.other_ns, rank.times.busy()), 0);
                EXPECT_TRUE(std::ranges::is_sorted(rank.passes, {},
                                                   [](const PipelinePass& pass) { return pass.span.start_ns; }));
            }
        }
    }
}

void checkShards(const RunFacts& facts) {
    const ShardFacts& shards = facts.shards;
    ASSERT_EQ(shards.ranks.size(), shards.any() ? facts.ranks.size() : 0U);
    for (std::size_t r = 0; r < shards.ranks.size(); ++r) {
        const RankShards& rank = shards.ranks[r];
        ASSERT_EQ(rank.steps.size(), facts.ranks[r].steps.size());
        std::vector<DurationNs> of_parts_ns(rank.steps.size());
        for (const ShardPart& part : rank.parts) {
            of_parts_ns[part.step] += part.exposed();
            EXPECT_GE(std::min({part.wait_ns, part.transfer_ns, part.unsplit_ns}), 0);
        }
        for (std::size_t s = 0; s < rank.steps.size(); ++s) {
            const ShardStep& step = rank.steps[s];
            EXPECT_EQ(step.total(), facts.parallelism.ranks[r].steps[s][Role::Shard]);
            EXPECT_EQ(step.gathers.total() + step.scatters.total(), of_parts_ns[s]);
        }
    }
}

void checkPaths(const RunFacts& facts) {
    // Each turn of a path stands on a collective whose members end within some microseconds.
    const double most_ns = 1.02 * static_cast<double>(facts.recorded_ns);
    for (const RankFacts& rank : facts.ranks) {
        DurationNs counted_ns = 0;
        for (const RankStep& step : rank.steps) {
            counted_ns += step.complete && !step.outlier && step.partition ? step.span.length() : 0;
        }
        const PathTimes& path = rank.path;
        EXPECT_EQ(path.total() > 0, counted_ns > 0);
        EXPECT_LE(static_cast<double>(path.total()), most_ns);
        EXPECT_GE(std::ranges::min(path.idle.ns), 0);
        for (const DurationNs part :
             {path.compute_ns, path.transfer_ns, path.copy_ns, path.unknown_ns, path.unsplit_ns}) {
            EXPECT_GE(part, 0);
        }
        if (facts.ranks.size() == 1) {
            EXPECT_EQ(path.total(), counted_ns);
        }
    }
}

void checkRunFacts(const RunFacts& facts) {
    for (const RankFacts& rank : facts.ranks) {
        checkFacts(rank);
    }
    checkLedger(facts);
    checkRoles(facts);
    checkPaths(facts);
}

void checkMemory(const RunFacts& facts) {
    for (const std::vector<MemoryAtPeak>& rank : facts.memory.ranks) {
        for (const MemoryAtPeak& memory : rank) {
            EXPECT_EQ(memory.parts.total(), memory.allocated);
            EXPECT_GE(memory.cache(), 0);
            EXPECT_TRUE(memory.unseen > 0 || std::ranges::min(memory.parts.bytes) >= 0);
            std::int64_t allocated = memory.checkpoints.front().allocated;
            for (const MemoryCheckpoint& point : memory.checkpoints) {
                allocated += point.delta;
                EXPECT_EQ(point.allocated, allocated);
                EXPECT_LE(point.peak, memory.allocated);
            }
        }
    }
}

CounterSeries counterOf(const std::vector<CounterSeries>& all, CounterKind kind) {
    const auto at = std::ranges::find(all, kind, &CounterSeries::kind);
    return at != all.end() ? *at : CounterSeries();
}

double integral(const CounterSeries& series) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < series.at_ns.size(); ++i) {
        sum += static_cast<double>(series.value[i]) * static_cast<double>(series.at_ns[i + 1] - series.at_ns[i]);
    }
    return sum;
}

}  // namespace rankscope::test
