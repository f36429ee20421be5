// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/merged_buckets.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/analysis/collectives/ddp_messages.h"
#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;
constexpr std::int64_t kFirstBucket = kMiB;         // dist._DEFAULT_FIRST_BUCKET_BYTES
constexpr std::int64_t kDefaultBucket = 25 * kMiB;  // bucket_cap_mb

bool isBucket(const RuleContext& context, const Collective& collective) {
    const CollectiveMember& first = collective.members.front();
    return collective.kind == CollectiveKind::AllReduce && collective.complete && collective.transfer_ns &&
           collective.bytes && collective.dtype != "Int" && context.facts.ranks[first.rank].ddp.in_use &&
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
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> run_steps;  // by rank and its own step
    for (std::size_t s = 0; s < context.facts.steps.size(); ++s) {
        const RunStep& step = context.facts.steps[s];
        for (std::uint32_t r = 0; r < step.by_rank.size(); ++r) {
            if (const std::optional<std::uint32_t> own = step.of(r)) {
                run_steps[{r, *own}] = s;
            }
        }
    }
    std::vector<Bucket> buckets;
    const std::vector<Collective>& collectives = context.facts.collectives.collectives;
    for (std::uint32_t c = 0; c < collectives.size(); ++c) {
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
    in_step_ = static_cast<std::size_t>(medianOf(std::move(all)));
    gone_in_step_ = std::min(in_step_, static_cast<std::size_t>(medianOf(std::move(gone))));
    median_bytes_ = medianOf(std::move(bytes));
}

RunChange MergedBuckets::change(const RuleContext& context) const {
    RunChange change;
    change.removed = [gone = gone_](std::uint32_t c) { return std::ranges::binary_search(gone, c); };
    change.transfer = [transfers = transfers_, &facts = context.facts](std::uint32_t c, DurationNs transfer_ns) {
        // One of several kernels takes its share.
        const DurationNs whole_ns = std::max<DurationNs>(1, facts.collectives.collectives[c].transfer_ns.value_or(1));
        const double share = static_cast<double>(transfer_ns) / static_cast<double>(whole_ns);
        return transfers[c] < 0 ? transfer_ns : static_cast<DurationNs>(share * static_cast<double>(transfers[c]));
    };
    change.of_rank = [sent = sent_, &work = context.work](std::uint32_t rank) {
        return ReplayChange{.host = withoutSending(work[rank], sent[rank])};
    };
    return change;
}

}  // namespace rankscope
