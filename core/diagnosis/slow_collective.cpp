// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/rules.h"
#include "core/diagnosis/transfers.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostEvidence = 8;

/// A slow collective, as a rank of the finding sees it.
struct Slow {
    const Collective* collective = nullptr;
    const CollectiveMember* member = nullptr;
    const RankStep* step = nullptr;

    [[nodiscard]] DurationNs excess() const { return *collective->transfer_ns - *collective->usual_transfer_ns; }
};

/// The slow collectives of complete, ordinary steps, each on one of `ranks`; those that lose most first.
std::vector<Slow> slowOnes(const RuleContext& context, const std::vector<std::uint32_t>& ranks) {
    std::vector<Slow> slow;
    for (const Collective& collective : context.facts.collectives.collectives) {
        const auto member = std::ranges::find_if(collective.members, [&ranks](const CollectiveMember& m) {
            return std::ranges::find(ranks, m.rank) != ranks.end();
        });
        if (!collective.usual_transfer_ns || member == collective.members.end()) {
            continue;
        }
        const RankStep* const step = stepAt(context.facts.ranks[member->rank], member->span.end_ns - 1);
        if (step != nullptr && step->complete && !step->outlier) {
            slow.push_back({&collective, &*member, step});
        }
    }
    std::ranges::stable_sort(slow, std::greater<>(), &Slow::excess);
    return slow;
}

std::string speedText(std::int64_t bytes, DurationNs transfer_ns) {
    return formatBandwidth(1e9 * static_cast<double>(bytes) /
                           static_cast<double>(std::max<DurationNs>(transfer_ns, 1)));
}

}  // namespace

void findSlowTransfers(const RuleContext& context, Diagnosis& diagnosis) {
    const auto in_ledger = [](const LedgerEntry& e) { return e.owner == Owner::ExposedTransfer && e.slow_excess; };
    RunChange as_usual;
    as_usual.transfer = [&context](std::uint32_t collective, DurationNs transfer_ns) {
        return usualPart(context.facts.collectives.collectives[collective], transfer_ns);
    };
    const Price price = context.claims.price("slow-collective", in_ledger, as_usual);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    const std::vector<Slow> slow = slowOnes(context, price.ranks);
    if (slow.empty()) {
        return;
    }
    Finding finding = makeFinding("slow-collective", price, context.facts.ranks.size());
    finding.title = context.advice.title(finding.id);
    const Collective& worst = *slow.front().collective;
    finding.why =
        countText(slow.size(), "collective") + " of the complete steps took more than twice as long as others " +
        "of the same kind, group and size. The worst, " + worst.name + " of " +
        formatBytes(static_cast<std::uint64_t>(*worst.bytes)) + ", transfers for " +
        formatDuration(*worst.transfer_ns) + " (" + speedText(*worst.bytes, *worst.transfer_ns) + "), where " +
        formatDuration(*worst.usual_transfer_ns) + " (" + speedText(*worst.bytes, *worst.usual_transfer_ns) +
        ") is usual. What it takes beyond that keeps the device from computing for " +
        formatDuration(price.blocked_ns) + " in the median step. At the usual speed " + replayText(context, price) +
        ".";
    finding.remedies = context.advice.remedies(finding.id, {});
    for (const Slow& one : slow) {
        if (finding.evidence.size() < kMostEvidence) {
            finding.evidence.push_back({one.member->rank, one.step->index, one.member->slices.front(),
                                        "transfers " + formatDuration(one.excess()) + " longer than usual"});
        }
    }
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
