// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/contention.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace rankscope {
namespace {

constexpr std::size_t kRanksLookedAt = 16;
constexpr std::size_t kStepsLookedAt = 8;
constexpr std::size_t kLeastPairs = 16;
constexpr double kLeastSlowdown = 1.01;
constexpr double kMostSlowdown = 2.0;

/// A piece of work of one step, and what ran beside it.
struct Piece {
    std::string_view name;
    DurationNs ns = 0;
    bool waiting = false;  ///< most of it beside a collective that waits
    bool alone = false;    ///< none of it beside communication
};

/// What one rank launched in one step but communication, by name and launch.
std::vector<Piece> piecesOf(const RuleContext& context, RankPosition rank, RankStepPosition step,
                            const IntervalSet& waiting) {
    std::vector<Piece> pieces;
    const IntervalSet& communication = context.work[rank].device.communication;
    for (const ReplayEvent& event : context.pricer.model().ranks[rank].events) {
        if (event.slot.step() == step && !event.communication) {
            pieces.push_back({context.work[rank].trace->name(event.ref), event.span.length(),
                              besideWaiting(waiting, event), communication.clip(event.span).empty()});
        }
    }
    std::ranges::stable_sort(pieces, {}, &Piece::name);
    return pieces;
}

/// The time of two ranks in pieces that are paired.
struct PairedTime {
    double waiting_rank_ns = 0;
    double late_rank_ns = 0;
    std::size_t pairs = 0;

    void add(const Piece& of_waiting, const Piece& of_late) {
        waiting_rank_ns += static_cast<double>(of_waiting.ns);
        late_rank_ns += static_cast<double>(of_late.ns);
        ++pairs;
    }
    [[nodiscard]] double ratio() const { return waiting_rank_ns / late_rank_ns; }
};

struct Pairs {
    PairedTime beside;  ///< a collective that waits on the one rank, nothing on the late one
    PairedTime apart;   ///< from all communication on both
};

void pairPieces(const std::vector<Piece>& of_waiting, const std::vector<Piece>& of_late, Pairs& pairs) {
    auto late = of_late.begin();
    for (auto piece = of_waiting.begin(); piece != of_waiting.end();) {
        const auto other = [&](const Piece& p) { return p.name != piece->name; };
        const auto end = std::find_if(piece, of_waiting.end(), other);
        late = std::find_if(late, of_late.end(), [&](const Piece& p) { return p.name >= piece->name; });
        const auto late_end = std::find_if(late, of_late.end(), other);
        if (end - piece == late_end - late) {
            for (auto l = late; piece != end; ++piece, ++l) {
                if (piece->waiting && l->alone) {
                    pairs.beside.add(*piece, *l);
                } else if (piece->alone && l->alone) {
                    pairs.apart.add(*piece, *l);
                }
            }
        }
        piece = end;
        late = late_end;
    }
}

/// At most `most` of `all`, evenly spread.
template <class T>
std::vector<T> spread(const std::vector<T>& all, std::size_t most) {
    std::vector<T> some;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
        some.push_back(all[i * all.size() / std::min(most, all.size())]);
    }
    return some;
}

}  // namespace

IntervalSet waitingCollectives(const RunReplayModel& model, RankPosition rank) {
    std::vector<TimeSpan> spans;
    for (const ReplayEvent& event : model.ranks[rank].events) {
        if (event.rendezvous != ReplayEvent::kNone) {
            const DurationNs transfer_ns = model.rendezvous[event.rendezvous].transfer_ns;
            spans.push_back({event.span.start_ns, std::max(event.span.start_ns, event.span.end_ns - transfer_ns)});
        }
    }
    return IntervalSet::unionOf(std::move(spans));
}

bool besideWaiting(const IntervalSet& waiting, const ReplayEvent& event) {
    return !event.communication && 2 * waiting.clip(event.span).length() > event.span.length();
}

double slowdownBesideWaiting(const RuleContext& context, const std::vector<LateStep>& steps) {
    const RunReplayModel& model = context.pricer.model();
    std::vector<RankPosition> all;
    for (RankPosition r{0}; r < model.ranks.size(); ++r) {
        all.push_back(r);
    }
    std::map<RankPosition, IntervalSet> waiting;
    const auto pieces = [&](RankPosition rank, RunStepPosition step) {
        const auto [at, made] = waiting.try_emplace(rank);
        if (made) {
            at->second = waitingCollectives(model, rank);
        }
        const std::optional<RankStepPosition> own = context.facts.steps[step].of(rank);
        return own ? piecesOf(context, rank, *own, at->second) : std::vector<Piece>{};
    };
    Pairs pairs;
    for (const LateStep& late : spread(steps, kStepsLookedAt)) {
        const std::vector<Piece> of_late = pieces(late.ranks.front(), late.step);
        for (const RankPosition rank : spread(all, kRanksLookedAt)) {
            if (std::ranges::find(late.ranks, rank) == late.ranks.end()) {
                pairPieces(pieces(rank, late.step), of_late, pairs);
            }
        }
    }
    if (pairs.beside.pairs < kLeastPairs || pairs.apart.pairs < kLeastPairs) {
        return 1.0;
    }
    const double slowdown = pairs.beside.ratio() / pairs.apart.ratio();
    return slowdown < kLeastSlowdown || slowdown > kMostSlowdown ? 1.0 : slowdown;
}

}  // namespace rankscope
