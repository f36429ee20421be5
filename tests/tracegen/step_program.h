// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "tests/tracegen/config.h"
#include "tests/tracegen/model.h"
#include "tests/tracegen/program.h"
#include "tests/tracegen/program_builder.h"

namespace rankscope::tracegen {

/// What is to be built: one step of one rank.
struct StepContext {
    const Config& config;
    const Model& model;
    int rank = 0;
    int step = 0;  ///< index of the recorded step; before the window negative

    /// A Dice of this rank and step for one purpose.
    [[nodiscard]] Dice dice(Draw draw, std::uint64_t index = 0) const;
    /// The fault of `kind` that acts here, if any.
    [[nodiscard]] const Fault* fault(FaultKind kind) const { return config.fault(kind, rank, step); }
    /// Autograd's number of layer `index`'s part `part` (0 to 3) in this step.
    [[nodiscard]] std::int64_t sequence(std::size_t index, int part) const;
    /// The number of the step's collective `index` over the whole run. A step has, in this order, the broadcast of the
    /// buffers, if any, the buckets, and the map of used parameters, if any.
    [[nodiscard]] std::uint64_t collectiveSequence(std::size_t index) const;
    [[nodiscard]] std::size_t firstBucket() const { return config.broadcast_buffers ? 1 : 0; }
};

/// Whether it is this rank's turn, where a fault moves from rank to rank, one each step.
[[nodiscard]] bool isRanksTurn(const StepContext& context);
/// One worker's, or the main thread's, time to make this step's batch.
[[nodiscard]] DurationNs batchTime(const StepContext& context);
/// Whether the main thread makes this step's batch itself.
[[nodiscard]] bool loadsInMainThread(const StepContext& context);

/// The whole host program of the step, from `ProfilerStep#` to its end.
[[nodiscard]] Program buildStep(const StepContext& context, StringPool& names);
/// What the profiler does when it stops: it waits for the device.
[[nodiscard]] Program buildWindowEnd(const Config& config, int rank, StringPool& names);

// The parts of a step, each in its file.
void buildInput(ProgramBuilder& b, const StepContext& context);
void buildForward(ProgramBuilder& b, const StepContext& context);
void buildBackward(ProgramBuilder& b, const StepContext& context);
/// DDP's part before the forward, if it has one.
void buildBroadcast(ProgramBuilder& b, const StepContext& context);
void buildAllReduce(ProgramBuilder& b, const StepContext& context, std::size_t bucket);
/// The map of used parameters goes to the device and is reduced; readUsedMap() brings it back.
void buildUsedMap(ProgramBuilder& b, const StepContext& context);
/// The compute stream waits for all buckets, as DDP does at the end of the backward; gradients are copied back.
void buildAwaitBuckets(ProgramBuilder& b, const StepContext& context);
/// A gradient of `layer` is there, one node of autograd a parameter.
void buildAccumulate(ProgramBuilder& b, const StepContext& context, std::size_t layer);
void buildOptimizer(ProgramBuilder& b, const StepContext& context);
/// What DDP does when the model has run, before its forward returns, if anything.
void plantAfterModel(ProgramBuilder& b, const StepContext& context);
/// What the training loop does between forward and backward, if anything.
void plantAfterForward(ProgramBuilder& b, const StepContext& context);
/// The faults that act inside the forward of layer `index`, before its operators.
void plantInForward(ProgramBuilder& b, const StepContext& context, std::size_t index);

/// An element-wise operator of `ns` on the device: one kernel, or many under the tiny-kernels fault.
struct Elementwise {
    std::string_view operation;
    std::string_view inner;  ///< nested in it; empty: none
    std::string_view kernel;
    DurationNs ns = 0;
};
void buildElementwise(ProgramBuilder& b, const StepContext& context, const Elementwise& what, std::int64_t sequence);

}  // namespace rankscope::tracegen
