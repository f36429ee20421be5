// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

std::string percentOf(DurationNs part_ns, DurationNs whole_ns) {
    const std::optional<double> share = shareOf(part_ns, whole_ns);
    return share ? formatPercent(*share) : "-";
}

std::string bytesOf(const std::optional<std::int64_t>& bytes) {
    return bytes ? formatBytes(static_cast<std::uint64_t>(*bytes)) : "-";
}

std::string toldDuration(const std::optional<DurationNs>& ns) {
    return ns ? formatDuration(*ns) : "-";
}

/// The members of a group: groups of one role have the same name.
std::string groupText(const CollectiveFacts& facts, std::uint32_t position) {
    if (position >= facts.groups.size()) {
        return "-";
    }
    const CollectiveGroup& group = facts.groups[position];
    if (!group.ranks.empty()) {
        std::vector<std::int64_t> numbers;
        for (const RankNumber rank : group.ranks) {
            numbers.push_back(rank.value);
        }
        return formatNumbered("rank", numbers);
    }
    return group.name.empty() ? fmt::format("#{}", position) : printable(group.name);
}

}  // namespace

std::vector<std::string> expertLines(const AnalysedRun& run) {
    const ExpertFacts& facts = run.facts.experts;
    const std::optional<double> imbalance = facts.imbalance();
    if (!imbalance) {
        return {"Expert balance is not known: no dispatch of all ranks of a group is followed by their combine."};
    }
    DurationNs lost_ns = 0;
    for (const ExpertLayer& layer : facts.layers) {
        lost_ns += layer.lost_ns;
    }
    std::vector<std::string> lines = {fmt::format(
        "Between dispatch and combine, the slowest rank computes {} longer than the mean rank, over {}. The mean rank "
        "waits {} for it, exposed.",
        formatPercent(*imbalance - 1), formatCounted(facts.layers.size(), "exchange"), formatDuration(lost_ns))};
    if (facts.by_order) {
        lines.emplace_back(
            "No name shows which all-to-all is a dispatch and which a combine, so they are assumed to alternate. To "
            "name them, use record_function(\"dispatch\") and record_function(\"combine\").");
    }
    return lines;
}

Table expertTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"",          "dispatch",  "(waiting)", "(exposed)",      "combine",
                    "(waiting)", "(exposed)", "bytes",     "expert compute", "as slowest"};
    table.left_columns = 1;
    const ExpertFacts& facts = run.facts.experts;
    for (RankPosition position{0}; position < std::min(rows, facts.ranks.size()); ++position) {
        const RankExperts& rank = facts.ranks[position];
        std::vector<std::string> cells = {rankLabel(*run.run->ranks[position], position)};
        std::optional<std::int64_t> bytes;
        for (const ExpertOperation operation : {ExpertOperation::Dispatch, ExpertOperation::Combine}) {
            const ExpertTimes& times = rank.operations[static_cast<std::size_t>(operation)];
            cells.insert(cells.end(), {formatDuration(times.time_ns), toldDuration(times.wait_ns),
                                       formatDuration(times.exposed_ns)});
            bytes = times.bytes ? std::optional(bytes.value_or(0) + *times.bytes) : bytes;
        }
        cells.insert(cells.end(),
                     {bytesOf(bytes), toldDuration(rank.compute_ns), rank.slowest ? formatCount(*rank.slowest) : "-"});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<std::string> tensorLines(const AnalysedRun& run) {
    const TensorFacts& facts = run.facts.tensor;
    const TensorTimes total = facts.total();
    std::vector<std::string> lines = {
        fmt::format("Collectives of tensor and sequence groups take {} of all ranks' steps, including waiting for "
                    "other ranks. {} of that is exposed.",
                    percentOf(total.time_ns, facts.steps_ns), percentOf(total.exposed_ns, total.time_ns))};
    if (facts.forward_only) {
        lines.emplace_back("Only a forward is recorded: the job serves or evaluates.");
    }
    if (facts.layers.size() == 1 && facts.layers.front().name.empty()) {
        lines.emplace_back(
            "No names around the launches show layers. To record them, use with_modules=True and with_stack=True.");
    }
    return lines;
}

Table tensorTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"operation", "group", "bound by", "bytes", "times", "time", "transfer", "exposed"};
    table.left_columns = 3;
    const TensorFacts& facts = run.facts.tensor;
    for (std::size_t i = 0; i < std::min(rows, facts.operations.size()); ++i) {
        const TensorOperation& operation = facts.operations[i];
        table.rows.push_back(
            {std::string(roleName(operation.role)) + " " + std::string(collectiveKindName(operation.kind)),
             groupText(run.facts.collectives, operation.group),
             operation.bound ? std::string(transferBoundName(*operation.bound)) : "cannot tell",
             bytesOf(operation.bytes), formatCount(operation.times.count), formatDuration(operation.times.time_ns),
             operation.times.transfer_ns > 0 ? formatDuration(operation.times.transfer_ns) : "-",
             formatDuration(operation.times.exposed_ns)});
    }
    return table;
}

Table tensorLayerTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    const TensorFacts& facts = run.facts.tensor;
    if (facts.layers.size() < 2) {
        return table;
    }
    table.header = {"layer", "times", "time", "exposed"};
    table.left_columns = 1;
    std::vector<const TensorLayer*> layers;
    for (const TensorLayer& layer : facts.layers) {
        layers.push_back(&layer);
    }
    std::ranges::stable_sort(layers, std::greater(), [](const TensorLayer* layer) { return layer->times.exposed_ns; });
    layers.resize(std::min(rows, layers.size()));
    for (const TensorLayer* const layer : layers) {
        table.rows.push_back({layer->name.empty() ? "in none" : printable(layer->name), formatCount(layer->times.count),
                              formatDuration(layer->times.time_ns), formatDuration(layer->times.exposed_ns)});
    }
    return table;
}

std::string dividedNote() {
    return "Sums over the complete, steady-state steps.";
}

}  // namespace rankscope::report
