// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <variant>

#include "core/report/json/parts.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

Json peakJson(const RankEfficiency& rank) {
    if (!rank.peak) {
        return nullptr;
    }
    Json tflops = Json::object();
    for (std::size_t i = 0; i < kNumberTypes; ++i) {
        const auto type = static_cast<NumberType>(i);
        if (rank.peak->tflops[type]) {
            tflops[std::string(numberTypeName(type))] = *rank.peak->tflops[type];
        }
    }
    return {{"device", textOrNull(rank.peak->device)},
            {"tflops", std::move(tflops)},
            {"memory_gb_per_s", orNull(rank.peak->memory_gb_per_s)},
            {"source", rank.peak->source}};
}

Json partsJson(const PartTimes& parts) {
    Json times = Json::object();
    for (std::size_t i = 0; i < kTimeParts; ++i) {
        const auto part = static_cast<TimePart>(i);
        times[std::string(timePartName(part))] = parts[part];
    }
    Json communication = Json::object();
    for (std::size_t i = 0; i < kRoleCount; ++i) {
        const auto role = static_cast<Role>(i);
        communication[std::string(roleName(role))] = parts.communication[role];
    }
    communication["unknown"] = parts.communication[std::nullopt];
    return {{"time_ns", std::move(times)}, {"communication_ns", std::move(communication)}};
}

/// `rated`: the peaks of all types are known.
Json stepJson(const StepEfficiency& step, bool rated) {
    Json flops = Json::object();
    for (std::size_t i = 0; i < kNumberTypes; ++i) {
        if (step.flops.of[i] > 0) {
            flops[std::string(numberTypeName(static_cast<NumberType>(i)))] = step.flops.of[i];
        }
    }
    return {{"time_ns", step.time_ns},
            {"model_flops", step.model_flops},
            {"recomputed_flops", step.recomputed_flops},
            {"flops_by_type", std::move(flops)},
            {"tflop_per_s", orNull(step.tflops())},
            {"mfu", rated ? orNull(step.mfu()) : Json(nullptr)},
            {"hfu", rated ? orNull(step.hfu()) : Json(nullptr)},
            {"compute_ns", step.compute_ns},
            {"counted_ns", step.counted_ns},
            {"tensor_core_ns", step.tensor_ns},
            {"plain_core_ns", step.plain_ns},
            {"parts", partsJson(step.parts)}};
}

/// The first rows of a table as objects with the keys of its columns. The run's name, which is in the first column, is
/// left out, and the place at the end becomes an object.
Json rowsJson(const DataTable& table) {
    const std::size_t place = table.columns.size() - kPlaceColumns;
    Json out = Json::array();
    for (std::size_t r = 0; r < std::min(kTableRows, table.rows.size()); ++r) {
        const std::vector<Cell>& cells = table.rows[r];
        Json row = Json::object();
        for (std::size_t c = 1; c < place; ++c) {
            row[table.columns[c].key] = cellJson(cells[c]);
        }
        const bool known = !std::holds_alternative<std::monostate>(cells[place]);
        row["longest"] = known ? Json{{"id", cellJson(cells[place])},
                                      {"start_ns", cellJson(cells[place + 1])},
                                      {"duration_ns", cellJson(cells[place + 2])}}
                               : Json(nullptr);
        out.push_back(std::move(row));
    }
    return out;
}

Json enteredJson(const std::optional<EnteredEfficiency>& entered) {
    if (!entered) {
        return nullptr;
    }
    return {{"step_flops", entered->step_flops},
            {"devices", entered->devices},
            {"step_ns", entered->step_ns},
            {"peak_tflops", orNull(entered->peak_tflops)},
            {"mfu", orNull(entered->mfu)}};
}

Json noFlopsJson(const std::optional<NoFlops>& why) {
    if (!why) {
        return nullptr;
    }
    switch (*why) {
        case NoFlops::NoDevice: return "no-device";
        case NoFlops::NoShapes: return "no-shapes";
        case NoFlops::Untold: return "untold";
        case NoFlops::NoLaunch: break;
    }
    return "no-launch";
}

}  // namespace

Json efficiencyJson(const AnalysedRun& run) {
    const EfficiencyFacts& facts = run.facts.efficiency;
    Json ranks = Json::array();
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        const RankEfficiency& rank = facts.ranks[position];
        Json steps = Json::array();
        for (std::size_t s = 0; s < rank.steps.size(); ++s) {
            Json step = {{"index", run.facts.ranks[position].steps[s].index}};
            step.update(stepJson(rank.steps[s], rank.rated));
            steps.push_back(std::move(step));
        }
        ranks.push_back({{"id", position},
                         {"rank", orNull(run.run->ranks[position]->rank)},
                         {"device", textOrNull(rank.device)},
                         {"peak", peakJson(rank)},
                         {"operators", rank.operators},
                         {"untold_operators", rank.untold},
                         {"counted_steps", rank.counted_steps},
                         {"total", stepJson(rank.counted, rank.rated)},
                         {"steps", std::move(steps)}});
    }
    return {{"no_flops", noFlopsJson(facts.no_flops)},
            {"mfu", orNull(facts.mfu())},
            {"hfu", orNull(facts.hfu())},
            {"entered", enteredJson(facts.entered)},
            {"total", stepJson(facts.total, facts.peaks_known)},
            {"ranks", std::move(ranks)},
            {"products", rowsJson(productsTable(run))},
            {"kernels", rowsJson(productKernelsTable(run))},
            {"uncounted_kernels", rowsJson(uncountedKernelsTable(run))}};
}

}  // namespace rankscope::report
