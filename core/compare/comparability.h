// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/operator_inputs.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// How two runs differ apart from their speed. The list is closed and is in the JSON schema.
enum class Aspect : std::uint8_t {
    StepMarks,       ///< how the steps were found
    StepCount,       ///< too few of them for any judgement
    Ranks,           ///< how many were recorded, or which
    WorldSize,       ///< how many the job has
    Grid,            ///< how its work is divided
    Iterations,      ///< of a server: whether they read prompts or decode
    Devices,         ///< what kind of device
    DeviceWork,      ///< one run has none
    Vendor,          ///< CUDA or ROCm
    RuntimeVersion,  ///< of CUDA or HIP
    DriverVersion,   ///< of CUDA or HIP
    Backend,         ///< of the process group: "nccl"
    Kernels,         ///< which share of the device time is in kernels that both have
    InputSize,       ///< bytes copied to the device in a step
    CollectiveSize,  ///< bytes of collectives in a step
    DataTypes,       ///< of collectives
    TensorShapes,    ///< that operators are called with
    TensorTypes,     ///< the same of their types, so the precision
    Stacks,          ///< with_stack
    Shapes,          ///< record_shapes
    MemoryEvents,    ///< profile_memory
    Flops,           ///< with_flops
    Modules,         ///< with_modules
    WaitsKnown,      ///< whether transfer and waiting can be separated
    LostRecords,     ///< files that break off, or have lost events
};
[[nodiscard]] std::string_view aspectName(Aspect aspect);  ///< as in the JSON: "step-marks"

enum class Impact : std::uint8_t {
    Prevents,   ///< step times cannot be compared
    Qualifies,  ///< they can, but what differs is part of the difference
};
[[nodiscard]] std::string_view impactName(Impact impact);  ///< as in the JSON: "prevents"

/// One thing in which two runs differ.
struct ConfigDifference {
    Aspect aspect = Aspect::Ranks;
    Impact impact = Impact::Qualifies;
    std::string a;     ///< of A, for people: "4 ranks"
    std::string b;     ///< of B
    std::string what;  ///< what that means for the comparison, a sentence
};

/// How much device time two runs spend in kernels and copies of the same name and class, of their complete,
/// steady-state steps: 0 to 1; 0 if a run has none.
struct SharedKernels {
    double a = 0;
    double b = 0;
};

/// Below this share the kernels count as different.
inline constexpr double kSharedEnough = 0.9;

/// Measures how alike the device work of two runs is: of each run's kernel and copy time in complete, steady-state
/// steps, the share that is in names and classes which take time in such steps of the other run too. Linear in the rows
/// of all ranks' kernel tables, and n log n in names.
[[nodiscard]] SharedKernels sharedKernels(const AnalysedRun& a, const AnalysedRun& b);

/// All differences, those that prevent a comparison first. Empty if nothing that was recorded differs. `read` gets the
/// arguments of operators.
[[nodiscard]] std::vector<ConfigDifference> whatDiffers(const AnalysedRun& a, const AnalysedRun& b,
                                                        const EventReader& read = {});

}  // namespace rankscope
