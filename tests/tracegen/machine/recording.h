// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "tests/tracegen/annotation_tracker.h"
#include "tests/tracegen/event.h"
#include "tests/tracegen/machine/device.h"

namespace rankscope::tracegen::machine {

/// What happened on one rank, in true time: all that a profiler could see.
class Recording {
  public:
    /// Numbers that join events.
    std::uint64_t nextOperator() { return next_operator_++; }
    std::uint64_t nextCorrelation() { return next_correlation_++; }

    void add(const Event& event) { events_.push_back(event); }
    void addDevice(const Event& event, const DeviceWork& work);
    AnnotationTracker& annotations() { return annotations_; }

    /// Host times of steps, numbered from the window's first; before it negative.
    void beginStep(int step, TimeNs now) { spans_[step].start_ns = now; }
    void endStep(int step, TimeNs now) { spans_[step].end_ns = std::max(spans_[step].end_ns, now); }

    /// When the host began the step; when it and all that it launched were over.
    [[nodiscard]] TimeNs hostStart(int step) const { return spans_.at(step).start_ns; }
    [[nodiscard]] TimeNs end(int step) const { return spans_.at(step).end_ns; }

    /// What a window that opens with step 0 holds: parents before children on each thread. Empties the recording.
    [[nodiscard]] std::vector<Event> takeWindow();

  private:
    std::vector<Event> events_;
    AnnotationTracker annotations_;
    std::map<int, TimeSpan> spans_;
    std::uint64_t next_operator_ = 1;
    std::uint64_t next_correlation_ = 1;
};

}  // namespace rankscope::tracegen::machine
