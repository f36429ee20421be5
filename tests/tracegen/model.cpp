// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/model.h"

#include <algorithm>
#include <cmath>

#include "tests/tracegen/dice.h"

namespace rankscope::tracegen {
namespace {

// Kernel times of a mid-size network on a data-centre device. The largest layers are at the end, so that the last
// bucket of the backward is small and its all-reduce hardly shows.
Layer convolution(Dice& dice) {
    Layer layer;
    layer.kind = LayerKind::Convolution;
    layer.parameters = 128 * 128 * 9 + 256;
    layer.forward_ns = dice.around(1'300'000, 120);
    layer.input_gradient_ns = dice.around(1'400'000, 120);
    layer.weight_gradient_ns = dice.around(1'500'000, 120);
    layer.norm_ns = dice.around(120'000, 150);
    layer.norm_backward_ns = dice.around(210'000, 150);
    layer.activation_ns = dice.around(60'000, 150);
    layer.activation_backward_ns = dice.around(70'000, 150);
    return layer;
}

Layer linear(Dice& dice) {
    Layer layer;
    layer.kind = LayerKind::Linear;
    layer.parameters = 1024 * 2304 + 2304;
    layer.forward_ns = dice.around(104'000, 300);
    layer.input_gradient_ns = dice.around(104'000, 300);
    layer.weight_gradient_ns = dice.around(104'000, 300);
    layer.activation_ns = dice.around(45'000, 150);
    layer.activation_backward_ns = dice.around(55'000, 150);
    return layer;
}

Layer head(Dice& dice) {
    Layer layer = linear(dice);
    layer.kind = LayerKind::Head;
    layer.parameters = 2048 * 2816 + 2816;
    layer.activation_ns = dice.around(18'000, 150);
    layer.activation_backward_ns = dice.around(20'000, 150);
    return layer;
}

/// How DDP packs gradients.
struct Packing {
    double bucket_mb = 25;
    std::int64_t tensor_elements = 0;  ///< a layer's parameters are tensors of this size; 0: one tensor
};

// As DDP does: gradients in the order in which they come, a bucket closed when it is full; the first one at 1 MiB.
std::vector<Bucket> makeBuckets(const std::vector<Layer>& layers, const Packing& packing) {
    constexpr std::int64_t kMiB = std::int64_t{1024} * 1024 / 4;
    const std::int64_t cap = std::llround(packing.bucket_mb * static_cast<double>(kMiB));
    std::vector<Bucket> buckets;
    Bucket open;
    for (std::size_t i = layers.size(); i-- > 0;) {
        const std::int64_t tensor = packing.tensor_elements > 0 ? packing.tensor_elements : layers[i].parameters;
        open.last_layer = i;
        for (std::int64_t left = layers[i].parameters; left > 0; left -= tensor) {
            open.elements += std::min(left, tensor);
            if (open.elements >= (buckets.empty() ? std::min(kMiB, cap) : cap)) {
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

// The size of a tensor matters to small buckets only: 256 KiB.
Packing packingOf(const Config& config) {
    constexpr std::int64_t kTensorElements = std::int64_t{64} * 1024;
    const Fault* sized = config.fault(FaultKind::BucketSize, 0, 0);
    return sized != nullptr ? Packing{sized->amount, kTensorElements} : Packing{static_cast<double>(config.bucket_mb)};
}

}  // namespace

Model makeModel(const Config& config) {
    Dice dice(config.seed, {static_cast<std::uint64_t>(Draw::Model)});
    Model model;
    // Three linear layers fill a bucket of the usual size: their number leaves none over for the last bucket.
    const int linears = (config.layers - 1) * 5 / 8 / 3 * 3;
    const int convolutions = config.layers - 1 - linears;
    for (int i = 0; i + 1 < config.layers; ++i) {
        model.layers.push_back(i < convolutions ? convolution(dice) : linear(dice));
    }
    model.layers.push_back(head(dice));
    std::int64_t parameters = 0;
    for (const Layer& layer : model.layers) {
        parameters += layer.parameters;
    }
    model.adam_ns = 20'000 + parameters * 48 / 1000;
    model.buckets = makeBuckets(model.layers, packingOf(config));
    model.parameters = parameters;
    return model;
}

}  // namespace rankscope::tracegen
