// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/tracegen/machine/device.h"
#include "tests/tracegen/machine/job.h"
#include "tests/tracegen/machine/loader.h"
#include "tests/tracegen/machine/network.h"
#include "tests/tracegen/machine/scheduler.h"

namespace rankscope::tracegen::machine {

/// Work that takes so many times as long: a change that a what-if is held against.
struct Rescaled {
    std::string kernel;     ///< kernels with this in their name; empty: all
    std::string operation;  ///< of what this operator launches; empty: wherever it is launched
    double device = 1;
    double host = 1;  ///< of all host time in that operator
};

/// When the computation waits for a bucket of gradients.
enum class GradientWait : std::uint8_t {
    BeforeOptimizer,
    AtOnce,    ///< before it goes on: nothing overlaps
    NextStep,  ///< in the next backward: all overlaps, with gradients of the step before
};

/// The network that is trained, and how.
struct ModelSpec {
    int blocks = 8;           ///< each five kernels forward and seven backward
    double device_scale = 1;  ///< of all kernel times: at 1 a block takes 2 ms
    std::int64_t block_parameters = 2'400'000;
    double bucket_mb = 25;               ///< DDP's bucket_cap_mb
    bool reduce_after_backward = false;  ///< the buckets are sent only when the backward has ended
    int gradient_nodes = 1;              ///< nodes of autograd that accumulate the gradients of a block
    int pieces = 1;                      ///< element-wise work is done in so many kernels in a row
    bool graphs = false;                 ///< the forward of each block is one CUDA graph
    bool step_marks = true;              ///< `ProfilerStep#N`
    bool pinned = true;                  ///< batches are copied from pinned memory, and nobody waits for the copy
    std::int64_t batch_bytes = std::int64_t{24} << 20U;
    double pageable_bytes_per_ns = 2.4;  ///< of copies from pageable memory
    double copy_factor = 1;              ///< all copies take so many times as long
    GradientWait gradient_wait = GradientWait::BeforeOptimizer;
    std::vector<Rescaled> rescaled;
    std::string fused;      ///< element-wise work with this in its kernels' names is one kernel instead of `pieces`
    bool modules = false;   ///< calls of linear layers are recorded, as with_modules does
    bool captured = false;  ///< all between the batch and the loss is in CUDA graphs, which take the host no time
};

/// Python's collector of garbage stops the main thread.
struct Collector {
    int every_steps = 4;
    DurationNs ns = 60'000'000;
    std::optional<int> rank;  ///< nothing: of every rank, each at its own time
    bool recorded = false;    ///< as a call of Python
};
/// Rank 0 saves the model: it copies all parameters to the host, then writes them.
struct Checkpoint {
    int every_steps = 6;
    DurationNs write_ns = 80'000'000;
};
/// All ranks run some batches without training, and read a result back after each.
struct Evaluation {
    int every_steps = 6;
    int batches = 4;
};
/// Every step one rank, drawn by chance, has a batch whose kernels take longer.
struct UnevenBatches {
    double factor = 1.3;
};

/// What a training loop does beside training.
struct Habits {
    std::optional<Collector> collector;
    std::optional<Checkpoint> checkpoint;
    std::optional<Evaluation> evaluation;
    std::optional<UnevenBatches> uneven;
    int items = 0;           ///< values read back after the forward of each step
    bool logs_loss = false;  ///< the loss is read back at the end of each step
    bool reads_wait = true;  ///< the host waits for each value that is read back
};

/// How far things differ from one time to the next.
struct Noise {
    std::int64_t host_per_mille = 150;
    std::int64_t kernel_per_mille = 25;
    std::int64_t rank_per_mille = 6;    ///< one device from another, for good
    std::int64_t step_per_mille = 8;    ///< all kernels of a rank's step: batches differ, and so do clock rates
    std::int64_t faults_per_mille = 6;  ///< of pieces of host work a page fault lengthens
    DurationNs fault_ns = 40'000;
    /// Short collections of young garbage: so often a step in the mean, per mille.
    std::int64_t young_per_mille = 200;
    DurationNs young_ns = 500'000;
    /// Something else of the operating system holds the main thread: so often a step in the mean, per mille.
    std::int64_t hiccups_per_mille = 10;
    DurationNs hiccup_ns = 4'000'000;
};

/// Other processes on each host: each runs for a moment, every now and then.
struct Background {
    int threads = 4;
    DurationNs every_ns = 12'000'000;
    DurationNs cpu_ns = 150'000;
};

struct RankSpec {
    double host_slowdown = 1;
    std::vector<double> host_step_slowdowns;  ///< the same in each step of the window, beside that
    [[nodiscard]] double hostSlowdownIn(int step) const {
        const auto at = static_cast<std::size_t>(step);
        return host_slowdown * (step >= 0 && at < host_step_slowdowns.size() ? host_step_slowdowns[at] : 1);
    }
    DeviceSpec device;
    LoaderSpec loader;
};

/// A whole run on a whole machine. Equal configurations give equal events.
struct Config {
    int steps = 12;
    int warmup_steps = 3;  ///< before the window, simulated and not recorded
    int first_step = 5;    ///< number of the first `ProfilerStep#`
    std::uint64_t seed = 1;
    std::vector<HostSpec> hosts = {HostSpec{}};
    std::vector<RankSpec> ranks = std::vector<RankSpec>(4);
    Background background;
    NetworkSpec network;
    ModelSpec model;
    std::optional<JobSpec> job;  ///< a job of this kind instead of DDP's; of `model` only what is not its own counts
    Habits habits;
    Noise noise;
    bool records_shapes = false;   ///< products of matrices have the shapes of their inputs
    bool records_sensors = false;  ///< clock, power and temperature of each GPU, as counter events

    [[nodiscard]] int rankCount() const { return static_cast<int>(ranks.size()); }
    /// Ranks lie on the hosts in blocks.
    [[nodiscard]] int hostOf(int rank) const { return rank * static_cast<int>(hosts.size()) / rankCount(); }
};

}  // namespace rankscope::tracegen::machine
