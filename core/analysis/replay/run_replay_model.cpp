// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>
#include <optional>

#include "core/analysis/collectives/message_waits.h"
#include "core/analysis/replay/rooted_dependencies.h"
#include "core/analysis/replay/run_replay.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

/// Ranks whose coupled share of communication is below this may have waited for something unknown.
constexpr double kLeastCoupled = 0.95;

/// The communication of a rank by its slice.
class EventOfSlice {
  public:
    explicit EventOfSlice(const ReplayModel& model) {
        for (std::uint32_t i = 0; i < model.events.size(); ++i) {
            if (model.events[i].communication) {
                events_.emplace_back(model.events[i].ref, i);
            }
        }
        std::ranges::sort(events_);
    }
    /// Its index in ReplayModel::events, or kNone.
    [[nodiscard]] std::uint32_t of(SliceRef ref) const {
        const auto at = std::ranges::lower_bound(events_, ref, {}, &std::pair<SliceRef, std::uint32_t>::first);
        return at != events_.end() && at->first == ref ? at->second : ReplayEvent::kNone;
    }

  private:
    std::vector<std::pair<SliceRef, std::uint32_t>> events_;
};

/// Whether it is known how members of `collective` wait for each other. Each must have as many kernels as the others;
/// if they do not end together, only clocks show who waited.
bool canMeet(const Collective& collective, const RunClock& clock) {
    const auto as_many = [&](const CollectiveMember& m) {
        return !m.slices.empty() && m.slices.size() == collective.members.front().slices.size();
    };
    const auto has_clock = [&](const CollectiveMember& m) {
        return m.rank < clock.ranks.size() &&
               clock.uncertaintyBetween(m.rank, collective.members.front().rank).has_value();
    };
    const bool waits_for_some = waitsForSome(collective.kind) || !collective.messages.empty();
    const bool tells =
        collective.endsTogether() || (waits_for_some && std::ranges::all_of(collective.members, has_clock));
    return collective.complete && tells && collective.members.size() > 1 &&
           std::ranges::all_of(collective.members, as_many);
}

class Coupler {
  public:
    Coupler(RunReplayModel& model, const CollectiveFacts& collectives, const RunClock& clock)
        : model_(model), clock_(clock) {
        for (const ReplayModel& rank : model.ranks) {
            slices_.emplace_back(rank);
        }
        for (CollectivePosition c{0}; c < collectives.collectives.size(); ++c) {
            const Collective& collective = collectives.collectives[c];
            name(c, collective);
            if (canMeet(collective, clock)) {
                for (std::size_t slice = 0; slice < collective.members.front().slices.size(); ++slice) {
                    meet(c, collective, slice);
                }
            }
        }
        findRootedDependencies(collectives, clock, model);
        for (ReplayRendezvous& rendezvous : model.rendezvous) {
            const Collective& collective = collectives.collectives[rendezvous.collective];
            if (!rendezvous.together && !collective.messages.empty()) {
                waitForPartners(collective, rendezvous);
            }
        }
    }

    /// Finds what the rendezvous connect.
    void connect() {
        std::vector<RankPosition> group(model_.ranks.size());
        std::iota(group.begin(), group.end(), RankPosition());
        const auto root = [&](RankPosition r) {
            while (group[r] != r) {
                r = group[r] = group[group[r]];
            }
            return r;
        };
        for (const ReplayRendezvous& rendezvous : model_.rendezvous) {
            for (const auto& member : rendezvous.members) {
                group[root(member.rank)] = root(rendezvous.members.front().rank);
            }
        }
        std::optional<std::uint32_t> first;
        bool all_meet = true;
        for (RankPosition r{0}; r < model_.ranks.size(); ++r) {
            if (model_.ranks[r].events.empty()) {
                continue;
            }
            first = first.value_or(root(r));
            all_meet = all_meet && mostlyMeets(model_.ranks[r]);
            if (root(r) != *first) {
                model_.apart.push_back(r);
            }
        }
        model_.coupled = all_meet && model_.apart.empty() && !model_.rendezvous.empty();
    }

  private:
    void name(CollectivePosition c, const Collective& collective) {
        for (const CollectiveMember& member : collective.members) {
            for (const SliceRef& slice : member.slices) {
                if (const std::uint32_t event = slices_[member.rank].of(slice); event != ReplayEvent::kNone) {
                    model_.ranks[member.rank].events[event].collective = c;
                }
            }
        }
    }

    void meet(CollectivePosition c, const Collective& collective, std::size_t slice) {
        ReplayRendezvous rendezvous;
        rendezvous.collective = c;
        rendezvous.together = collective.endsTogether();
        for (const CollectiveMember& member : collective.members) {
            const std::uint32_t event = slices_[member.rank].of(member.slices[slice]);
            if (event == ReplayEvent::kNone) {
                return;  // on the host, or on a device that is not analysed
            }
            const TimeSpan& span = model_.ranks[member.rank].events[event].span;
            const RunTime shared_end_ns =
                rendezvous.together ? RunTime() : clock_.ranks[member.rank].toRun(FileTime(span.end_ns));
            rendezvous.transfer_ns =
                rendezvous.members.empty() ? span.length() : std::min(rendezvous.transfer_ns, span.length());
            rendezvous.members.push_back({member.rank, event, shared_end_ns - span.end_ns, 0, {}, 0});
        }
        for (const auto& member : rendezvous.members) {
            model_.ranks[member.rank].events[member.event].rendezvous =
                static_cast<std::uint32_t>(model_.rendezvous.size());
        }
        model_.rendezvous.push_back(std::move(rendezvous));
    }

    /// For sends and receives: each waits for the ranks with which it exchanges messages.
    void waitForPartners(const Collective& collective, ReplayRendezvous& rendezvous) {
        std::vector<std::vector<std::uint32_t>> waited_for = partnersWaitedFor(collective);
        const auto came = [&](const ReplayRendezvous::Member& member) {
            return model_.ranks[member.rank].events[member.event].span.start_ns + member.shift_ns;
        };
        for (std::size_t m = 0; m < rendezvous.members.size(); ++m) {
            ReplayRendezvous::Member& member = rendezvous.members[m];
            member.waits_for = std::move(waited_for[m]);
            member.last_came_ns = came(member);
            for (const std::uint32_t other : member.waits_for) {
                member.last_came_ns = std::max(member.last_came_ns, came(rendezvous.members[other]));
            }
        }
    }

    static bool mostlyMeets(const ReplayModel& rank) {
        DurationNs all_ns = 0;
        DurationNs meets_ns = 0;
        for (const ReplayEvent& event : rank.events) {
            if (event.slot == StepOrGap()) {
                continue;  // launched before the first step: it keeps its time
            }
            all_ns += event.communication ? event.span.length() : 0;
            meets_ns += event.rendezvous != ReplayEvent::kNone ? event.span.length() : 0;
        }
        return static_cast<double>(meets_ns) >= kLeastCoupled * static_cast<double>(all_ns);
    }

    RunReplayModel& model_;
    const RunClock& clock_;
    std::vector<EventOfSlice> slices_;  // by rank
};

}  // namespace

RunReplayModel makeRunReplayModel(const std::vector<RankContext>& work, const CollectiveFacts& collectives,
                                  const RunClock& clock, std::size_t threads) {
    RunReplayModel model;
    model.ranks.resize(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) {
        if (work[r].device.device >= 0) {
            model.ranks[r] = makeReplayModel(work[r]);
        }
    });
    Coupler(model, collectives, clock).connect();
    return model;
}

}  // namespace rankscope
