// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>

#include "core/analysis/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/gradient_buckets.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostEvidence = 8;

/// What of a step's large buckets no bucket size could hide: what they transfer beyond the computation of the backward.
DurationNs beyondBackward(const RuleContext& context, const GradientBuckets& buckets) {
    std::vector<DurationNs> beyond;
    for (const RunStep* step : context.pricer.ordinary()) {
        const std::uint32_t rank = step->pacing_rank;
        const std::uint32_t own = step->ofPacingRank();
        const RankFacts& facts = context.facts.ranks[rank];
        const DurationNs backward_ns = facts.phases.steps[own][Phase::Backward].device_ns;
        DurationNs transfer_ns = 0;
        for (const GradientBuckets::Sent& sent : buckets.sent()) {
            const bool here = sent.rank == rank && sent.step == &facts.steps[own];
            transfer_ns += here ? *sent.collective->transfer_ns : 0;
        }
        beyond.push_back(std::max<DurationNs>(0, transfer_ns - backward_ns));
    }
    return medianOf(std::move(beyond));
}

/// What the last of the usual buckets takes, which is sent when there is nothing left to compute: what is over of the
/// gradients when the others are full (1 MiB the first, 25 MiB each).
DurationNs lastBucket(const RuleContext& context, const GradientBuckets& buckets) {
    constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;
    constexpr std::int64_t kUsualBytes = 25 * kMiB;
    const std::int64_t bytes = buckets.stepBytes();
    const std::int64_t over = bytes > kMiB ? (bytes - kMiB) % kUsualBytes : bytes;
    const auto& fits = context.facts.collectives.fits;
    const auto fit =
        std::ranges::find_if(fits, [&](const TransferFit& f) { return f.isOf(*buckets.sent().front().collective); });
    if (fit != fits.end()) {
        return fit->latency_ns + static_cast<DurationNs>(static_cast<double>(over) / fit->gb_per_s);
    }
    const double share = static_cast<double>(over) / static_cast<double>(std::max<std::int64_t>(1, bytes));
    return static_cast<DurationNs>(share * static_cast<double>(buckets.stepTransfer()));
}

/// The largest buckets that a rank of the finding sent.
std::vector<GradientBuckets::Sent> largest(const GradientBuckets& buckets, const std::vector<std::uint32_t>& ranks) {
    std::vector<GradientBuckets::Sent> sent;
    std::ranges::copy_if(buckets.sent(), std::back_inserter(sent), [&ranks](const GradientBuckets::Sent& s) {
        return std::ranges::find(ranks, s.rank) != ranks.end();
    });
    std::ranges::stable_sort(sent, std::greater<>(), [](const auto& s) { return *s.collective->bytes; });
    return sent;
}

}  // namespace

void findLargeBuckets(const RuleContext& context, Diagnosis& diagnosis) {
    const GradientBuckets buckets(context);
    if (!buckets.tooLarge()) {
        return;
    }
    const auto in_ledger = [&buckets](const LedgerEntry& e) { return buckets.owns(e); };
    const DurationNs last_ns = lastBucket(context, buckets);
    const DurationNs left_ns = std::max(last_ns, beyondBackward(context, buckets));
    const double left =
        static_cast<double>(left_ns) / static_cast<double>(std::max<DurationNs>(1, buckets.stepTransfer()));
    RunChange smaller;
    smaller.transfer = [&facts = context.facts, buckets, left](std::uint32_t c, DurationNs transfer_ns) {
        const Collective& collective = facts.collectives.collectives[c];
        const DurationNs usual_ns = usualPart(collective, transfer_ns);
        const auto left_of_it = static_cast<DurationNs>(std::min(1.0, left) * static_cast<double>(usual_ns));
        return buckets.owns(collective) ? transfer_ns - usual_ns + left_of_it : transfer_ns;
    };
    const Price price = context.claims.price("bucket-size", in_ledger, smaller);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    const std::vector<GradientBuckets::Sent> sent = largest(buckets, price.ranks);
    if (sent.empty()) {
        return;
    }
    Finding finding = makeFinding("bucket-size", price, context.facts.ranks.size());
    // A parameter is never divided among buckets, and sizes of parameters are not in the trace.
    finding.confidence = std::min(finding.confidence, Confidence::Medium);
    finding.title = context.advice.title(finding.id);
    const Collective& worst = *sent.front().collective;
    finding.why = "DistributedDataParallel sends gradients in buckets of up to " +
                  formatBytes(static_cast<std::uint64_t>(*worst.bytes)) + " (bucket_cap_mb is 25 unless it is set), " +
                  "and such a bucket is sent only when all of its gradients are there. The device does nothing but " +
                  "transfer them for " + formatDuration(price.blocked_ns) + " of the median step. In smaller buckets " +
                  "that are sent while the backward runs " + replayText(context, price) +
                  "; the last of them, with what is over of the gradients, still shows for " + formatDuration(last_ns) +
                  ".";
    finding.remedies = context.advice.remedies(finding.id, {"large"});
    for (const GradientBuckets::Sent& one : sent) {
        if (finding.evidence.size() < kMostEvidence) {
            finding.evidence.push_back(
                {one.rank, one.step->index, one.collective->memberOf(one.rank)->slices.front(),
                 "sends " + formatBytes(static_cast<std::uint64_t>(*one.collective->bytes)) + " at once"});
        }
    }
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
