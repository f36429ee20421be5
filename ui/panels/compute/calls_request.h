// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/calls/call_tree.h"
#include "core/base/result.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The part of a run's time to show calls of.
enum class CallTime : std::uint8_t { All, Step, Area };

/// Which calls to show, and how.
struct CallsRequest {
    std::shared_ptr<const AnalysedRun> run;
    std::optional<RankPosition> rank;  ///< nothing: all ranks
    CallTime time = CallTime::All;
    std::int64_t step = 0;  ///< the index of a step, for CallTime::Step
    Area area;              ///< for CallTime::Area
    CallSource source = CallSource::Both;
    CallMeasure measure = CallMeasure::Host;
    bool bottom_up = false;
    bool fold = true;
    std::shared_ptr<const AnalysedRun> before;  ///< the run to compare with, or nullptr
};

/// Calls as shown.
struct ShownCalls {
    std::shared_ptr<const AnalysedRun> run;
    CallTree tree;
    CallMeasure measure = CallMeasure::Host;
    bool bottom_up = false;  ///< callers are under what they call
    bool compared = false;
    /// Factor for the times of the other run, to compare them with those of this part: the ratio of their steps, or of
    /// their totals if either has no steps.
    double scale = 1.0;
    bool scaled_by_steps = false;

    /// The time of the other run on the path of a node, scaled, in nanoseconds.
    [[nodiscard]] DurationNs before(const CallNode& node) const;
    /// What a piece of device work is for; WorkClass::None for a call.
    [[nodiscard]] WorkClass workOf(const CallNode& node) const;
};

/// The calls of a request. Stops soon after `stop` is requested.
[[nodiscard]] Result<ShownCalls> showCalls(const CallsRequest& request, const std::stop_token& stop);

}  // namespace rankscope::ui
