// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// The index of the member that arrived last. Since all end together, it is the shortest member. O(members).
[[nodiscard]] std::uint32_t lastArriver(const Collective& collective);
/// The last member that a member waited for: the last arriver of a collective that ends together, else
/// CollectiveMember::waited_for. The member itself if it waited for no one, or if that is unknown. O(members) if they
/// end together.
[[nodiscard]] std::uint32_t lastWaitedFor(const Collective& collective, std::uint32_t member);
/// lastArriver() of all collectives.
[[nodiscard]] std::vector<std::uint32_t> lastArrivers(const CollectiveFacts& facts);

/// Explains the waits inside collectives by what the last arriver was doing (design 4.4, 3).
///
/// It needs no clock: the last arriver is the member with the shortest time in the collective. While another member
/// waited for a time w, the last arriver did what its own trace shows in the time w before its start, on its own clock.
/// If that is a wait in another collective, the chain continues on the last arriver of that one.
class WaitExplainer {
  public:
    /// All are in the order of Run::ranks and must outlive it; `ranks` have their gaps already.
    WaitExplainer(const std::vector<MeasuredRank>& ranks, const std::vector<RankContext>& work,
                  const std::vector<ExposedCommunication>& exposed, const CollectiveFacts& collectives);

    /// The exposed waits of one rank inside `step`, with their parts.
    [[nodiscard]] std::vector<ExposedWait> waitsIn(RankPosition rank, const TimeSpan& step) const;

  private:
    struct Tracer;
    /// The member that a member of a collective waited for, as an index of members.
    [[nodiscard]] std::uint32_t lastFor(CollectivePosition collective, const CollectiveMember& member) const;
    /// The device work of the rank at the start of `span`, if any.
    [[nodiscard]] SliceRef workAt(RankPosition rank, const TimeSpan& span) const;

    const std::vector<MeasuredRank>& ranks_;
    const std::vector<RankContext>& work_;
    const std::vector<ExposedCommunication>& exposed_;
    const CollectiveFacts& collectives_;
    std::vector<std::vector<const Gap*>> gaps_;  // by rank, in order of time
    std::vector<std::uint32_t> last_arriver_;    // by collective: the index of its last arriver
};

/// Sums of the parts by reason.
[[nodiscard]] WaitTimes sumWaits(const std::vector<ExposedWait>& waits);
/// The same for a rank's waits in one collective, over all of its steps.
[[nodiscard]] WaitTimes sumWaitsIn(const ExplainedRank& rank, std::size_t collective);

}  // namespace rankscope
