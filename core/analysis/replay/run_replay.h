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

/// A collective, or one kernel of it, at which ranks have to arrive before the transfer to or from others begins.
struct ReplayRendezvous {
    struct Member {
        RankPosition rank;
        std::uint32_t event = 0;  ///< index in ReplayModel::events
        /// Converts the member's times to a clock that all members share: relative to the common end, or the run's
        /// clock.
        DurationNs shift_ns = 0;
        /// For a rendezvous that does not end together: the member waits for the first this many in
        /// ReplayRendezvous::order, and for these members.
        std::uint32_t waits_until = 0;
        std::vector<std::uint32_t> waits_for;
        TimeNs last_came_ns = 0;  ///< when the last of these, or the member itself, came, on the shared clock
    };
    CollectivePosition collective;
    DurationNs transfer_ns = 0;   ///< the length of the shortest member
    bool together = true;         ///< each member waits for all others (see finishesTogether())
    std::vector<Member> members;  ///< by rank
    /// For a rendezvous that does not end together: the members by their arrival.
    std::vector<std::uint32_t> order;
};

/// Work that ran while a collective waited at the same time.
struct BesideWaiting {
    std::uint32_t event = 0;       ///< index in ReplayModel::events
    std::uint32_t collective = 0;  ///< index in ReplayModel::events too
    DurationNs overlap_ns = 0;     ///< how long the two overlap
};

/// All ranks of a run prepared for replays, with what couples them.
///
/// Coupled are collectives of which all members were recorded: those that all members finish together, and rooted ones
/// (broadcasts and the like) if the clocks of all members are known. So are sends and receives whose partners are all
/// known: two that wait for each other end together; else each waits for some of its partners
/// (core/analysis/collectives/message_waits.h), known by clocks. If a collective consists of several kernels, the first
/// kernels of all ranks meet, then the second, and so on; if ranks differ in their number, it keeps its length like any
/// other work.
struct RunReplayModel {
    std::vector<ReplayModel> ranks;  ///< parallel to Run::ranks; without events for ranks without device work
    std::vector<ReplayRendezvous> rendezvous;
    /// Every rank with device work is coupled to every other, and nearly all of the communication is coupled: only then
    /// does the end of the last rank show how long a step of the run takes.
    bool coupled = false;
    /// Ranks with device work that no rendezvous connects with the first of them, directly or not.
    std::vector<RankPosition> apart;
    /// The factor by which work takes longer while a collective waits (see contention.h); 1 until that is measured.
    double slowdown = 1.0;
    std::vector<std::vector<BesideWaiting>> beside;  ///< by rank, by event; empty if `slowdown` is 1
};

/// Builds the models of all ranks, on `threads` threads.
[[nodiscard]] RunReplayModel makeRunReplayModel(const std::vector<RankContext>& work,
                                                const CollectiveFacts& collectives, const RunClock& clock,
                                                std::size_t threads);

/// What a replay changes on a rank.
using ChangeOfRank = std::function<ReplayChange(RankPosition rank)>;

/// What a replay of a whole run changes.
struct RunChange {
    ChangeOfRank of_rank = {};  ///< empty: nothing. Must not change the lengths of coupled collectives.
    /// The new length of a coupled collective's transfer (of a kernel's, if there are several), from its position and
    /// its recorded length; empty: as recorded.
    std::function<DurationNs(CollectivePosition collective, DurationNs transfer_ns)> transfer = {};
    /// The same without the time that a slow collective takes beyond its usual time, which `transfer` does not remove:
    /// what the two remove from one transfer adds up.
    std::function<DurationNs(CollectivePosition collective, DurationNs transfer_ns)> typical_transfer = {};
    /// The length of the transfer after both.
    [[nodiscard]] DurationNs transferOf(CollectivePosition collective, DurationNs transfer_ns) const;
    std::function<bool(CollectivePosition collective)> removed = {};  ///< collectives that are left out; empty: none
    /// Steps of the run that take only the mean of the others, ascending. The replay ignores this: it is for code that
    /// makes a price of the replayed steps.
    std::vector<RunStepPosition> as_others = {};
    /// Priced by the mean of the steps, whatever RunFacts::basis is: it differs between steps, and the median step may
    /// have none of it. Also for callers that compute a price.
    bool in_mean = false;
};

/// Both changes together. If both change a length, the shorter one counts.
[[nodiscard]] RunChange joined(const RunChange& a, const RunChange& b);

/// The simulated steps of all ranks, each on its rank's own clock, as RankFacts::steps; none for a rank without device
/// work. Without a change they are the measured steps.
///
/// If all members wait for all, a rendezvous begins when the last member has come. That needs no clock: all members are
/// assumed to have ended at the same moment. With measured starts s and ends e, and new starts s', member r ends at e_r
/// + max over q of (s'_q - e_q) + transfer. A rooted one ends later or earlier by as much as the last of those that it
/// waits for came later or earlier, on the run's clock (core/analysis/replay/rooted_dependencies.h). If a collective
/// waits less than recorded, work at the same time gets shorter by what that slowed it down: a second replay, with the
/// waits of the first. If ranks wait for each other in a circle, which only something outside the trace could resolve,
/// a collective takes as long as recorded.
///
/// Once `stop` is requested it ends within milliseconds, with meaningless steps.
[[nodiscard]] std::vector<std::vector<TimeSpan>> replayRun(const RunReplayModel& model, const RunChange& change,
                                                           const std::stop_token& stop = {});
/// The same with the simulated work of each rank; as Run::ranks.
[[nodiscard]] std::vector<ReplayedRank> replayRunWork(const RunReplayModel& model, const RunChange& change,
                                                      const std::stop_token& stop = {});

}  // namespace rankscope
