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

/// Sizes of a step that lie further apart are different: less comes from a last, smaller batch.
constexpr double kSizesApart = 0.02;

class Differences {
  public:
    void add(Respect respect, std::string a, std::string b, std::string what, Bearing bearing = Bearing::Qualifies) {
        found_.push_back({respect, bearing, std::move(a), std::move(b), std::move(what)});
    }
    /// Where both runs say something, and not the same.
    void texts(Respect respect, const std::string& a, const std::string& b, std::string what) {
        if (!a.empty() && !b.empty() && a != b) {
            add(respect, a, b, std::move(what));
        }
    }
    void switches(Respect respect, std::optional<bool> a, std::optional<bool> b, std::string what) {
        const auto text = [](bool on) { return std::string(on ? "on" : "off"); };
        if (a && b && *a != *b) {
            add(respect, text(*a), text(*b), std::move(what));
        }
    }
    void sizes(Respect respect, std::optional<std::int64_t> a, std::optional<std::int64_t> b, std::string what) {
        const auto text = [](std::int64_t bytes) {
            return formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0))) + " a step";
        };
        if (a && b && std::abs(static_cast<double>(*b - *a)) > kSizesApart * static_cast<double>(std::max(*a, *b))) {
            add(respect, text(*a), text(*b), std::move(what));
        }
    }
    [[nodiscard]] std::vector<RunsDiffer> finish() {
        std::ranges::stable_sort(found_, {}, &RunsDiffer::bearing);
        return std::move(found_);
    }

  private:
    std::vector<RunsDiffer> found_;
};

void compareSteps(const AnalysedRun& a, const AnalysedRun& b, const RunTraits& of_a, const RunTraits& of_b,
                  Differences& differences) {
    if (of_a.step_source != of_b.step_source) {
        const bool unmarked =
            of_a.step_source == StepSource::WholeWindow || of_b.step_source == StepSource::WholeWindow;
        differences.add(Respect::StepMarks, std::string(stepSourceName(of_a.step_source)),
                        std::string(stepSourceName(of_b.step_source)),
                        unmarked ? "A window without marks is no step: mark the steps with profiler.step()."
                                 : "The steps were found by different marks and may begin and end elsewhere.",
                        unmarked ? Bearing::Prevents : Bearing::Qualifies);
    }
    const auto text = [](std::size_t steps) {
        return std::to_string(steps) + " complete, ordinary step" + (steps == 1 ? "" : "s");
    };
    const std::size_t steps_a = sampleSteps(a.facts).steps.size();
    const std::size_t steps_b = sampleSteps(b.facts).steps.size();
    if (std::min(steps_a, steps_b) < kFewestSteps) {
        differences.add(
            Respect::StepCount, text(steps_a), text(steps_b),
            "Fewer than " + std::to_string(kFewestSteps) + " steps do not tell how far steps differ by chance.",
            Bearing::Prevents);
    }
}

void compareJobs(const AnalysedRun& a, const AnalysedRun& b, const RunTraits& of_a, const RunTraits& of_b,
                 Differences& differences) {
    const bool counts = a.run->ranks.size() != b.run->ranks.size();
    differences.texts(Respect::Ranks, of_a.ranks, of_b.ranks,
                      counts ? "The step of a run is that of its recorded ranks; waits for others are not seen."
                             : "Not the same rank was recorded; ranks of one job may differ.");
    differences.texts(Respect::WorldSize, of_a.world_size, of_b.world_size,
                      "A job of another size does other work in a step, and communicates with more or fewer ranks.");
    differences.texts(Respect::Devices, of_a.devices, of_b.devices,
                      "Other devices: what they differ in is part of the difference.");
    differences.texts(Respect::Vendor, of_a.vendor, of_b.vendor,
                      "Kernels have other names on other vendors' devices; by name only host operators compare.");
    if (of_a.vendor == of_b.vendor) {
        differences.texts(Respect::RuntimeVersion, of_a.runtime, of_b.runtime, "Another version of the runtime.");
        differences.texts(Respect::DriverVersion, of_a.driver, of_b.driver, "Another version of the driver.");
    }
    differences.texts(Respect::Backend, of_a.backend, of_b.backend, "Collectives run on another backend.");
    if (of_a.device_work != of_b.device_work) {
        const auto text = [](bool work) { return std::string(work ? "device work" : "no device work"); };
        differences.add(Respect::DeviceWork, text(of_a.device_work), text(of_b.device_work),
                        "Where the time of a step went cannot be compared.");
    }
}

void compareWork(const AnalysedRun& a, const AnalysedRun& b, const RunTraits& of_a, const RunTraits& of_b,
                 Differences& differences) {
    const SharedKernels shared = sharedKernels(a, b);
    if (of_a.device_work && of_b.device_work && std::min(shared.a, shared.b) < kSharedEnough) {
        differences.add(
            Respect::Kernels, formatPercent(shared.a) + " shared", formatPercent(shared.b) + " shared",
            "So much of its device time each run spends in kernels and copies that the other has too, by name.");
    }
    differences.sizes(Respect::InputSize, of_a.input_bytes, of_b.input_bytes,
                      "Another amount is copied to the device: batches or types may not be the same.");
    differences.sizes(Respect::CollectiveSize, of_a.collective_bytes, of_b.collective_bytes,
                      "Another amount is communicated: model, types or sharding may not be the same.");
    differences.texts(Respect::DataTypes, of_a.data_types, of_b.data_types, "Collectives carry other types.");
}

/// "aten::conv2d [[64,3,224,224],[64,3,7,7],...]"
std::string inputText(std::string_view name, const std::string& input) {
    constexpr std::size_t kMostShown = 60;
    const std::string_view end = input.size() <= kMostShown ? "" : "...";
    return fmt::format("{} {}{}", name, std::string_view(input).substr(0, kMostShown), end);
}

void compareTensors(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read, Differences& differences) {
    const InputsDiffer inputs = compareInputs(a, b, read);
    const auto add = [&](Respect respect, const std::vector<InputsDiffer::Operator>& differ, std::size_t known,
                         const std::string& what) {
        if (!differ.empty()) {
            const InputsDiffer::Operator& most = differ.front();
            differences.add(respect, inputText(most.name, most.a), inputText(most.name, most.b),
                            "Seen in the first call of a step of " + std::to_string(differ.size()) + " of the " +
                                std::to_string(known) + " operators with most device time: " + what);
        }
    };
    add(Respect::TensorShapes, inputs.shapes, inputs.shapes_known,
        "batches, sequences or the model may not be of the same size.");
    add(Respect::TensorTypes, inputs.types, inputs.types_known,
        "the precision, or what is computed, may not be the same.");
}

void compareRecording(const RunTraits& a, const RunTraits& b, Differences& differences) {
    differences.switches(Respect::Stacks, a.stacks, b.stacks,
                         "Recording Python stacks slows the host down: the run with them looks slower than it is.");
    differences.switches(Respect::Shapes, a.shapes, b.shapes, "Recording shapes costs the host a little.");
    differences.switches(Respect::MemoryEvents, a.memory_events, b.memory_events,
                         "Recording memory costs the host a little at each allocation.");
    differences.switches(Respect::Flops, a.flops, b.flops, "Counting operations costs the host a little.");
    differences.switches(Respect::Modules, a.modules, b.modules, "Recording modules costs the host a little.");
    if (a.waits && b.waits && *a.waits != *b.waits) {
        const auto text = [](bool known) { return std::string(known ? "told apart" : "not told apart"); };
        differences.add(
            Respect::WaitsKnown, text(*a.waits), text(*b.waits),
            "Only in one run can transfers be told from waiting; compare exposed communication as a whole.");
    }
    if (a.lost_records || b.lost_records) {
        const auto text = [](bool lost) { return std::string(lost ? "has lost records" : "complete"); };
        differences.add(Respect::LostRecords, text(a.lost_records), text(b.lost_records),
                        "What is missing in the files is missing in the numbers.");
    }
}

using KernelTimes = std::map<std::pair<std::string_view, WorkClass>, DurationNs>;

KernelTimes kernelTimes(const AnalysedRun& run) {
    KernelTimes times;
    for (const RunKernel& kernel : kernelsOverRanks(*run.run, run.facts.ranks)) {
        times[{kernel.name, kernel.all.work}] += kernel.all.ordinary_ns;
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

std::string_view respectName(Respect respect) {
    switch (respect) {
        case Respect::StepMarks: return "step-marks";
        case Respect::StepCount: return "step-count";
        case Respect::Ranks: return "ranks";
        case Respect::WorldSize: return "world-size";
        case Respect::Devices: return "devices";
        case Respect::DeviceWork: return "device-work";
        case Respect::Vendor: return "vendor";
        case Respect::RuntimeVersion: return "runtime-version";
        case Respect::DriverVersion: return "driver-version";
        case Respect::Backend: return "backend";
        case Respect::Kernels: return "kernels";
        case Respect::InputSize: return "input-size";
        case Respect::CollectiveSize: return "collective-size";
        case Respect::DataTypes: return "data-types";
        case Respect::TensorShapes: return "tensor-shapes";
        case Respect::TensorTypes: return "tensor-types";
        case Respect::Stacks: return "stacks";
        case Respect::Shapes: return "shapes";
        case Respect::MemoryEvents: return "memory-events";
        case Respect::Flops: return "flops";
        case Respect::Modules: return "modules";
        case Respect::WaitsKnown: return "waits-known";
        case Respect::LostRecords: return "lost-records";
    }
    return "ranks";
}

std::string_view bearingName(Bearing bearing) {
    return bearing == Bearing::Prevents ? "prevents" : "qualifies";
}

SharedKernels sharedKernels(const AnalysedRun& a, const AnalysedRun& b) {
    const KernelTimes times_a = kernelTimes(a);
    const KernelTimes times_b = kernelTimes(b);
    return {shareIn(times_a, times_b), shareIn(times_b, times_a)};
}

std::vector<RunsDiffer> whatDiffers(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read) {
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
