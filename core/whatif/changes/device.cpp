// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnosis/gpu_speed/slowed_gpu.h"
#include "core/whatif/change.h"
#include "core/whatif/event_phases.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

std::optional<NumberType> precisionNamed(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, NumberType>, 4> kNames = {{{"bf16", NumberType::BFloat16},
                                                                                {"fp16", NumberType::Float16},
                                                                                {"fp8", NumberType::Float8},
                                                                                {"tf32", NumberType::Tf32}}};
    const auto found = std::ranges::find(kNames, name, &std::pair<std::string_view, NumberType>::first);
    return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

WorkAtRoof workOf(const ProductKernel& kernel) {
    return {kernel.flops, kernel.bytes, kernel.type};
}

/// How many times as long a product's kernels take on another device, with the same types.
std::optional<double> productFactor(const ProductKernel& kernel, const DevicePeak& now, const DevicePeak& then) {
    const std::optional<double> now_ns = now.roofNs(workOf(kernel), kernel.type);
    const std::optional<double> then_ns = then.roofNs(workOf(kernel), kernel.type);
    return now_ns && then_ns && *now_ns > 0 ? std::optional(*then_ns / *now_ns) : std::nullopt;
}

bool isInDeviceMemory(const RankTrace& trace, const ReplayEvent& event) {
    return trace.category(event.ref) != Category::Memcpy ||
           trace.name(event.ref).find("DtoD") != std::string_view::npos;
}

/// By rank and name id: how many times as long the kernels of that name take; 1: unchanged.
using KernelFactors = std::vector<std::vector<double>>;

}  // namespace

Result<WhatIfEffect> otherPrecision(const RuleContext& context, const WhatIfValues& values) {
    const std::optional<NumberType> type = precisionNamed(values.name);
    if (!type) {
        return cannotTell("\"" + values.name + "\" is no number type here; use bf16, fp16, fp8 or tf32.");
    }
    const EfficiencyFacts& facts = context.facts.efficiency;
    const auto factors = std::make_shared<KernelFactors>();
    bool any = false;
    bool without_cores = false;
    for (std::size_t r = 0; r < context.work.size(); ++r) {
        const StringPool& names = context.work[r].trace->strings;
        std::vector<double>& of_names = factors->emplace_back(names.size(), 1.0);
        const std::optional<DevicePeak>& peak = facts.ranks[r].peak;
        if (!peak || peak->by_user || !peak->tensor_cores[*type]) {
            without_cores = true;
            continue;
        }
        for (const ProductKernel& kernel : facts.kernels) {
            const StringId name = names.find(kernel.name);
            const std::optional<double> now_ns = peak->roofNs(workOf(kernel), kernel.type);
            const std::optional<double> then_ns = peak->roofNs(workOf(kernel), *type);
            if (name.valid() && now_ns && then_ns && *now_ns > 0 && *then_ns < *now_ns) {
                of_names[name.value] = *then_ns / *now_ns;
                any = true;
            }
        }
    }
    if (!any) {
        return cannotTell(without_cores ? "No device here is known to have tensor cores for " + values.name + "."
                                        : "No counted matrix product would be faster in " + values.name +
                                              ". Record record_shapes=True to have them counted.");
    }
    WhatIfEffect effect;
    effect.length = [&context, factors](RankPosition rank, const ReplayEvent& event, DurationNs length_ns) {
        const StringId name = context.work[rank].trace->track(event.ref).slices.name[event.ref.slice];
        const double factor = name.valid() && !event.communication ? (*factors)[rank][name.value] : 1.0;
        return static_cast<DurationNs>(factor * static_cast<double>(length_ns));
    };
    effect.at_most = true;
    return effect;
}

Result<WhatIfEffect> otherDevice(const RuleContext& context, const WhatIfValues& values) {
    const std::optional<DevicePeak> then = DevicePeaks::builtIn().named(values.name);
    if (!then || !then->memory_gb_per_s) {
        return cannotTell("\"" + values.name + "\" is no device of the table of peaks" +
                          nearestOrStop(values.name, DevicePeaks::builtIn().names()));
    }
    const EfficiencyFacts& facts = context.facts.efficiency;
    const auto factors = std::make_shared<KernelFactors>();
    for (std::size_t r = 0; r < context.work.size(); ++r) {
        const StringPool& names = context.work[r].trace->strings;
        std::vector<double>& of_names = factors->emplace_back();
        if (context.pricer.model().ranks[r].events.empty()) {
            continue;
        }
        const std::optional<DevicePeak>& now = facts.ranks[r].peak;
        if (!now || now->by_user || !now->memory_gb_per_s) {
            return cannotTell("The peaks of today's GPUs are not in the table, so there is nothing to compare with.");
        }
        const double by_memory = *now->memory_gb_per_s / *then->memory_gb_per_s;
        of_names.assign(names.size(), by_memory);
        for (const ProductKernel& kernel : facts.kernels) {
            const StringId name = names.find(kernel.name);
            if (!name.valid()) {
                continue;
            }
            if (!then->tflops[kernel.type]) {
                return cannotTell("The table has no peak of " + then->device + " for " +
                                  std::string(numberTypeName(kernel.type)) + ".");
            }
            of_names[name.value] = productFactor(kernel, *now, *then).value_or(by_memory);
        }
    }
    WhatIfEffect effect;
    effect.notes.push_back("Taken as " + then->device + " (" + then->source + ").");
    if (!facts.any()) {
        effect.notes.emplace_back(
            "No matrix product was counted: all kernels follow the memory's bandwidth. Record record_shapes=True.");
    }
    effect.length = [&context, factors, floors = std::make_shared<const LaunchFloors>(launchFloors(context))](
                        RankPosition rank, const ReplayEvent& event, DurationNs length_ns) {
        const RankTrace& trace = *context.work[rank].trace;
        const StringId name = trace.track(event.ref).slices.name[event.ref.slice];
        if (event.communication || !name.valid() || !isInDeviceMemory(trace, event)) {
            return length_ns;
        }
        return scaledBeyond((*floors)[rank], length_ns, (*factors)[rank][name.value]);
    };
    effect.at_most = true;
    return effect;
}

Result<WhatIfEffect> coolDevices(const RuleContext& context, const WhatIfValues& /*values*/) {
    const std::vector<SlowedGpu> gpus = slowedGpus(context);
    if (gpus.empty()) {
        return cannotTell("No GPU becomes slower during this recording.");
    }
    WhatIfEffect effect;
    effect.replay = coolChange(context, gpus);
    return effect;
}

}  // namespace rankscope
