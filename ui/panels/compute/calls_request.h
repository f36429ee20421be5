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

/// How much of a run's time the calls are wanted of.
enum class CallTime : std::uint8_t { All, Step, Area };

/// Which calls are wanted, and how they are shown.
struct CallsRequest {
    std::shared_ptr<const AnalysedRun> run;
    std::optional<RankPosition> rank;  ///< nothing: all of them
    CallTime time = CallTime::All;
    std::int64_t step = 0;  ///< the index of a step, of CallTime::Step
    Area area;              ///< of CallTime::Area
    CallSource source = CallSource::Both;
    CallMeasure measure = CallMeasure::Host;
    bool bottom_up = false;
    bool fold = true;
    std::shared_ptr<const AnalysedRun> before;  ///< the run to compare with, or nullptr
};

/// Calls as they are shown.
struct ShownCalls {
    std::shared_ptr<const AnalysedRun> run;
    CallTree tree;
    CallMeasure measure = CallMeasure::Host;
    bool bottom_up = false;  ///< callers are under what they call
    bool compared = false;
    /// Multiplied with the times of the other run, to compare them with those of this part: the ratio of their steps,
    /// or of their totals if either has no steps.
    double scale = 1.0;
    bool scaled_by_steps = false;

    /// The time of the other run on the path of a node, scaled, in nanoseconds.
    [[nodiscard]] DurationNs before(const CallNode& node) const;
    /// What a piece of device work is for; WorkClass::None for a call.
    [[nodiscard]] WorkClass workOf(const CallNode& node) const;
};

/// The calls of a request. Stops soon after `stop` asks for it.
[[nodiscard]] Result<ShownCalls> showCalls(const CallsRequest& request, const std::stop_token& stop);

}  // namespace rankscope::ui
