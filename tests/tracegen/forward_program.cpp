// SPDX-License-Identifier: GPL-3.0-or-later
// The forward pass and the loss.
#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

void convolve(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    const Layer& layer = context.model.layers[index];
    const Vocabulary& words = b.words();
    {
        const auto python = b.python("nn.Module: Conv2d_" + std::to_string(index));
        const auto conv = b.operation("aten::conv2d");
        const auto outer = b.operation("aten::convolution", context.sequence(index, 0));
        const auto inner = b.operation("aten::_convolution");
        const auto vendor = b.operation(words.convolution);
        b.work(14'000);
        b.libraryKernel(words.conv_forward, layer.forward_ns);
    }
    b.work(9'000);
    if (context.fault(FaultKind::TinyKernels) != nullptr) {
        buildElementwise(b, context, {"aten::batch_norm", "", kernels::kMul, layer.norm_ns},
                         context.sequence(index, 1));
    } else {
        const auto python = b.python("nn.Module: BatchNorm2d_" + std::to_string(index));
        const auto norm = b.operation("aten::batch_norm");
        const auto impl = b.operation("aten::_batch_norm_impl_index", context.sequence(index, 1));
        const auto vendor = b.operation(words.batch_norm);
        b.leaf("aten::empty", 2'000);
        b.work(7'000);
        b.libraryKernel(words.norm_forward, layer.norm_ns);
    }
    b.work(8'000);
    const auto python = b.python("nn.Module: ReLU_" + std::to_string(index));
    buildElementwise(b, context, {"aten::relu", "aten::clamp_min", kernels::kRelu, layer.activation_ns},
                     context.sequence(index, 2));
}

void multiply(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    const auto python = b.python("nn.Module: Linear_" + std::to_string(index));
    const auto linear = b.operation("aten::linear");
    {
        const auto t = b.operation("aten::t");
        b.leaf("aten::transpose", 3'500);
    }
    const auto addmm = b.operation("aten::addmm", context.sequence(index, 0));
    b.work(14'000);
    b.libraryKernel(b.words().gemm[0], context.model.layers[index].forward_ns);
}

void buildLoss(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    const Layer& layer = context.model.layers[index];
    const auto loss = b.operation("aten::cross_entropy_loss");
    {
        const auto softmax = b.operation("aten::log_softmax");
        const auto inner = b.operation("aten::_log_softmax", context.sequence(index, 1));
        b.work(5'000);
        b.kernel(kernels::kSoftmax, layer.activation_ns);
    }
    const auto outer = b.operation("aten::nll_loss_nd");
    const auto nll = b.operation("aten::nll_loss");
    const auto inner = b.operation("aten::nll_loss_forward", context.sequence(index, 2));
    b.work(5'000);
    b.kernel(kernels::kNllLoss, 8'000);
}

}  // namespace

void buildElementwise(ProgramBuilder& b, const StepContext& context, const Elementwise& what, std::int64_t sequence) {
    const Fault* tiny = context.fault(FaultKind::TinyKernels);
    if (tiny == nullptr) {
        const auto outer = b.operation(what.operation, what.inner.empty() ? sequence : -1);
        if (what.inner.empty()) {
            b.work(3'500);
            b.kernel(what.kernel, what.ns);
            return;
        }
        const auto inner = b.operation(what.inner, sequence);
        b.work(3'500);
        b.kernel(what.kernel, what.ns);
        return;
    }
    for (int i = 0; i < tiny->count; ++i) {
        const bool even = i % 2 == 0;
        const auto part = b.operation(even ? "aten::mul" : "aten::add", i == 0 ? sequence : -1);
        b.work(3'500);
        b.kernel(even ? kernels::kMul : kernels::kAdd, what.ns / tiny->count);
    }
}

void buildForward(ProgramBuilder& b, const StepContext& context) {
    const std::size_t head = context.model.layers.size() - 1;
    {
        const auto python = b.python("torch/nn/parallel/distributed.py(1635): forward");
        const auto ddp = b.annotation("DistributedDataParallel.forward");
        b.work(90'000);
        buildBroadcast(b, context);
        for (std::size_t i = 0; i <= head; ++i) {
            plantInForward(b, context, i);
            const ProgramBuilder::DiceScope own(b, context.dice(Draw::Forward, i));
            b.work(12'000);
            if (context.model.layers[i].kind == LayerKind::Convolution) {
                convolve(b, context, i);
                continue;
            }
            multiply(b, context, i);
            if (context.model.layers[i].kind == LayerKind::Linear) {
                b.work(8'000);
                buildElementwise(b, context, {"aten::gelu", "", kernels::kGelu, context.model.layers[i].activation_ns},
                                 context.sequence(i, 1));
            }
        }
        b.work(15'000);
        plantAfterModel(b, context);
    }
    b.work(20'000);
    const ProgramBuilder::DiceScope own(b, context.dice(Draw::Forward, head + 1));
    buildLoss(b, context, head);
}

}  // namespace rankscope::tracegen
