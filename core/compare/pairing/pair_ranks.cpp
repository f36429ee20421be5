// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/pair_ranks.h"

#include <utility>

namespace rankscope {
namespace {

std::optional<DurationNs> segmentTime(const RunFacts& facts, RankPosition rank) {
    return rank < facts.stragglers.ranks.size() ? std::optional(facts.stragglers.ranks[rank].segment_ns) : std::nullopt;
}

}  // namespace

std::vector<RankPair> pairRanks(const AnalysedRun& a, const AnalysedRun& b, const RankMatches& matches) {
    std::vector<RankPair> pairs;
    std::vector<bool> taken(b.run->ranks.size(), false);
    for (RankPosition i{0}; i < matches.to_b.size(); ++i) {
        RankPair pair{
            .a = i, .b = matches.to_b[i], .breakdown = {}, .a_segment_ns = segmentTime(a.facts, i), .b_segment_ns = {}};
        if (pair.b) {
            taken[*pair.b] = true;
            pair.breakdown = breakDown(a.facts, b.facts, RanksToCompare{i, *pair.b});
            pair.b_segment_ns = segmentTime(b.facts, *pair.b);
        }
        pairs.push_back(std::move(pair));
    }
    for (RankPosition j{0}; j < taken.size(); ++j) {
        if (!taken[j]) {
            pairs.push_back(
                {.a = {}, .b = j, .breakdown = {}, .a_segment_ns = {}, .b_segment_ns = segmentTime(b.facts, j)});
        }
    }
    return pairs;
}

}  // namespace rankscope
