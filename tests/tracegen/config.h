// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "tests/tracegen/faults.h"
#include "tests/tracegen/process_group.h"

namespace rankscope::tracegen {

enum class Vendor { Cuda, Rocm };
/// Modern: nanosecond decimals, relative to a base, collective args. Old: the files of 2021, whole microseconds.
enum class Dialect { Modern, Old };
/// What a file's times stand on.
enum class TimeGrid {
    OfDialect,     ///< Modern: nanoseconds. Old: whole microseconds
    Microseconds,  ///< whole microseconds, in the modern dialect too
    Double,        ///< modern, since the Unix epoch and through a double: starts on 250 ns, lengths exact
};

/// How batches are made and brought to the device.
struct LoaderConfig {
    int workers = 8;                                              ///< 0: the main thread makes the batch itself
    int prefetch = 2;                                             ///< batches a worker works ahead
    DurationNs batch_ns = 70'000'000;                             ///< one worker's time to make one batch
    std::int64_t batch_bytes = std::int64_t{32} * 3 * 224 * 224;  ///< of the images, one byte a value
    bool pinned = true;                                           ///< pin_memory and non_blocking
};

/// How a rank's files lie about time: file time = true time + offset + drift.
struct RankClock {
    DurationNs offset_ns = 0;
    /// Microseconds gained a second, from the start of the window.
    double drift_ppm = 0;
};

/// A whole run. Equal configurations give equal bytes.
struct Config {
    int ranks = 4;        ///< 1 to 64
    int steps = 6;        ///< recorded steps, at least 1
    int first_step = 10;  ///< number of the first `ProfilerStep#`
    /// Steps before the window, simulated and not recorded; at most first_step. What ranks lead each other by builds up
    /// over many steps.
    int warmup_steps = 0;
    std::uint64_t seed = 1;
    /// The same job started once more: the same model, and other chance in every step. 0 is the first time.
    std::uint64_t rerun = 0;
    Vendor vendor = Vendor::Cuda;
    Dialect dialect = Dialect::Modern;
    TimeGrid time_grid = TimeGrid::OfDialect;
    /// Recorded without the device's activity: operators and Python only.
    bool cpu_only = false;
    int layers = 16;           ///< 2 or more: convolutions, linear layers, a head
    double kernel_scale = 1;   ///< of all kernel times
    double bus_gb_per_s = 95;  ///< of the all-reduce, bus bandwidth
    int bucket_mb = 25;        ///< DDP's bucket_cap_mb, 1024 x 1024 bytes
    /// DDP sends the buffers (batch norm's) of rank 0 to all before each forward.
    bool broadcast_buffers = false;
    /// Parameters a layer whose gradients DDP scales into their bucket, a kernel each; 0: none, as with a hook that
    /// averages. It does so with and without gradient_as_bucket_view.
    int scaled_parameters = 0;
    bool with_stack = false;
    bool profile_memory = false;   ///< `[memory]` events, of a model that leaves room on its device
    bool product_shapes = false;   ///< products of matrices have the shapes of their inputs
    bool records_sensors = false;  ///< clock, power and temperature of each GPU, as counter events
    LoaderConfig loader;
    std::vector<RankClock> clocks;  ///< one a rank; missing ones are exact
    std::vector<int> hosts;  ///< of each rank, for a writer whose events stand on file clocks already; else empty
    /// For a writer whose collectives run in several groups: all of the job, that of all ranks first. Else empty.
    std::vector<ProcessGroup> groups;
    std::vector<Fault> faults;

    /// What the chance of steps is drawn from; the model is drawn from `seed` alone.
    [[nodiscard]] std::uint64_t chanceSeed() const { return seed + rerun * 0x9E3779B97F4A7C15U; }
    /// The first fault of `kind` that acts on `rank` in step index `step`.
    [[nodiscard]] const Fault* fault(FaultKind kind, int rank, int step) const;
    [[nodiscard]] RankClock clockOf(int rank) const;
    /// The host that `rank` runs on: eight ranks share one, and its clock; where clocks are given each rank has its
    /// own.
    [[nodiscard]] int hostOf(int rank) const {
        if (!hosts.empty()) {
            return hosts.at(static_cast<std::size_t>(rank));
        }
        return clocks.empty() ? rank / 8 : rank;
    }
};

/// How many times as long a rank's kernels take in a step of the window, since its GPU is throttled.
[[nodiscard]] double throttlingOf(const Config& config, int rank, int step);
/// Whether a rank's file holds `[memory]` events.
[[nodiscard]] bool recordsMemory(const Config& config, int rank);
/// The memory of the vendor's device.
[[nodiscard]] std::int64_t deviceBytes(Vendor vendor);

/// The same run without its fault number `index`: the counterfactual that prices it.
[[nodiscard]] Config without(Config config, std::size_t index);

/// Throws std::invalid_argument, saying what is out of range.
void validate(const Config& config);

[[nodiscard]] std::string_view nameOf(Vendor vendor);
[[nodiscard]] std::string_view nameOf(Dialect dialect);
[[nodiscard]] std::string_view nameOf(TimeGrid grid);
std::ostream& operator<<(std::ostream& out, Vendor vendor);
std::ostream& operator<<(std::ostream& out, Dialect dialect);

}  // namespace rankscope::tracegen
