// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>

#include "tests/tracegen/machine/config.h"

namespace rankscope::accuracy {

/// Numbers of chance that are the same everywhere: distributions of the standard library are not.
class Lot {
  public:
    explicit Lot(std::uint64_t seed) : bits_(seed) {}
    /// From `low` to `high`.
    [[nodiscard]] double evenly(double low, double high) {
        constexpr double kSpan = 18446744073709551616.0;  // 2^64
        return low + (high - low) * static_cast<double>(bits_()) / kSpan;
    }
    [[nodiscard]] int whole(int low, int high) {
        return low + static_cast<int>(bits_() % static_cast<std::uint64_t>(high - low + 1));
    }
    [[nodiscard]] bool heads() { return bits_() % 2 == 0; }

  private:
    std::mt19937_64 bits_;
};

/// Ten steps of a healthy run of this many ranks, with marks and without graphs.
[[nodiscard]] tracegen::machine::Config drawMachine(std::uint64_t seed, int ranks);
/// Makes it two ranks or more that are alike, with kernels up to 1.15 times as long beside communication.
void communicate(Lot& lot, tracegen::machine::Config& config);

/// So many times what a step would take if nothing but computation took time.
[[nodiscard]] DurationNs stepsLongOf(const tracegen::machine::Config& config, double steps);
/// A core for each worker, and for each of the threads beside them.
void giveCores(tracegen::machine::Config& config, int workers);
/// Work takes up to a third longer where as many threads run as workers and training keep busy on a host. A batch takes
/// `busy_steps`.
void drawCrowding(Lot& lot, tracegen::machine::Config& config, double busy_steps);
/// Each page of a worker's batch is a page fault, of 0.05 to 0.6 us.
[[nodiscard]] double withFreshPages(Lot& lot, double bytes_per_ns);

}  // namespace rankscope::accuracy
