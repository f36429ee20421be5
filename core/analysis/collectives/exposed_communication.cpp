// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/exposed_communication.h"

#include <algorithm>
#include <optional>

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

std::vector<std::vector<OwnPart>> partsOfRanks(const CollectiveFacts& facts, std::size_t ranks) {
    std::vector<std::vector<OwnPart>> parts(ranks);
    for (CollectivePosition c{0}; c < facts.collectives.size(); ++c) {
        const std::vector<CollectiveMember>& members = facts.collectives[c].members;
        for (std::uint32_t m = 0; m < members.size(); ++m) {
            parts[members[m].rank].push_back({c, m});
        }
    }
    return parts;
}

ExposedCommunication splitExposed(const std::vector<OwnPart>& parts, const DeviceWork& work,
                                  const CollectiveFacts& facts) {
    ExposedCommunication exposed;
    for (const OwnPart& part : parts) {
        const Collective& collective = facts.collectives[part.collective];
        const TimeSpan& span = collective.members[part.member].span;
        const std::optional<TimeNs> begin_ns = collective.beginOf(collective.members[part.member]);
        if (!begin_ns && collective.members[part.member].waits_only) {
            exposed.splittable = true;
            exposed.waits.add(span, part.collective);
            continue;
        }
        if (!begin_ns) {
            exposed.unsplits.add(span, part.collective);
            continue;
        }
        exposed.splittable = true;
        exposed.transfers.add({*begin_ns, span.end_ns}, part.collective);
        exposed.waits.add({span.start_ns, *begin_ns}, part.collective);
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

Partition withSplit(Partition partition, const ExposedCommunication& exposed, const TimeSpan& window) {
    if (exposed.splittable) {
        partition.exposed_transfer_ns = exposed.transfer.lengthIn(window);
        partition.exposed_unsplit_ns = exposed.unsplit.lengthIn(window);
        partition.exposed_wait_ns = exposed.wait.lengthIn(window);
    }
    return partition;
}

}  // namespace rankscope
