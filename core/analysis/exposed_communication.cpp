// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/exposed_communication.h"

#include <algorithm>

namespace rankscope {

void CollectiveClaims::sort() {
    std::ranges::stable_sort(claims_, {}, &Claim::start);
    for (const Claim& claim : claims_) {
        longest_ns_ = std::max(longest_ns_, claim.span.length());
    }
}

IntervalSet CollectiveClaims::all() const {
    std::vector<TimeSpan> spans;
    spans.reserve(claims_.size());
    for (const Claim& claim : claims_) {
        spans.push_back(claim.span);
    }
    return IntervalSet::unionOf(std::move(spans));
}

ExposedCommunication splitExposed(std::uint32_t rank, const DeviceWork& work, const CollectiveFacts& facts) {
    ExposedCommunication exposed;
    for (std::uint32_t c = 0; c < facts.collectives.size(); ++c) {
        const Collective& collective = facts.collectives[c];
        const CollectiveMember* const member = collective.memberOf(rank);
        if (member == nullptr) {
            continue;
        }
        if (!collective.transfer_ns) {
            exposed.unsplits.add(member->span, c);
            continue;
        }
        exposed.splittable = true;
        const TimeNs begin_ns = member->span.end_ns - *collective.transfer_ns;
        exposed.transfers.add({begin_ns, member->span.end_ns}, c);
        exposed.waits.add({member->span.start_ns, begin_ns}, c);
    }
    for (CollectiveClaims* const claims : {&exposed.transfers, &exposed.unsplits, &exposed.waits}) {
        claims->sort();
    }
    const IntervalSet all = work.communication.subtract(work.compute);
    const IntervalSet transfers = exposed.transfers.all();
    exposed.transfer = all.intersect(transfers);
    const IntervalSet rest = all.subtract(transfers);
    exposed.unsplit = rest.intersect(exposed.unsplits.all());
    exposed.wait = rest.subtract(exposed.unsplit);
    return exposed;
}

void splitPartition(const ExposedCommunication& exposed, const TimeSpan& window, Partition& partition) {
    if (exposed.splittable) {
        partition.exposed_transfer_ns = exposed.transfer.clip(window).length();
        partition.exposed_unsplit_ns = exposed.unsplit.clip(window).length();
        partition.exposed_wait_ns = exposed.wait.clip(window).length();
    }
}

}  // namespace rankscope
