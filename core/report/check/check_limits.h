// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/memory/memory_advice.h"

// The limits from which on a line of the health check says "look here", and a question of a check list is answered
// "yes". Each limit is here once, with its reason; docs/definitions/health-check.md has the same list.
namespace rankscope::report {

/// A rank whose own work takes longer than this many times the median of its other peers': the alarm that jobs commonly
/// raise on times that ranks measure themselves before they communicate.
inline constexpr double kSlowRank = 1.1;
/// A z-score that one of 740 values exceeds by chance, if they are normally distributed. None of n values can exceed
/// sqrt(n - 1), so it takes eleven ranks.
inline constexpr double kOddRank = 3.0;
/// What a slow rank costs at least, of the step: below it there is no finding (Pricer::kLeastShare) either.
inline constexpr double kCostsOfStep = 0.01;
/// The MFU of large, well-trained models is 21 % (GPT-3), 30 to 33 % (Megatron-Turing NLG, Gopher) and 46 % (PaLM):
/// Chowdhery et al., arXiv 2204.02311, table 3. Most of them reach this.
inline constexpr double kLowMfu = 0.30;
/// Less of a step computes than does not: more than half of what the device costs buys nothing.
inline constexpr double kLittleCompute = 0.5;
/// Exposed communication, of the step: the PyTorch profiler's TensorBoard plugin speaks from here on.
inline constexpr double kMuchCommunication = 0.10;
/// What could be hidden and is not: the same.
inline constexpr double kMuchToHide = 0.10;
/// The DataLoader, of the step: the same plugin.
inline constexpr double kMuchInput = 0.05;
/// Exposed copies, of the step: what a finding of medium severity saves.
inline constexpr double kMuchCopying = 0.05;
/// Idle time, of the step: TraceLens' advice speaks from here on.
inline constexpr double kMuchIdle = 0.15;
/// Exposed communication that cannot be divided into transfer and waiting, of the step: as much as the
/// smallest finding.
inline constexpr double kTellsUndivided = 0.01;
/// A finding that saves this much of the step is of medium severity.
inline constexpr double kDearFinding = 0.05;
/// Clocks of ranks that are off by more, of the step, can mislead by as much as the least finding is about.
inline constexpr double kMuchClockError = 0.01;
/// Fewer steps do not show how they vary (core/compare/difference.h, kFewestSteps).
inline constexpr std::size_t kFewSteps = 3;

/// A part of the step, or of a whole, that is called a reason in a check list: what a finding of high severity saves.
inline constexpr double kReason = 0.10;
/// Work that is done twice, of all counted FLOPs, from which it is worth a line: that of the least finding.
inline constexpr double kRecomputes = 0.01;
/// Half of what the link can do: below it something other than the size of messages is in the way. nccl-tests reach
/// most of a link's speed with large messages.
inline constexpr double kSlowLink = 0.5;
/// More than half of the exposed communication waits for other ranks: then the link is not what is slow.
inline constexpr double kMostlyWaits = 0.5;
/// More than half of the bytes that are reduced are of 32-bit numbers: then narrower ones would move up to half as
/// much.
inline constexpr double kMostlyWide = 0.5;
/// The greatest over the least peak of memory of the ranks: the ratio from which NVIDIA's advice calls devices uneven.
inline constexpr double kUnevenMemory = 1.2;
/// How much more a step uses at its peak than the first one, if each step uses more than the one before: less is within
/// the rounding of the allocator.
inline constexpr double kGrows = 0.01;
/// A part of the memory at the peak that dominates it: the same as in the advice (dominantPart()).
inline constexpr double kDominates = 1.0 / 3.0;

}  // namespace rankscope::report
