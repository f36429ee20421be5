// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/merged_buckets.h"

#include <algorithm>
#include <string_view>

#include "core/analysis/collectives/used_map.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

SliceRef operatorOf(const RankContext& work, const SentBucket& bucket) {
    const SliceRef op = collectiveAround(work, bucket.launch);
    return op.valid() ? op : bucket.launch;
}

/// The first slice of the thread that begins after the end of `slice`.
SliceIndex firstAfter(const SliceTable& slices, SliceIndex slice) {
    SliceIndex next = slice + 1;
    while (next < slices.size() && slices.start_ns[next] < slices.end_ns[slice]) {
        ++next;
    }
    return next;
}

/// Adds the operators of the removed buckets.
void addOperators(const RankContext& work, const std::vector<SentBucket>& sent, std::vector<HostChange>& changes) {
    SliceRef before;
    for (const SentBucket& bucket : sent) {
        const SliceRef op = operatorOf(work, bucket);
        const SliceTable& slices = work.trace->track(op).slices;
        TimeSpan span = slices.span(op.slice);
        if (before.valid() && before.track == op.track && firstAfter(slices, before.slice) == op.slice) {
            span.start_ns = slices.end_ns[before.slice];
        }
        if (bucket.gone) {
            changes.push_back({span, 0});
        }
        before = op;
    }
}

/// The next `count` calls after `slice` on its thread that make a stream wait and belong to no collective. Fewer if a
/// collective or the end of the thread comes first.
std::vector<SliceIndex> streamWaitsAfter(const RankContext& work, SliceRef slice, std::size_t count) {
    const SliceTable& slices = work.trace->track(slice).slices;
    std::vector<SliceIndex> waits;
    for (SliceIndex i = firstAfter(slices, slice.slice); i < slices.size() && waits.size() < count; ++i) {
        if (!slices.name[i].valid() || collectiveAround(work, {slice.track, i}).valid()) {
            continue;
        }
        const std::string_view name = work.trace->strings.view(slices.name[i]);
        if (name.starts_with("ProfilerStep#")) {
            break;
        }
        if (name.find("StreamWaitEvent") != std::string_view::npos) {
            waits.push_back(i);
        }
    }
    return waits;
}

/// Adds the waits for the buckets of one step, from `first` up to `last`.
void addWaits(const RankContext& work, std::vector<SentBucket>::const_iterator first,
              std::vector<SentBucket>::const_iterator last, std::vector<HostChange>& changes) {
    const auto count = static_cast<std::size_t>(last - first);
    const SliceRef op = operatorOf(work, *(last - 1));
    const std::vector<SliceIndex> waits = streamWaitsAfter(work, op, count);
    if (waits.size() != count) {
        return;
    }
    const SliceTable& slices = work.trace->track(op).slices;
    for (std::size_t i = 0; i < count; ++i) {
        if (first[static_cast<std::ptrdiff_t>(i)].gone) {
            const bool in_a_row = i + 1 < count && waits[i + 1] == waits[i] + 1;
            const TimeNs end_ns = in_a_row ? slices.start_ns[waits[i + 1]] : slices.end_ns[waits[i]];
            changes.push_back({{slices.start_ns[waits[i]], end_ns}, 0});
        }
    }
}

}  // namespace

std::vector<HostChange> withoutSending(const RankContext& work, const std::vector<SentBucket>& sent) {
    std::vector<HostChange> changes;
    addOperators(work, sent, changes);
    for (auto first = sent.begin(); first != sent.end();) {
        const auto last = std::find_if(first, sent.end(), [&](const SentBucket& b) { return b.step != first->step; });
        addWaits(work, first, last, changes);
        first = last;
    }
    return changes;
}

DurationNs waitForEach(const RankContext& work, SliceRef last, std::size_t count) {
    const SliceRef op = operatorOf(work, {.launch = last});
    const std::vector<SliceIndex> waits = streamWaitsAfter(work, op, count);
    if (waits.size() != count || waits.empty()) {
        return 0;
    }
    const SliceTable& slices = work.trace->track(op).slices;
    return (slices.end_ns[waits.back()] - slices.start_ns[waits.front()]) / static_cast<DurationNs>(count);
}

std::vector<std::vector<SentBucket>> sentByRank(const RuleContext& context, const std::vector<StepBucket>& buckets,
                                                const std::vector<CollectivePosition>& gone) {
    std::vector<std::vector<SentBucket>> sent(context.facts.ranks.size());
    for (const StepBucket& bucket : buckets) {
        const bool is_gone = std::ranges::binary_search(gone, bucket.collective);
        for (const CollectiveMember& member : context.facts.collectives.collectives[bucket.collective].members) {
            sent[member.rank].push_back({member.launch, bucket.step, is_gone});
        }
    }
    return sent;
}

RunChange ResentBuckets::change(const RuleContext& context) const {
    RunChange change;
    change.removed = [gone = gone](CollectivePosition c) { return std::ranges::binary_search(gone, c); };
    change.transfer = [transfers = transfers, &facts = context.facts](CollectivePosition c, DurationNs transfer_ns) {
        // If a collective has several kernels, each takes its share.
        const DurationNs whole_ns = std::max<DurationNs>(1, facts.collectives.collectives[c].transfer_ns.value_or(1));
        const double share = static_cast<double>(transfer_ns) / static_cast<double>(whole_ns);
        return transfers[c] < 0 ? transfer_ns : static_cast<DurationNs>(share * static_cast<double>(transfers[c]));
    };
    change.of_rank = [sent = sent, &work = context.work](RankPosition rank) {
        return ReplayChange{.host = withoutSending(work[rank], sent[rank])};
    };
    return change;
}

namespace {

constexpr std::int64_t kDefaultBucket = 25 * kMiB;  // bucket_cap_mb

}  // namespace

MergedBuckets::MergedBuckets(const RuleContext& context) {
    const std::vector<StepBucket> buckets = stepBuckets(context);
    merge(context, buckets);
    if (!resent_.gone.empty()) {
        describe(context, buckets);
    }
}

void MergedBuckets::merge(const RuleContext& context, const std::vector<StepBucket>& buckets) {
    const std::vector<Collective>& collectives = context.facts.collectives.collectives;
    resent_.transfers.assign(collectives.size(), -1);
    bool first_of_step = true;
    std::int64_t bytes = 0;
    DurationNs transfer_ns = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const Collective& collective = collectives[buckets[i].collective];
        const TransferFit* const fit = context.facts.collectives.fitOf(collective);
        fit_ = fit == nullptr ? fit_ : fit;
        const DurationNs latency_ns = fit == nullptr ? 0 : fit->latency_ns;
        const DurationNs before_ns = transfer_ns;
        bytes += *collective.bytes;
        transfer_ns +=
            before_ns == 0 ? *collective.transfer_ns : std::max<DurationNs>(0, *collective.transfer_ns - latency_ns);
        const bool last_of_step = i + 1 == buckets.size() || !goTogether(context.facts, buckets[i], buckets[i + 1]);
        if (!last_of_step && bytes < (first_of_step ? kFirstBucketBytes : kDefaultBucket)) {
            resent_.gone.push_back(buckets[i].collective);
            continue;
        }
        if (before_ns > 0) {
            resent_.transfers[buckets[i].collective] = transfer_ns;
        }
        first_of_step = last_of_step;
        bytes = 0;
        transfer_ns = 0;
    }
    std::ranges::sort(resent_.gone);
}

void MergedBuckets::describe(const RuleContext& context, const std::vector<StepBucket>& buckets) {
    const std::vector<Collective>& collectives = context.facts.collectives.collectives;
    std::vector<DurationNs> all(context.facts.steps.size());
    std::vector<DurationNs> gone(context.facts.steps.size());
    std::vector<std::int64_t> bytes;
    resent_.sent = sentByRank(context, buckets, resent_.gone);
    for (const StepBucket& bucket : buckets) {
        const bool is_gone = std::ranges::binary_search(resent_.gone, bucket.collective);
        ++all[bucket.step];
        gone[bucket.step] += is_gone ? 1 : 0;
        bytes.push_back(*collectives[bucket.collective].bytes);
    }
    in_step_ = static_cast<std::size_t>(lowerMedian(std::move(all)));
    gone_in_step_ = std::min(in_step_, static_cast<std::size_t>(lowerMedian(std::move(gone))));
    median_bytes_ = lowerMedian(std::move(bytes));
}

}  // namespace rankscope
