// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/measure_efficiency.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/analysis/efficiency/matrix_kernels.h"
#include "core/analysis/efficiency/rank_efficiency.h"
#include "core/base/parallel.h"
#include "core/trace/product_operators.h"

namespace rankscope {
namespace {

/// What all types can do where the user says one number.
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

void add(ProductSums& to, const ProductSums& from) {
    to.calls += from.calls;
    to.flops += from.flops;
    to.bytes += from.bytes;
    to.time_ns += from.time_ns;
    to.tensor_cores = from.tensor_cores;
}

void add(ProductRow& to, const ProductRow& from) {
    add(static_cast<ProductSums&>(to), from);
    to.peak_ns += from.peak_ns;
    if (from.over_memory_ns) {
        to.over_memory_ns = to.over_memory_ns.value_or(0) + *from.over_memory_ns;
    }
}

void add(UncountedKernel& to, const UncountedKernel& from) {
    to.calls += from.calls;
    to.time_ns += from.time_ns;
}

/// Adds the rows of a rank to those of the run.
template <class Key, class Row>
void merge(std::map<Key, Row>& to, const std::map<Key, Row>& from) {
    for (const auto& [key, row] : from) {
        Row& all = to[key];
        add(all, row);
        if (row.longest.ns > all.longest.ns) {
            all.longest = row.longest;
        }
    }
}

template <class Key, class Row>
std::vector<Row> longestFirst(std::map<Key, Row> rows) {
    std::vector<Row> list;
    for (auto& [key, row] : rows) {
        list.push_back(std::move(row));
    }
    std::ranges::stable_sort(list, std::ranges::greater(), &Row::time_ns);
    return list;
}

/// The rows of all ranks as tables.
void tabulate(const std::vector<MeasuredEfficiency>& ranks, EfficiencyFacts& facts) {
    MeasuredEfficiency all;
    for (const MeasuredEfficiency& rank : ranks) {
        merge(all.products, rank.products);
        merge(all.kernels, rank.kernels);
        merge(all.uncounted, rank.uncounted);
    }
    for (auto& [key, row] : all.products) {
        std::tie(row.name, row.shapes, row.type, row.recomputed) = key;
    }
    for (auto& [key, row] : all.kernels) {
        std::tie(row.name, row.type) = key;
    }
    for (auto& [name, row] : all.uncounted) {
        row.name = name;
        row.multiplies = kernelKindOf(name).multiplies;
    }
    facts.products = longestFirst(std::move(all.products));
    facts.kernels = longestFirst(std::move(all.kernels));
    facts.uncounted = longestFirst(std::move(all.uncounted));
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

NoFlops whyNone(const Run& run, const RunFacts& facts) {
    if (std::ranges::all_of(facts.ranks, [](const RankFacts& rank) { return rank.device < 0; })) {
        return NoFlops::NoDevice;
    }
    const bool unread =
        std::ranges::any_of(run.ranks, [](const auto& trace) { return !hasInputs(*trace) && multiplies(*trace); });
    return unread ? NoFlops::NoShapes : NoFlops::NoLaunch;
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

/// The type that most is multiplied in; bfloat16 where nothing was counted.
NumberType mainType(const StepEfficiency& total) {
    const auto most = std::ranges::max_element(total.flops.of);
    return *most > 0 ? static_cast<NumberType>(most - total.flops.of.begin()) : NumberType::BFloat16;
}

std::optional<EnteredEfficiency> entered(const Run& run, const RunFacts& facts, const EfficiencyFacts& efficiency,
                                         const FactsOptions& options) {
    const std::optional<double> step_flops = options.efficiency.stepFlops(options.model);
    if (!step_flops) {
        return std::nullopt;
    }
    EnteredEfficiency result{.step_flops = *step_flops,
                             .devices = run.ranks.size(),
                             .step_ns = facts.pricedStep(),
                             .type = mainType(efficiency.total),
                             .peak_tflops = {},
                             .mfu = {}};
    for (const auto& rank : run.ranks) {
        result.devices = std::max(result.devices, static_cast<std::size_t>(std::max(0, rank->world_size.value_or(0))));
    }
    for (const RankEfficiency& rank : efficiency.ranks) {
        if (rank.peak && rank.peak->tflops[*result.type]) {
            result.peak_tflops = rank.peak->tflops[*result.type];
            break;
        }
    }
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
    tabulate(measured, result);
    result.peaks_known = true;
    for (MeasuredEfficiency& rank : measured) {
        rank.rank.rated = isRated(rank.rank);
        result.peaks_known = result.peaks_known && rank.rank.rated;
        result.total += rank.rank.counted;
        result.ranks.push_back(std::move(rank.rank));
    }
    if (!result.any()) {
        result.no_flops = whyNone(run, facts);
    }
    result.entered = entered(run, facts, result, options);
    return result;
}

}  // namespace rankscope
