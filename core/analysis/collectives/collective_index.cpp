// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_index.h"

#include <algorithm>

namespace rankscope {

CollectiveIndex::CollectiveIndex(const CollectiveFacts& facts) {
    for (CollectivePosition c{0}; c < facts.collectives.size(); ++c) {
        for (const CollectiveMember& member : facts.collectives[c].members) {
            ranks_.resize(std::max<std::size_t>(ranks_.size(), member.rank + std::size_t{1}));
            OfRank& rank = ranks_[member.rank];
            for (const SliceRef slice : member.slices) {
                rank.parts.push_back({slice, false, c});
            }
            if (member.op.valid()) {
                rank.parts.push_back({member.op, true, c});
            }
            rank.stays.push_back({member.span, 0, c});
        }
    }
    for (OfRank& rank : ranks_) {
        std::ranges::sort(rank.parts);
        std::ranges::stable_sort(rank.stays, {}, [](const Stay& stay) { return stay.span.start_ns; });
        for (std::size_t i = 0; i < rank.stays.size(); ++i) {
            const TimeNs end_ns = rank.stays[i].span.end_ns;
            rank.stays[i].until_ns = i == 0 ? end_ns : std::max(rank.stays[i - 1].until_ns, end_ns);
        }
    }
}

std::optional<CollectivePosition> CollectiveIndex::of(RankPosition rank, SliceRef slice) const {
    if (rank >= ranks_.size()) {
        return std::nullopt;
    }
    const auto at = std::ranges::lower_bound(ranks_[rank].parts, slice, {}, &Part::slice);
    return at != ranks_[rank].parts.end() && at->slice == slice ? std::optional(at->collective) : std::nullopt;
}

std::optional<CollectivePosition> CollectiveIndex::ofKernel(RankPosition rank, SliceRef slice) const {
    if (rank >= ranks_.size()) {
        return std::nullopt;
    }
    const auto at = std::ranges::lower_bound(ranks_[rank].parts, slice, {}, &Part::slice);
    const bool is = at != ranks_[rank].parts.end() && at->slice == slice && !at->is_operator;
    return is ? std::optional(at->collective) : std::nullopt;
}

std::vector<CollectivePosition> CollectiveIndex::within(RankPosition rank, const TimeSpan& span) const {
    std::vector<CollectivePosition> found;
    if (rank >= ranks_.size()) {
        return found;
    }
    const std::vector<Stay>& stays = ranks_[rank].stays;
    auto at = std::ranges::lower_bound(stays, span.end_ns, {}, [](const Stay& stay) { return stay.span.start_ns; });
    while (at != stays.begin() && std::prev(at)->until_ns > span.start_ns) {
        --at;
        if (!intersect(at->span, span).empty()) {
            found.push_back(at->collective);
        }
    }
    std::ranges::reverse(found);
    return found;
}

}  // namespace rankscope
