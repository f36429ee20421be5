// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/merged_buckets.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/analysis/collectives/ddp_messages.h"
#include "core/analysis/collectives/used_map.h"
#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/base/statistics.h"
#include "core/diagnosis/gradient_buckets.h"

namespace rankscope {
namespace {

SliceRef operatorOf(const RankContext& work, const SentBucket& bucket) {
    const SliceRef op = collectiveAround(work, bucket.launch);
    return op.valid() ? op : bucket.launch;
}

/// The first slice of the thread that begins after `slice` has ended.
SliceIndex firstAfter(const SliceTable& slices, SliceIndex slice) {
    SliceIndex next = slice + 1;
    while (next < slices.size() && slices.start_ns[next] < slices.end_ns[slice]) {
        ++next;
    }
    return next;
}

/// The operators of the buckets that are gone.
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

/// The next `count` calls after `slice` on its thread that make a stream wait and belong to no collective; fewer where
/// a collective or the end of the thread comes first.
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

/// The waits for the buckets of one step, from `first` on up to `last`.
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

namespace {

constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;
constexpr std::int64_t kFirstBucket = kMiB;         // dist._DEFAULT_FIRST_BUCKET_BYTES
constexpr std::int64_t kDefaultBucket = 25 * kMiB;  // bucket_cap_mb

bool isBucket(const RuleContext& context, const Collective& collective) {
    const CollectiveMember& first = collective.members.front();
    return mayBeOfDdp(context.facts, collective, first.rank) && collective.complete && collective.transfer_ns &&
           collective.bytes && collective.dtype != "Int" &&
           std::ranges::all_of(collective.members, [](const auto& member) { return member.launch.valid(); }) &&
           isSentByReducer(*context.work[first.rank].trace, context.facts.ranks[first.rank], first.launch);
}

}  // namespace

MergedBuckets::MergedBuckets(const RuleContext& context) {
    const std::vector<Bucket> buckets = bucketsOf(context);
    merge(context, buckets);
    if (!gone_.empty()) {
        describe(context, buckets);
    }
}

/// The buckets of all steps of the run, step by step, in the order in which they were sent.
std::vector<MergedBuckets::Bucket> MergedBuckets::bucketsOf(const RuleContext& context) {
    std::map<std::pair<RankPosition, RankStepPosition>, RunStepPosition> run_steps;
    for (RunStepPosition s; s < context.facts.steps.size(); ++s) {
        const RunStep& step = context.facts.steps[s];
        for (RankPosition r{0}; r < step.by_rank.size(); ++r) {
            if (const std::optional<RankStepPosition> own = step.of(r)) {
                run_steps[{r, *own}] = s;
            }
        }
    }
    std::vector<Bucket> buckets;
    const std::vector<Collective>& collectives = context.facts.collectives.collectives;
    for (CollectivePosition c{0}; c < collectives.size(); ++c) {
        if (!isBucket(context, collectives[c])) {
            continue;
        }
        const CollectiveMember& first = collectives[c].members.front();
        const auto own = slotOf(context.work[first.rank].marks.marks, first.call.start_ns).step();
        const auto step = own ? run_steps.find({first.rank, *own}) : run_steps.end();
        if (step != run_steps.end()) {
            buckets.push_back({c, step->second});
        }
    }
    std::ranges::stable_sort(buckets, {}, [&](const Bucket& b) {
        return std::tuple(b.step, collectives[b.collective].group, std::string_view(collectives[b.collective].dtype));
    });
    return buckets;
}

void MergedBuckets::merge(const RuleContext& context, const std::vector<Bucket>& buckets) {
    const std::vector<Collective>& collectives = context.facts.collectives.collectives;
    transfers_.assign(collectives.size(), -1);
    const auto same = [&](const Bucket& a, const Bucket& b) {
        return a.step == b.step && collectives[a.collective].group == collectives[b.collective].group &&
               collectives[a.collective].dtype == collectives[b.collective].dtype;
    };
    bool first_of_step = true;
    std::int64_t bytes = 0;
    DurationNs transfer_ns = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const Collective& collective = collectives[buckets[i].collective];
        const auto fit = std::ranges::find_if(context.facts.collectives.fits,
                                              [&](const TransferFit& f) { return f.isOf(collective); });
        fit_ = fit == context.facts.collectives.fits.end() ? fit_ : &*fit;
        const DurationNs latency_ns = fit == context.facts.collectives.fits.end() ? 0 : fit->latency_ns;
        const DurationNs before_ns = transfer_ns;
        bytes += *collective.bytes;
        transfer_ns +=
            before_ns == 0 ? *collective.transfer_ns : std::max<DurationNs>(0, *collective.transfer_ns - latency_ns);
        const bool last_of_step = i + 1 == buckets.size() || !same(buckets[i], buckets[i + 1]);
        if (!last_of_step && bytes < (first_of_step ? kFirstBucket : kDefaultBucket)) {
            gone_.push_back(buckets[i].collective);
            continue;
        }
        if (before_ns > 0) {
            transfers_[buckets[i].collective] = transfer_ns;
        }
        first_of_step = last_of_step;
        bytes = 0;
        transfer_ns = 0;
    }
    std::ranges::sort(gone_);
}

void MergedBuckets::describe(const RuleContext& context, const std::vector<Bucket>& buckets) {
    const std::vector<Collective>& collectives = context.facts.collectives.collectives;
    std::vector<DurationNs> all(context.facts.steps.size());
    std::vector<DurationNs> gone(context.facts.steps.size());
    std::vector<std::int64_t> bytes;
    sent_.resize(context.facts.ranks.size());
    for (const Bucket& bucket : buckets) {
        const bool is_gone = std::ranges::binary_search(gone_, bucket.collective);
        ++all[bucket.step];
        gone[bucket.step] += is_gone ? 1 : 0;
        bytes.push_back(*collectives[bucket.collective].bytes);
        for (const CollectiveMember& member : collectives[bucket.collective].members) {
            sent_[member.rank].push_back({member.launch, bucket.step, is_gone});
        }
    }
    in_step_ = static_cast<std::size_t>(lowerMedian(std::move(all)));
    gone_in_step_ = std::min(in_step_, static_cast<std::size_t>(lowerMedian(std::move(gone))));
    median_bytes_ = lowerMedian(std::move(bytes));
}

RunChange MergedBuckets::change(const RuleContext& context) const {
    RunChange change;
    change.removed = [gone = gone_](CollectivePosition c) { return std::ranges::binary_search(gone, c); };
    change.transfer = [transfers = transfers_, &facts = context.facts](CollectivePosition c, DurationNs transfer_ns) {
        // One of several kernels takes its share.
        const DurationNs whole_ns = std::max<DurationNs>(1, facts.collectives.collectives[c].transfer_ns.value_or(1));
        const double share = static_cast<double>(transfer_ns) / static_cast<double>(whole_ns);
        return transfers[c] < 0 ? transfer_ns : static_cast<DurationNs>(share * static_cast<double>(transfers[c]));
    };
    change.of_rank = [sent = sent_, &work = context.work](RankPosition rank) {
        return ReplayChange{.host = withoutSending(work[rank], sent[rank])};
    };
    return change;
}

}  // namespace rankscope
