// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/forward_of_backward.h"

#include <algorithm>

namespace rankscope {

ForwardOfBackward::ForwardOfBackward(const RankTrace& rank, TrackId forward) : rank_(&rank) {
    for (const Flow& flow : rank.flows) {
        if (flow.from.valid() && flow.to.valid() && flow.from.track == forward && flow.to.track != forward) {
            ends_.emplace_back(flow.to, rank.span(flow.from).end_ns);
            operators_.push_back(flow.from);
        }
    }
    std::ranges::sort(ends_);
    std::ranges::sort(operators_);
}

std::optional<TimeNs> ForwardOfBackward::endOfCause(SliceRef launch) const {
    const SliceTable& slices = rank_->track(launch).slices;
    for (SliceIndex i = launch.slice; i != kNoSlice; i = slices.parent[i]) {
        const SliceRef node{launch.track, i};
        const auto at = std::ranges::lower_bound(ends_, node, {}, &std::pair<SliceRef, TimeNs>::first);
        if (at != ends_.end() && at->first == node) {
            return at->second;
        }
    }
    return std::nullopt;
}

bool ForwardOfBackward::causes(SliceRef launch) const {
    const SliceTable& slices = rank_->track(launch).slices;
    for (SliceIndex i = launch.slice; i != kNoSlice; i = slices.parent[i]) {
        if (std::ranges::binary_search(operators_, SliceRef{launch.track, i})) {
            return true;
        }
    }
    return false;
}

}  // namespace rankscope
