// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/digest/step_table.h"
#include "core/trace/chosen_steps.h"

namespace rankscope {

/// The memory for reading and analysing, measured on generated jobs of 1,280 and 10,240 ranks (docs/digest.md): bytes
/// per rank, per rank that it lists as a member of the world, per slice that is read, and per slice of the rank that a
/// thread unpacks.
inline constexpr std::uint64_t kBytesOfARank = 100'000;
inline constexpr std::uint64_t kBytesOfAMember = 4;
inline constexpr std::uint64_t kBytesOfASlice = 220;
inline constexpr std::uint64_t kBytesWhileUnpacked = 200;

/// The estimated memory for reading and analysing all steps of these ranks, unpacked by this many threads.
[[nodiscard]] std::uint64_t bytesToRead(const std::vector<DigestedRank>& ranks, std::size_t threads);

/// Chooses the steps to read in full if all would take more than `budget_bytes`: as many consecutive steps as fit,
/// those whose medians over the ranks are nearest to the usual step, complete on the most ranks, without the first step
/// of the run. If there is room for kRoomForTheLongest steps, the longest step is included. Also contains what the
/// table shows of all steps. Nothing if the table has no steps, or if not even one fits.
[[nodiscard]] std::optional<ChosenSteps> chooseSteps(const StepTable& table, const std::vector<DigestedRank>& ranks,
                                                     std::size_t threads, std::uint64_t budget_bytes);

/// One long step among this many is left out of prices (kMostLeftOut of core/analysis/steps/run_steps.h), so reading it
/// does no harm.
inline constexpr std::size_t kRoomForTheLongest = 12;

}  // namespace rankscope
