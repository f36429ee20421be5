// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/merged_buckets.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostEvidence = 8;

/// Whether time on the host went to the sending of a collective.
bool isSending(const LedgerEntry& entry) {
    return entry.owner == Owner::Blocked && (entry.label.starts_with("c10d::") || entry.label.starts_with("nccl:") ||
                                             entry.label.starts_with("rccl:") || entry.label == "record_param_comms");
}

/// "A message between these ranks takes 15.1 us, whatever its size, and 10.2 us more for each MB. "
std::string fitText(const MergedBuckets& merged) {
    if (merged.fit() == nullptr) {
        return {};
    }
    const auto bytes_ns = static_cast<DurationNs>(static_cast<double>(merged.usualBytes()) / merged.fit()->gb_per_s);
    return "A transfer between these ranks takes " + formatDuration(merged.fit()->latency_ns) +
           " whatever its size, and such a bucket " + formatDuration(bytes_ns) + " more for its bytes. ";
}

std::vector<Evidence> evidenceOf(const RuleContext& context, const MergedBuckets& merged,
                                 const std::vector<std::uint32_t>& ranks) {
    std::vector<Evidence> evidence;
    for (const std::uint32_t c : merged.gone()) {
        const Collective& collective = context.facts.collectives.collectives[c];
        const CollectiveMember* const member = ranks.empty() ? nullptr : collective.memberOf(ranks.front());
        if (member == nullptr || evidence.size() == kMostEvidence) {
            continue;
        }
        const auto& steps = context.facts.ranks[member->rank].steps;
        const auto step = std::ranges::find_if(steps, [&](const RankStep& s) {
            return s.host.start_ns <= member->call.start_ns && member->call.start_ns < s.host.end_ns;
        });
        if (step != steps.end() && step->complete && !step->outlier) {
            evidence.push_back({member->rank, step->index, member->slices.front(),
                                "sends only " + formatBytes(static_cast<std::uint64_t>(*collective.bytes))});
        }
    }
    return evidence;
}

}  // namespace

void findSmallBuckets(const RuleContext& context, Diagnosis& diagnosis) {
    if (!context.pricer.coupled()) {
        return;  // without the other ranks a collective cannot be left out
    }
    const MergedBuckets merged(context);
    if (merged.gone().empty() || merged.inStep() < 2) {
        return;
    }
    const std::string& name = context.facts.collectives.collectives[merged.gone().front()].name;
    const auto in_ledger = [&name](const LedgerEntry& e) {
        return isSending(e) || (e.owner == Owner::ExposedTransfer && !e.slow_excess && e.label == name);
    };
    const Price price = context.claims.price("bucket-size", in_ledger, merged.change(context));
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("bucket-size", price, context.facts.ranks.size());
    // Which parameters would share a bucket is not in the trace.
    finding.confidence = std::min(finding.confidence, Confidence::Medium);
    finding.title = "DDP's buckets are small: sending them takes the host longer than it saves";
    finding.why = "The median step sends its gradients in " + std::to_string(merged.inStep()) +
                  " buckets, the median one of " + formatBytes(static_cast<std::uint64_t>(merged.usualBytes())) +
                  " (bucket_cap_mb is 25 unless it is set). Each costs the host a call and the network a start. " +
                  fitText(merged) + "In " + std::to_string(merged.leftInStep()) + " buckets of the usual size " +
                  replayText(context, price) + ".";
    finding.remedies = context.advice.remedies(finding.id, {"small"});
    finding.evidence = evidenceOf(context, merged, price.ranks);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
