// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

inline constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;
/// DDP closes the first bucket of a step at this size, for any bucket_cap_mb (dist._DEFAULT_FIRST_BUCKET_BYTES).
inline constexpr std::int64_t kFirstBucketBytes = kMiB;

/// A gradient bucket that DDP sent in a step of the run.
struct StepBucket {
    CollectivePosition collective;
    RunStepPosition step;
};

/// The gradient buckets of all steps, by step, group and type, in the order sent. They are the all-reduces that DDP
/// sends from the backward, if all members were recorded with launches, sizes and transfers. They do not include DDP's
/// map of used parameters, or what an autograd node sends.
[[nodiscard]] std::vector<StepBucket> stepBuckets(const RuleContext& context);

/// Whether two buckets have the same step, group and type, so that DDP could merge them.
[[nodiscard]] bool goTogether(const RunFacts& facts, const StepBucket& a, const StepBucket& b);

}  // namespace rankscope
