// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/rank_context.h"
#include "core/analysis/replay/replay.h"
#include "core/analysis/replay/run_replay.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/step_buckets.h"

namespace rankscope {

/// A gradient bucket that a rank sent.
struct SentBucket {
    SliceRef launch;
    std::size_t step = 0;  ///< its step: any number that distinguishes steps
    bool gone = false;     ///< it would not be sent
};

/// The host's work for buckets that are gone takes no time: their operators, with the unrecorded time between two that
/// are sent in a row, and the calls at the end of the backward that make the compute stream wait for each bucket
/// (`Reducer::finalize_backward`). The latter only if there are as many as buckets. `sent` has all buckets of a rank,
/// in the order in which they were sent.
[[nodiscard]] std::vector<HostChange> withoutSending(const RankContext& work, const std::vector<SentBucket>& sent);

/// The host's time at the end of the backward for each of the `count` buckets of a step, the last of which was launched
/// by `last`, to make the compute stream wait for it. 0 if there are not as many such calls.
[[nodiscard]] DurationNs waitForEach(const RankContext& work, SliceRef last, std::size_t count);

/// Gradient buckets as they would be sent.
struct ResentBuckets {
    std::vector<CollectivePosition> gone;       ///< that would not be sent, sorted
    std::vector<DurationNs> transfers;          ///< by collective, what it would take; -1: as it took
    std::vector<std::vector<SentBucket>> sent;  ///< by rank: all buckets that were sent

    /// What a replay leaves out. It refers to the facts of the run.
    [[nodiscard]] RunChange change(const RuleContext& context) const;
};

/// ResentBuckets::sent where of `buckets` those are `gone`.
[[nodiscard]] std::vector<std::vector<SentBucket>> sentByRank(const RuleContext& context,
                                                              const std::vector<StepBucket>& buckets,
                                                              const std::vector<CollectivePosition>& gone);

/// The run as it would be with DDP's usual buckets. Of the gradient buckets that a step sends in sequence, each waits
/// for the next until they have bucket_cap_mb's default of 25 MiB together (1 MiB the first, as in DDP), and the last
/// of them sends all. The others are not sent, so the host does not wait for them at the end of the backward either.
///
/// A message of all their bytes takes as long as they took, minus the latency of all but one if a fit has it. Gradient
/// buckets are the all-reduces of one group and type that DDP sends from the backward: not its map of used parameters,
/// and none that a node of autograd sends, as SyncBatchNorm does.
class MergedBuckets {
  public:
    explicit MergedBuckets(const RuleContext& context);

    /// The collectives that would not be sent, sorted.
    [[nodiscard]] const std::vector<CollectivePosition>& gone() const { return resent_.gone; }
    [[nodiscard]] std::size_t inStep() const { return in_step_; }                      ///< buckets of a step, median
    [[nodiscard]] std::size_t leftInStep() const { return in_step_ - gone_in_step_; }  ///< that would be sent
    [[nodiscard]] std::int64_t medianBytes() const { return median_bytes_; }           ///< of the median bucket
    /// Of the transfers of these buckets; nullptr if there is none.
    [[nodiscard]] const TransferFit* fit() const { return fit_; }
    /// What a replay leaves out. It refers to the facts of the run.
    [[nodiscard]] RunChange change(const RuleContext& context) const { return resent_.change(context); }

  private:
    void merge(const RuleContext& context, const std::vector<StepBucket>& buckets);
    void describe(const RuleContext& context, const std::vector<StepBucket>& buckets);

    ResentBuckets resent_;
    const TransferFit* fit_ = nullptr;
    std::size_t gone_in_step_ = 0;
    std::size_t in_step_ = 0;
    std::int64_t median_bytes_ = 0;
};

}  // namespace rankscope
