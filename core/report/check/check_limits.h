// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/memory/memory_advice.h"

// The limits from which a line of the health check says "look here", or a question of a check list is answered "yes".
// Each limit is here once, with its reason; docs/definitions/health-check.md has the same list.
namespace rankscope::report {

/// A rank whose own work takes longer than this many times the median of its other peers is slow. Jobs that measure
/// their ranks before they communicate commonly alert at this ratio.
inline constexpr double kSlowRank = 1.1;
/// One of 740 normally distributed values exceeds this z-score by chance. None of n values can exceed sqrt(n - 1), so
/// it takes eleven ranks.
inline constexpr double kOddRank = 3.0;
/// The least cost of a slow rank, as a share of the step: below it there is no finding either (Pricer::kLeastShare).
inline constexpr double kCostsOfStep = 0.01;
/// The MFU of large, well-trained models is 21 % (GPT-3), 30 to 33 % (Megatron-Turing NLG, Gopher) and 46 % (PaLM):
/// Chowdhery et al., arXiv 2204.02311, table 3. Most of them reach this limit.
inline constexpr double kLowMfu = 0.30;
/// The GPU computes for less than half of the step: more than half of its cost buys nothing.
inline constexpr double kLittleCompute = 0.5;
/// Exposed communication, as a share of the step: the PyTorch profiler's TensorBoard plugin warns from here on.
inline constexpr double kMuchCommunication = 0.10;
/// Communication that could be hidden and is not, as a share of the step: the same limit.
inline constexpr double kMuchToHide = 0.10;
/// The DataLoader's share of the step: the limit of the same plugin.
inline constexpr double kMuchInput = 0.05;
/// Exposed copies, as a share of the step: what a finding of medium severity saves.
inline constexpr double kMuchCopying = 0.05;
/// Idle time, as a share of the step: TraceLens advises from here on.
inline constexpr double kMuchIdle = 0.15;
/// Exposed communication that cannot be divided into transfer and waiting, as a share of the step: as much as the
/// smallest finding.
inline constexpr double kTellsUndivided = 0.01;
/// A finding that saves this much of the step is of medium severity.
inline constexpr double kDearFinding = 0.05;
/// Clocks that differ by more than this share of the step can mislead by as much as the smallest finding.
inline constexpr double kMuchClockError = 0.01;
/// Fewer steps do not show how much steps vary (core/compare/difference.h, kFewestSteps).
inline constexpr std::size_t kFewSteps = 3;

/// A part of the step, or of a whole, that a check list calls a reason: what a finding of high severity saves.
inline constexpr double kReason = 0.10;
/// Recomputed work as a share of all counted FLOPs, from which it is worth a line: as much as the smallest finding.
inline constexpr double kRecomputes = 0.01;
/// Below half of the link's speed, something other than the message size limits a transfer. nccl-tests reach most of a
/// link's speed with large messages.
inline constexpr double kSlowLink = 0.5;
/// If more than half of the exposed communication is waiting for other ranks, the link is not what is slow.
inline constexpr double kMostlyWaits = 0.5;
/// If more than half of the reduced bytes are 32-bit numbers, narrower ones would move up to half as much.
inline constexpr double kMostlyWide = 0.5;
/// The largest peak of memory over the smallest, of all ranks: NVIDIA's advice calls devices uneven from this ratio on.
inline constexpr double kUnevenMemory = 1.2;
/// How much a step's peak exceeds the first step's, if each step uses more than the one before: less is within the
/// rounding of the allocator.
inline constexpr double kGrows = 0.01;
/// A part of the memory at the peak that dominates it: the same as in the advice (dominantPart()).
inline constexpr double kDominates = 1.0 / 3.0;

}  // namespace rankscope::report
