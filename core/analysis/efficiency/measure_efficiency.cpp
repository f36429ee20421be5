// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/efficiency/product_tables.h"
#include "core/analysis/efficiency/rank_efficiency.h"
#include "core/base/parallel.h"
#include "core/trace/product_operators.h"

namespace rankscope {
namespace {

/// The peak for all types, if the user entered one number.
DevicePeak typedPeak(double tflops, std::optional<DevicePeak> known) {
    DevicePeak peak = std::move(known).value_or(DevicePeak());
    std::ranges::fill(peak.tflops.of, tflops);
    peak.source = "--peak-tflops";
    peak.by_user = true;
    return peak;
}

std::optional<DevicePeak> peakOf(const DeviceProperties* device, const DevicePeaks& table,
                                 const EfficiencyOptions& options) {
    std::optional<DevicePeak> peak = device != nullptr ? table.of(*device) : std::nullopt;
    return options.peak_tflops ? std::optional(typedPeak(*options.peak_tflops, std::move(peak))) : peak;
}

bool multiplies(const RankTrace& trace) {
    for (StringId id{0}; id.value < trace.strings.size(); ++id.value) {
        if (productOf(trace.strings.view(id)) != Product::None) {
            return true;
        }
    }
    return false;
}

bool hasInputs(const RankTrace& trace) {
    return std::ranges::any_of(trace.tracks, [](const Track& track) { return track.inputs.size() > 0; });
}

NoFlops whyNone(const Run& run, const RunFacts& facts, const EfficiencyFacts& efficiency) {
    if (std::ranges::all_of(facts.ranks, [](const RankFacts& rank) { return rank.device < 0; })) {
        return NoFlops::NoDevice;
    }
    const bool unread =
        std::ranges::any_of(run.ranks, [](const auto& trace) { return !hasInputs(*trace) && multiplies(*trace); });
    if (unread) {
        return NoFlops::NoShapes;
    }
    const bool untold =
        std::ranges::any_of(efficiency.ranks, [](const RankEfficiency& rank) { return rank.untold > 0; });
    return untold ? NoFlops::Untold : NoFlops::NoLaunch;
}

/// Whether every type that a rank multiplies has a peak.
bool isRated(const RankEfficiency& rank) {
    for (std::size_t i = 0; i < kNumberTypes; ++i) {
        if (rank.counted.flops.of[i] > 0 && !(rank.peak && rank.peak->tflops.of[i])) {
            return false;
        }
    }
    return true;
}

/// Sets the peak of the type with most FLOPs, of the first device that has one; if nothing was counted, that of its
/// 16-bit numbers.
void putPeak(const EfficiencyFacts& efficiency, EnteredEfficiency& into) {
    const std::array<double, kNumberTypes>& flops = efficiency.total.flops.of;
    const auto most = std::ranges::max_element(flops);
    const bool counted = *most > 0;
    into.type = counted ? static_cast<NumberType>(most - flops.begin()) : NumberType::BFloat16;
    for (const RankEfficiency& rank : efficiency.ranks) {
        const std::optional<NumberType> type = counted || !rank.peak ? into.type : rank.peak->sixteenBit();
        if (type && rank.peak && rank.peak->tflops[*type]) {
            into.type = type;
            into.peak_tflops = rank.peak->tflops[*type];
            return;
        }
    }
}

std::optional<EnteredEfficiency> entered(const Run& run, const RunFacts& facts, const EfficiencyFacts& efficiency,
                                         const FactsOptions& options) {
    const std::optional<double> step_flops = options.efficiency.stepFlops(options.model);
    if (!step_flops) {
        return std::nullopt;
    }
    EnteredEfficiency result{.step_flops = *step_flops,
                             .one_sample = !options.efficiency.batch,
                             .devices = run.ranks.size(),
                             .step_ns = facts.pricedStep(),
                             .type = {},
                             .peak_tflops = {},
                             .mfu = {}};
    for (const auto& rank : run.ranks) {
        result.devices = std::max(result.devices, static_cast<std::size_t>(std::max(0, rank->world_size.value_or(0))));
    }
    putPeak(efficiency, result);
    constexpr double kNanoseconds = 1e9;
    if (result.peak_tflops && result.step_ns > 0) {
        result.mfu = utilization(*step_flops, static_cast<double>(result.step_ns) / kNanoseconds,
                                 static_cast<double>(result.devices), *result.peak_tflops);
    }
    return result;
}

}  // namespace

EfficiencyFacts measureEfficiency(const Run& run, const RunFacts& facts, const std::vector<RankContext>& work,
                                  const FactsOptions& options) {
    const DevicePeaks& table = DevicePeaks::builtIn();
    std::vector<MeasuredEfficiency> measured(work.size());
    forEachIndex(work.size(), threadCount(options.threads), [&](std::size_t r) {
        const DeviceProperties* const device = deviceOf(*work[r].trace, facts.ranks[r].device);
        measured[r] = measureRank(work[r], RankPosition(r), facts, peakOf(device, table, options.efficiency));
        measured[r].rank.device = device != nullptr ? device->name : std::string();
    });
    EfficiencyFacts result;
    result.peaks_known = true;
    for (MeasuredEfficiency& rank : measured) {
        rank.rank.rated = isRated(rank.rank);
        result.peaks_known = result.peaks_known && rank.rank.rated;
        result.total += rank.rank.counted;
        result.ranks.push_back(std::move(rank.rank));
        result.by_rank.push_back(std::move(rank.tables));
    }
    static_cast<ProductTables&>(result) = tablesOfAll(result.by_rank);
    if (!result.any()) {
        result.no_flops = whyNone(run, facts, result);
    }
    result.entered = entered(run, facts, result, options);
    return result;
}

}  // namespace rankscope
