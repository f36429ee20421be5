// SPDX-License-Identifier: GPL-3.0-or-later
// One step of the training loop, from the batch to the optimizer.
#include "tests/tracegen/machine/training_step.h"

#include <algorithm>
#include <array>
#include <string>

namespace rankscope::tracegen::machine {
namespace {

constexpr double kPinnedBytesPerNs = 23;
constexpr std::uint64_t kPlacesAPart = 1'000;
enum class Part : std::uint64_t { Input = 1, Forward, Loss, Items, Start, Optimizer, Backward, Reduce, Save, Evaluate };

std::uint64_t placeOf(Part part, int index = 0) {
    return static_cast<std::uint64_t>(part) * kPlacesAPart + static_cast<std::uint64_t>(index);
}

std::int64_t sequenceOf(const StepBuilder& b, int block, int part) {
    constexpr std::int64_t kStride = 8;
    const std::int64_t step = std::int64_t{b.step()} + b.config().warmup_steps;
    return 100 + (step * b.config().model.blocks + block) * kStride + part;
}

struct Elementwise {
    std::string_view operation;
    std::string_view kernel;
    DurationNs ns = 0;
};

// One kernel, or the same work in pieces.
void elementwise(StepBuilder& b, const Elementwise& what, std::int64_t sequence) {
    const ModelSpec& model = b.config().model;
    const int pieces = std::max(1, model.pieces);
    const bool fused = !model.fused.empty() && what.kernel.find(model.fused) != std::string_view::npos;
    for (int i = 0; i < (fused ? 1 : pieces); ++i) {
        const auto operation = b.operation(what.operation, i == 0 ? sequence : -1);
        b.work(5'000);
        b.kernel(what.kernel, what.ns / pieces);
    }
}

void multiply(StepBuilder& b, std::string_view operation, std::size_t kind, DurationNs ns, std::int64_t sequence) {
    const auto outer = b.operation(operation, sequence);
    b.work(9'000);
    b.kernel(words().gemm.at(kind), ns);
}

constexpr DurationNs kGemmNs = 270'000;
constexpr DurationNs kNormNs = 45'000;
constexpr DurationNs kGeluNs = 40'000;
constexpr DurationNs kAddNs = 32'000;

void linearOperation(StepBuilder& b, std::int64_t sequence) {
    const auto operation = b.operation("aten::linear");
    multiply(b, "aten::addmm", 0, kGemmNs, sequence);
}

void linear(StepBuilder& b, std::int64_t sequence) {
    if (b.config().model.modules) {
        const auto module = b.python("nn.Module: Linear_0");
        b.work(3'000);
        linearOperation(b, sequence);
        b.work(1'000);
    } else {
        linearOperation(b, sequence);
    }
}

void forwardBlock(StepBuilder& b, int block) {
    if (b.config().model.graphs) {
        const auto graphed = b.operation("GraphedForward", sequenceOf(b, block, 0));
        b.work(16'000);
        b.graph({{words().norm_forward, kNormNs},
                 {words().gemm[0], kGemmNs},
                 {kernels::kGelu, kGeluNs},
                 {words().gemm[0], kGemmNs},
                 {kernels::kAdd, kAddNs}});
        return;
    }
    b.work(9'000);
    elementwise(b, {"aten::native_layer_norm", words().norm_forward, kNormNs}, sequenceOf(b, block, 0));
    b.work(6'000);
    linear(b, sequenceOf(b, block, 1));
    b.work(5'000);
    elementwise(b, {"aten::gelu", kernels::kGelu, kGeluNs}, sequenceOf(b, block, 2));
    b.work(5'000);
    linear(b, sequenceOf(b, block, 3));
    b.work(4'000);
    elementwise(b, {"aten::add", kernels::kAdd, kAddNs}, sequenceOf(b, block, 4));
}

bool every(int steps, const StepBuilder& b, int shift) {
    return (b.step() + b.config().warmup_steps + shift) % std::max(1, steps) == 0;
}

// What interrupts the main thread does so wherever its Python happens to be: before a block of the forward, between
// forward and backward, or in the optimizer. A collection of garbage begins when an object too many is made, and not at
// a line of the program.
int interruptPlaces(const ModelSpec& model) {
    constexpr int kAfterForward = 2;
    return model.blocks + kAfterForward;
}

void interruptAt(StepBuilder& b, int place) {
    const Noise& noise = b.config().noise;
    const auto places = static_cast<std::uint64_t>(interruptPlaces(b.config().model));
    const auto here = [&](std::uint64_t which) {
        Dice dice = diceOf(b.config(), Key::Turn, b.rank(), b.step(), kPlacesAPart + which);
        return dice.below(places) == static_cast<std::uint64_t>(place);
    };
    Dice young = diceOf(b.config(), Key::Young, b.rank(), b.step());
    if (young.below(1000) < static_cast<std::uint64_t>(noise.young_per_mille) && here(0)) {
        b.exactWork(young.around(noise.young_ns, 600));
    }
    Dice hiccup = diceOf(b.config(), Key::Young, b.rank(), b.step(), 1);
    if (hiccup.below(1000) < static_cast<std::uint64_t>(noise.hiccups_per_mille) && here(1)) {
        b.exactWork(hiccup.around(noise.hiccup_ns, 700));
    }
    // Each process has its own count of objects: their full collections do not fall together.
    const auto& collector = b.config().habits.collector;
    Dice phase = diceOf(b.config(), Key::Turn, b.rank(), 0);
    const bool mine = collector && collector->rank.value_or(b.rank()) == b.rank();
    if (mine && every(collector->every_steps, b, static_cast<int>(phase.below(64))) && here(2)) {
        Dice full = diceOf(b.config(), Key::Young, b.rank(), b.step(), 2);
        if (collector->recorded) {
            const auto collect = b.python("<built-in function collect>");
            b.exactWork(full.around(collector->ns, 150));
        } else {
            b.exactWork(full.around(collector->ns, 150));
        }
    }
}

void forwardBlocks(StepBuilder& b, Part part, int batch) {
    for (int block = 0; block < b.config().model.blocks; ++block) {
        b.place(placeOf(part, batch * b.config().model.blocks + block));
        if (part == Part::Forward) {
            interruptAt(b, block);
        }
        forwardBlock(b, block);
    }
}

/// A node of autograd: the engine's slice around the node's own.
class Node {
  public:
    Node(StepBuilder& b, std::string_view name, std::int64_t sequence)
        : engine_(b.operation("autograd::engine::evaluate_function: " + std::string(name), sequence)),
          node_(b.operation(name, sequence)) {}

  private:
    StepBuilder::Scope engine_;
    StepBuilder::Scope node_;
};

void linearBackward(StepBuilder& b, std::int64_t sequence) {
    const Node node(b, "AddmmBackward0", sequence);
    multiply(b, "aten::mm", 1, kGemmNs, -1);
    b.work(4'000);
    multiply(b, "aten::mm", 2, kGemmNs, -1);
}

void accumulate(StepBuilder& b) {
    const int nodes = b.config().model.gradient_nodes;
    for (int i = 0; i < nodes; ++i) {
        const Node node(b, "torch::autograd::AccumulateGrad", -1);
        b.work(6'000 / nodes);
    }
}

void backwardBlock(StepBuilder& b, int block) {
    {
        const Node node(b, "AddBackward0", sequenceOf(b, block, 4));
        elementwise(b, {"aten::add", kernels::kAdd, kAddNs}, -1);
    }
    linearBackward(b, sequenceOf(b, block, 3));
    {
        const Node node(b, "GeluBackward0", sequenceOf(b, block, 2));
        elementwise(b, {"aten::gelu_backward", kernels::kGeluBackward, kGeluNs}, -1);
    }
    linearBackward(b, sequenceOf(b, block, 1));
    {
        const Node node(b, "NativeLayerNormBackward0", sequenceOf(b, block, 0));
        elementwise(b, {"aten::native_layer_norm_backward", words().norm_backward, 2 * kNormNs}, -1);
    }
    accumulate(b);
}

// Two events a bucket: what it sends is ready on the compute stream, it is over on the communication stream.
std::uint32_t readyEvent(std::size_t bucket) {
    return 2 * static_cast<std::uint32_t>(bucket);
}
std::uint32_t overEvent(std::size_t bucket) {
    return readyEvent(bucket) + 1;
}

void reduce(StepBuilder& b, std::size_t bucket, std::size_t buckets, std::int64_t elements) {
    b.place(placeOf(Part::Reduce, static_cast<int>(bucket)));
    const auto step = static_cast<std::uint64_t>(b.step()) + static_cast<std::uint64_t>(b.config().warmup_steps);
    const CollectiveCall call{elements, step * buckets + bucket + 1, CollectiveKind::AllReduce, ElementType::Float};
    const auto outer = b.operation("c10d::allreduce_");
    b.work(14'000);
    b.recordEvent(Stream::Compute, readyEvent(bucket));
    const auto parameters = b.operation("record_param_comms", -1, call);
    b.call(words().is_capturing, 900);
    b.waitEvent(Stream::Communication, readyEvent(bucket));
    const auto nccl = b.annotation("nccl:all_reduce");
    b.work(9'000);
    b.collective(call);
    b.recordEvent(Stream::Communication, overEvent(bucket));
    if (b.config().model.gradient_wait == GradientWait::AtOnce) {
        b.waitEvent(Stream::Compute, overEvent(bucket));
    }
    b.work(8'000);
}

void awaitBuckets(StepBuilder& b, std::size_t buckets) {
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        b.waitEvent(Stream::Compute, overEvent(bucket));
        b.work(4'000);
    }
}

void readItem(StepBuilder& b) {
    const auto item = b.operation("aten::item");
    const auto dense = b.operation("aten::_local_scalar_dense");
    b.work(4'000);
    b.copy(words().copy_to_host, 4, 1, b.config().habits.reads_wait);
}

void loadBatchInMainThread(StepBuilder& b) {
    const auto next = b.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    const BatchCost cost = costOf(b.spec().loader, b.config().seed, b.rank(), 0, b.step() + b.config().warmup_steps);
    constexpr int kSamples = 8;
    for (int i = 0; i < kSamples; ++i) {
        b.rest(cost.read_ns / kSamples);
        b.exactWork(cost.cpu_ns * 7 / 10 / kSamples);
        const auto normalise = b.operation("aten::div");
        b.exactWork(cost.cpu_ns * 2 / 10 / kSamples);
    }
    const auto stack = b.operation("aten::stack");
    b.exactWork(cost.cpu_ns / 10);
    if (b.spec().loader.main_pin_ns > 0) {
        const auto pin = b.operation("aten::_pin_memory");
        b.exactWork(b.spec().loader.main_pin_ns);
    }
}

}  // namespace

std::vector<Bucket> bucketsOf(const ModelSpec& model) {
    constexpr double kElementsOfMiB = 1024.0 * 1024 / 4;
    std::vector<Bucket> buckets;
    Bucket open;
    for (int block = model.blocks; block-- > 0;) {
        constexpr int kTensors = 4;
        for (int tensor = 0; tensor < kTensors; ++tensor) {
            open.last_block = block;
            open.elements += model.block_parameters / kTensors;
            const double cap = buckets.empty() ? std::min(1.0, model.bucket_mb) : model.bucket_mb;
            if (static_cast<double>(open.elements) >= cap * kElementsOfMiB && model.bucket_mb < 500) {
                buckets.push_back(open);
                open.elements = 0;
            }
        }
    }
    if (open.elements > 0) {
        buckets.push_back(open);
    }
    return buckets;
}

void buildInput(StepBuilder& b) {
    b.place(placeOf(Part::Input));
    if (b.spec().loader.workers == 0) {
        loadBatchInMainThread(b);
    } else {
        const auto next = b.annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
        b.work(20'000);
        b.takeBatch();
        b.work(b.spec().loader.hand_over_ns);
    }
    b.place(placeOf(Part::Input, 1));
    const bool pinned = b.config().model.pinned;
    for (const std::int64_t bytes : {b.config().model.batch_bytes, std::int64_t{2048}}) {
        b.work(8'000);
        const auto to = b.operation("aten::to");
        const auto inner = b.operation("aten::_to_copy");
        const auto copy = b.operation("aten::copy_");
        b.work(5'000);
        b.copy(pinned ? words().copy_pinned : words().copy_pageable, bytes,
               pinned ? kPinnedBytesPerNs : b.config().model.pageable_bytes_per_ns, !pinned);
    }
}

void buildForward(StepBuilder& b) {
    {
        const auto ddp = b.annotation("DistributedDataParallel.forward");
        b.work(60'000);
        forwardBlocks(b, Part::Forward, 0);
        for (int i = 0; i < b.config().habits.items; ++i) {
            b.place(placeOf(Part::Items, i));
            b.work(6'000);
            readItem(b);
            b.work(120'000);  // what the program does with the value
        }
    }
    b.place(placeOf(Part::Loss));
    b.work(15'000);
    const auto loss = b.operation("aten::cross_entropy_loss");
    {
        const auto softmax = b.operation("aten::_log_softmax");
        b.work(5'000);
        b.kernel(kernels::kSoftmax, 30'000);
    }
    const auto nll = b.operation("aten::nll_loss_forward");
    b.work(5'000);
    b.kernel(kernels::kNllLoss, 9'000);
}

void buildBackward(StepBuilder& b) {
    const std::vector<Bucket> buckets = bucketsOf(b.config().model);
    std::size_t sent = 0;
    const auto send = [&](int block) {
        for (; sent < buckets.size() && buckets[sent].last_block >= block; ++sent) {
            reduce(b, sent, buckets.size(), buckets[sent].elements);
        }
    };
    b.place(placeOf(Part::Start));
    b.work(30'000);
    const GradientWait wait = b.config().model.gradient_wait;
    if (wait == GradientWait::NextStep && b.step() > -b.config().warmup_steps) {
        awaitBuckets(b, buckets.size());
    }
    for (int block = b.config().model.blocks; block-- > 0;) {
        b.place(placeOf(Part::Backward, block));
        backwardBlock(b, block);
        if (!b.config().model.reduce_after_backward) {
            send(block);
        }
    }
    send(0);
    b.place(placeOf(Part::Start, 1));
    if (wait == GradientWait::BeforeOptimizer) {
        awaitBuckets(b, buckets.size());
    }
}

void buildOptimizer(StepBuilder& b) {
    struct Update {
        std::string_view operation;
        std::string_view kernel;
        DurationNs ns;
    };
    constexpr std::array<Update, 5> kUpdates = {{{"aten::_foreach_lerp_", kernels::kForeachBinary, 190'000},
                                                 {"aten::_foreach_mul_", kernels::kForeachUnary, 120'000},
                                                 {"aten::_foreach_addcmul_", kernels::kForeachPointwise, 190'000},
                                                 {"aten::_foreach_sqrt", kernels::kForeachUnary, 130'000},
                                                 {"aten::_foreach_addcdiv_", kernels::kForeachPointwise, 210'000}}};
    b.place(placeOf(Part::Optimizer));
    const auto step = b.annotation("Optimizer.step#AdamW.step");
    b.work(120'000);
    interruptAt(b, b.config().model.blocks + 1);
    for (const Update& update : kUpdates) {
        {
            const auto operation = b.operation(update.operation);
            b.work(12'000);
            b.kernel(update.kernel, update.ns);
        }
        b.work(15'000);
    }
}

void buildCheckpoint(StepBuilder& b) {
    const auto& checkpoint = b.config().habits.checkpoint;
    if (!checkpoint || b.rank() != 0 || !every(checkpoint->every_steps, b, 1)) {
        return;
    }
    b.place(placeOf(Part::Save));
    const std::int64_t bytes = 4 * b.config().model.block_parameters;
    for (int block = 0; block < b.config().model.blocks; ++block) {
        const auto copy = b.operation("aten::copy_");
        b.work(5'000);
        b.copy(words().copy_to_host, bytes, 4.5, true);
    }
    b.exactWork(checkpoint->write_ns / 2);
    b.rest(checkpoint->write_ns - checkpoint->write_ns / 2);
}

void buildEvaluation(StepBuilder& b) {
    const auto& evaluation = b.config().habits.evaluation;
    if (!evaluation || !every(evaluation->every_steps, b, 2)) {
        return;
    }
    for (int batch = 0; batch < evaluation->batches; ++batch) {
        forwardBlocks(b, Part::Evaluate, batch);
        readItem(b);
    }
}

double kernelFactorOf(const Config& config, int rank, int step) {
    const auto& uneven = config.habits.uneven;
    constexpr DurationNs kMillion = 1'000'000;
    Dice dice = diceOf(config, Key::Turn, rank, step, 1);
    const double noise = static_cast<double>(dice.around(kMillion, config.noise.step_per_mille)) / kMillion;
    return uneven && turnOf(config, step) == rank ? noise * uneven->factor : noise;
}

namespace {

void buildMain(StepBuilder& b) {
    b.place(placeOf(Part::Start, 2));
    b.work(15'000);
    buildInput(b);
    b.place(placeOf(Part::Start, 3));
    {
        const auto zero = b.annotation("Optimizer.zero_grad#AdamW.zero_grad");
        b.work(45'000);
    }
    b.capture(b.config().model.captured);
    buildForward(b);
    interruptAt(b, b.config().model.blocks);
    b.place(placeOf(Part::Start, 4));
    b.work(40'000);
    b.runBackward();
    b.work(20'000);
    buildOptimizer(b);
    b.capture(false);
    if (b.config().habits.logs_loss) {
        b.place(placeOf(Part::Items, 999));
        b.work(8'000);
        readItem(b);
    }
    buildCheckpoint(b);
    buildEvaluation(b);
    b.place(placeOf(Part::Start, 5));
    b.work(15'000);
}

}  // namespace

StepProgram buildStep(const Config& config, int rank, int step, StringPool& names) {
    const double factor = kernelFactorOf(config, rank, step);
    StepBuilder main(config, rank, step, names, factor);
    if (config.model.step_marks) {
        const auto mark = main.annotation("ProfilerStep#" + std::to_string(config.first_step + step));
        buildMain(main);
    } else {
        buildMain(main);
    }
    main.place(placeOf(Part::Start, 6));
    main.work(20'000);
    StepBuilder backward(config, rank, step, names, factor);
    backward.capture(config.model.captured);
    buildBackward(backward);
    backward.capture(false);
    return {main.take(), {backward.take()}};
}

Program buildWindowEnd(const Config& config, int rank, StringPool& names) {
    StepBuilder b(config, rank, config.steps, names, 1);
    b.synchronize(words().device_sync, std::nullopt);
    return b.take();
}

}  // namespace rankscope::tracegen::machine
