// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

inline constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;
/// The first bucket of a step is closed at this size, whatever bucket_cap_mb (dist._DEFAULT_FIRST_BUCKET_BYTES).
inline constexpr std::int64_t kFirstBucketBytes = kMiB;

/// A gradient bucket that DDP sent in a step of the run.
struct StepBucket {
    CollectivePosition collective;
    RunStepPosition step;
};

/// The buckets of all steps of the run, step by step, by group and type, in the order in which they were sent. They are
/// all-reduces that DDP sends from the backward, all members of which were recorded with their launches, their size and
/// their transfer: not its map of used parameters, and none that a node of autograd sends.
[[nodiscard]] std::vector<StepBucket> stepBuckets(const RuleContext& context);

/// Whether two of them are of one step, group and type: DDP could send them as one.
[[nodiscard]] bool goTogether(const RunFacts& facts, const StepBucket& a, const StepBucket& b);

}  // namespace rankscope
