// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <string>

#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

std::vector<Column> placeColumns(std::vector<Column> columns) {
    columns.insert(columns.end(), {{"longest_id", "longest on", Unit::Number},
                                   {"longest_start_ns", "longest at", Unit::Duration},
                                   {"longest_ns", "longest", Unit::Duration}});
    return columns;
}

void putPlace(std::vector<Cell>& row, const AnalysedRun& run, const EfficiencyPlace& place) {
    if (!place.slice.valid()) {
        row.insert(row.end(), {Cell(), Cell(), Cell()});
        return;
    }
    const TimeSpan span = run.run->ranks[place.rank]->span(place.slice);
    row.insert(row.end(), {numberCell(place.rank), timeCell(run, place.rank, span.start_ns), place.ns});
}

/// The common columns of all rows of products, after those that identify them.
std::vector<Column> sumsColumns(std::vector<Column> columns, const std::vector<Column>& further) {
    columns.insert(columns.end(), {{"calls", "calls", Unit::Count},
                                   {"flops", "FLOPs", Unit::Flops},
                                   {"bytes", "bytes", Unit::Bytes},
                                   {"time_ns", "time", Unit::Duration},
                                   {"tflop_per_s", "TFLOP/s", Unit::Decimal},
                                   {"flops_per_byte", "FLOPs/byte", Unit::Decimal}});
    columns.insert(columns.end(), further.begin(), further.end());
    columns.push_back({"tensor_cores", "tensor cores", Unit::Flag});
    return placeColumns(std::move(columns));
}

void putSums(std::vector<Cell>& row, const AnalysedRun& run, const ProductSums& sums, std::vector<Cell> further) {
    row.insert(row.end(), {numberCell(sums.calls), sums.flops, sums.bytes, sums.time_ns, cellOf(sums.tflops()),
                           cellOf(sums.intensity())});
    std::ranges::move(further, std::back_inserter(row));
    row.push_back(cellOf(sums.tensor_cores));
    putPlace(row, run, sums.longest);
}

}  // namespace

DataTable efficiencyStepsTable(const AnalysedRun& run) {
    std::vector<Column> columns = {{"step", "step", Unit::Number},
                                   {"time_ns", "time", Unit::Duration},
                                   {"model_flops", "FLOPs of the model", Unit::Flops},
                                   {"recomputed_flops", "FLOPs recomputed", Unit::Flops},
                                   {"tflop_per_s", "TFLOP/s", Unit::Decimal},
                                   {"mfu", "MFU", Unit::Share},
                                   {"hfu", "HFU", Unit::Share},
                                   {"compute_ns", "compute", Unit::Duration},
                                   {"counted_ns", "of it counted", Unit::Duration},
                                   {"tensor_core_ns", "on tensor cores", Unit::Duration},
                                   {"plain_core_ns", "not on tensor cores", Unit::Duration}};
    for (std::size_t i = 0; i < kTimeParts; ++i) {
        const auto part = static_cast<TimePart>(i);
        std::string key(timePartName(part));
        for (char& c : key) {
            c = c == '-' ? '_' : c;
        }
        columns.push_back({key + "_ns", std::string(timePartTitle(part)), Unit::Duration});
    }
    DataTable table{"efficiency_steps", rankColumns(std::move(columns)), {}};
    const EfficiencyFacts& facts = run.facts.efficiency;
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        const RankEfficiency& rank = facts.ranks[position];
        for (std::size_t s = 0; s < rank.steps.size(); ++s) {
            const StepEfficiency& step = rank.steps[s];
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, position);
            // If nothing was counted, the value is unknown, not zero.
            const bool known = step.counted_ns > 0 || step.model_flops > 0;
            row.insert(row.end(),
                       {run.facts.ranks[position].steps[s].index, step.time_ns, known ? Cell(step.model_flops) : Cell(),
                        known ? Cell(step.recomputed_flops) : Cell(), cellOf(step.tflops()),
                        rank.rated ? cellOf(step.mfu()) : Cell(), rank.rated ? cellOf(step.hfu()) : Cell(),
                        step.compute_ns, step.counted_ns, step.tensor_ns, step.plain_ns});
            for (const DurationNs ns : step.parts.ns) {
                row.emplace_back(ns);
            }
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

DataTable enteredEfficiencyTable(const AnalysedRun& run) {
    DataTable table{"efficiency_entered",
                    {{"run", "run", Unit::Name},
                     {"step_flops", "FLOPs per step", Unit::Flops},
                     {"devices", "GPUs", Unit::Count},
                     {"step_ns", "step", Unit::Duration},
                     {"type", "type", Unit::Word},
                     {"peak_tflops", "peak per GPU, TFLOP/s", Unit::Decimal},
                     {"mfu", "MFU", Unit::Share}},
                    {}};
    if (const std::optional<EnteredEfficiency>& entered = run.facts.efficiency.entered) {
        table.rows.push_back({run.run->name, entered->step_flops, numberCell(entered->devices), entered->step_ns,
                              entered->type ? textCell(numberTypeName(*entered->type)) : Cell(),
                              cellOf(entered->peak_tflops), cellOf(entered->mfu)});
    }
    return table;
}

std::string sizesText(std::string_view written) {
    std::string text;
    for (const char c : written) {
        if (c >= '0' && c <= '9') {
            text += c;
        } else if (c == ',' && !text.empty() && text.back() != ' ') {
            text += 'x';
        } else if (c == ']' && !text.empty() && text.back() != ' ') {
            text += ' ';
        }
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == 'x')) {
        text.pop_back();
    }
    return text;
}

DataTable productsTable(const AnalysedRun& run) {
    return productsOf(run, {});
}

DataTable productsOf(const AnalysedRun& run, std::optional<RankPosition> rank) {
    DataTable table{"products",
                    sumsColumns({{"run", "run", Unit::Name},
                                 {"name", "operator", Unit::Name},
                                 {"shapes", "shapes", Unit::Text},
                                 {"type", "type", Unit::Word},
                                 {"recomputed", "recomputed", Unit::Flag}},
                                {{"of_peak", "of peak", Unit::Share}, {"bound", "bound by", Unit::Word}}),
                    {}};
    for (const ProductRow& product : run.facts.efficiency.tablesOf(rank).products) {
        std::vector<Cell> row = {run.run->name, std::string(product.name), textCell(sizesText(product.shapes)),
                                 textCell(numberTypeName(product.type)), product.recomputed};
        putSums(row, run, product,
                {cellOf(product.ofPeak()), product.bound() ? textCell(roofBoundName(*product.bound())) : Cell()});
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable productKernelsTable(const AnalysedRun& run) {
    return productKernelsOf(run, {});
}

DataTable productKernelsOf(const AnalysedRun& run, std::optional<RankPosition> rank) {
    DataTable table{
        "product_kernels",
        sumsColumns({{"run", "run", Unit::Name}, {"name", "kernel", Unit::Name}, {"type", "type", Unit::Word}}, {}),
        {}};
    for (const ProductKernel& kernel : run.facts.efficiency.tablesOf(rank).kernels) {
        std::vector<Cell> row = {run.run->name, std::string(kernel.name), textCell(numberTypeName(kernel.type))};
        putSums(row, run, kernel, {});
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable uncountedKernelsTable(const AnalysedRun& run) {
    DataTable table{"uncounted_kernels",
                    placeColumns({{"run", "run", Unit::Name},
                                  {"name", "kernel", Unit::Name},
                                  {"calls", "calls", Unit::Count},
                                  {"time_ns", "time", Unit::Duration},
                                  {"multiplies", "multiplies", Unit::Flag}}),
                    {}};
    for (const UncountedKernel& kernel : run.facts.efficiency.uncounted) {
        std::vector<Cell> row = {run.run->name, std::string(kernel.name), numberCell(kernel.calls), kernel.time_ns,
                                 kernel.multiplies};
        putPlace(row, run, kernel.longest);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace rankscope::report
