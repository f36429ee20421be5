// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/timeline/timeline_scene.h"

namespace rankscope::test {

/// A run made by hand, with everything that a timeline shows. Each rank has two streams of device 0 (compute on
/// "stream 7", communication and copies on "stream 20"), a main thread with nested operators that launch the kernels,
/// and a thread with little on it. Steps take 10 ms; in each the device is blocked for 2 ms at its beginning.
struct RunShape {
    std::int32_t ranks = 2;
    std::int64_t steps = 4;
    std::int64_t kernels_a_step = 40;
    bool facts = true;
    std::int32_t late_rank = -1;     ///< a rank that a finding names as late, for the second half of every step
    bool backward = false;           ///< a flow leads from the first operator to the only slice of the second thread
    bool graph = false;              ///< the first call launches the first three kernels of the rank
    std::int32_t quiet_threads = 0;  ///< more threads, with a slice of a microsecond each
    std::string first_kernel = {};   ///< what the first kernel of each rank is called, if not as the others
    TimeNs epoch_ns = 1'700'000'000'000'000'000;
    std::string name = "run";
};
inline constexpr DurationNs kStepNs = 10'000'000;
inline constexpr DurationNs kGapNs = 2'000'000;
inline constexpr SliceIndex kFirstOperator = 3;  ///< of the main thread, behind the step's mark and the loading

[[nodiscard]] std::shared_ptr<const AnalysedRun> makeRun(const RunShape& shape);

/// A run of one rank with `slices` short kernels on each of `streams` streams, one after the other.
[[nodiscard]] std::shared_ptr<const AnalysedRun> makeDenseRun(std::int32_t streams, std::int64_t slices);

/// Makes the indices of all that the scene shows.
void takeAllIndices(ui::TimelineScene& scene);

/// All of the runs in dark colours, on `size` logical pixels, with their indices made.
[[nodiscard]] ui::TimelineScene makeScene(const std::vector<std::shared_ptr<const AnalysedRun>>& runs,
                                          const QSize& size, double pixel_ratio = 1.0);

}  // namespace rankscope::test
