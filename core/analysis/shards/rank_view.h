// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/replay_model.h"

namespace rankscope {

/// What decided when a piece of communication began on a rank.
enum class HeldBy : std::uint8_t {
    Launch,         ///< its launch: nothing else was in its way
    Limiter,        ///< its launch, before which FSDP1's limit_all_gathers held the host
    Compute,        ///< computation that it came after
    Communication,  ///< other communication that it came after
    Unknown,        ///< its launch is not recorded
};

/// The use of a gather.
struct Consumer {
    SliceRef work;           ///< the first that needed it
    TimeNs start_ns = 0;     ///< of `work`
    DurationNs wait_ns = 0;  ///< how long it was idle until the gather was over
};

/// What the judge of gathers asks of the device and the host of one rank. Reads the rank's model of dependencies, which
/// must outlive it.
class RankView {
  public:
    RankView(const RankContext& work, const ReplayModel& model);

    /// What its first kernel began behind, and the work that it was, if any.
    struct Held {
        HeldBy by = HeldBy::Unknown;
        SliceRef behind;
    };
    [[nodiscard]] Held held(const CollectiveMember& member) const;
    /// The first work that needed what `member` gathered for `unit` (empty: not named): what FSDP2 copies out of it
    /// there, else the first computation behind the host's next order to a stream to wait. Nothing if neither is
    /// recorded.
    [[nodiscard]] std::optional<Consumer> consumerOf(const CollectiveMember& member, std::string_view unit) const;
    /// The first computation that starts at an instant or later; null if there is none.
    [[nodiscard]] const DeviceEvent* computeFrom(TimeNs at_ns) const;
    /// How long the device computes in a stretch.
    [[nodiscard]] DurationNs computeIn(const TimeSpan& span) const;
    [[nodiscard]] const RankTrace& trace() const { return *work_.trace; }

  private:
    void collectRanges();
    [[nodiscard]] bool isLimited(const CollectiveMember& member) const;
    [[nodiscard]] const DeviceEvent* firstLaunchedFrom(TimeNs launched_ns) const;
    [[nodiscard]] Consumer use(const DeviceEvent& event, TimeNs gathered_ns) const;

    const RankContext& work_;
    const ReplayModel& model_;
    std::vector<std::pair<SliceRef, std::uint32_t>> events_;               // communication of the model, by slice
    std::vector<const DeviceEvent*> compute_;                              // by start
    std::vector<const DeviceEvent*> launched_;                             // the same, by launch
    std::vector<TimeSpan> limiters_;                                       // in which the host did wait, by start
    std::map<std::string, std::vector<TimeSpan>, std::less<>> copy_outs_;  // by unit, by start
    std::vector<TimeNs> waits_;  // the host's orders to streams to wait, outside of collectives
};

}  // namespace rankscope
