// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/replay.h"

#include <algorithm>
#include <iterator>

#include "core/analysis/replay/replay_player.h"
#include "core/analysis/replay/run_replay.h"

namespace rankscope {

std::vector<TimeSpan> replay(const ReplayModel& model, const ReplayChange& change) {
    ReplayPlayer player(model, change, false);
    player.beginAt(player.firstChange());
    (void)player.play();
    return player.steps();
}

ReplayedRank replayWork(const ReplayModel& model, const ReplayChange& change) {
    ReplayPlayer player(model, change, false);
    player.beginAt(player.firstChange());
    (void)player.play();
    return {player.steps(), player.work(), player.hostTime()};
}

namespace {

/// Whether one of the two is true; either may be empty.
template <class Argument>
std::function<bool(Argument)> either(std::function<bool(Argument)> a, std::function<bool(Argument)> b) {
    if (!a || !b) {
        return a ? std::move(a) : std::move(b);
    }
    return [a = std::move(a), b = std::move(b)](Argument argument) { return a(argument) || b(argument); };
}

/// The shorter of the two; either may be empty.
template <class... Arguments>
std::function<DurationNs(Arguments...)> shorter(std::function<DurationNs(Arguments...)> a,
                                                std::function<DurationNs(Arguments...)> b) {
    if (!a || !b) {
        return a ? std::move(a) : std::move(b);
    }
    return [a = std::move(a), b = std::move(b)](Arguments... of) { return std::min(a(of...), b(of...)); };
}

/// The longer of the two; either may be empty.
using OfWait = std::function<DurationNs(const ReplayWait&)>;
OfWait longer(OfWait a, OfWait b) {
    if (!a || !b) {
        return a ? std::move(a) : std::move(b);
    }
    return [a = std::move(a), b = std::move(b)](const ReplayWait& wait) { return std::max(a(wait), b(wait)); };
}

}  // namespace

ReplayChange joined(ReplayChange a, const ReplayChange& b) {
    a.ready_batches = a.ready_batches || b.ready_batches;
    a.ready_batch_ns = std::max(a.ready_batch_ns, b.ready_batch_ns);
    a.host_pace = std::max(a.host_pace, b.host_pace);
    a.device_alone = a.device_alone || b.device_alone;
    a.prompt_device = a.prompt_device || b.prompt_device;
    a.in_sequence = a.in_sequence || b.in_sequence;
    a.no_wait = either(std::move(a.no_wait), b.no_wait);
    a.late_return = longer(std::move(a.late_return), b.late_return);
    if (b.queue_gap) {
        a.queue_gap = std::min(a.queue_gap.value_or(*b.queue_gap), *b.queue_gap);
    }
    a.length = shorter(std::move(a.length), b.length);
    a.latency = shorter(std::move(a.latency), b.latency);
    a.removed = either(std::move(a.removed), b.removed);
    a.host.insert(a.host.end(), b.host.begin(), b.host.end());
    return a;
}

DurationNs RunChange::transferOf(CollectivePosition collective, DurationNs transfer_ns) const {
    const DurationNs beyond_ns = typical_transfer ? transfer_ns - typical_transfer(collective, transfer_ns) : 0;
    return std::max<DurationNs>(0, (transfer ? transfer(collective, transfer_ns) : transfer_ns) - beyond_ns);
}

RunChange joined(const RunChange& a, const RunChange& b) {
    RunChange both;
    both.of_rank = a.of_rank ? a.of_rank : b.of_rank;
    if (a.of_rank && b.of_rank) {
        both.of_rank = [a = a.of_rank, b = b.of_rank](RankPosition rank) { return joined(a(rank), b(rank)); };
    }
    both.transfer = shorter(a.transfer, b.transfer);
    both.typical_transfer = shorter(a.typical_transfer, b.typical_transfer);
    both.removed = either(a.removed, b.removed);
    std::ranges::set_union(a.as_others, b.as_others, std::back_inserter(both.as_others));
    both.in_mean = a.in_mean || b.in_mean;
    return both;
}

}  // namespace rankscope
