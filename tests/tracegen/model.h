// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "tests/tracegen/config.h"

namespace rankscope::tracegen {

enum class LayerKind {
    Convolution,  ///< convolution, batch norm, ReLU
    Linear,       ///< linear, GELU
    Head,         ///< linear, softmax, loss
};

/// One layer, with the device time of each of its kernels.
struct Layer {
    LayerKind kind = LayerKind::Linear;
    std::int64_t parameters = 0;
    DurationNs forward_ns = 0;  ///< convolution or matrix product
    DurationNs input_gradient_ns = 0;
    DurationNs weight_gradient_ns = 0;
    DurationNs norm_ns = 0;  ///< 0: there is none
    DurationNs norm_backward_ns = 0;
    DurationNs activation_ns = 0;
    DurationNs activation_backward_ns = 0;
};

/// A DDP bucket: its gradients are reduced together when the last of them is there.
struct Bucket {
    std::size_t last_layer = 0;  ///< the layer whose backward completes it
    std::int64_t elements = 0;
};

/// What is trained: the same on all ranks and in all steps.
struct Model {
    std::vector<Layer> layers;    ///< in order of the forward
    std::vector<Bucket> buckets;  ///< in order of the backward
    std::int64_t parameters = 0;
    DurationNs adam_ns = 0;  ///< device time of one optimizer step
};

[[nodiscard]] Model makeModel(const Config& config);

}  // namespace rankscope::tracegen
