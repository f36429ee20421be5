// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/contention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::size_t kRanksLookedAt = 16;
constexpr std::size_t kStepsLookedAt = 8;
constexpr std::size_t kLeastPairs = 16;
/// Fewer pairs without communication do not show how the two devices of one step compare.
constexpr std::size_t kLeastApartInStep = 4;
constexpr double kLeastSlowdown = 1.01;
constexpr double kMostSlowdown = 2.0;

/// A waiting collective: its span and its event.
struct Waiting {
    TimeSpan span;
    std::uint32_t event = 0;
};

/// By start.
std::vector<Waiting> waitingEvents(const RunReplayModel& model, RankPosition rank) {
    std::vector<Waiting> waiting;
    const std::vector<ReplayEvent>& events = model.ranks[rank].events;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        if (events[i].rendezvous != ReplayEvent::kNone) {
            const TimeSpan& span = events[i].span;
            const DurationNs transfer_ns = model.rendezvous[events[i].rendezvous].transfer_ns;
            if (span.length() > transfer_ns) {
                waiting.push_back({{span.start_ns, span.end_ns - transfer_ns}, i});
            }
        }
    }
    std::ranges::sort(waiting, {}, [](const Waiting& w) { return w.span.start_ns; });
    return waiting;
}

/// A piece of work of one step, and the communication at the same time.
struct NamedWork {
    std::string_view name;
    std::uint32_t order = 0;  ///< of the name among all of the rank, in the order of texts
    DurationNs ns = 0;
    bool waiting = false;  ///< mostly while a collective waits
    bool alone = false;    ///< entirely without communication
};

/// What one rank did in one step.
struct StepWork {
    DurationNs waited_ns = 0;       ///< waits in collectives, with or without work at the same time
    std::vector<NamedWork> pieces;  ///< pieces other than communication, by name and launch
};

/// By name: its place among the names of all work of a rank, in the order of their texts.
std::vector<std::uint32_t> orderOfNames(const ReplayModel& model, const RankTrace& trace) {
    constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> order(trace.strings.size(), kUnused);
    std::vector<StringId> names;
    for (const ReplayEvent& event : model.events) {
        const StringId name = trace.track(event.ref).slices.name[event.ref.slice];
        if (name.valid() && order[name.value] == kUnused) {
            order[name.value] = 0;
            names.push_back(name);
        }
    }
    std::ranges::sort(names, {}, [&trace](StringId name) { return trace.strings.view(name); });
    // A missing name is 0, as an empty text.
    const std::uint32_t first = names.empty() || trace.strings.view(names.front()).empty() ? 0 : 1;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        order[names[i].value] = first + i;
    }
    return order;
}

/// The work of a rank in some of its steps, which are ascending; in their order.
std::vector<StepWork> piecesOf(const RunReplayModel& model, const RankContext& work, RankPosition rank,
                               const std::vector<RankStepPosition>& steps) {
    std::vector<StepWork> of_steps(steps.size());
    const IntervalSet waiting = waitingCollectives(model, rank);
    const std::vector<std::uint32_t> order = orderOfNames(model.ranks[rank], *work.trace);
    for (const ReplayEvent& event : model.ranks[rank].events) {
        const std::optional<RankStepPosition> step = event.slot.step();
        const auto at = step ? std::ranges::lower_bound(steps, *step) : steps.end();
        if (at == steps.end() || *at != *step) {
            continue;
        }
        StepWork& of_step = of_steps[static_cast<std::size_t>(at - steps.begin())];
        const DurationNs waiting_ns = waiting.lengthIn(event.span);
        if (event.communication) {
            of_step.waited_ns += waiting_ns;
        } else {
            const StringId name = work.trace->track(event.ref).slices.name[event.ref.slice];
            of_step.pieces.push_back({work.trace->strings.view(name), name.valid() ? order[name.value] : 0,
                                      event.span.length(), 2 * waiting_ns > event.span.length(),
                                      work.device.communication.lengthIn(event.span) == 0});
        }
    }
    for (StepWork& of_step : of_steps) {
        std::ranges::stable_sort(of_step.pieces, {}, &NamedWork::order);
    }
    return of_steps;
}

/// The time of two ranks in paired pieces.
struct PairedTime {
    double waiting_rank_ns = 0;
    double other_ns = 0;
    std::size_t pairs = 0;

    void add(const NamedWork& of_waiting, const NamedWork& of_other) {
        waiting_rank_ns += static_cast<double>(of_waiting.ns);
        other_ns += static_cast<double>(of_other.ns);
        ++pairs;
    }
    [[nodiscard]] double ratio() const { return waiting_rank_ns / other_ns; }
};

/// The pieces of two ranks in one step.
struct Pairs {
    PairedTime beside;  ///< a collective waits on one rank, no communication on the other
    PairedTime apart;   ///< no communication on either
};

/// Work during waiting collectives, and how long it would take by the pairs without communication of the same step and
/// rank: a device may change its speed from step to step.
struct SlowedWork {
    double ns = 0;
    double expected_ns = 0;
    std::size_t beside = 0;  ///< pairs
    std::size_t apart = 0;   ///< pairs

    void add(const Pairs& of_step) {
        if (of_step.beside.pairs > 0 && of_step.apart.pairs >= kLeastApartInStep) {
            ns += of_step.beside.waiting_rank_ns;
            expected_ns += of_step.beside.other_ns * of_step.apart.ratio();
            beside += of_step.beside.pairs;
            apart += of_step.apart.pairs;
        }
    }
};

Pairs pairPieces(const std::vector<NamedWork>& of_waiting, const std::vector<NamedWork>& of_other) {
    Pairs pairs;
    auto other = of_other.begin();
    for (auto piece = of_waiting.begin(); piece != of_waiting.end();) {
        const auto differs = [name = piece->name](const NamedWork& p) { return p.name != name; };
        const auto end = std::find_if(piece, of_waiting.end(), differs);
        other = std::find_if(other, of_other.end(), [&](const NamedWork& p) { return p.name >= piece->name; });
        const auto other_end = std::find_if(other, of_other.end(), differs);
        const bool equally_often = end - piece == other_end - other;
        for (; equally_often && piece != end; ++piece, ++other) {
            if (piece->waiting && other->alone) {
                pairs.beside.add(*piece, *other);
            } else if (piece->alone && other->alone) {
                pairs.apart.add(*piece, *other);
            }
        }
        piece = end;
        other = other_end;
    }
    return pairs;
}

/// Up to `most` of `count` positions, evenly spread and ascending.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < std::min(most, count); ++i) {
        some.push_back(i * count / std::min(most, count));
    }
    return some;
}

/// Pairs the examined ranks of one step with the one that waited least.
void pairRanks(const std::vector<const StepWork*>& ranks, SlowedWork& slowed) {
    const auto least = std::ranges::min_element(ranks, {}, [](const StepWork* of_rank) { return of_rank->waited_ns; });
    for (auto rank = ranks.begin(); rank != ranks.end(); ++rank) {
        if (rank != least) {
            slowed.add(pairPieces((*rank)->pieces, (*least)->pieces));
        }
    }
}

}  // namespace

IntervalSet waitingCollectives(const RunReplayModel& model, RankPosition rank) {
    std::vector<TimeSpan> spans;
    for (const Waiting& waiting : waitingEvents(model, rank)) {
        spans.push_back(waiting.span);
    }
    return IntervalSet::unionOf(std::move(spans));
}

std::optional<double> slowdownBesideWaiting(const RunReplayModel& model, const std::vector<RankContext>& work,
                                            const std::vector<RunStep>& steps) {
    std::vector<std::size_t> looked_at = spread(steps.size(), kStepsLookedAt);
    std::erase_if(looked_at, [&](std::size_t s) { return !steps[s].complete; });
    std::vector<std::vector<StepWork>> by_rank;
    for (const std::size_t r : spread(model.ranks.size(), kRanksLookedAt)) {
        std::vector<RankStepPosition> own;
        for (const std::size_t s : looked_at) {
            if (const std::optional<RankStepPosition> of_rank = steps[s].of(RankPosition(r))) {
                own.push_back(*of_rank);
            }
        }
        if (own.size() == looked_at.size()) {
            by_rank.push_back(piecesOf(model, work[r], RankPosition(r), own));
        }
    }
    SlowedWork slowed;
    for (std::size_t s = 0; s < looked_at.size() && by_rank.size() > 1; ++s) {
        std::vector<const StepWork*> ranks;
        for (const std::vector<StepWork>& of_rank : by_rank) {
            ranks.push_back(&of_rank[s]);
        }
        pairRanks(ranks, slowed);
    }
    if (slowed.beside < kLeastPairs || slowed.apart < kLeastPairs) {
        return std::nullopt;
    }
    const double slowdown = slowed.ns / slowed.expected_ns;
    if (slowdown > kMostSlowdown) {
        return std::nullopt;
    }
    return slowdown < kLeastSlowdown ? 1.0 : slowdown;
}

std::optional<double> measureContention(const std::vector<RankContext>& work, const std::vector<RunStep>& steps,
                                        RunReplayModel& model) {
    const std::optional<double> slowdown = slowdownBesideWaiting(model, work, steps);
    model.slowdown = slowdown.value_or(1.0);
    model.beside.assign(model.slowdown > 1.0 ? model.ranks.size() : 0, {});
    for (RankPosition r{0}; r < model.beside.size(); ++r) {
        const std::vector<Waiting> waiting = waitingEvents(model, r);
        std::vector<TimeNs> latest_end_ns;  // the latest end of each event and all before it: short ones of other
                                            // streams may be inside long ones
        for (const Waiting& one : waiting) {
            latest_end_ns.push_back(
                std::max(one.span.end_ns, latest_end_ns.empty() ? one.span.end_ns : latest_end_ns.back()));
        }
        const std::vector<ReplayEvent>& events = model.ranks[r].events;
        for (std::uint32_t i = 0; i < events.size(); ++i) {
            const TimeSpan& span = events[i].span;
            auto at =
                waiting.begin() + (std::ranges::upper_bound(latest_end_ns, span.start_ns) - latest_end_ns.begin());
            UnionLength overlap;
            for (; at != waiting.end() && at->span.start_ns < span.end_ns && !events[i].communication; ++at) {
                if (const DurationNs overlap_ns = overlap.add(intersect(at->span, span)); overlap_ns > 0) {
                    model.beside[r].push_back({i, at->event, overlap_ns});
                }
            }
        }
    }
    return slowdown;
}

DurationNs slowedBy(double slowdown, DurationNs overlap_ns) {
    return std::llround((1.0 - 1.0 / slowdown) * static_cast<double>(overlap_ns));
}

namespace {

constexpr std::size_t kLeastKernels = 8;
constexpr double kMostSpread = 0.1;

/// The lengths of the kernels of one name.
struct Lengths {
    std::vector<DurationNs> beside;
    std::vector<DurationNs> alone;

    /// Whether there are enough, and those without communication are all about equally long.
    [[nodiscard]] bool tell() const {
        if (beside.size() < kLeastKernels || alone.size() < kLeastKernels) {
            return false;
        }
        std::vector<DurationNs> sorted = alone;
        const DurationNs first = nthSmallest(sorted, sorted.size() / 4);
        const DurationNs third = nthSmallest(sorted, 3 * sorted.size() / 4);
        return static_cast<double>(third - first) <= kMostSpread * static_cast<double>(lowerMedian(std::move(sorted)));
    }
};

}  // namespace

std::optional<double> slowdownBesideCommunication(const RunReplayModel& model, const std::vector<RankContext>& work) {
    double beside_ns = 0;
    double alone_ns = 0;
    for (std::size_t r = 0; r < model.ranks.size(); ++r) {
        const RankTrace& trace = *work[r].trace;
        std::map<StringId, Lengths> by_name;
        for (const ReplayEvent& event : model.ranks[r].events) {
            if (event.communication) {
                continue;
            }
            const DurationNs overlap_ns = work[r].device.communication.lengthIn(event.span);
            Lengths& lengths = by_name[trace.track(event.ref).slices.name[event.ref.slice]];
            if (overlap_ns == 0) {
                lengths.alone.push_back(event.span.length());
            } else if (2 * overlap_ns > event.span.length()) {
                lengths.beside.push_back(event.span.length());
            }
        }
        for (auto& [name, lengths] : by_name) {
            if (lengths.tell()) {
                const auto count = static_cast<double>(lengths.beside.size());
                beside_ns += count * static_cast<double>(lowerMedian(std::move(lengths.beside)));
                alone_ns += count * static_cast<double>(lowerMedian(std::move(lengths.alone)));
            }
        }
    }
    return alone_ns > 0 ? std::optional(std::max(1.0, beside_ns / alone_ns)) : std::nullopt;
}

}  // namespace rankscope
