// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/json/parts.h"

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

Json placeJson(const EfficiencyPlace& place, const AnalysedRun& run) {
    if (!place.slice.valid()) {
        return nullptr;
    }
    const TimeSpan span = run.run->ranks[place.rank]->span(place.slice);
    const TimeNs start_ns = run.clock.ranks[place.rank].toRun(FileTime(span.start_ns)) - run.clock.base_ns;
    return {{"id", place.rank}, {"start_ns", start_ns}, {"duration_ns", place.ns}};
}

Json productsJson(const AnalysedRun& run) {
    const std::vector<ProductRow>& rows = run.facts.efficiency.products;
    Json out = Json::array();
    for (std::size_t i = 0; i < std::min(kTableRows, rows.size()); ++i) {
        const ProductRow& row = rows[i];
        out.push_back({{"name", row.name},
                       {"shapes", row.shapes.empty() ? Json(nullptr) : Json(row.shapes)},
                       {"type", numberTypeName(row.type)},
                       {"recomputed", row.recomputed},
                       {"calls", row.calls},
                       {"flops", row.flops},
                       {"bytes", row.bytes},
                       {"time_ns", row.time_ns},
                       {"tflop_per_s", orNull(row.tflops())},
                       {"flops_per_byte", orNull(row.intensity())},
                       {"of_peak", orNull(row.ofPeak())},
                       {"bound", row.bound ? Json(roofBoundName(*row.bound)) : Json(nullptr)},
                       {"tensor_cores", orNull(row.tensor_cores)},
                       {"longest", placeJson(row.longest, run)}});
    }
    return out;
}

Json kernelRowsJson(const AnalysedRun& run) {
    const std::vector<ProductKernel>& rows = run.facts.efficiency.kernels;
    Json out = Json::array();
    for (std::size_t i = 0; i < std::min(kTableRows, rows.size()); ++i) {
        const ProductKernel& row = rows[i];
        out.push_back({{"name", row.name},
                       {"type", numberTypeName(row.type)},
                       {"calls", row.calls},
                       {"flops", row.flops},
                       {"bytes", row.bytes},
                       {"time_ns", row.time_ns},
                       {"tflop_per_s", orNull(row.tflops())},
                       {"flops_per_byte", orNull(row.intensity())},
                       {"tensor_cores", orNull(row.tensor_cores)},
                       {"longest", placeJson(row.longest, run)}});
    }
    return out;
}

Json uncountedJson(const AnalysedRun& run) {
    const std::vector<UncountedKernel>& rows = run.facts.efficiency.uncounted;
    Json out = Json::array();
    for (std::size_t i = 0; i < std::min(kTableRows, rows.size()); ++i) {
        const UncountedKernel& row = rows[i];
        out.push_back({{"name", row.name},
                       {"calls", row.calls},
                       {"time_ns", row.time_ns},
                       {"multiplies", row.multiplies},
                       {"longest", placeJson(row.longest, run)}});
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
    return *why == NoFlops::NoDevice ? "no-device" : *why == NoFlops::NoShapes ? "no-shapes" : "no-launch";
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
            {"products", productsJson(run)},
            {"kernels", kernelRowsJson(run)},
            {"uncounted_kernels", uncountedJson(run)}};
}

}  // namespace rankscope::report
