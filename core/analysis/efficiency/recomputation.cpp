// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/recomputation.h"

#include <string_view>

namespace rankscope {
namespace {

constexpr std::string_view kEvaluate = "autograd::engine::evaluate_function: ";

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Composite operators, which the formulas of autograd's own nodes do not call.
bool isComposite(std::string_view name) {
    return name == "aten::linear" || name == "aten::conv1d" || name == "aten::conv2d" || name == "aten::conv3d" ||
           name == "aten::scaled_dot_product_attention";
}

bool isForward(Product product) {
    switch (product) {
        case Product::ConvolutionBackward:
        case Product::ConvolutionParts:
        case Product::ConvolutionInput:
        case Product::ConvolutionWeight:
        case Product::AttentionBackward:
        case Product::SequenceAttentionBackward:
        case Product::AttentionNodeBackward:
        case Product::FusedLinearBackward: return false;
        default: return true;
    }
}

}  // namespace

Recomputation::Kind Recomputation::kindOf(StringId id) {
    Kind& kind = kinds_[id.value];
    if (kind != Kind::Unread) {
        return kind;
    }
    std::string_view name = trace_.strings.view(id);
    const bool evaluated = name.starts_with(kEvaluate);
    if (evaluated) {
        name.remove_prefix(kEvaluate.size());
    }
    std::string_view stem = name;
    while (!stem.empty() && isDigit(stem.back())) {
        stem.remove_suffix(1);
    }
    const bool checkpoint = name.find("heckpoint") != std::string_view::npos;
    if (stem.ends_with("Backward")) {
        const bool own =
            stem.size() < name.size();  // "MmBackward0": generated, unlike those that are written in Python
        kind = checkpoint ? Kind::CheckpointNode : own ? Kind::OwnNode : Kind::Node;
    } else if (evaluated) {
        kind = Kind::Node;
    } else if (checkpoint || name.find("recompute") != std::string_view::npos) {
        kind = Kind::Checkpoint;
    } else {
        kind = Kind::Other;
    }
    return kind;
}

bool Recomputation::holds(SliceRef call, Product product) {
    if (!isForward(product)) {
        return false;
    }
    const SliceTable& slices = trace_.track(call).slices;
    bool below_checkpoint = false;
    for (SliceIndex at = slices.parent[call.slice]; at != kNoSlice; at = slices.parent[at]) {
        switch (kindOf(slices.name[at])) {
            case Kind::Checkpoint: below_checkpoint = true; break;
            case Kind::CheckpointNode: return true;
            case Kind::OwnNode: return below_checkpoint || isComposite(trace_.name(call));
            case Kind::Node: return below_checkpoint;
            default: break;
        }
    }
    return false;
}

}  // namespace rankscope
