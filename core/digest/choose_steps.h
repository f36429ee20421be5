// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/digest/step_table.h"
#include "core/trace/chosen_steps.h"

namespace rankscope {

/// What reading and analysing takes in memory, measured on generated jobs of 1,280 and 10,240 ranks (docs/digest.md):
/// so much a rank, so much for each rank that it lists as a member of the world, so much a slice that is read, and so
/// much for each slice of the rank that a thread unpacks.
inline constexpr std::uint64_t kBytesOfARank = 100'000;
inline constexpr std::uint64_t kBytesOfAMember = 4;
inline constexpr std::uint64_t kBytesOfASlice = 220;
inline constexpr std::uint64_t kBytesWhileUnpacked = 200;

/// How much memory reading and analysing all steps of these ranks should take, unpacked by this many threads.
[[nodiscard]] std::uint64_t bytesToRead(const std::vector<DigestedRank>& ranks, std::size_t threads);

/// Which steps to read in full if all would take more than `budget_bytes`: as many neighbouring ones as fit, those
/// whose medians over the ranks are nearest to the usual step, complete on the most ranks, without the first step of
/// the run. If there is room for kRoomForTheLongest, the longest step is among them. Also has what the table shows of
/// all steps. Nothing if the table has no steps, or if not even one fits.
[[nodiscard]] std::optional<ChosenSteps> chooseSteps(const StepTable& table, const std::vector<DigestedRank>& ranks,
                                                     std::size_t threads, std::uint64_t budget_bytes);

/// One long step among this many is left out of prices (kMostLeftOut of core/analysis/steps/run_steps.h), so that it
/// spoils nothing where it is read too.
inline constexpr std::size_t kRoomForTheLongest = 12;

}  // namespace rankscope
