// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/json/parts.h"
#include "core/report/model/run_tables.h"

namespace rankscope::report {
namespace {

void putOperator(Json& out, const OperatorRow& row, DurationNs all_self_ns, std::size_t steps) {
    out["calls"] = row.calls;
    out["total_ns"] = row.total_ns;
    out["self_ns"] = row.self_ns;
    out["share"] = shareOf(row.self_ns, all_self_ns).value_or(0);
    out["mean_ns"] = row.meanNs();
    out["min_ns"] = row.min_ns;
    out["max_ns"] = row.max_ns;
    out["device_ns"] = row.device_ns;
    out["device_self_ns"] = row.device_self_ns;
    out["step_self_ns"] = orNull(meanOfAStep(row.steady_self_ns, steps));
}

void putKernel(Json& out, const KernelRow& row, DurationNs device_busy_ns, std::size_t steps) {
    out["calls"] = row.calls;
    out["total_ns"] = row.total_ns;
    out["busy_ns"] = row.busy_ns;
    out["share"] = shareOf(row.busy_ns, device_busy_ns).value_or(0);
    out["mean_ns"] = row.meanNs();
    out["min_ns"] = row.min_ns;
    out["max_ns"] = row.max_ns;
    out["step_ns"] = orNull(meanOfAStep(row.steady_ns, steps));
}

Json rankHead(const AnalysedRun& run, std::uint32_t position) {
    return {{"id", position}, {"rank", orNull(run.run->ranks[position]->rank)}};
}

}  // namespace

CutTable operatorsJson(const AnalysedRun& run) {
    DurationNs self_ns = 0;
    std::size_t steps = 0;
    std::vector<DurationNs> self_of_rank;
    for (const RankFacts& facts : run.facts.ranks) {
        self_of_rank.push_back(facts.operators.selfNs());
        self_ns += self_of_rank.back();
        steps += facts.operators.steady_steps;
    }
    const std::vector<RunOperator> operators = operatorsOverRanks(*run.run, run.facts.ranks);
    CutTable out;
    out.left_out = operators.size() - std::min(operators.size(), kTableRows);
    for (std::size_t i = 0; i < operators.size() - out.left_out; ++i) {
        Json entry = {{"name", operators[i].name}};
        putOperator(entry, operators[i].all, self_ns, steps);
        Json ranks = Json::array();
        for (const TableRow& at : operators[i].ranks) {
            const OperatorTable& table = run.facts.ranks[at.rank].operators;
            Json row = rankHead(run, at.rank);
            putOperator(row, table.rows[at.row], self_of_rank[at.rank], table.steady_steps);
            ranks.push_back(std::move(row));
        }
        entry["ranks"] = std::move(ranks);
        out.rows.push_back(std::move(entry));
    }
    return out;
}

CutTable kernelsJson(const AnalysedRun& run) {
    DurationNs busy_ns = 0;
    std::size_t steps = 0;
    for (const RankFacts& facts : run.facts.ranks) {
        busy_ns += facts.kernels.device_busy_ns;
        steps += facts.kernels.steady_steps;
    }
    const std::vector<RunKernel> kernels = kernelsOverRanks(*run.run, run.facts.ranks);
    CutTable out;
    out.left_out = kernels.size() - std::min(kernels.size(), kTableRows);
    for (std::size_t i = 0; i < kernels.size() - out.left_out; ++i) {
        Json entry = {{"name", kernels[i].name}, {"class", workClassName(kernels[i].all.work)}};
        putKernel(entry, kernels[i].all, busy_ns, steps);
        Json ranks = Json::array();
        for (const TableRow& at : kernels[i].ranks) {
            const KernelTable& table = run.facts.ranks[at.rank].kernels;
            Json row = rankHead(run, at.rank);
            putKernel(row, table.rows[at.row], table.device_busy_ns, table.steady_steps);
            ranks.push_back(std::move(row));
        }
        entry["ranks"] = std::move(ranks);
        out.rows.push_back(std::move(entry));
    }
    return out;
}

}  // namespace rankscope::report
