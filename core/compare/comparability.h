// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/operator_inputs.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// How two runs differ apart from their speed. The list is closed: the JSON schema contains it.
enum class Aspect : std::uint8_t {
    StepMarks,       ///< how the steps were found
    StepCount,       ///< too few to judge
    Ranks,           ///< how many were recorded, and which
    WorldSize,       ///< the number of ranks of the job
    Grid,            ///< how the job's work is divided over its ranks
    Iterations,      ///< of a server: prefill or decode
    Devices,         ///< the type of device
    DeviceWork,      ///< one run has no device work
    Vendor,          ///< CUDA or ROCm
    RuntimeVersion,  ///< of CUDA or HIP
    DriverVersion,   ///< of CUDA or HIP
    Backend,         ///< of the process group: "nccl"
    Kernels,         ///< the share of device time in kernels that both runs have
    InputSize,       ///< bytes copied to the device per step
    CollectiveSize,  ///< bytes in collectives per step
    DataTypes,       ///< of collectives
    TensorShapes,    ///< of operators' inputs
    TensorTypes,     ///< of operators' inputs: the precision
    Stacks,          ///< with_stack of the profiler
    Shapes,          ///< record_shapes
    MemoryEvents,    ///< profile_memory
    Flops,           ///< with_flops
    Modules,         ///< with_modules
    WaitsKnown,      ///< whether transfers are separated from waits
    LostRecords,     ///< files that end early, or have lost events
};
[[nodiscard]] std::string_view aspectName(Aspect aspect);  ///< as in the JSON: "step-marks"
[[nodiscard]] std::string aspectWords(Aspect aspect);      ///< for people, in a sentence: "step marks"

enum class Impact : std::uint8_t {
    Prevents,   ///< step times cannot be compared
    Qualifies,  ///< step times can be compared, but this is part of their difference
};
[[nodiscard]] std::string_view impactName(Impact impact);  ///< as in the JSON: "prevents"

/// One thing in which two runs differ.
struct ConfigDifference {
    Aspect aspect = Aspect::Ranks;
    Impact impact = Impact::Qualifies;
    std::string a;     ///< A's value, shown to users: "4 ranks"
    std::string b;     ///< B's value
    std::string what;  ///< its meaning for the comparison, one sentence
};

/// The share of each run's device time in kernels and copies that the other run has too, by name and class. Over
/// complete, steady-state steps: 0 to 1, and 0 for a run without any.
struct SharedKernels {
    double a = 0;
    double b = 0;
};

/// Below this share, the kernels count as different.
inline constexpr double kSharedEnough = 0.9;

/// Measures how similar the device work of two runs is. Counts the kernel and copy time in complete, steady-state
/// steps, and the share of it under names and classes that also take time in such steps of the other run. Linear in the
/// rows of all ranks' kernel tables; n log n in names.
[[nodiscard]] SharedKernels sharedKernels(const AnalysedRun& a, const AnalysedRun& b);

/// All differences, those that prevent a comparison first. Empty if nothing recorded differs. `read` reads the
/// operators' arguments.
[[nodiscard]] std::vector<ConfigDifference> whatDiffers(const AnalysedRun& a, const AnalysedRun& b,
                                                        const EventReader& read = {});

}  // namespace rankscope
