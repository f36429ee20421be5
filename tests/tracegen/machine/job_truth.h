// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/tracegen/machine/simulate.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::tracegen::machine {

/// Time in which something ran, and the part of it in which the rank computed nothing.
struct ExposedTime {
    DurationNs ns = 0;
    DurationNs exposed_ns = 0;
};

/// What one step of one rank of a job truly was. Work counts in the step that launched it.
struct JobStepTruth {
    DurationNs pipeline_ns = 0;  ///< from the first pass of any stage of its pipeline to the end of the last
    DurationNs bubble_ns =
        0;  ///< of that what this rank ran no pass in, and nothing else on its device but to wait; 0 of one stage
    std::map<int, ExposedTime> gathers;  ///< all-gathers of sharded parameters, by unit
    ExposedTime tensor;                  ///< communication of the tensor group
    ExposedTime exchange;                ///< of the expert group: dispatch and combine
    std::int64_t sent_bytes = 0;         ///< that the rank put into these
    std::int64_t received_bytes = 0;
};

/// By rank and step of the window.
[[nodiscard]] std::vector<std::vector<JobStepTruth>> jobTruthOf(const TrueRun& run);

/// The share of the pipeline's time that theory gives the bubble: (p-1)/(m+p-1), interleaved (p-1)/(vm+p-1);
/// where the backward is split, that of its order with passes as long as those of a layer.
[[nodiscard]] double bubbleOfTheory(const JobSpec& job);

/// What a rank's file adds to true times, its host's events and its device's.
struct FileClock {
    DurationNs first_ns = 0;   ///< at the start of the window
    DurationNs last_ns = 0;    ///< at its end
    DurationNs device_ns = 0;  ///< more of the device's
};
[[nodiscard]] FileClock fileClockOf(const TrueRun& run, const FileSpec& spec, int rank);

struct PlantedFault;

/// What `*.truth.json` holds of a job: grid and groups, clocks, true steps, what each rank did in each, and the fault
/// with its price: the mean step less that of `without`, the same run without it. Null pointers of a run without a
/// fault. `files`: how it was written.
[[nodiscard]] nlohmann::json truthOf(const TrueRun& run, const FileSpec& files, const PlantedFault* fault,
                                     const TrueRun* without);

}  // namespace rankscope::tracegen::machine
