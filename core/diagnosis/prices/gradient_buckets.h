// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Whether DDP may have sent it: an all-reduce that a rank that uses DDP takes part in, in a group whose role is data
/// or is not known. What layers that are divided sum up is none, and no option of DDP is about it.
[[nodiscard]] bool mayBeOfDdp(const RunFacts& facts, const Collective& collective, RankPosition rank);

/// The all-reduces in which DDP sends gradients, if their sizes and the backward were recorded, and whether they are
/// too large to overlap with the backward: most of their time is in buckets of more than twice DDP's default, 25 MiB,
/// and less than a tenth of it overlaps with computation.
class GradientBuckets {
  public:
    explicit GradientBuckets(const RuleContext& context);

    /// A rank's part in an all-reduce of a complete, steady-state step.
    struct Sent {
        const Collective* collective = nullptr;
        RankPosition rank;
        const RankStep* step = nullptr;
    };

    /// Whether most of the transfer time is in buckets too large for the backward to hide it, as said above. False
    /// where sizes or the backward were not recorded.
    [[nodiscard]] bool tooLarge() const { return too_large_; }
    /// The parts of all ranks in these all-reduces, in complete, steady-state steps only. They point into the facts of
    /// the run, which must outlive them.
    [[nodiscard]] const std::vector<Sent>& sent() const { return sent_; }
    /// Their transfer in the median step of a rank.
    [[nodiscard]] DurationNs stepTransfer() const { return step_transfer_ns_; }
    /// Their bytes in the median step of a rank.
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

/// What of the gradients of a step no bucket size could hide: what they transfer beyond the computation of the
/// backward, on the rank that paces it. Median.
[[nodiscard]] DurationNs beyondBackward(const RuleContext& context, const GradientBuckets& buckets);
/// The longest of the transfers of gradients of a step, on the rank that paces it. Median.
[[nodiscard]] DurationNs longestTransfer(const RuleContext& context, const GradientBuckets& buckets);

}  // namespace rankscope
