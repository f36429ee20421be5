// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/rules.h"

namespace rankscope {

/// What most of the time went to by which a rank was later than the others.
enum class LateBecause : std::uint8_t {
    SlowerKernels,  ///< as many kernels that take longer: clocks, heat, or more work in each
    MoreKernels,    ///< more of them: an uneven shard
    DataLoader,
    HostSync,
    BlockingCopy,
    Allocator,
    Host,  ///< launches, operators, Python, and what is not recorded
    Copies,
};
[[nodiscard]] std::string_view lateBecauseName(LateBecause cause);  ///< as in the JSON: "slower-kernels"

/// A step in which ranks held the others up.
struct LateStep {
    std::uint32_t step = 0;            ///< index in RunFacts::steps
    std::vector<std::uint32_t> ranks;  ///< who, as indices in Run::ranks
};

/// Why ranks were late: the part of their own time that exceeds the median of the others most.
struct LateCause {
    LateBecause because = LateBecause::SlowerKernels;
    DurationNs excess_ns = 0;  ///< own time over the others' median: a step and rank, median
    DurationNs part_ns = 0;    ///< how much of it is this cause's
    double longer = 1.0;       ///< of kernels: their time over the others'
};
[[nodiscard]] LateCause causeOfLateness(const RuleContext& context, const std::vector<LateStep>& steps);
/// In words, with its numbers: "its kernels take 1.15 times as long as on the others (6.1 ms of it)".
[[nodiscard]] std::string lateCauseText(const LateCause& cause);

/// Evidence for the steps in which it cost most: who came last, who waited, and what the late one did. At most eight.
[[nodiscard]] std::vector<Evidence> evidenceOfLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                                       LateBecause cause);

/// How long the rank that waits most stood still in the median of `steps`, for ranks that were late.
[[nodiscard]] DurationNs longestWait(const RuleContext& context, const std::vector<LateStep>& steps);

/// The steps that stragglers are judged on: ordinary ones with own times.
[[nodiscard]] std::vector<std::uint32_t> judgedSteps(const RuleContext& context);

/// Ranks hold the others up if they cost this share of the step: less may be the clocks' (design 4.7).
inline constexpr double kLeastLateness = 0.03;

/// The ranks that hold the others up in most steps, dearest first; empty where none do.
[[nodiscard]] std::vector<std::uint32_t> steadyStragglers(const RuleContext& context);

/// Prices and texts that both kinds of straggler share; empty title and remedies are the rule's.
[[nodiscard]] Finding lateFinding(const RuleContext& context, std::string id, const std::vector<LateStep>& steps,
                                  const std::vector<DurationNs>& savings, const LateCause& cause);

}  // namespace rankscope
