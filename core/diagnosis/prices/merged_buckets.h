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
    std::size_t step = 0;  ///< any number that distinguishes steps
    bool gone = false;     ///< it would not be sent
};

/// Removes the host's work for buckets that are gone: their operators, the unrecorded time between two of them in a
/// row, and the calls at the end of the backward that make the compute stream wait for each bucket
/// (`Reducer::finalize_backward`). Those calls only if there are as many as buckets. `sent` has all buckets of a rank,
/// in the order sent.
[[nodiscard]] std::vector<HostChange> withoutSending(const RankContext& work, const std::vector<SentBucket>& sent);

/// The host's time per bucket at the end of the backward, to make the compute stream wait for it. `count` is the number
/// of buckets of the step, and `last` launched the last one. 0 if there are not as many such calls.
[[nodiscard]] DurationNs waitForEach(const RankContext& work, SliceRef last, std::size_t count);

/// Gradient buckets in other sizes.
struct ResentBuckets {
    std::vector<CollectivePosition> gone;       ///< buckets that would not be sent, sorted
    std::vector<DurationNs> transfers;          ///< by collective, its new transfer time; -1: unchanged
    std::vector<std::vector<SentBucket>> sent;  ///< by rank: all buckets that were sent

    /// The change for a replay. It refers to the facts of the run.
    [[nodiscard]] RunChange change(const RuleContext& context) const;
};

/// ResentBuckets::sent for `buckets`, of which those in `gone` are not sent.
[[nodiscard]] std::vector<std::vector<SentBucket>> sentByRank(const RuleContext& context,
                                                              const std::vector<StepBucket>& buckets,
                                                              const std::vector<CollectivePosition>& gone);

/// The run with DDP's default buckets. The gradient buckets of a step are merged in sequence up to bucket_cap_mb's
/// default of 25 MiB (the first up to 1 MiB, as in DDP); the last of each group sends all of them. The others are not
/// sent, so the host does not wait for them at the end of the backward either.
///
/// A merged message takes as long as its parts, minus the latency of all but one if a fit has it. Gradient buckets are
/// the all-reduces of one group and type that DDP sends from the backward. They do not include its map of used
/// parameters, or what an autograd node sends, as SyncBatchNorm does.
class MergedBuckets {
  public:
    explicit MergedBuckets(const RuleContext& context);

    /// The collectives that would not be sent, sorted.
    [[nodiscard]] const std::vector<CollectivePosition>& gone() const { return resent_.gone; }
    [[nodiscard]] std::size_t inStep() const { return in_step_; }                      ///< buckets per step, median
    [[nodiscard]] std::size_t leftInStep() const { return in_step_ - gone_in_step_; }  ///< that remain, median
    [[nodiscard]] std::int64_t medianBytes() const { return median_bytes_; }           ///< median size of a bucket
    /// The fit of these buckets' transfers; nullptr if there is none.
    [[nodiscard]] const TransferFit* fit() const { return fit_; }
    /// The change for a replay. It refers to the facts of the run.
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
