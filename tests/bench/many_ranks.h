// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace rankscope::bench {

/// A run of many ranks, written as files.
struct ManyRanks {
    int ranks = 64;
    int slices_each = 5'000;  ///< about: whole steps
    int ranks_a_host = 8;     ///< 8 or 1: each host has a clock of its own
};

/// Simulates eight ranks and writes them over and over as the ranks of one larger job, each .zst: numbers, groups and
/// hosts are its own, and each rank comes to its collectives a little earlier or later than the one it was made from.
/// Returns the slices of one rank.
std::int64_t writeManyRanks(const ManyRanks& job, const std::filesystem::path& folder);

}  // namespace rankscope::bench
