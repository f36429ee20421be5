// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// A run of one rank, made by hand: a thread with an operator that launches a kernel, the kernel on a stream, a step
/// with one gap of two parts, a finding with two remedies and one piece of evidence, a headline, and one thing that is
/// unknown.
struct HandMadeRun {
    static constexpr SliceRef kOperator{TrackId(0), 0};
    static constexpr SliceRef kLaunch{TrackId(0), 1};
    static constexpr SliceRef kKernel{TrackId(1), 0};

    [[nodiscard]] static std::shared_ptr<const AnalysedRun> make(const std::string& name = "ZeroWorkers");
    /// So many ranks, each with the facts of that one's and without slices, and a note of the run.
    [[nodiscard]] static std::shared_ptr<const AnalysedRun> ofRanks(std::size_t ranks);
};

}  // namespace rankscope::test
