// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/string_pool.h"
#include "tests/tracegen/config.h"
#include "tests/tracegen/event.h"

namespace rankscope::tracegen {

/// The true bounds of one rank's step.
struct StepTruth {
    TimeSpan host;  ///< of `ProfilerStep#`
    TimeSpan span;  ///< with its device work: starts when host, step before and earlier device work allow
};

/// A whole simulated run, in true time.
struct RunResult {
    Config config;
    std::shared_ptr<const StringPool> names;
    std::vector<std::vector<Event>> events;     ///< a list a rank; host events of a step parents first
    std::vector<std::vector<StepTruth>> steps;  ///< a list a rank

    /// Of each step: the last rank's end minus the last end of the step before; of the first, minus its first start.
    [[nodiscard]] std::vector<DurationNs> stepTimes() const;
};

/// Hears of a run while it is simulated, so that runs larger than memory can be written.
class EventSink {
  public:
    EventSink() = default;
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;
    virtual ~EventSink() = default;
    /// Complete events of `rank`. Device work follows its launch, sometimes in a later call.
    virtual void take(int rank, std::span<const Event> events) = 0;
};

/// Simulates the run. Throws std::invalid_argument for a configuration that is out of range.
[[nodiscard]] RunResult simulate(const Config& config);
/// The same, in pieces of a step; `names` gets the names. The result has no events.
RunResult simulate(const Config& config, const std::shared_ptr<StringPool>& names, EventSink& sink);

/// The median; of an even number the mean of the middle two. 0 of none.
[[nodiscard]] DurationNs median(std::vector<DurationNs> values);

}  // namespace rankscope::tracegen
