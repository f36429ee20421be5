// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/message_waits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace rankscope {
namespace {

/// Messages of one size between the same ranks.
using MessageSort = std::tuple<std::uint32_t, RankPosition, RankPosition, std::optional<std::int64_t>>;

MessageSort sortOf(const Collective& collective, const CollectiveMessage& message) {
    return {collective.group, collective.members[message.sender].rank, collective.members[message.receiver].rank,
            message.bytes};
}

RunSpan onRunClock(const CollectiveMember& member, const RunClock& clock) {
    return clock.ranks[member.rank].toRun(FileSpan(member.span));
}

/// The sender has ended before the receiver came, within the error of the clocks.
bool leftBefore(const Collective& collective, const CollectiveMessage& message, const RunClock& clock) {
    const CollectiveMember& sender = collective.members[message.sender];
    const CollectiveMember& receiver = collective.members[message.receiver];
    const std::optional<DurationNs> doubt_ns = clock.uncertaintyBetween(sender.rank, receiver.rank);
    return doubt_ns &&
           onRunClock(receiver, clock).plain().start_ns > onRunClock(sender, clock).plain().end_ns + *doubt_ns;
}

/// Whether `member` did not stay long after everything that it receives had been sent, so that it may have left without
/// waiting for its receivers.
bool explainedByReceives(const Collective& collective, std::uint32_t member, const RunClock& clock) {
    const RunSpan own = onRunClock(collective.members[member], clock);
    TimeNs came_ns = own.plain().start_ns;
    DurationNs doubt_ns = 0;
    DurationNs transfer_ns = own.plain().length();
    for (const CollectiveMember& each : collective.members) {
        transfer_ns = std::min(transfer_ns, each.span.length());
    }
    for (const CollectiveMessage& message : collective.messages) {
        if (message.receiver == member) {
            const CollectiveMember& sender = collective.members[message.sender];
            came_ns = std::max(came_ns, onRunClock(sender, clock).plain().start_ns);
            doubt_ns =
                std::max(doubt_ns, clock.uncertaintyBetween(sender.rank, collective.members[member].rank).value_or(0));
        }
    }
    return own.plain().end_ns - came_ns <= 2 * transfer_ns + doubt_ns;
}

bool isExchange(const Collective& collective) {
    return collective.complete && !collective.messages.empty();
}

}  // namespace

void findRendezvous(CollectiveFacts& facts, const RunClock& clock) {
    std::set<MessageSort> buffered;
    for (Collective& collective : facts.collectives) {
        for (CollectiveMessage& message : collective.messages) {
            message.sender_waits = !leftBefore(collective, message, clock);
            if (!message.sender_waits) {
                buffered.insert(sortOf(collective, message));
            }
        }
    }
    for (Collective& collective : facts.collectives) {
        for (CollectiveMessage& message : collective.messages) {
            message.sender_waits = message.sender_waits && !(buffered.contains(sortOf(collective, message)) &&
                                                             explainedByReceives(collective, message.sender, clock));
        }
        if (isExchange(collective) && collective.members.size() == 2) {
            const auto waited_for = partnersWaitedFor(collective);
            collective.in_rendezvous = !waited_for[0].empty() && !waited_for[1].empty();
        }
    }
}

std::vector<std::vector<std::uint32_t>> partnersWaitedFor(const Collective& collective) {
    std::vector<std::vector<std::uint32_t>> waited_for(collective.members.size());
    for (const CollectiveMessage& message : collective.messages) {
        waited_for[message.receiver].push_back(message.sender);
        if (message.sender_waits) {
            waited_for[message.sender].push_back(message.receiver);
        }
    }
    for (std::vector<std::uint32_t>& partners : waited_for) {
        std::ranges::sort(partners);
        const auto again = std::ranges::unique(partners);
        partners.erase(again.begin(), again.end());
        std::erase(partners, static_cast<std::uint32_t>(&partners - waited_for.data()));
    }
    return waited_for;
}

namespace {

/// The member that each member waits for, if all wait for all: the last to arrive, which waits for no one. Nothing if
/// one ended, or may have ended, before another arrived.
std::optional<std::vector<std::vector<std::uint32_t>>> allForAll(const Collective& collective, const RunClock& clock) {
    const auto count = static_cast<std::uint32_t>(collective.members.size());
    std::vector<RunSpan> spans;
    std::uint32_t last = 0;
    std::uint32_t first_to_end = 0;
    for (std::uint32_t m = 0; m < count; ++m) {
        spans.push_back(onRunClock(collective.members[m], clock));
        last = spans[m].plain().start_ns > spans[last].plain().start_ns ? m : last;
        first_to_end = spans[m].plain().end_ns < spans[first_to_end].plain().end_ns ? m : first_to_end;
    }
    const std::optional<DurationNs> doubt_ns =
        clock.uncertaintyBetween(collective.members[first_to_end].rank, collective.members[last].rank);
    if (!doubt_ns || spans[first_to_end].plain().end_ns - spans[last].plain().start_ns <= *doubt_ns) {
        return std::nullopt;
    }
    std::vector<std::vector<std::uint32_t>> waited_for(count);
    for (std::uint32_t m = 0; m < count; ++m) {
        if (m != last) {
            waited_for[m] = {last};
        }
    }
    return waited_for;
}

/// Nothing if it is unknown whom a member waits for.
std::optional<std::vector<std::vector<std::uint32_t>>> waitedForIn(const Collective& collective,
                                                                   const RunClock& clock) {
    if (isExchange(collective)) {
        return partnersWaitedFor(collective);
    }
    const bool unknown = collective.complete && collective.kind == CollectiveKind::Unknown;
    return unknown && collective.members.size() > 1 ? allForAll(collective, clock) : std::nullopt;
}

}  // namespace

void timeByClock(Collective& collective, const RunClock& clock) {
    const auto waited_for = waitedForIn(collective, clock);
    if (!waited_for) {
        return;
    }
    std::vector<CollectiveMember> timed = collective.members;
    DurationNs transfer_ns = timed.front().span.length();
    DurationNs doubt_ns = 0;
    for (std::uint32_t m = 0; m < timed.size(); ++m) {
        CollectiveMember& own = timed[m];
        const RunTime own_ns(onRunClock(own, clock).plain().start_ns);
        RunTime last_ns = own_ns;
        for (const std::uint32_t other : (*waited_for)[m]) {
            const std::optional<DurationNs> between_ns = clock.uncertaintyBetween(own.rank, timed[other].rank);
            if (!between_ns) {
                return;
            }
            doubt_ns = std::max(doubt_ns, *between_ns);
            const RunTime came_ns(onRunClock(timed[other], clock).plain().start_ns);
            if (came_ns > last_ns) {
                last_ns = came_ns;
                own.waited_for = other;
            }
        }
        own.wait_ns = std::clamp<DurationNs>(last_ns - own_ns, 0, own.span.length());
        own.clocked_wait_ns = last_ns - own_ns;
        transfer_ns = std::min(transfer_ns, own.span.length() - *own.wait_ns);
    }
    collective.members = std::move(timed);
    collective.transfer_ns = transfer_ns;
    collective.clock_uncertainty_ns = doubt_ns;
    collective.timed_by_clock = true;
}

}  // namespace rankscope
