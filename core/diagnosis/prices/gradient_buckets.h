// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Whether DDP may have sent it: an all-reduce with a member that uses DDP, in a group whose role is data or unknown.
/// All-reduces of tensor parallelism are not DDP's, and no option of DDP changes them.
[[nodiscard]] bool mayBeOfDdp(const RunFacts& facts, const Collective& collective, RankPosition rank);

/// The all-reduces in which DDP sends gradients, if their sizes and the backward were recorded. They are too large to
/// overlap with the backward if most of their time is in buckets over twice DDP's default of 25 MiB, and less than a
/// tenth of it overlaps with compute.
class GradientBuckets {
  public:
    explicit GradientBuckets(const RuleContext& context);

    /// A rank's part in an all-reduce of a complete, steady-state step.
    struct Sent {
        const Collective* collective = nullptr;
        RankPosition rank;
        const RankStep* step = nullptr;
    };

    /// Whether the buckets are too large for the backward to hide, as defined above. False if sizes or the backward
    /// were not recorded.
    [[nodiscard]] bool tooLarge() const { return too_large_; }
    /// All ranks' parts in these all-reduces, in complete, steady-state steps. They point into the run's facts, which
    /// must outlive them.
    [[nodiscard]] const std::vector<Sent>& sent() const { return sent_; }
    /// Transfer time per step of a rank, median.
    [[nodiscard]] DurationNs stepTransfer() const { return step_transfer_ns_; }
    /// Bytes per step of a rank, median.
    [[nodiscard]] std::int64_t stepBytes() const { return step_bytes_; }
    /// Whether the price of too large buckets includes a ledger entry, or a collective.
    [[nodiscard]] bool owns(const LedgerEntry& entry) const;
    [[nodiscard]] bool owns(const Collective& collective) const;

  private:
    std::vector<Sent> sent_;
    std::string name_;  // of the all-reduces
    DurationNs step_transfer_ns_ = 0;
    std::int64_t step_bytes_ = 0;
    bool too_large_ = false;
};

/// Transfer time of gradients that no bucket size can hide: what exceeds the backward's compute, on the critical rank.
/// Median per step.
[[nodiscard]] DurationNs beyondBackward(const RuleContext& context, const GradientBuckets& buckets);
/// The longest gradient transfer of a step on its critical rank, median.
[[nodiscard]] DurationNs longestTransfer(const RuleContext& context, const GradientBuckets& buckets);

}  // namespace rankscope
