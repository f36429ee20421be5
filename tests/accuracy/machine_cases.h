// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::accuracy {

/// One run on the event-driven machine, with a planted fault or without.
struct MachineCase {
    std::string name;  ///< "few-cores/2/1": fault, strength 1 to 3, number; "healthy/17"; "healthy-grid/1"
    std::string row;   ///< of the table: "few-cores", "slow-device, one file"; empty of a healthy run
    const tracegen::machine::Fault* fault = nullptr;
    double strength = 0;
    tracegen::machine::Config healthy;  ///< the run without the fault
    tracegen::machine::FileSpec files;  ///< but for the resolution

    /// The run with its fault.
    [[nodiscard]] tracegen::machine::Config planted() const;
};

/// All of them: each fault at three strengths, twice; a slow device whose ranks are fused into one file, in two ways;
/// 200 healthy runs of DDP; and two of each job whose work is divided in a grid, but for the large one.
[[nodiscard]] std::vector<MachineCase> machineMatrix();

}  // namespace rankscope::accuracy
