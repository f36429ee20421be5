// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparability.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/format.h"
#include "core/compare/difference.h"
#include "core/compare/run_traits.h"
#include "core/compare/step_samples.h"

namespace rankscope {
namespace {

/// Step sizes that differ by more are different. A smaller last batch makes them differ by less.
constexpr double kSizesApart = 0.02;

class Differences {
  public:
    void add(Aspect aspect, std::string a, std::string b, std::string what, Impact impact = Impact::Qualifies) {
        found_.push_back({aspect, impact, std::move(a), std::move(b), std::move(what)});
    }
    /// Adds a difference if both runs recorded a text and the two differ.
    void texts(Aspect aspect, const std::string& a, const std::string& b, std::string what) {
        if (!a.empty() && !b.empty() && a != b) {
            add(aspect, a, b, std::move(what));
        }
    }
    void switches(Aspect aspect, std::optional<bool> a, std::optional<bool> b, std::string what) {
        const auto text = [](bool on) { return std::string(on ? "on" : "off"); };
        if (a && b && *a != *b) {
            add(aspect, text(*a), text(*b), std::move(what));
        }
    }
    void sizes(Aspect aspect, std::optional<std::int64_t> a, std::optional<std::int64_t> b, std::string what) {
        const auto text = [](std::int64_t bytes) {
            return formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0))) + " a step";
        };
        if (a && b && std::abs(static_cast<double>(*b - *a)) > kSizesApart * static_cast<double>(std::max(*a, *b))) {
            add(aspect, text(*a), text(*b), std::move(what));
        }
    }
    [[nodiscard]] std::vector<ConfigDifference> finish() {
        std::ranges::stable_sort(found_, {}, &ConfigDifference::impact);
        return std::move(found_);
    }

  private:
    std::vector<ConfigDifference> found_;
};

void compareSteps(const AnalysedRun& a, const AnalysedRun& b, const RunTraits& of_a, const RunTraits& of_b,
                  Differences& differences) {
    if (of_a.step_source != of_b.step_source) {
        const bool unmarked =
            of_a.step_source == StepSource::WholeWindow || of_b.step_source == StepSource::WholeWindow;
        differences.add(Aspect::StepMarks, std::string(stepSourceName(of_a.step_source)),
                        std::string(stepSourceName(of_b.step_source)),
                        unmarked
                            ? "A window without marks is not a step. Mark the steps with profiler.step()."
                            : "The steps were found by different marks, and may begin and end in different places.",
                        unmarked ? Impact::Prevents : Impact::Qualifies);
    }
    const auto text = [](std::size_t steps) {
        return std::to_string(steps) + " complete, steady-state step" + (steps == 1 ? "" : "s");
    };
    const std::size_t steps_a = sampleSteps(a.facts).steps.size();
    const std::size_t steps_b = sampleSteps(b.facts).steps.size();
    if (std::min(steps_a, steps_b) < kFewestSteps) {
        differences.add(
            Aspect::StepCount, text(steps_a), text(steps_b),
            "Fewer than " + std::to_string(kFewestSteps) + " steps do not show how much steps vary by chance.",
            Impact::Prevents);
    }
}

void compareJobs(const AnalysedRun& a, const AnalysedRun& b, const RunTraits& of_a, const RunTraits& of_b,
                 Differences& differences) {
    const bool counts = a.run->ranks.size() != b.run->ranks.size();
    differences.texts(Aspect::Ranks, of_a.ranks, of_b.ranks,
                      counts ? "A step covers only the recorded ranks; waits for other ranks are not seen."
                             : "Different ranks were recorded; ranks of one job may differ.");
    differences.texts(Aspect::WorldSize, of_a.world_size, of_b.world_size,
                      "A job of another size does different work per step, and communicates with more or fewer ranks.");
    differences.texts(Aspect::Grid, of_a.grid, of_b.grid,
                      "The work is divided differently. Parts of a step can be compared, and ranks by their place in "
                      "the grid, but the work per step may differ.");
    if (!of_a.iterations.empty() && !of_b.iterations.empty() && of_a.iterations != of_b.iterations) {
        differences.add(Aspect::Iterations, of_a.iterations, of_b.iterations,
                        "The runs mix kinds of iterations differently. Record the same number of each kind.",
                        Impact::Prevents);
    }
    differences.texts(Aspect::Devices, of_a.devices, of_b.devices,
                      "Different GPUs: their difference is part of the result.");
    differences.texts(Aspect::Vendor, of_a.vendor, of_b.vendor,
                      "Kernel names differ between GPU vendors; only CPU operators can be compared by name.");
    if (of_a.vendor == of_b.vendor) {
        differences.texts(Aspect::RuntimeVersion, of_a.runtime, of_b.runtime, "Different runtime versions.");
        differences.texts(Aspect::DriverVersion, of_a.driver, of_b.driver, "Different driver versions.");
    }
    differences.texts(Aspect::Backend, of_a.backend, of_b.backend, "Collectives run on different backends.");
    if (of_a.device_work != of_b.device_work) {
        const auto text = [](bool work) { return std::string(work ? "GPU work" : "no GPU work"); };
        differences.add(Aspect::DeviceWork, text(of_a.device_work), text(of_b.device_work),
                        "The parts of a step cannot be compared.");
    }
}

void compareWork(const AnalysedRun& a, const AnalysedRun& b, const RunTraits& of_a, const RunTraits& of_b,
                 Differences& differences) {
    const SharedKernels shared = sharedKernels(a, b);
    if (of_a.device_work && of_b.device_work && std::min(shared.a, shared.b) < kSharedEnough) {
        differences.add(Aspect::Kernels, formatPercent(shared.a) + " shared", formatPercent(shared.b) + " shared",
                        "The share of GPU time in kernels and copies that, by name, the other run has too.");
    }
    differences.sizes(Aspect::InputSize, of_a.input_bytes, of_b.input_bytes,
                      "Different amounts are copied to the GPU: batches or types may differ.");
    differences.sizes(Aspect::CollectiveSize, of_a.collective_bytes, of_b.collective_bytes,
                      "Different amounts are communicated: model, types or sharding may differ.");
    differences.texts(Aspect::DataTypes, of_a.data_types, of_b.data_types, "Collectives carry different types.");
}

/// "aten::conv2d [[64,3,224,224],[64,3,7,7],...]"
std::string inputText(std::string_view name, const std::string& input) {
    constexpr std::size_t kMostShown = 60;
    const std::string_view end = input.size() <= kMostShown ? "" : "...";
    return fmt::format("{} {}{}", name, std::string_view(input).substr(0, kMostShown), end);
}

void compareTensors(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read, Differences& differences) {
    const InputsDiffer inputs = compareInputs(a, b, read);
    const auto add = [&](Aspect aspect, const std::vector<InputsDiffer::Operator>& differ, std::size_t known,
                         const std::string& what) {
        if (!differ.empty()) {
            const InputsDiffer::Operator& most = differ.front();
            differences.add(aspect, inputText(most.name, most.a), inputText(most.name, most.b),
                            "Seen in the first call of a step, for " + std::to_string(differ.size()) + " of the " +
                                std::to_string(known) + " operators with the most GPU time: " + what);
        }
    };
    add(Aspect::TensorShapes, inputs.shapes, inputs.shapes_known,
        "batches, sequences or the model may differ in size.");
    add(Aspect::TensorTypes, inputs.types, inputs.types_known, "the precision, or what is computed, may differ.");
}

void compareRecording(const RunTraits& a, const RunTraits& b, Differences& differences) {
    differences.switches(Aspect::Stacks, a.stacks, b.stacks,
                         "Recording Python stacks slows the CPU down: the run with stacks looks slower than it is.");
    differences.switches(Aspect::Shapes, a.shapes, b.shapes, "Recording shapes costs a little CPU time.");
    differences.switches(Aspect::MemoryEvents, a.memory_events, b.memory_events,
                         "Recording memory costs a little CPU time per allocation.");
    differences.switches(Aspect::Flops, a.flops, b.flops, "Counting operations costs a little CPU time.");
    differences.switches(Aspect::Modules, a.modules, b.modules, "Recording modules costs a little CPU time.");
    if (a.waits && b.waits && *a.waits != *b.waits) {
        const auto text = [](bool known) { return std::string(known ? "separated" : "not separated"); };
        differences.add(Aspect::WaitsKnown, text(*a.waits), text(*b.waits),
                        "Only one run separates transfer from waiting. Compare exposed communication as a whole.");
    }
    if (a.lost_records || b.lost_records) {
        const auto text = [](bool lost) { return std::string(lost ? "has lost records" : "complete"); };
        differences.add(Aspect::LostRecords, text(a.lost_records), text(b.lost_records),
                        "The numbers lack what the files lack.");
    }
}

using KernelTimes = std::map<std::pair<std::string_view, WorkClass>, DurationNs>;

KernelTimes kernelTimes(const AnalysedRun& run) {
    KernelTimes times;
    for (const RunKernel& kernel : kernelsOverRanks(*run.run, run.facts.ranks)) {
        times[{kernel.name, kernel.all.work}] += kernel.all.steady_ns;
    }
    return times;
}

double shareIn(const KernelTimes& times, const KernelTimes& other) {
    DurationNs all = 0;
    DurationNs shared = 0;
    for (const auto& [name, ns] : times) {
        all += ns;
        const auto at = other.find(name);
        shared += at != other.end() && at->second > 0 ? ns : 0;
    }
    return all > 0 ? static_cast<double>(shared) / static_cast<double>(all) : 0;
}

}  // namespace

std::string_view aspectName(Aspect aspect) {
    switch (aspect) {
        case Aspect::StepMarks: return "step-marks";
        case Aspect::StepCount: return "step-count";
        case Aspect::Ranks: return "ranks";
        case Aspect::WorldSize: return "world-size";
        case Aspect::Grid: return "grid";
        case Aspect::Iterations: return "iterations";
        case Aspect::Devices: return "devices";
        case Aspect::DeviceWork: return "device-work";
        case Aspect::Vendor: return "vendor";
        case Aspect::RuntimeVersion: return "runtime-version";
        case Aspect::DriverVersion: return "driver-version";
        case Aspect::Backend: return "backend";
        case Aspect::Kernels: return "kernels";
        case Aspect::InputSize: return "input-size";
        case Aspect::CollectiveSize: return "collective-size";
        case Aspect::DataTypes: return "data-types";
        case Aspect::TensorShapes: return "tensor-shapes";
        case Aspect::TensorTypes: return "tensor-types";
        case Aspect::Stacks: return "stacks";
        case Aspect::Shapes: return "shapes";
        case Aspect::MemoryEvents: return "memory-events";
        case Aspect::Flops: return "flops";
        case Aspect::Modules: return "modules";
        case Aspect::WaitsKnown: return "waits-known";
        case Aspect::LostRecords: return "lost-records";
    }
    return "ranks";
}

std::string aspectWords(Aspect aspect) {
    std::string words(aspectName(aspect));
    std::ranges::replace(words, '-', ' ');
    return words;
}

std::string_view impactName(Impact impact) {
    return impact == Impact::Prevents ? "prevents" : "qualifies";
}

SharedKernels sharedKernels(const AnalysedRun& a, const AnalysedRun& b) {
    const KernelTimes times_a = kernelTimes(a);
    const KernelTimes times_b = kernelTimes(b);
    return {shareIn(times_a, times_b), shareIn(times_b, times_a)};
}

std::vector<ConfigDifference> whatDiffers(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read) {
    const RunTraits of_a = traitsOf(a);
    const RunTraits of_b = traitsOf(b);
    Differences differences;
    compareSteps(a, b, of_a, of_b, differences);
    compareJobs(a, b, of_a, of_b, differences);
    compareWork(a, b, of_a, of_b, differences);
    compareTensors(a, b, read, differences);
    compareRecording(of_a, of_b, differences);
    return differences.finish();
}

}  // namespace rankscope
