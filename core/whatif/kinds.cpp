// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/whatif/change.h"

namespace rankscope {
namespace {

constexpr std::array kKinds = {
    WhatIfKind{"rank=R:like-median", WhatIfSubject::Ranks,
               "Rank R has as much work as the other ranks: of device work, DataLoader and other host time the median.",
               "Each kind of work shrinks to the median of the rank's peers in the same step. It never grows.",
               "The next slowest rank keeps its own work.", "", likeMedian},
    WhatIfKind{"ranks:equal", WhatIfSubject::Ranks, "No rank has more work than the median of its peers.",
               "Each kind of work of each rank shrinks to the median of its peers in the same step.",
               "Work that is moved to faster ranks: they keep theirs.", "ranks:equal", equalRanks},
    WhatIfKind{"loader:ready", WhatIfSubject::Loader, "Each batch is ready when the training asks for it.",
               "A wait for the DataLoader takes 0.1 ms. Workers share cores and memory with the training process.",
               "How many workers that takes.", "loader:ready", readyBatches},
    WhatIfKind{"loader:workers=xF", WhatIfSubject::Loader, "The DataLoader has F times as many workers as today.",
               "Batches arrive F times as often. Today they arrive as fast as the workers make them.",
               "A storage or cores that more workers would have to share.", "loader:workers=x2", timesAsManyWorkers},
    WhatIfKind{"loader:workers=W", WhatIfSubject::Loader,
               "W worker processes make the batches, each ahead by two (prefetch_factor=2).",
               "A worker takes as long for a batch as the training process did, and runs on a core of its own.",
               "The start of an epoch, when no batch is ready, and a storage that is slower when read in parallel.",
               "loader:workers=4", moreWorkers},
    WhatIfKind{"overlap:perfect", WhatIfSubject::Overlap, "Computation hides all transfers.",
               "A step is as long as its transfers, or longer. Kernels beside NCCL are slower, as measured or assumed.",
               "Data that the next computation needs, as with tensor parallelism.", "overlap:perfect", perfectOverlap},
    WhatIfKind{"overlap:none", WhatIfSubject::Overlap, "Computation waits for each transfer.",
               "Work that was launched after a collective waits for its end.", "", "", noOverlap},
    WhatIfKind{
        "bucket_cap_mb=N", WhatIfSubject::Buckets, "DDP sends its gradients in buckets of N MiB.",
        "Gradients become ready evenly between today's buckets. A transfer takes what the fit says for its size.",
        "Other sizes of parameters than the mean.", "bucket_cap_mb=50", otherBuckets},
    WhatIfKind{"link:xF", WhatIfSubject::Links, "The links between ranks are F times as fast.",
               "The fitted latency stays, and the rest of a transfer takes 1/F of its time.",
               "Collectives without a fit keep their time.", "link:x2", fasterLinks},
    WhatIfKind{"link:inside=GB", WhatIfSubject::Links, "The bus bandwidth between GPUs of a host is GB.",
               "The fitted latency stays.", "Groups over several hosts, and collectives without a fit.", "",
               linksInside},
    WhatIfKind{"link:across=GB", WhatIfSubject::Links, "The bus bandwidth between hosts is GB.",
               "The fitted latency stays.", "Groups inside a host, and collectives without a fit.", "", linksAcross},
    WhatIfKind{"algorithm:NAME", WhatIfSubject::Algorithm, "All-reduces run by NAME.",
               "The hop time and the bandwidth of a link are those of the fit.",
               "Collectives other than all-reduces, and those without a fit.", "", otherAlgorithm, "ring or tree"},
    WhatIfKind{"kernels:REGEX:xF", WhatIfSubject::Work, "Kernels whose name matches REGEX take F times as long.",
               "Their launches take as long as before.", "Communication: use link:xF.", "", scaledKernels},
    WhatIfKind{"class:NAME:xF", WhatIfSubject::Work, "All work of the class NAME takes F times as long.",
               "Their launches take as long as before.", "", "", scaledClass, "compute, communication or copy"},
    WhatIfKind{"operator:NAME:xF", WhatIfSubject::Work,
               "What the operator NAME launches takes F times as long, and so does its own host time if F is below 1.",
               "All calls change alike.", "Its backward, which has another name.", "", scaledOperator},
    WhatIfKind{"module:NAME:xF", WhatIfSubject::Work,
               "The device work of the nn.Module NAME takes F times as long, forward and backward.",
               "The backward of an operator belongs to the module of its forward.",
               "Host time, and backward work that the trace does not link with its forward.", "", scaledModule},
    WhatIfKind{"fuse:REGEX", WhatIfSubject::Work,
               "Kernels in a row whose names match REGEX become one: one launch, one read and write of memory.",
               "The fused kernel takes as long as the longest of them. Operators that launch nothing else are gone.",
               "Registers and shared memory that the fused kernel needs.", "", fusedKernels},
    WhatIfKind{"host:xF", WhatIfSubject::Host, "The CPU is F times as fast.",
               "All host time outside waits for the GPU takes 1/F of its time, the DataLoader's too.",
               "The latency from a launch to its start.", "host:x2", fasterHost},
    WhatIfKind{"launch:graphs", WhatIfSubject::Launches, "CUDA graphs launch the work: the host needs no time for it.",
               "All launches fit into graphs. Up to 2 us pass between two kernels of a graph.",
               "The capture in the first step, and shapes that change.", "launch:graphs", graphLaunches},
    WhatIfKind{"sync:none", WhatIfSubject::Syncs, "The host does not wait for the GPU in synchronising calls.",
               "Nothing on the host needs the value that it waits for.", "Copies that block: they stay.", "sync:none",
               noSyncs},
    WhatIfKind{"gc:off", WhatIfSubject::Collections, "Python does not collect garbage.",
               "A recorded collection takes no time.", "Memory that is freed later.", "gc:off", noCollections},
    WhatIfKind{"precision:NAME", WhatIfSubject::Device, "Matrix products use numbers of type NAME.",
               "A product takes the longer of its operations at the peak and its bytes at the memory's bandwidth. It "
               "reaches the same share of that as today.",
               "Casts, and whether the model still converges.", "precision:bf16", otherPrecision,
               "bf16, fp16, fp8 or tf32"},
    WhatIfKind{"cool", WhatIfSubject::Cooling, "GPUs that slow down stay as fast as in their first steps.",
               "Only heat or a power limit slows them down.", "", "cool", coolDevices},
    WhatIfKind{"gpu:NAME", WhatIfSubject::Device, "The GPUs are NAME, of the table of peaks.",
               "A counted product takes the longer of its operations at the peak and its bytes at the memory's "
               "bandwidth, as near to it as today. Other kernels follow the memory's bandwidth.",
               "Links, hosts, copies between host and GPU, and whether the model fits.", "", otherDevice},
    WhatIfKind{"micro_batches=N", WhatIfSubject::MicroBatches,
               "A step of the pipeline has N micro-batches of today's size.",
               "The schedule is played again: a stage takes as long for each micro-batch as today.",
               "Smaller micro-batches for the same batch, and whether the activations fit.", "", otherMicroBatches},
    WhatIfKind{"schedule:NAME", WhatIfSubject::Schedule, "The pipeline runs by the schedule NAME.",
               "The passes of today's stages are played in its order. Interleaved ranks have two stages each, or "
               "today's number.",
               "Longer hand-overs because there are more of them, and whether the activations fit.",
               "schedule:interleaved", otherSchedule, "gpipe, 1f1b, interleaved or zero-bubble"},
    WhatIfKind{"stages:even", WhatIfSubject::Stages, "All stages of the pipeline take the same time.",
               "Each takes the mean of today's stages.", "Layers that cannot be divided.", "stages:even", evenStages},
    WhatIfKind{
        "world=N", WhatIfSubject::World, "N ranks train, each with today's batch (weak scaling).",
        "Collectives take what the fitted links say for N ranks. Ranks vary as today: the slowest of N is slower.",
        "A network that becomes congested, and storage. For the same total batch add batch:xF.", "", otherWorld},
    WhatIfKind{"hosts=N", WhatIfSubject::World,
               "N hosts train, each with as many ranks and today's batch per rank (weak scaling).", "As for world=N.",
               "As for world=N.", "", otherHosts},
    WhatIfKind{
        "batch:xF", WhatIfSubject::Batch, "Each rank has F times as many samples in a step.",
        "Kernels of forward and backward, and copies of batches, take F times as long beyond the shortest kernel of "
        "the rank.",
        "Larger kernels that are more efficient, work that does not depend on the batch, the DataLoader, and memory.",
        "", otherBatch},
    WhatIfKind{"zero:N", WhatIfSubject::Shards, "ZeRO of stage N divides the optimizer's state and gradients.",
               "From replicas: a reduce-scatter in place of each all-reduce, 1/ranks of the optimizer, gathers behind "
               "it. From stage 3 to 2: the backward gathers nothing.",
               "Copies into and out of flat buffers, and CPU time of the framework.", "", otherZeroStage},
    WhatIfKind{"prefetch:N", WhatIfSubject::Gathers, "Parameters are gathered N units ahead.",
               "A gather begins when the unit N places before it is first used, and behind the gather before it.",
               "Scatters on the same links, and memory for the units.", "prefetch:1", prefetchedGathers},
    WhatIfKind{"recompute:on", WhatIfSubject::Recomputation, "The backward computes all of the forward again.",
               "The forward's kernels take as long the second time, spread evenly over the backward.",
               "CPU time of the second forward, and parts that keep their activations.", "", wholeRecomputation},
    WhatIfKind{"recompute:off", WhatIfSubject::Recomputation, "The backward computes no product of the forward again.",
               "Counted products that are marked as recomputed take no time, and nor do their operators.",
               "Other kernels that are recomputed, and whether the activations fit.", "recompute:off", noRecomputation},
};

}  // namespace

std::string WhatIfKind::described() const {
    return std::string(meaning) + (names.empty() ? "" : " NAME is " + std::string(names) + ".");
}

std::span<const WhatIfKind> whatIfKinds() {
    return kKinds;
}

}  // namespace rankscope
