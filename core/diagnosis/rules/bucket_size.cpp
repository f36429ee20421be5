// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/gradient_buckets.h"
#include "core/diagnosis/prices/merged_buckets.h"
#include "core/diagnosis/prices/price_remedy.h"

namespace rankscope {
namespace bucket_size {
namespace {

constexpr std::size_t kMostEvidence = 8;
constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;
constexpr std::int64_t kTypicalBytes = 25 * kMiB;

// Too small: each bucket costs the host a call and the network a start.

/// Whether the host spent the time sending a collective.
bool isSending(const LedgerEntry& entry) {
    return entry.owner == Owner::Blocked && (entry.label.starts_with("c10d::") || entry.label.starts_with("nccl:") ||
                                             entry.label.starts_with("rccl:") || entry.label == "record_param_comms");
}

/// "A transfer between these ranks takes 15.1 us at any size, ..."; empty without a fit.
std::string fitText(const RuleContext& context, const MergedBuckets& merged) {
    if (merged.fit() == nullptr) {
        return {};
    }
    const auto bytes_ns = static_cast<DurationNs>(static_cast<double>(merged.medianBytes()) / merged.fit()->gb_per_s);
    return context.sentences.fill(
        "bucket-size.fit", {{"latency", formatDuration(merged.fit()->latency_ns)}, {"time", formatDuration(bytes_ns)}});
}

std::vector<Evidence> evidenceOfSmall(const RuleContext& context, const MergedBuckets& merged,
                                      const std::vector<RankPosition>& ranks) {
    std::vector<Evidence> evidence;
    for (const CollectivePosition c : merged.gone()) {
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

RemedyCost costOfMerging(const RuleContext& context, const MergedBuckets& merged, const Price& price) {
    const TransferFit* const fit = merged.fit();
    if (fit == nullptr) {
        return costOfLargerBuckets(context, price.saving_ns, 0);
    }
    const auto fewer = static_cast<DurationNs>(merged.inStep() - merged.leftInStep());
    return costOfLargerBuckets(context, fit->at(kTypicalBytes), fewer * fit->latency_ns);
}

Explanation explainSmall(const RuleContext& context, const MergedBuckets& merged, const Price& price) {
    const Sentences& say = context.sentences;
    return {
        .why = say.fill("bucket-size.small", {{"buckets", std::to_string(merged.inStep())},
                                              {"bytes", formatBytes(static_cast<std::uint64_t>(merged.medianBytes()))},
                                              {"fit", fitText(context, merged)},
                                              {"left", std::to_string(merged.leftInStep())},
                                              {"replay", replayText(context, price)}}),
        .conditions = {"small"},
        .title = say.fill("bucket-size.small-title", {}),
        .evidence = evidenceOfSmall(context, merged, price.ranks),
        .at_most = Confidence::Medium,
        .doubt = say.fill("bucket-size.doubt", {})};
}

// Too large: a bucket is sent only when all of its gradients are ready.

/// Transfer time of the last bucket of default size, sent when no compute is left. It has the gradients that remain
/// after the full buckets (1 MiB the first, 25 MiB each).
DurationNs lastBucket(const RuleContext& context, const GradientBuckets& buckets) {
    const std::int64_t bytes = buckets.stepBytes();
    const std::int64_t over = bytes > kMiB ? (bytes - kMiB) % kTypicalBytes : bytes;
    if (const TransferFit* const fit = context.facts.collectives.fitOf(*buckets.sent().front().collective)) {
        return fit->at(over);
    }
    const double share = static_cast<double>(over) / static_cast<double>(std::max<std::int64_t>(1, bytes));
    return static_cast<DurationNs>(share * static_cast<double>(buckets.stepTransfer()));
}

/// Transfer time of a bucket of default size. With large parameters the last bucket is as large, because parameters are
/// not split.
DurationNs typicalBucket(const GradientBuckets& buckets) {
    if (buckets.stepBytes() <= kTypicalBytes) {
        return buckets.stepTransfer();
    }
    const double share = static_cast<double>(kTypicalBytes) / static_cast<double>(buckets.stepBytes());
    return static_cast<DurationNs>(share * static_cast<double>(buckets.stepTransfer()));
}

/// The buckets that `ranks` (ascending) sent, largest first.
std::vector<GradientBuckets::Sent> largest(const GradientBuckets& buckets, const std::vector<RankPosition>& ranks) {
    std::vector<GradientBuckets::Sent> sent;
    std::ranges::copy_if(buckets.sent(), std::back_inserter(sent), [&ranks](const GradientBuckets::Sent& s) {
        return std::ranges::binary_search(ranks, s.rank);
    });
    std::ranges::stable_sort(sent, std::greater<>(), [](const auto& s) { return *s.collective->bytes; });
    return sent;
}

std::vector<Evidence> evidenceOfLarge(const std::vector<GradientBuckets::Sent>& sent) {
    std::vector<Evidence> evidence;
    for (const GradientBuckets::Sent& one : sent) {
        if (evidence.size() < kMostEvidence) {
            evidence.push_back(
                {one.rank, one.step->index, one.collective->memberOf(one.rank)->slices.front(),
                 "sends " + formatBytes(static_cast<std::uint64_t>(*one.collective->bytes)) + " at once"});
        }
    }
    return evidence;
}

std::optional<Explanation> explainLarge(const RuleContext& context, const GradientBuckets& buckets, DurationNs last_ns,
                                        const Price& price) {
    const std::vector<GradientBuckets::Sent> sent = largest(buckets, price.ranks);
    if (sent.empty()) {
        return std::nullopt;
    }
    const auto most_bytes = static_cast<std::uint64_t>(*sent.front().collective->bytes);
    return Explanation{
        .why = context.sentences.fill("bucket-size.large", {{"bytes", formatBytes(most_bytes)},
                                                            {"blocked", formatDuration(price.blocked_ns)},
                                                            {"replay", replayText(context, price)},
                                                            {"last", formatDuration(last_ns)}}),
        .conditions = {"large"},
        .evidence = evidenceOfLarge(sent),
        // DDP does not split parameters over buckets, and the trace does not have their sizes.
        .at_most = Confidence::Medium,
        .doubt = context.sentences.fill("bucket-size.doubt", {})};
}

}  // namespace
}  // namespace bucket_size

std::vector<Problem> smallBuckets(const RuleContext& context) {
    using namespace bucket_size;
    if (!context.pricer.coupled()) {
        return {};  // without the other ranks, a collective cannot be removed
    }
    const auto merged = std::make_shared<const MergedBuckets>(context);
    if (merged->gone().empty() || merged->inStep() < 2) {
        return {};
    }
    const std::string name = context.facts.collectives.collectives[merged->gone().front()].name;
    return {{.id = FindingId::BucketSize,
             .owned =
                 [name](const LedgerEntry& e) {
                     return isSending(e) || (e.owner == Owner::ExposedTransfer && !e.slow_excess && e.label == name);
                 },
             .change = merged->change(context),
             .cost = [&context, merged](const Price& price) { return costOfMerging(context, *merged, price); },
             .explain = [&context, merged](const Price& price) { return explainSmall(context, *merged, price); }}};
}

std::vector<Problem> largeBuckets(const RuleContext& context) {
    using namespace bucket_size;
    const auto buckets = std::make_shared<const GradientBuckets>(context);
    if (!buckets->tooLarge()) {
        return {};
    }
    const DurationNs last_ns = lastBucket(context, *buckets);
    const DurationNs left_ns = std::max(last_ns, beyondBackward(context, *buckets));
    const double left =
        static_cast<double>(left_ns) / static_cast<double>(std::max<DurationNs>(1, buckets->stepTransfer()));
    RunChange smaller;
    smaller.transfer = [&facts = context.facts, buckets, left](CollectivePosition c, DurationNs transfer_ns) {
        const Collective& collective = facts.collectives.collectives[c];
        const DurationNs median_ns = baselinePart(collective, transfer_ns);
        const auto left_of_it = static_cast<DurationNs>(std::min(1.0, left) * static_cast<double>(median_ns));
        return buckets->owns(collective) ? transfer_ns - median_ns + left_of_it : transfer_ns;
    };
    return {{.id = FindingId::BucketSize,
             .owned = [buckets](const LedgerEntry& e) { return buckets->owns(e); },
             .change = std::move(smaller),
             // Compute slows down during transfers. A trace without such overlap does not show by how much.
             .at_most = true,
             .cost =
                 [&context, buckets](const Price& price) {
                     const DurationNs one_ns = std::min(typicalBucket(*buckets), price.saving_ns);
                     return costOfOverlap(context, RemedyKind::SmallerBuckets, price.saving_ns, one_ns);
                 },
             .explain = [&context, buckets,
                         last_ns](const Price& price) { return explainLarge(context, *buckets, last_ns, price); }}};
}

}  // namespace rankscope
