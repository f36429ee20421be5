// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"
#include "core/trace/rank_trace.h"
#include "core/trace/step_numbers.h"

namespace rankscope {

/// Keeps only slices that touch the steps from `first` to `last`, numbered as the analysis numbers them
/// (core/trace/step_numbers.h), and the device work that was launched in them.
struct StepWindow {
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    [[nodiscard]] bool everything() const { return !first && !last; }
};

/// The requested steps of a file.
struct WantedSteps {
    TimeSpan window;                          ///< their host time; empty if the file has none of them
    std::int64_t first = 0;                   ///< the number of the first of them, if steps are counted
    bool all = false;                         ///< nothing marks steps: the whole file is step 0, which is requested
    TimeNs begin_ns = 0;                      ///< when the first of them starts on the host
    std::optional<NumberedStep> before = {};  ///< the step before the first of them, if the file has one
};
/// Which host time to keep for those steps. `marks` and `windows` as for numberSteps().
[[nodiscard]] WantedSteps wantedSteps(const std::vector<MarkSlice>& marks, const StepWindow& steps,
                                      const RecordedWindows& windows = {});

/// What is known about steps that were left out.
struct KeptSteps {
    std::int64_t first_counted = 0;  ///< RankTrace::first_counted_step
    EarlierSteps earlier;            ///< RankTrace::earlier
};
/// Removes from `parts`, which are of one rank, everything outside those steps. Nothing is left if the file has none of
/// them. Times are those of the parts.
[[nodiscard]] KeptSteps keepSteps(std::vector<PartialTrace>& parts, const StepWindow& steps);

}  // namespace rankscope
