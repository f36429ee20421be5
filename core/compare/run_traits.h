// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// What a run says of itself, for the list of what differs. Texts are for people, and empty if nothing is recorded; if
/// ranks differ among themselves, each value is listed once.
struct RunTraits {
    std::string ranks;       ///< "4 ranks", or "rank 3"
    std::string world_size;  ///< "8"
    std::string grid;        ///< "data 4 x tensor 2"; empty where it cannot be determined
    std::string iterations;  ///< of a server, what its prices are of: "decode"; empty where it does not serve
    std::string devices;     ///< "Tesla V100-SXM2-16GB"
    std::string vendor;      ///< "CUDA", "ROCm"
    std::string runtime;     ///< version as recorded: "12040"
    std::string driver;
    std::string backend;
    std::string data_types;                             ///< of collectives, sorted: "BFloat16, Float"
    StepSource step_source = StepSource::ProfilerStep;  ///< the worst of its ranks
    bool device_work = false;
    bool stacks = false;
    bool memory_events = false;
    std::optional<bool> shapes;  ///< nothing if the file does not say; old files never do
    std::optional<bool> flops;
    std::optional<bool> modules;
    std::optional<bool> waits;  ///< whether waits are distinguished from transfers; nothing without communication
    bool lost_records = false;
    /// Of a complete, steady-state step of a rank, on average; nothing if sizes are not recorded.
    std::optional<std::int64_t> input_bytes;
    std::optional<std::int64_t> collective_bytes;
};

/// Gathers what a run says of its job, its devices and how it was recorded, to compare its configuration with another
/// run's. Values that differ between ranks are listed, each once, in alphabetical order. Linear in ranks, steps,
/// collectives and slices that have bytes, with a search among the steps for each of the latter two.
[[nodiscard]] RunTraits traitsOf(const AnalysedRun& run);

}  // namespace rankscope
