// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <vector>

#include "core/analysis/host_map.h"
#include "core/analysis/replay.h"

namespace rankscope {

/// One run through the launches and waits of a rank, in order of host time.
class ReplayPlayer {
  public:
    ReplayPlayer(const ReplayModel& model, const ReplayChange& change);

    /// Plays to the end.
    void play();
    /// The steps as they came out. After play().
    [[nodiscard]] std::vector<TimeSpan> steps() const;

  private:
    void passHostChange(const HostChange& change);
    void passWait(const ReplayWait& wait);
    /// Starts all device work that was launched up to `old_ns`, included.
    void launchUntil(TimeNs old_ns);
    void launch(std::uint32_t index);
    [[nodiscard]] TimeNs startOf(const ReplayEvent& event) const;
    [[nodiscard]] DurationNs shortened(DurationNs gap_ns) const;

    const ReplayModel& model_;
    const ReplayChange& change_;
    std::vector<HostChange> host_changes_;  // by start, disjoint, outside of waits
    HostMap map_;
    std::vector<TimeNs> new_end_;     // of model_.events
    std::vector<TimeNs> stream_end_;  // by stream: so far
    std::size_t next_event_ = 0;      // first that is not launched yet
    std::size_t next_change_ = 0;
    std::size_t next_wait_ = 0;
};

}  // namespace rankscope
