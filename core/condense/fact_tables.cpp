// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/condense/fact_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "core/analysis/collectives/collective_calls.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/tables/kernels.h"
#include "core/analysis/tables/operators.h"

namespace rankscope {
namespace {

/// The rank as input for the tables of names and phases: alone, so that no other rank makes one of its steps an
/// outlier.
ExplainedRank alone(const MeasuredRank& measured) {
    ExplainedRank rank;
    static_cast<RankMeasures&>(rank) = static_cast<const RankMeasures&>(measured);
    for (const MeasuredStep& step : measured.steps) {
        static_cast<MeasuredStep&>(rank.steps.emplace_back()) = step;
    }
    return rank;
}

void addSteps(const Database& digest, std::int64_t rank, const MeasuredRank& facts) {
    Statement step = digest.statement("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    Statement cause = digest.statement("INSERT INTO step_cause VALUES (?, ?, ?, ?)");
    for (const MeasuredStep& fact : facts.steps) {
        step.bind(rank).bind(fact.index).bind(fact.host.start_ns).bind(fact.host.end_ns);
        step.bind(fact.span.start_ns).bind(fact.span.end_ns);
        step.bind(std::int64_t{fact.complete ? 1 : 0}).bind(fact.incomplete_reason);
        if (const std::optional<Partition>& parts = fact.partition) {
            step.bind(parts->compute_ns).bind(parts->exposed_comm_ns).bind(parts->exposed_copy_ns).bind(parts->idle_ns);
            step.bind(parts->comm_ns).bind(parts->copy_ns).bind(parts->overlap_ns);
        }
        step.run();  // unbound parameters are null
        for (std::size_t c = 0; c < kCauseCount; ++c) {
            if (fact.idle_causes.ns[c] > 0) {
                cause.bind(rank).bind(fact.index).bind(causeName(static_cast<Cause>(c))).bind(fact.idle_causes.ns[c]);
                cause.run();
            }
        }
    }
}

void addPhases(const Database& digest, std::int64_t rank, const AnalysedRank& analysed, const ExplainedRank& facts) {
    const RankPhases phases = measurePhases(analysed.work, facts);
    Statement add = digest.statement("INSERT INTO phase VALUES (?, ?, ?, ?, ?)");
    for (std::size_t s = 0; s < phases.steps.size(); ++s) {
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            const auto phase = static_cast<Phase>(p);
            if (phases.told[phase]) {
                const PhaseTime& time = phases.steps[s][phase];
                add.bind(rank).bind(facts.steps[s].index).bind(phaseName(phase));
                add.bind(time.host_ns).bind(time.device_ns).run();
            }
        }
    }
}

/// Identical calls of collectives.
struct AlikeCalls {
    std::int64_t calls = 0;
    DurationNs total_ns = 0;
    DurationNs min_ns = 0;
    DurationNs max_ns = 0;
};

void addCollectives(const Database& digest, std::int64_t rank, const RankContext& work) {
    const StringPool& strings = work.trace->strings;
    const std::vector<CollectiveCall> calls = collectCalls(work);
    using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, std::int64_t>;
    std::map<Key, AlikeCalls> alike;
    for (const CollectiveCall& call : calls) {
        AlikeCalls& sum = alike[{collectiveKindName(call.kind), call.name, strings.view(call.args.group_name),
                                 call.dtype, call.args.in_elements}];
        const DurationNs length_ns = call.part.span.length();
        sum.min_ns = sum.calls == 0 ? length_ns : std::min(sum.min_ns, length_ns);
        sum.max_ns = std::max(sum.max_ns, length_ns);
        sum.total_ns += length_ns;
        ++sum.calls;
    }
    Statement add = digest.statement("INSERT INTO collective VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const auto& [key, sum] : alike) {
        const auto& [kind, name, group, dtype, elements] = key;
        add.bind(rank).bind(kind).bind(name).bind(group).bind(dtype);
        (void)(elements < 0 ? add.bindNull() : add.bind(elements));
        add.bind(sum.calls).bind(sum.total_ns).bind(sum.min_ns).bind(sum.max_ns).run();
    }
}

void addNames(const Database& digest, std::int64_t rank, const AnalysedRank& analysed, const ExplainedRank& facts) {
    const StringPool& strings = analysed.work.trace->strings;
    const KernelTable kernels = tabulateKernels(analysed.work, facts);
    Statement kernel = digest.statement("INSERT INTO kernel VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < std::min(kernels.rows.size(), kNamesInDigest); ++i) {
        const KernelRow& row = kernels.rows[i];
        kernel.bind(rank).bind(strings.view(row.name)).bind(workClassName(row.work));
        kernel.bind(static_cast<std::int64_t>(row.calls)).bind(row.total_ns).bind(row.busy_ns);
        kernel.bind(row.min_ns).bind(row.max_ns).run();
    }
    const OperatorTable operators = tabulateOperators(analysed.work, facts);
    Statement op = digest.statement("INSERT INTO operator VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < std::min(operators.rows.size(), kNamesInDigest); ++i) {
        const OperatorRow& row = operators.rows[i];
        op.bind(rank).bind(strings.view(row.name)).bind(static_cast<std::int64_t>(row.calls));
        op.bind(row.total_ns).bind(row.self_ns).bind(row.device_ns).bind(row.device_self_ns).run();
    }
}

void addMemory(const Database& digest, std::int64_t rank, const MeasuredRank& facts) {
    Statement add = digest.statement("INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?)");
    for (const DeviceMemory& memory : facts.memory) {
        add.bind(rank).bind(std::int64_t{memory.device}).bind(static_cast<std::int64_t>(memory.capacity_bytes));
        add.bind(memory.peak.allocated_bytes).bind(memory.peak.reserved_bytes).bind(memory.peak.at_ns).run();
    }
}

void addNotes(const Database& digest, std::int64_t rank, const Health& health) {
    Statement add = digest.statement("INSERT INTO note VALUES (?, ?)");
    for (const std::string& note : health.notes) {
        add.bind(rank).bind(note).run();
    }
}

}  // namespace

void addFacts(const Database& digest, std::int64_t rank, const AnalysedRank& analysed) {
    const ExplainedRank facts = alone(analysed.facts);
    addSteps(digest, rank, analysed.facts);
    addPhases(digest, rank, analysed, facts);
    addCollectives(digest, rank, analysed.work);
    addNames(digest, rank, analysed, facts);
    addMemory(digest, rank, analysed.facts);
    addNotes(digest, rank, analysed.work.trace->health);
}

}  // namespace rankscope
