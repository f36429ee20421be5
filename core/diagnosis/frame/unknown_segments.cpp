// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/cannot_tell.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace {

/// A segment is the time between two of these.
constexpr std::size_t kCollectivesOfASegment = 2;

/// The collectives in which all ranks of a group were recorded and wait for one another.
std::vector<const Collective*> commonCollectives(const std::vector<Collective>& all) {
    std::vector<const Collective*> common;
    for (const Collective& collective : all) {
        if (collective.complete && finishesTogether(collective.kind)) {
            common.push_back(&collective);
        }
    }
    return common;
}

std::size_t countComplete(const std::vector<Collective>& all) {
    return static_cast<std::size_t>(std::ranges::count_if(all, &Collective::complete));
}

bool isReadyKnown(const CollectiveMember& member) {
    return member.ready_ns.has_value();
}

/// The ranks with unknown launches, if these leave fewer collectives than a segment needs.
std::vector<RankPosition> ranksWithoutLaunches(const std::vector<const Collective*>& collectives) {
    std::set<RankPosition> ranks;
    std::size_t known = 0;
    for (const Collective* const collective : collectives) {
        known += std::ranges::all_of(collective->members, isReadyKnown) ? 1U : 0U;
        for (const CollectiveMember& member : collective->members) {
            if (!isReadyKnown(member)) {
                ranks.insert(member.rank);
            }
        }
    }
    return known < kCollectivesOfASegment ? std::vector<RankPosition>(ranks.begin(), ranks.end())
                                          : std::vector<RankPosition>();
}

/// The number of collectives in which something waits on a rank.
std::size_t blockingCollectives(const RunReplayModel& model) {
    std::set<std::uint32_t> blocking;
    for (const ReplayModel& rank : model.ranks) {
        for (const ReplayEvent& event : rank.events) {
            if (event.blocks && event.collective != ReplayEvent::kNone) {
                blocking.insert(event.collective);
            }
        }
    }
    return blocking.size();
}

std::vector<RankPosition> ranksWithoutWork(const RunReplayModel& model) {
    std::vector<RankPosition> ranks;
    for (RankPosition r{0}; r < model.ranks.size(); ++r) {
        if (model.ranks[r].events.empty()) {
            ranks.push_back(r);
        }
    }
    return ranks;
}

}  // namespace

CannotTell whySegmentsAreUnknown(const RuleContext& context) {
    const auto because = [](std::string reason, std::string record) {
        return CannotTell{FindingId::StragglerRank, std::move(reason), std::move(record)};
    };
    const std::string both = context.advice.record(FindingId::LaunchBound);
    const std::string all_ranks = context.advice.record(FindingId::StragglerRank);
    const std::vector<Collective>& all = context.facts.collectives.collectives;
    if (!all.empty() && std::ranges::all_of(all, [](const Collective& collective) {
            return collective.kind == CollectiveKind::SendReceive;
        })) {
        return because(
            "The ranks only send and receive. There is no collective that all ranks of a group wait in, so it is "
            "unknown who arrives last.",
            kNothingToRecord);
    }
    const RunReplayModel& model = context.pricer.model();
    if (const auto ranks = ranksWithoutWork(model); !ranks.empty()) {
        return because("No GPU work of " + rankNamesWithin(context, ranks) +
                           " was recorded, so it is unknown whether a rank slows the others down.",
                       both);
    }
    const std::vector<const Collective*> common = commonCollectives(all);
    if (common.size() < kCollectivesOfASegment && countComplete(all) >= kCollectivesOfASegment) {
        return because(
            "Nearly all communication is in operations that a rank may leave before the others: sends, broadcasts, or "
            "kernels of which this is unknown. Who arrives last is measured only where all ranks leave together.",
            kNothingToRecord);
    }
    if (common.size() < kCollectivesOfASegment) {
        return because(
            "Who arrives last is measured from one collective to the next, and no two were recorded on all ranks of a "
            "group.",
            all_ranks);
    }
    if (const auto ranks = ranksWithoutLaunches(common); !ranks.empty()) {
        return because("The launches of collectives were not recorded on " + rankNamesWithin(context, ranks) +
                           ". So it is unknown when a rank was ready, and which one arrives last.",
                       both);
    }
    if (blockingCollectives(model) < kCollectivesOfASegment) {
        return because(
            "Fewer than two collectives make GPUs wait. Who arrives last is measured from one of these to the next.",
            "Record several complete steps on all ranks.");
    }
    return because(
        "Who arrives last is measured between two collectives of the same ranks that make GPUs wait, without a hole in "
        "the recording. There are no two.",
        "Record several complete steps on all ranks.");
}

}  // namespace rankscope
