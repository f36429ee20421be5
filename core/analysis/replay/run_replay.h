// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/replay/replay.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// A collective, or one kernel of it, that ranks have to come to before the transfer to or from others begins.
struct ReplayRendezvous {
    struct Member {
        RankPosition rank;
        std::uint32_t event = 0;  ///< in ReplayModel::events
        /// Brings the member's times onto a clock that all of them share: to the moment that all ended at, or to the
        /// run's clock.
        DurationNs shift_ns = 0;
        /// Of a rendezvous that does not end together: it waits for the first this many in ReplayRendezvous::order, and
        /// for these members.
        std::uint32_t waits_until = 0;
        std::vector<std::uint32_t> waits_for;
        TimeNs last_came_ns = 0;  ///< when the last of these and itself came, on the shared clock
    };
    CollectivePosition collective;
    DurationNs transfer_ns = 0;   ///< how long the shortest member took
    bool together = true;         ///< each member waits for all others (see finishesTogether)
    std::vector<Member> members;  ///< by rank
    /// Of a rendezvous that does not end together: the members by when they came.
    std::vector<std::uint32_t> order;
};

/// Work that ran while a collective waited beside it.
struct BesideWaiting {
    std::uint32_t event = 0;       ///< in ReplayModel::events
    std::uint32_t collective = 0;  ///< in ReplayModel::events too
    DurationNs overlap_ns = 0;     ///< of the work with the wait
};

/// All ranks of a run made ready for replays, with what couples them.
///
/// Coupled are collectives that all members of the group were recorded in: those that all members finish together, and
/// rooted ones (broadcasts and the like) where the clocks of all members are known. So are sends and receives whose
/// partners are all known: two that wait for one another end together; else each waits for some of its partners
/// (core/analysis/collectives/message_waits.h), known by clocks. Where one consists of several kernels, the first of
/// each rank meet, then the second, and so on; where ranks differ in their number, it keeps its length like any other
/// work.
struct RunReplayModel {
    std::vector<ReplayModel> ranks;  ///< as Run::ranks; of ranks without device work without events
    std::vector<ReplayRendezvous> rendezvous;
    /// Every rank with device work is coupled to every other, and all but a little of the communication is: only then
    /// does the end of the last rank show how long a step of the run takes.
    bool coupled = false;
    /// Ranks with device work that no rendezvous connects with the first of them, directly or not.
    std::vector<RankPosition> apart;
    /// How many times as long work takes beside a collective that waits (see contention.h); 1 until that is measured.
    double slowdown = 1.0;
    std::vector<std::vector<BesideWaiting>> beside;  ///< by rank, by event; empty if `slowdown` is 1
};

/// Makes the models of all ranks, on `threads` threads.
[[nodiscard]] RunReplayModel makeRunReplayModel(const std::vector<RankContext>& work,
                                                const CollectiveFacts& collectives, const RunClock& clock,
                                                std::size_t threads);

/// What a replay leaves out on a rank.
using ChangeOfRank = std::function<ReplayChange(RankPosition rank)>;

/// What a replay of a whole run leaves out.
struct RunChange {
    ChangeOfRank of_rank = {};  ///< empty: nothing. Lengths of coupled collectives are not a rank's to change.
    /// How long the transfer of a coupled collective takes, from its position and what it
    /// took (of a kernel, where it consists of several); empty: as it took.
    std::function<DurationNs(CollectivePosition collective, DurationNs transfer_ns)> transfer = {};
    /// The same without what a slow collective takes beyond its usual time, which `transfer` leaves: what the two take
    /// off one transfer adds up.
    std::function<DurationNs(CollectivePosition collective, DurationNs transfer_ns)> typical_transfer = {};
    /// How long it takes with both.
    [[nodiscard]] DurationNs transferOf(CollectivePosition collective, DurationNs transfer_ns) const;
    std::function<bool(CollectivePosition collective)> removed = {};  ///< collectives that are not there; empty: none
    /// Steps of the run that take no longer than the others do in the mean, ascending. A replay knows nothing of it:
    /// it is for who makes a price of the replayed steps.
    std::vector<RunStepPosition> as_others = {};
    /// Priced in the mean of the steps, whatever RunFacts::basis is: it is more in some steps than in others, and the
    /// median step may have none of it. For who makes a price, too.
    bool in_mean = false;
};

/// What both leave out. A length that both change is the shorter of the two.
[[nodiscard]] RunChange joined(const RunChange& a, const RunChange& b);

/// The steps of all ranks as they would have been, each on its rank's own clock, as RankFacts::steps; of a rank without
/// device work none. Without a change they are the steps that were measured.
///
/// Where all members wait for all, a rendezvous begins when the last has come. That needs no clock: all are taken to
/// have ended at the same moment, so with starts s and ends e as they were measured, and s' as they are now, member r
/// ends at e_r + max over q of (s'_q - e_q) + transfer. In a rooted one it ends later or sooner by as much as the last
/// of those that it waits for came later or sooner, on the run's clock (core/analysis/replay/rooted_dependencies.h).
/// Work beside a collective that waits less than it did is shorter by what that slowed it down: a second replay, with
/// the waits of the first.
/// Where ranks wait for each other in a circle, which only what the trace does not show could resolve, a collective
/// lasts as long as it did.
///
/// Once `stop` is requested it ends within milliseconds, with steps that mean nothing.
[[nodiscard]] std::vector<std::vector<TimeSpan>> replayRun(const RunReplayModel& model, const RunChange& change,
                                                           const std::stop_token& stop = {});
/// The same with where the work of each rank ends up; as Run::ranks.
[[nodiscard]] std::vector<ReplayedRank> replayRunWork(const RunReplayModel& model, const RunChange& change,
                                                      const std::stop_token& stop = {});

}  // namespace rankscope
