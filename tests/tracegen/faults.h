// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope::tracegen {

/// The faults that can be planted. What each does to the run emerges from the simulation.
enum class FaultKind {
    Dataloader,      ///< num_workers=0: the main thread makes the batch itself
    ColdBatches,     ///< each step one rank, another each time, has a batch that takes longer to read
    SlowLoader,      ///< the named ranks' batches take longer
    HostSync,        ///< aten::item in mid-forward
    UnpinnedMemcpy,  ///< the batch is copied from pageable memory, and the host waits for the copy
    SlowKernels,     ///< the named ranks' kernels take longer
    Throttling,      ///< the named ranks' GPUs get hot, and all their kernels take longer and longer
    UnevenWork,      ///< each step one rank, another each time, has a batch whose kernels take longer
    TinyKernels,     ///< element-wise work in many small kernels instead of one
    AllocatorStall,  ///< cudaFree and cudaMalloc inside the step
    FindUnused,      ///< find_unused_parameters: the graph is walked, and a map of used parameters reduced and read
    GradientCopies,  ///< no gradient_as_bucket_view: each gradient is copied back from its bucket
    BucketSize,      ///< another bucket_cap_mb than the configuration's
    SlowNetwork,     ///< all collectives go over a slow bus, so that they outlast the backward
    LateAllReduce,   ///< the buckets are sent only when the backward has ended
    SlowCollective,  ///< one bucket's all-reduce goes at a fraction of the others' bandwidth
    HostCode,        ///< a function of the training loop that keeps the host busy between forward and backward
    MemoryPressure,  ///< the allocator holds nearly all of the device's memory
};

/// One planted fault. parseFault() knows each kind's usual amount and count.
struct Fault {
    FaultKind kind = FaultKind::Dataloader;
    std::vector<int> ranks;  ///< where; empty: on all
    /// When, as indices of recorded steps from 0, both included. From 0 on means: before the window too.
    int first_step = 0;
    int last_step = std::numeric_limits<int>::max();
    /// How much, see FaultTraits::amount_meaning.
    double amount = 0;
    /// How many, see FaultTraits::count_meaning.
    int count = 0;

    /// Whether it acts on `rank` in step index `step`.
    [[nodiscard]] bool hits(int rank, int step) const;
};

/// What a fault may be limited to.
enum class Extent {
    AnyRank,   ///< ranks and steps
    AllRanks,  ///< steps: the ranks must agree on it
    WholeRun,  ///< nothing
};

/// What is fixed about a kind.
struct FaultTraits {
    FaultKind kind;
    std::string_view name;     ///< as the command line and the JSON spell it
    std::string_view finding;  ///< the finding that it should lead to
    double amount;             ///< default
    int count;                 ///< default
    std::string_view amount_meaning;
    std::string_view count_meaning;
    Extent extent = Extent::AnyRank;
};

[[nodiscard]] const std::vector<FaultTraits>& allFaultTraits();
[[nodiscard]] const FaultTraits& traitsOf(FaultKind kind);

/// Reads `name[:key=value...]`, keys ranks (0+2), first, last, amount, count. Throws std::invalid_argument.
[[nodiscard]] Fault parseFault(std::string_view text);

}  // namespace rankscope::tracegen
