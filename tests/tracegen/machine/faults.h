// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "tests/tracegen/machine/config.h"

namespace rankscope::tracegen::machine {

/// Whom a fault hits by itself; others pay by waiting.
enum class Hits {
    AllRanks,
    OneRank,  ///< faultyRank()
    RankZero,
    FirstHost,  ///< all ranks of it
    Somebody,   ///< another one each step
    Named,      ///< those that Fault::who names
};

/// A fault that can be planted: in what kind of run, and what it changes about the machine. What it costs is no number
/// of its own: it is the mean step with it less the mean step of the same run without it.
struct Fault {
    std::string_view name;
    std::string_view what;                   ///< for people
    std::vector<std::string_view> findings;  ///< the id that it should lead to, then others that are right as well
    Hits hits = Hits::AllRanks;
    std::array<double, 3> strengths = {1, 2, 3};  ///< from weak to strong
    int least_ranks = 2;
    /// Makes the run one in which this matters. Done to the run without the fault as well; may be null.
    void (*prepare)(Config& config, double strength) = nullptr;
    void (*plant)(Config& config, double strength) = nullptr;
    std::vector<std::int32_t> (*who)(const Config& config) = nullptr;  ///< of Hits::Named: the ranks, ascending
    bool of_job = false;  ///< of a job whose work is divided in a grid (job_faults.h)
    /// What it costs depends on what only the user knows: its price is right where its interval holds the truth.
    bool by_interval = false;
};

[[nodiscard]] const std::vector<Fault>& allFaults();
/// The rank that a fault of one rank is planted on.
[[nodiscard]] int faultyRank(const Config& config);
/// The ranks that it hits by itself, ascending; of Somebody those whose turn it was.
[[nodiscard]] std::vector<std::int32_t> ranksOf(const Fault& fault, const Config& config);

/// A run without a fault, with noise as real machines have it. Equal seeds give equal runs.
[[nodiscard]] Config healthyConfig(std::uint64_t seed, int ranks);
/// What a step would about take if nothing but computation took any time.
[[nodiscard]] DurationNs expectedStep(const Config& config);

}  // namespace rankscope::tracegen::machine
