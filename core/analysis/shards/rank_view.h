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
    Launch,         ///< its launch: nothing else delayed it
    Limiter,        ///< its launch, which FSDP1's limit_all_gathers delayed
    Compute,        ///< computation that it came after
    Communication,  ///< other communication that it came after
    Unknown,        ///< its launch is not recorded
};

/// The use of a gather.
struct Consumer {
    SliceRef work;           ///< the first work that needed it
    TimeNs start_ns = 0;     ///< the start of `work`
    DurationNs wait_ns = 0;  ///< how long the work waited for the end of the gather
};

/// What the judge of gathers needs to know about the device and the host of one rank. Reads the rank's model of
/// dependencies, which must outlive it.
class RankView {
  public:
    RankView(const RankContext& work, const ReplayModel& model);

    /// What its first kernel started after, with the work that it was, if any.
    struct Held {
        HeldBy by = HeldBy::Unknown;
        SliceRef behind;
    };
    [[nodiscard]] Held held(const CollectiveMember& member) const;
    /// The first work that needed what `member` gathered for `unit` (empty: not named): what FSDP2 copies out of it
    /// there, else the first computation after the host's next call that makes a stream wait. Nothing if neither is
    /// recorded.
    [[nodiscard]] std::optional<Consumer> consumerOf(const CollectiveMember& member, std::string_view unit) const;
    /// The first computation that starts at an instant or later; null if there is none.
    [[nodiscard]] const DeviceEvent* computeFrom(TimeNs at_ns) const;
    /// How long the device computes in a span.
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
    std::vector<const DeviceEvent*> compute_;                              // sorted by start
    std::vector<const DeviceEvent*> launched_;                             // the same, by launch
    std::vector<TimeSpan> limiters_;                                       // in which the host actually waited, by
                                                                           // start
    std::map<std::string, std::vector<TimeSpan>, std::less<>> copy_outs_;  // by unit, by start
    std::vector<TimeNs> waits_;  // the host's calls that make streams wait, outside collectives
};

}  // namespace rankscope
