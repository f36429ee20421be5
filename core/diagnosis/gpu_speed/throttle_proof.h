// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Stretches of time of a rank, on its file clock.
struct RankSpans {
    RankPosition rank;
    std::vector<TimeSpan> spans;
};

/// What the sensors of a GPU show of why it is slow.
struct ThrottleProof {
    bool proven = false;    ///< its clock falls as its kernels slow down, or its power or temperature is at a limit
    bool recorded = false;  ///< any of its sensors was recorded in that time
    std::string text;       ///< sentences with the numbers; empty if the sensors show nothing of it
};

/// Holds the sensors of `slow`'s GPU in its spans against those of `fast` in theirs: the same GPU before, or those of
/// its peers in the same steps. `factor`: how many times as long its kernels take.
[[nodiscard]] ThrottleProof throttleProof(const RuleContext& context, const RankSpans& slow,
                                          const std::vector<RankSpans>& fast, double factor);

/// The same in sentences: proven, or what it is consistent with and what to record.
[[nodiscard]] std::string proofText(const Sentences& say, const ThrottleProof& proof);

}  // namespace rankscope
