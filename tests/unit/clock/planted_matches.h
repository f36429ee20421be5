// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/clock/run_clock.h"

namespace rankscope::test {

/// Chance that is the same everywhere: the standard fixes the engine's numbers, but not those of its distributions.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
    }

  private:
    std::mt19937_64 engine_;
};

/// Who arrives last to the collectives.
enum class LastArriver { Anyone, OneRank, ARankAStep, NearlyTogether };

/// A clock as planted: run = file + offset + drift x (file - the planted run's middle).
struct PlantedClock {
    DurationNs offset_ns = 0;
    double drift_ppm = 0;
};

/// What to plant.
struct Plan {
    std::size_t ranks = 4;
    int steps = 5;
    int collectives = 8;  ///< a step
    DurationNs step_ns = 200'000'000;
    DurationNs skew_ns = 2'000'000;  ///< how far apart members start, at most
    LastArriver last = LastArriver::Anyone;
    DurationNs spread_min_ns = 2'000;  ///< of the ends of one collective
    DurationNs spread_max_ns = 24'000;
    DurationNs transfer_min_ns = 20'000;
    DurationNs transfer_max_ns = 4'000'000;
    /// The collectives of a step wait in a queue: each starts on a rank 1 us after that rank ended the one before.
    bool queued = false;
    std::vector<PlantedClock> clocks;  ///< by rank; missing ones are rank 0's
    std::vector<std::string> hosts;    ///< by rank; missing ones are unknown
};

/// A run with its matches, as files of these clocks would tell them.
struct PlantedRun {
    Run run;
    std::vector<ClockMatch> matches;
    Plan plan;
    TimeNs middle_ns = 0;

    [[nodiscard]] TimeNs truth(std::size_t rank, TimeNs file_ns) const;
    [[nodiscard]] TimeNs file(std::size_t rank, TimeNs true_ns) const;
    /// The largest error in the rank's window, against the clock of its reference.
    [[nodiscard]] DurationNs worstError(const RunClock& clock, RankPosition rank) const;
};

/// Ends scatter as real ones do: anywhere within a spread of 2 to 24 us, and the last arriver ends last.
[[nodiscard]] PlantedRun plant(const Plan& plan, std::uint64_t seed);

/// Any plan within the bounds of the target: 2 to 64 ranks, offsets to 5 ms, drifts to 20 ppm, 3 to 10 steps of 3 to 20
/// collectives.
[[nodiscard]] Plan anyPlan(std::uint64_t seed);

}  // namespace rankscope::test
