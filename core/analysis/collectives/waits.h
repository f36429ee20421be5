// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// The index of the member that arrived last. All end together, so it is the one whose part is shortest. O(members).
[[nodiscard]] std::uint32_t lastArriver(const Collective& collective);
/// Whom a member waited for last: the last arriver of a collective that ends together, else
/// CollectiveMember::waited_for. The member itself if it waited for no one, or if that is unknown. O(members) if they
/// end together.
[[nodiscard]] std::uint32_t lastWaitedFor(const Collective& collective, std::uint32_t member);
/// lastArriver() of all collectives.
[[nodiscard]] std::vector<std::uint32_t> lastArrivers(const CollectiveFacts& facts);

/// Explains the waits inside collectives by what the rank that arrived last was doing (design 4.4, 3).
///
/// It needs no clock: the last arriver is the one that is in the collective for the shortest time, and while another
/// waited for w, it did what is in the time w before its own start, on its own clock. Where that is a wait in another
/// collective, the chain goes on to the rank that arrived last there.
class WaitExplainer {
  public:
    /// All are as Run::ranks and must outlive it; `ranks` have their gaps already.
    WaitExplainer(const std::vector<MeasuredRank>& ranks, const std::vector<RankContext>& work,
                  const std::vector<ExposedCommunication>& exposed, const CollectiveFacts& collectives);

    /// The exposed waits of one rank inside `step`, with their parts.
    [[nodiscard]] std::vector<ExposedWait> waitsIn(RankPosition rank, const TimeSpan& step) const;

  private:
    struct Tracer;
    /// Whom a member of a collective waited for, as an index of its members.
    [[nodiscard]] std::uint32_t lastFor(CollectivePosition collective, const CollectiveMember& member) const;
    /// The device work of the rank at the start of `span`, if any.
    [[nodiscard]] SliceRef workAt(RankPosition rank, const TimeSpan& span) const;

    const std::vector<MeasuredRank>& ranks_;
    const std::vector<RankContext>& work_;
    const std::vector<ExposedCommunication>& exposed_;
    const CollectiveFacts& collectives_;
    std::vector<std::vector<const Gap*>> gaps_;  // by rank, in order of time
    std::vector<std::uint32_t> last_arriver_;    // by collective: the index of its member
};

/// Sums of the parts by reason.
[[nodiscard]] WaitTimes sumWaits(const std::vector<ExposedWait>& waits);
/// The same of a rank's waits in one collective, over all of its steps.
[[nodiscard]] WaitTimes sumWaitsIn(const ExplainedRank& rank, std::size_t collective);

}  // namespace rankscope
