// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

constexpr const char* kNoFigure = "-";

std::string meanText(DurationNs sum_ns, std::size_t count) {
    return count > 0 ? formatDuration(sum_ns / static_cast<DurationNs>(count)) : kNoFigure;
}

std::string perStep(std::size_t sum, std::size_t steps) {
    constexpr double kTen = 10;
    if (steps == 0) {
        return kNoFigure;
    }
    const double mean = static_cast<double>(sum) / static_cast<double>(steps);
    return mean < kTen ? formatDecimal(mean, mean > 0 ? 1 : 0) : formatCount(static_cast<std::uint64_t>(mean));
}

std::optional<double> graphShare(const IterationSums& sums) {
    return sums.kernels_ns > 0
               ? std::optional(static_cast<double>(sums.graph_kernels_ns) / static_cast<double>(sums.kernels_ns))
               : std::nullopt;
}

/// "12 of 40 decode iterations follow one that reads prompts"; nothing if none does.
std::optional<std::string> heldUpLine(const IterationFacts& facts) {
    const IterationSums* const decode = facts.of(IterationKind::Decode);
    if (facts.decodes_held_up == 0 || decode == nullptr) {
        return std::nullopt;
    }
    std::string waits;
    for (const IterationKind kind : {IterationKind::Prefill, IterationKind::Mixed}) {
        if (const IterationSums* const sums = facts.of(kind); sums != nullptr && sums->complete > 0) {
            waits += fmt::format("{}{} takes {}", waits.empty() ? "" : ", ", iterationTitle(kind),
                                 formatDuration(sums->median_ns));
        }
    }
    return fmt::format(
        "{} of {} follow one that reads prompts ({}, decode {}), so decoding requests wait for it. Smaller chunks of "
        "prompts limit that: --max-num-batched-tokens (vLLM), --chunked-prefill-size (sglang).",
        facts.decodes_held_up, formatCounted(facts.decodes, "decode iteration"), waits,
        formatDuration(decode->median_ns));
}

}  // namespace

std::vector<std::string> iterationLines(const AnalysedRun& run) {
    const IterationFacts& facts = run.facts.iterations;
    std::vector<std::string> lines;
    const IterationSums* priced = facts.priced();
    if (facts.kinds.size() > 1 && priced != nullptr) {
        lines.push_back(
            fmt::format("Medians, prices and stragglers cover only iterations of the kind \"{}\". For another kind, "
                        "use --iterations prefill, decode or mixed.",
                        iterationTitle(priced->kind)));
    }
    for (const std::string& sentence : facts.evidence) {
        lines.push_back(printable(sentence));
    }
    lines.insert(lines.end(), facts.notes.begin(), facts.notes.end());
    if (const auto held_up = heldUpLine(facts)) {
        lines.push_back(*held_up);
    }
    return lines;
}

Table iterationTable(const AnalysedRun& run) {
    Table table;
    table.header = {"iterations",        "steps",   "median",         "middle half",
                    "longest",           "compute", "exposed comm",   "idle",
                    "tokens per second", "kernels", "graph launches", "in graphs"};
    table.left_columns = 1;
    for (const IterationSums& sums : run.facts.iterations.kinds) {
        const bool known = sums.complete > 0;
        const std::optional<double> tokens = sums.tokensPerSecond();
        const std::optional<double> graphs = graphShare(sums);
        table.rows.push_back(
            {std::string(iterationTitle(sums.kind)), fmt::format("{} of {}", sums.complete, sums.steps),
             known ? formatDuration(sums.median_ns) : kNoFigure,
             known ? formatDuration(sums.lower_quartile_ns) + " to " + formatDuration(sums.upper_quartile_ns)
                   : kNoFigure,
             known ? formatDuration(sums.longest_ns) : kNoFigure, meanText(sums.compute_ns, sums.rank_steps),
             meanText(sums.exposed_comm_ns, sums.rank_steps), meanText(sums.idle_ns, sums.rank_steps),
             tokens ? formatCount(static_cast<std::uint64_t>(std::llround(*tokens))) : kNoFigure,
             perStep(sums.kernels, sums.rank_steps), perStep(sums.graph_launches, sums.rank_steps),
             graphs ? formatPercent(*graphs) : kNoFigure});
    }
    return table;
}

std::string iterationsNote() {
    return "Over the complete iterations of each kind. Compute, exposed communication, idle time, kernels (with "
           "copies) and launches of CUDA graphs are means per iteration of a rank. Tokens come from range names: "
           "prompt and new tokens of all replicas together. An iteration lasts until the next one starts.";
}

DataTable iterationsTable(const AnalysedRun& run) {
    DataTable table{"iterations",
                    {{"run", "run", Unit::Name},
                     {"kind", "kind", Unit::Word},
                     {"steps", "steps", Unit::Count},
                     {"complete", "complete", Unit::Count},
                     {"priced", "priced", Unit::Flag},
                     {"total_ns", "total", Unit::Duration},
                     {"lower_quartile_ns", "lower quartile", Unit::Duration},
                     {"median_ns", "median", Unit::Duration},
                     {"upper_quartile_ns", "upper quartile", Unit::Duration},
                     {"longest_ns", "longest", Unit::Duration},
                     {"prompt_tokens", "tokens of prompts", Unit::Count},
                     {"new_tokens", "new tokens", Unit::Count},
                     {"rank_steps", "steps of ranks", Unit::Count},
                     {"rank_steps_ns", "their time", Unit::Duration},
                     {"compute_ns", "compute", Unit::Duration},
                     {"exposed_comm_ns", "exposed comm", Unit::Duration},
                     {"exposed_copy_ns", "exposed copy", Unit::Duration},
                     {"idle_ns", "idle", Unit::Duration},
                     {"kernels", "kernels", Unit::Count},
                     {"graph_launches", "graph launches", Unit::Count},
                     {"graph_kernels", "kernels in graphs", Unit::Count},
                     {"kernels_ns", "time of kernels", Unit::Duration},
                     {"graph_kernels_ns", "of it in graphs", Unit::Duration}},
                    {}};
    for (const IterationSums& sums : run.facts.iterations.kinds) {
        table.rows.push_back({run.run->name,
                              sums.kind ? textCell(iterationKindName(*sums.kind)) : Cell(),
                              numberCell(sums.steps),
                              numberCell(sums.complete),
                              sums.priced,
                              sums.total_ns,
                              sums.lower_quartile_ns,
                              sums.median_ns,
                              sums.upper_quartile_ns,
                              sums.longest_ns,
                              cellOf(sums.prompt_tokens),
                              cellOf(sums.new_tokens),
                              numberCell(sums.rank_steps),
                              sums.rank_steps_ns,
                              sums.compute_ns,
                              sums.exposed_comm_ns,
                              sums.exposed_copy_ns,
                              sums.idle_ns,
                              numberCell(sums.kernels),
                              numberCell(sums.graph_launches),
                              numberCell(sums.graph_kernels),
                              sums.kernels_ns,
                              sums.graph_kernels_ns});
    }
    return table;
}

}  // namespace rankscope::report
