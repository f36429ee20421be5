// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/format.h"
#include "core/base/format_factor.h"
#include "core/base/utf8.h"
#include "core/report/tables/shard_units.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

constexpr const char* kNoValue = "-";

/// "the host was late 12.1 ms, the first unit 11.0 µs": the largest first, those with a tenth or more.
std::string causesText(const ShardTimes& times, std::size_t steps) {
    std::vector<std::size_t> order(kShardCauses);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return times.ns[a] > times.ns[b]; });
    std::string text;
    for (const std::size_t cause : order) {
        if (times.ns[cause] > 0 && 10 * times.ns[cause] >= times.total()) {
            text += (text.empty() ? "" : ", ") + std::string(shardCauseText(static_cast<ShardCause>(cause))) + " " +
                    formatDuration(times.ns[cause] / static_cast<DurationNs>(std::max<std::size_t>(1, steps)));
        }
    }
    return text.empty() ? kNoValue : text;
}

std::string stageText(const ZeroStage& stage) {
    if (!stage.lowest) {
        return {};
    }
    const std::string name = *stage.lowest == *stage.highest ? fmt::format("{}", *stage.lowest)
                                                             : fmt::format("{} or {}", *stage.lowest, *stage.highest);
    return fmt::format("The job shards like ZeRO stage {} (confidence {}).", name, confidenceName(stage.confidence));
}

std::string trafficText(const ZeroStage& stage) {
    if (!stage.gathered_bytes || !stage.scattered_bytes) {
        return {};
    }
    std::string text = fmt::format("A rank gathers {} and scatters {} per step",
                                   formatBytes(static_cast<std::uint64_t>(*stage.gathered_bytes)),
                                   formatBytes(static_cast<std::uint64_t>(*stage.scattered_bytes)));
    if (stage.traffic_factor && stage.traffic_factor_elements && stage.rule_factor) {
        text += fmt::format(
            ": {} times the bytes, and {} times the elements, that DDP would move for the same "
            "gradients. The rule of thumb is about {}",
            formatFactor(*stage.traffic_factor, 2), formatFactor(*stage.traffic_factor_elements, 2),
            formatFactor(*stage.rule_factor, 1));
    }
    return text + ".";
}

std::string memoryText(const ZeroStage& stage) {
    if (!stage.rule_bytes_each || !stage.rule_memory_factor) {
        return {};
    }
    std::string text = fmt::format(
        "By the rule of thumb (mixed precision, Adam) a rank of {} has about {} bytes per parameter instead of 16, {} "
        "times less",
        stage.ranks, formatDecimal(*stage.rule_bytes_each, 1), formatFactor(*stage.rule_memory_factor, 1));
    if (stage.parameters) {
        const double bytes = *stage.rule_bytes_each * static_cast<double>(*stage.parameters);
        text += fmt::format(": {} for the {} parameters that it gathers, padding included",
                            formatBytes(static_cast<std::uint64_t>(bytes)),
                            formatCount(static_cast<std::uint64_t>(*stage.parameters)));
    }
    if (stage.peak_allocated) {
        text += fmt::format("; {} were allocated at the peak, including activations",
                            formatBytes(static_cast<std::uint64_t>(*stage.peak_allocated)));
    }
    return text + ".";
}

/// "Rank 2 arrives last at 22 of 23 gathers and scatters. The others' exposed waits for it take 150 ms ..."
std::string lastText(const AnalysedRun& run) {
    const ShardFacts& shards = run.facts.shards;
    const auto latest = std::ranges::max_element(shards.ranks, {}, &RankShards::late_ns);
    const auto judged = static_cast<std::size_t>(
        std::ranges::count_if(shards.collectives, [](const ShardCollective& shard) { return shard.last.has_value(); }));
    if (latest == shards.ranks.end() || latest->late_ns <= 0 || 2 * latest->last < judged || shards.ranks.size() < 2) {
        return {};
    }
    const RankPosition position(latest - shards.ranks.begin());
    ShardTimes causes;
    for (const RankShards& rank : shards.ranks) {
        for (const ShardPart& part : rank.parts) {
            const ShardCollective& shard = shards.collectives[part.of];
            causes[shard.wait_cause] += shard.last == position ? part.wait_ns : 0;
        }
    }
    const auto most = std::ranges::max_element(causes.ns) - causes.ns.begin();
    std::string name = rankLabel(*run.run->ranks[position], position);
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return fmt::format(
        "{} arrives last at {} of {} gathers and scatters. The others' exposed waits for it take {} of all ranks' time "
        "({}).",
        name, latest->last, judged, formatDuration(latest->late_ns), shardCauseText(static_cast<ShardCause>(most)));
}

}  // namespace

std::vector<std::string> shardLines(const AnalysedRun& run) {
    const ZeroStage& stage = run.facts.shards.stage;
    std::vector<std::string> lines;
    for (const std::string& text : {lastText(run), stageText(stage)}) {
        if (!text.empty()) {
            lines.push_back(text);
        }
    }
    lines.insert(lines.end(), stage.evidence.begin(), stage.evidence.end());
    for (const std::string& text : {trafficText(stage), memoryText(stage)}) {
        if (!text.empty()) {
            lines.push_back(text);
        }
    }
    return lines;
}

Table shardRankTable(const AnalysedRun& run, std::size_t rows) {
    const ShardFacts& shards = run.facts.shards;
    Table table;
    table.header = {"", "why", "gathers", "scatters", "other"};
    table.left_columns = 2;
    for (RankPosition position{0}; position < std::min(rows, shards.ranks.size()); ++position) {
        const ShardStep& counted = shards.ranks[position].counted;
        const std::size_t steps = std::max<std::size_t>(1, run.facts.parallelism.ranks[position].counted);
        const auto a_step = [&](DurationNs ns) { return formatDuration(ns / static_cast<DurationNs>(steps)); };
        ShardTimes causes = counted.gathers;
        causes += counted.scatters;
        table.rows.push_back({rankLabel(*run.run->ranks[position], position), causesText(causes, steps),
                              a_step(counted.gathers.total()), a_step(counted.scatters.total()),
                              a_step(counted.other_ns)});
    }
    return table;
}

Table shardUnitTable(const AnalysedRun& run, std::size_t rows) {
    std::vector<UnitTimes> units = unitTimes(run.facts);
    units.resize(std::min(rows, units.size()));
    Table table;
    table.header = {"unit", "", "why", "times", "longest transfer", "exposed"};
    table.left_columns = 3;
    for (const UnitTimes& times : units) {
        table.rows.push_back({printable(run.facts.shards.units[times.unit].name),
                              std::string(shardOperationName(times.operation)), causesText(times.exposed, 1),
                              formatCount(times.count),
                              times.longest_ns > 0 ? formatDuration(times.longest_ns) : kNoValue,
                              formatDuration(times.exposed.total())});
    }
    return table;
}

std::string shardsNote() {
    return "Exposed communication of the groups that shard parameters and gradients. Ranks: the mean per step. Units: "
           "the sum over all ranks and steps, largest first.";
}

}  // namespace rankscope::report
