// SPDX-License-Identifier: GPL-3.0-or-later
// The backward pass, on the autograd thread, with the all-reduces that DDP starts under it.
#include <string>

#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

/// A node of autograd: the engine's slice around the node's own.
class Node {
  public:
    Node(ProgramBuilder& b, std::string_view name, std::int64_t sequence)
        : engine_(b.operation("autograd::engine::evaluate_function: " + std::string(name), sequence)),
          node_(b.operation(name, sequence)) {}

  private:
    ProgramBuilder::Scope engine_;
    ProgramBuilder::Scope node_;
};

void elementwiseBackward(ProgramBuilder& b, const StepContext& context, std::string_view node_name,
                         const Elementwise& what, std::int64_t sequence) {
    const Fault* tiny = context.fault(FaultKind::TinyKernels);
    if (tiny == nullptr) {
        const Node node(b, node_name, sequence);
        const auto operation = b.operation(what.operation);
        b.work(4'500);
        b.kernel(what.kernel, what.ns);
        return;
    }
    for (int i = 0; i < tiny->count; ++i) {
        const bool even = i % 2 == 0;
        const Node node(b, even ? "AddBackward0" : "MulBackward0", i + 1 == tiny->count ? sequence : -1);
        const auto operation = b.operation(even ? "aten::add" : "aten::mul");
        b.work(2'500);
        b.kernel(even ? kernels::kAdd : kernels::kMul, what.ns / tiny->count);
    }
}

void lossBackward(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    {
        const Node node(b, "NllLossBackward0", context.sequence(index, 2));
        const auto operation = b.operation("aten::nll_loss_backward");
        b.work(10'000);
        b.kernel(kernels::kNllLossBackward, 8'000);
    }
    b.work(4'000);
    const Node node(b, "LogSoftmaxBackward0", context.sequence(index, 1));
    const auto operation = b.operation("aten::_log_softmax_backward_data");
    b.work(5'000);
    b.kernel(kernels::kSoftmaxBackward, context.model.layers[index].activation_backward_ns);
}

void multiplyBackward(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    const Layer& layer = context.model.layers[index];
    {
        const Node node(b, "AddmmBackward0", context.sequence(index, 0));
        for (int part = 1; part <= 2; ++part) {
            {
                const auto t = b.operation("aten::t");
                b.leaf("aten::transpose", 3'000);
            }
            const auto mm = b.operation("aten::mm");
            b.work(12'000);
            b.libraryKernel(b.words().gemm[static_cast<std::size_t>(part)],
                            part == 1 ? layer.input_gradient_ns : layer.weight_gradient_ns);
        }
        const auto sum = b.operation("aten::sum");
        b.work(5'000);
        b.kernel(kernels::kReduce, 16'000);
    }
    b.work(3'000);
    buildAccumulate(b, context, index);
}

void convolveBackward(ProgramBuilder& b, const StepContext& context, std::size_t index) {
    const Layer& layer = context.model.layers[index];
    const Vocabulary& words = b.words();
    elementwiseBackward(b, context, "ReluBackward0",
                        {"aten::threshold_backward", "", kernels::kReluBackward, layer.activation_backward_ns},
                        context.sequence(index, 2));
    b.work(4'000);
    if (context.fault(FaultKind::TinyKernels) != nullptr) {
        elementwiseBackward(b, context, {}, {"", "", kernels::kMul, layer.norm_backward_ns},
                            context.sequence(index, 1));
    } else {
        const Node node(b, words.batch_norm_node, context.sequence(index, 1));
        const auto operation = b.operation(words.batch_norm_backward);
        b.leaf("aten::empty", 2'000);
        b.work(9'000);
        b.libraryKernel(words.norm_backward, layer.norm_backward_ns);
    }
    b.work(4'000);
    {
        const Node node(b, "ConvolutionBackward0", context.sequence(index, 0));
        const auto operation = b.operation("aten::convolution_backward");
        b.work(16'000);
        if (index > 0) {  // nobody asks for the gradient of the images
            b.libraryKernel(words.conv_input_gradient, layer.input_gradient_ns);
            b.work(9'000);
        }
        b.libraryKernel(words.conv_weight_gradient, layer.weight_gradient_ns);
    }
    b.work(3'000);
    buildAccumulate(b, context, index);
}

// Sends the buckets from `bucket` on that are full once the backward of `layer` is through. The next one.
std::size_t sendBuckets(ProgramBuilder& b, const StepContext& context, std::size_t bucket, std::size_t layer) {
    const auto& buckets = context.model.buckets;
    for (; bucket < buckets.size() && buckets[bucket].last_layer >= layer; ++bucket) {
        b.work(6'000);
        buildAllReduce(b, context, bucket);
    }
    return bucket;
}

}  // namespace

void buildBackward(ProgramBuilder& b, const StepContext& context) {
    {
        const auto ones = b.operation("aten::ones_like");
        b.leaf("aten::empty_like", 3'000);
    }
    b.work(60'000);
    b.useThread(Thread::Autograd);
    b.work(40'000);
    const bool late = context.fault(FaultKind::LateAllReduce) != nullptr;
    std::size_t bucket = 0;
    for (std::size_t i = context.model.layers.size(); i-- > 0;) {
        const ProgramBuilder::DiceScope own(b, context.dice(Draw::Backward, i));
        const Layer& layer = context.model.layers[i];
        if (layer.kind == LayerKind::Head) {
            lossBackward(b, context, i);
        }
        b.work(4'000);
        if (layer.kind == LayerKind::Linear) {
            elementwiseBackward(b, context, "GeluBackward0",
                                {"aten::gelu_backward", "", kernels::kGeluBackward, layer.activation_backward_ns},
                                context.sequence(i, 1));
            b.work(4'000);
        }
        if (layer.kind == LayerKind::Convolution) {
            convolveBackward(b, context, i);
        } else {
            multiplyBackward(b, context, i);
        }
        bucket = late ? 0 : sendBuckets(b, context, bucket, i);
    }
    sendBuckets(b, context, bucket, 0);
    buildUsedMap(b, context);
    b.work(15'000);
    buildAwaitBuckets(b, context);
    b.work(40'000);
    b.useThread(Thread::Main);
}

}  // namespace rankscope::tracegen
