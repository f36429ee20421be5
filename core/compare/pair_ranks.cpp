// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pair_ranks.h"

#include <algorithm>

namespace rankscope {
namespace {

bool isSameRank(const Run& a, std::uint32_t in_a, const Run& b, std::uint32_t in_b) {
    const std::optional<std::int32_t> number_a = a.ranks[in_a]->rank;
    const std::optional<std::int32_t> number_b = b.ranks[in_b]->rank;
    return number_a && number_b ? *number_a == *number_b : in_a == in_b;
}

bool shareRanks(const Run& a, const Run& b) {
    for (std::uint32_t i = 0; i < a.ranks.size(); ++i) {
        for (std::uint32_t j = 0; j < b.ranks.size(); ++j) {
            if (isSameRank(a, i, b, j)) {
                return true;
            }
        }
    }
    return false;
}

std::optional<DurationNs> segmentTime(const RunFacts& facts, std::uint32_t rank) {
    return rank < facts.stragglers.ranks.size() ? std::optional(facts.stragglers.ranks[rank].segment_ns) : std::nullopt;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> matchRanks(const Run& a, const Run& b) {
    std::vector<std::optional<std::uint32_t>> matches(a.ranks.size());
    if (!shareRanks(a, b)) {
        for (std::uint32_t i = 0; i < std::min(a.ranks.size(), b.ranks.size()); ++i) {
            matches[i] = i;
        }
        return matches;
    }
    std::vector<bool> taken(b.ranks.size(), false);
    for (std::uint32_t i = 0; i < a.ranks.size(); ++i) {
        for (std::uint32_t j = 0; j < b.ranks.size() && !matches[i]; ++j) {
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
    const std::vector<std::optional<std::uint32_t>> matches = matchRanks(*a.run, *b.run);
    for (std::uint32_t i = 0; i < matches.size(); ++i) {
        RankPair pair{
            .a = i, .b = matches[i], .breakdown = {}, .a_segment_ns = segmentTime(a.facts, i), .b_segment_ns = {}};
        if (pair.b) {
            taken[*pair.b] = true;
            pair.breakdown = breakDown(a.facts, b.facts, RanksToCompare{i, *pair.b});
            pair.b_segment_ns = segmentTime(b.facts, *pair.b);
        }
        pairs.push_back(std::move(pair));
    }
    for (std::uint32_t j = 0; j < taken.size(); ++j) {
        if (!taken[j]) {
            pairs.push_back(
                {.a = {}, .b = j, .breakdown = {}, .a_segment_ns = {}, .b_segment_ns = segmentTime(b.facts, j)});
        }
    }
    return pairs;
}

}  // namespace rankscope
