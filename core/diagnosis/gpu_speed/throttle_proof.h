// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Spans of time of a rank, on its file clock.
struct RankSpans {
    RankPosition rank;
    std::vector<TimeSpan> spans;
};

/// Why a GPU is slow, according to its sensors.
struct ThrottleProof {
    bool proven = false;    ///< its clock falls as its kernels slow down, or its power or temperature is at a limit
    bool recorded = false;  ///< any of its sensors was recorded in that time
    std::string text;       ///< sentences with the numbers; empty if the sensors show nothing about it
};

/// Compares the sensors of `slow`'s GPU in its spans with those of `fast` in theirs: the same GPU earlier, or its peers
/// in the same steps. `factor`: how many times as long its kernels take.
[[nodiscard]] ThrottleProof throttleProof(const RuleContext& context, const RankSpans& slow,
                                          const std::vector<RankSpans>& fast, double factor);

/// The same as sentences: proven, or what the slowdown is consistent with and what to record.
[[nodiscard]] std::string proofText(const Sentences& say, const ThrottleProof& proof);

}  // namespace rankscope
