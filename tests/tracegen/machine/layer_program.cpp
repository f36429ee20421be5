// SPDX-License-Identifier: GPL-3.0-or-later
// One layer of a transformer, with what tensor parallelism and experts put around it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tests/tracegen/machine/job_builder.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr std::int64_t kRowElements = 4'096;  // of one token

/// An operation of the layer, forward and backward.
struct Piece {
    std::string_view operation;
    std::string_view kernel;
    std::string_view node;  ///< of autograd
    std::string_view backward;
    std::string_view backward_kernel;
    int per_mille = 0;  ///< of the layer's time
    bool weights = false;
    bool attends = false;
};

Piece norm() {
    return {"aten::native_layer_norm",          words().norm_forward,  "NativeLayerNormBackward0",
            "aten::native_layer_norm_backward", words().norm_backward, 30};
}
Piece multiply(int per_mille) {
    return {"aten::mm", words().gemm[0], "MmBackward0", "aten::mm", words().gemm[1], per_mille, true};
}
Piece attend(int per_mille) {
    return {"aten::_flash_attention_forward",
            kernels::kFlashForward,
            "FlashAttnFuncBackward",
            "aten::_flash_attention_backward",
            kernels::kFlashBackward,
            per_mille,
            false,
            true};
}
Piece gelu() {
    return {"aten::gelu", kernels::kGelu, "GeluBackward0", "aten::gelu_backward", kernels::kGeluBackward, 50};
}

using Pieces = std::vector<Piece>;

Pieces attentionOf(const JobSpec& job) {
    return job.brief ? Pieces{attend(420)} : Pieces{norm(), multiply(170), attend(150), multiply(70)};
}
Pieces denseOf(const JobSpec& job) {
    return job.brief ? Pieces{multiply(580)} : Pieces{norm(), multiply(250), gelu(), multiply(250)};
}

std::uint64_t noisePlace(const JobBuilder& j, const StageAction& action, int layer) {
    constexpr std::uint64_t kFirst = 100'000;
    const int pass = (action.micro_batch * j.job.layers + layer) * 2 + (action.forward ? 1 : 0);
    constexpr std::uint64_t kWeights = 40'000'000;
    const bool weights = action.gradient == Gradient::Weight;
    return kFirst + static_cast<std::uint64_t>(pass) + (weights ? kWeights : 0);
}

std::int64_t sequenceOf(const JobBuilder& j, const StageAction& action, int layer, std::size_t part) {
    constexpr std::int64_t kParts = 16;
    const std::int64_t step = std::int64_t{j.b.step()} + j.b.config().warmup_steps;
    const std::int64_t pass = (step * j.job.micro_batches + action.micro_batch) * j.job.layers + layer;
    return 100 + pass * kParts + static_cast<std::int64_t>(part);
}

DurationNs timeOf(const JobSpec& job, int per_mille, double factor) {
    constexpr double kMille = 1000;
    return std::llround(static_cast<double>(job.layer_ns) * per_mille / kMille * factor);
}

// Attention over sequences of which each member of a context group has a part: Megatron-LM (Transformer Engine) passes
// keys and values round in a ring, beside the attention to the part before; PyTorch gathers them.
void launchOver(JobBuilder& j, bool attends, std::string_view kernel, DurationNs ns) {
    if (!attends || j.job.context == 1) {
        j.b.kernel(kernel, ns);
        return;
    }
    if (j.job.framework == Framework::Torchtitan) {
        JobCollective gather;
        gather.kind = CollectiveKind::AllGather;
        gather.group = GroupKind::Context;
        gather.stream = Stream::Context;
        gather.elements = j.job.activations / 2;
        gather.elements_out = gather.elements * j.job.context;
        const auto operation = j.b.operation("_c10d_functional::all_gather_into_tensor");
        j.await(gather);
        j.b.kernel(kernel, ns);
        return;
    }
    for (int part = 0; part < j.job.context; ++part) {
        const bool last = part + 1 == j.job.context;
        const std::uint32_t arrived = last ? 0 : j.passInRing(j.job.activations / 2);
        j.b.kernel(kernel, ns / j.job.context);
        if (!last) {
            j.b.waitEvent(Stream::Compute, arrived);
        }
    }
}

void forwardPieces(JobBuilder& j, const Pieces& pieces, std::int64_t sequence, double factor) {
    for (const Piece& piece : pieces) {
        const auto operation = j.b.operation(piece.operation, sequence++);
        j.b.work(7'000);
        launchOver(j, piece.attends, piece.kernel, timeOf(j.job, piece.per_mille, factor));
    }
}

// How often the forward's time a piece takes in a backward that computes these gradients.
int shareOf(const Piece& piece, Gradient gradient) {
    switch (gradient) {
        case Gradient::Both: return 2;
        case Gradient::Input: return piece.weights ? 1 : 2;
        case Gradient::Weight: break;
    }
    return piece.weights ? 1 : 0;
}

// The gradients of the weights alone. PyTorch's pipelines run the nodes once more, which no flow tells; Megatron-LM
// calls what it has kept of them, without autograd.
void weightPieces(JobBuilder& j, const Pieces& pieces) {
    for (std::size_t i = pieces.size(); i-- > 0;) {
        const Piece& piece = pieces[i];
        if (shareOf(piece, Gradient::Weight) == 0) {
            continue;
        }
        const auto launch = [&] {
            const auto operation = j.b.operation(piece.backward);
            j.b.work(9'000);
            j.b.kernel(piece.backward_kernel, timeOf(j.job, piece.per_mille, 1));
        };
        if (j.job.framework == Framework::Megatron) {
            launch();
            continue;
        }
        const auto engine = j.b.operation("autograd::engine::evaluate_function: " + std::string(piece.node));
        const auto node = j.b.operation(piece.node);
        launch();
    }
}

void backwardPieces(JobBuilder& j, const Pieces& pieces, std::int64_t sequence, double factor,
                    Gradient gradient = Gradient::Both) {
    for (std::size_t i = pieces.size(); i-- > 0;) {
        const Piece& piece = pieces[i];
        const std::int64_t own = sequence + static_cast<std::int64_t>(i);
        const auto engine = j.b.operation("autograd::engine::evaluate_function: " + std::string(piece.node), own);
        const auto node = j.b.operation(piece.node, own);
        const auto operation = j.b.operation(piece.backward);
        j.b.work(9'000);
        launchOver(j, piece.attends, piece.backward_kernel,
                   timeOf(j.job, piece.per_mille, shareOf(piece, gradient) * factor));
    }
}

/// An autograd function of the framework around a collective of the tensor group.
struct TensorEdge {
    std::string_view name;
    CollectiveKind forward;
    CollectiveKind backward;
};
constexpr TensorEdge kEnter = {"_GatherFromSequenceParallelRegion", CollectiveKind::AllGather,
                               CollectiveKind::ReduceScatter};
constexpr TensorEdge kLeave = {"_ReduceScatterToSequenceParallelRegion", CollectiveKind::ReduceScatter,
                               CollectiveKind::AllGather};
constexpr TensorEdge kCopy = {"_CopyToModelParallelRegion", CollectiveKind::Broadcast, CollectiveKind::AllReduce};
constexpr TensorEdge kReduce = {"_ReduceFromModelParallelRegion", CollectiveKind::AllReduce, CollectiveKind::Broadcast};

JobCollective tensorCollective(const JobSpec& job, CollectiveKind kind) {
    JobCollective collective;
    collective.kind = kind;
    collective.group = GroupKind::Tensor;
    collective.stream = Stream::Tensor;
    const std::int64_t part = job.activations / job.tensor;
    collective.elements = kind == CollectiveKind::AllGather ? part : job.activations;
    collective.elements_out = kind == CollectiveKind::ReduceScatter ? part : job.activations;
    return collective;
}

// Broadcast stands for no communication: the edges of plain tensor parallelism talk in one direction only.
void crossForward(JobBuilder& j, const TensorEdge& edge, std::int64_t sequence) {
    if (j.job.tensor == 1 || edge.forward == CollectiveKind::Broadcast) {
        return;
    }
    const auto function = j.b.operation(edge.name, sequence);
    j.b.work(5'000);
    j.await(tensorCollective(j.job, edge.forward));
}

void crossBackward(JobBuilder& j, const TensorEdge& edge, std::int64_t sequence) {
    if (j.job.tensor == 1 || edge.backward == CollectiveKind::Broadcast) {
        return;
    }
    const std::string name = std::string(edge.name) + "Backward";
    const auto engine = j.b.operation("autograd::engine::evaluate_function: " + name, sequence);
    const auto node = j.b.operation(name, sequence);
    j.b.work(5'000);
    j.await(tensorCollective(j.job, edge.backward));
}

const TensorEdge& enterOf(const JobSpec& job) {
    return job.sequence_parallel ? kEnter : kCopy;
}
const TensorEdge& leaveOf(const JobSpec& job) {
    return job.sequence_parallel ? kLeave : kReduce;
}

/// Rows that go to each member of an expert group from one of them.
std::vector<std::int64_t> rowsOf(const JobSpec& job) {
    const std::int64_t rows = job.activations / kRowElements;
    const double rest = job.expert > 1 ? (job.expert - job.hot_expert) / (job.expert - 1) : 1;
    std::vector<std::int64_t> each;
    std::int64_t left = rows;
    for (int member = job.expert; member-- > 1;) {
        each.push_back(std::llround(static_cast<double>(rows) * rest / job.expert));
        left -= each.back();
    }
    each.push_back(left);
    std::ranges::reverse(each);
    return each;
}

std::string splitText(const std::vector<std::int64_t>& rows) {
    std::string text = "[";
    for (const std::int64_t count : rows) {
        text += (text.size() == 1 ? "" : ", ") + std::to_string(count);
    }
    return text + "]";
}

/// Tokens on their way to their experts, or back.
void exchange(JobBuilder& j, bool to_experts) {
    const std::vector<std::int64_t> rows = rowsOf(j.job);
    const auto member = static_cast<std::size_t>(j.place.data % j.job.expert);
    const std::vector<std::int64_t> mine(rows.size(), rows[member]);
    JobCollective collective;
    collective.kind = CollectiveKind::AllToAll;
    collective.group = GroupKind::Expert;
    collective.stream = Stream::Expert;
    collective.elements = j.job.activations / kRowElements * kRowElements;
    collective.elements_out = rows[member] * j.job.expert * kRowElements;
    collective.split_in = j.b.nameOf(splitText(rows));
    collective.split_out = j.b.nameOf(splitText(mine));
    if (!to_experts) {
        std::swap(collective.elements, collective.elements_out);
        std::swap(collective.split_in, collective.split_out);
    }
    j.await(collective);
}

double expertLoad(const JobBuilder& j) {
    const std::vector<std::int64_t> rows = rowsOf(j.job);
    const auto member = static_cast<std::size_t>(j.place.data % j.job.expert);
    const std::int64_t all = j.job.activations / kRowElements;
    return static_cast<double>(rows[member] * j.job.expert) / static_cast<double>(all);
}

void forwardExperts(JobBuilder& j, std::int64_t sequence) {
    forwardPieces(j, {multiply(20)}, sequence, 1);
    {
        const auto function = j.b.operation("_AllToAll", sequence + 1);
        exchange(j, true);
    }
    forwardPieces(j, {multiply(560)}, sequence + 2, expertLoad(j));
    const auto function = j.b.operation("_AllToAll", sequence + 3);
    exchange(j, false);
}

void exchangeBackward(JobBuilder& j, std::int64_t sequence, bool to_experts) {
    const auto engine = j.b.operation("autograd::engine::evaluate_function: _AllToAllBackward", sequence);
    const auto node = j.b.operation("_AllToAllBackward", sequence);
    exchange(j, to_experts);
}

void backwardExperts(JobBuilder& j, std::int64_t sequence) {
    exchangeBackward(j, sequence + 3, true);
    backwardPieces(j, {multiply(560)}, sequence + 2, expertLoad(j));
    exchangeBackward(j, sequence + 1, false);
    backwardPieces(j, {multiply(20)}, sequence, 1);
}

void setLabel(JobBuilder& j, const StageAction& action, int layer) {
    j.b.place(noisePlace(j, action, layer));
    j.b.label(labelOf(action, layer));
}

}  // namespace

std::vector<int> layersOf(const JobSpec& job, int stage, int chunk) {
    const auto at = static_cast<std::size_t>(stage);
    const bool uneven = !job.stage_layers.empty();
    const int count = uneven ? job.stage_layers[at] : job.layersOfChunk();
    const int first = uneven ? std::accumulate(job.stage_layers.begin(), job.stage_layers.begin() + stage, 0)
                             : job.placeOfChunk(stage, chunk) * job.layersOfChunk();
    std::vector<int> layers(static_cast<std::size_t>(count));
    std::iota(layers.begin(), layers.end(), first);
    return layers;
}

void forwardLayer(JobBuilder& j, const StageAction& action, int layer) {
    setLabel(j, action, layer);
    const std::int64_t sequence = sequenceOf(j, action, layer, 0);
    crossForward(j, enterOf(j.job), sequence);
    forwardPieces(j, attentionOf(j.job), sequence + 1, 1);
    crossForward(j, leaveOf(j.job), sequence + 5);
    if (j.job.expert > 1) {
        forwardExperts(j, sequence + 6);
        return;
    }
    crossForward(j, enterOf(j.job), sequence + 6);
    forwardPieces(j, denseOf(j.job), sequence + 7, 1);
    crossForward(j, leaveOf(j.job), sequence + 11);
}

PassShares passShares(const JobSpec& job) {
    PassShares shares;
    for (const Pieces& pieces : {attentionOf(job), denseOf(job)}) {
        for (const Piece& piece : pieces) {
            shares.forward += piece.per_mille;
            shares.input += shareOf(piece, Gradient::Input) * piece.per_mille;
            shares.weight += shareOf(piece, Gradient::Weight) * piece.per_mille;
        }
    }
    return shares;
}

WorkLabel labelOf(const StageAction& action, int unit) {
    const bool weights = action.gradient == Gradient::Weight;
    const WorkLabel::Pass backward = weights ? WorkLabel::Pass::WeightGradient : WorkLabel::Pass::Backward;
    return {action.forward ? WorkLabel::Pass::Forward : backward, static_cast<std::int16_t>(unit),
            static_cast<std::int16_t>(action.micro_batch), static_cast<std::int16_t>(action.chunk)};
}

void backwardLayer(JobBuilder& j, const StageAction& action, int layer) {
    setLabel(j, action, layer);
    if (action.gradient == Gradient::Weight) {
        weightPieces(j, denseOf(j.job));
        weightPieces(j, attentionOf(j.job));
        return;
    }
    const std::int64_t sequence = sequenceOf(j, action, layer, 0);
    if (j.job.expert > 1) {
        backwardExperts(j, sequence + 6);
    } else {
        crossBackward(j, leaveOf(j.job), sequence + 11);
        backwardPieces(j, denseOf(j.job), sequence + 7, 1, action.gradient);
        crossBackward(j, enterOf(j.job), sequence + 6);
    }
    crossBackward(j, leaveOf(j.job), sequence + 5);
    backwardPieces(j, attentionOf(j.job), sequence + 1, 1, action.gradient);
    crossBackward(j, enterOf(j.job), sequence);
}

}  // namespace rankscope::tracegen::machine
