// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The recorded configuration of a run, for the list of differences. Texts are for people, and empty if nothing was
/// recorded. If ranks differ, each value is listed once.
struct RunTraits {
    std::string ranks;       ///< "4 ranks", or "rank 3"
    std::string world_size;  ///< "8"
    std::string grid;        ///< "data 4 x tensor 2"; empty if it cannot be determined
    std::string iterations;  ///< of a server: the kind that its prices are for, "decode"; else empty
    std::string devices;     ///< "Tesla V100-SXM2-16GB"
    std::string vendor;      ///< "CUDA", "ROCm"
    std::string runtime;     ///< version as recorded: "12040"
    std::string driver;
    std::string backend;
    std::string data_types;                             ///< of collectives, sorted: "BFloat16, Float"
    StepSource step_source = StepSource::ProfilerStep;  ///< the least exact source of any rank
    bool device_work = false;
    bool stacks = false;
    bool memory_events = false;
    std::optional<bool> shapes;  ///< nothing if the file does not say, as old files
    std::optional<bool> flops;
    std::optional<bool> modules;
    std::optional<bool> waits;  ///< whether waits are separated from transfers; nothing without communication
    bool lost_records = false;
    /// Mean per complete, steady-state step and rank; nothing if sizes are not recorded.
    std::optional<std::int64_t> input_bytes;
    std::optional<std::int64_t> collective_bytes;
};

/// Collects the configuration of a run: its job, its devices, and how it was recorded. If ranks differ, each value is
/// listed once, in alphabetical order. Linear in ranks, steps, collectives and slices with bytes; each of the latter
/// two takes a search among the steps.
[[nodiscard]] RunTraits traitsOf(const AnalysedRun& run);

}  // namespace rankscope
