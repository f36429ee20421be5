// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pair_ranks.h"

#include <algorithm>

namespace rankscope {
namespace {

bool isSameRank(const Run& a, RankPosition in_a, const Run& b, RankPosition in_b) {
    const std::optional<RankNumber> number_a = a.ranks[in_a]->rank;
    const std::optional<RankNumber> number_b = b.ranks[in_b]->rank;
    return number_a && number_b ? *number_a == *number_b : in_a == in_b;
}

bool shareRanks(const Run& a, const Run& b) {
    for (RankPosition i{0}; i < a.ranks.size(); ++i) {
        for (RankPosition j{0}; j < b.ranks.size(); ++j) {
            if (isSameRank(a, i, b, j)) {
                return true;
            }
        }
    }
    return false;
}

std::optional<DurationNs> segmentTime(const RunFacts& facts, RankPosition rank) {
    return rank < facts.stragglers.ranks.size() ? std::optional(facts.stragglers.ranks[rank].segment_ns) : std::nullopt;
}

}  // namespace

std::vector<std::optional<RankPosition>> matchRanks(const Run& a, const Run& b) {
    std::vector<std::optional<RankPosition>> matches(a.ranks.size());
    if (!shareRanks(a, b)) {
        for (RankPosition i{0}; i < std::min(a.ranks.size(), b.ranks.size()); ++i) {
            matches[i] = i;
        }
        return matches;
    }
    std::vector<bool> taken(b.ranks.size(), false);
    for (RankPosition i{0}; i < a.ranks.size(); ++i) {
        for (RankPosition j{0}; j < b.ranks.size() && !matches[i]; ++j) {
            if (!taken[j] && isSameRank(a, i, b, j)) {
                taken[j] = true;
                matches[i] = j;
            }
        }
    }
    return matches;
}

std::vector<RankPair> pairRanks(const AnalysedRun& a, const AnalysedRun& b) {
    std::vector<RankPair> pairs;
    std::vector<bool> taken(b.run->ranks.size(), false);
    const std::vector<std::optional<RankPosition>> matches = matchRanks(*a.run, *b.run);
    for (RankPosition i{0}; i < matches.size(); ++i) {
        RankPair pair{
            .a = i, .b = matches[i], .breakdown = {}, .a_segment_ns = segmentTime(a.facts, i), .b_segment_ns = {}};
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
