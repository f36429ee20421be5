// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/parallelism/role.h"
#include "core/base/time.h"

namespace rankscope {

// The communication of a job whose layers or sequences are divided among ranks: facts from findTensor()
// (find_tensor.h). See docs/definitions/tensors.md.

/// What most of a transfer's time is spent on, by the transfer fit.
enum class TransferBound : std::uint8_t {
    Latency,    ///< its latency, which does not depend on the size
    Bandwidth,  ///< its bytes
};
[[nodiscard]] std::string_view transferBoundName(TransferBound bound);  ///< as in the JSON: "latency"

/// Sums over the counted steps of all ranks.
struct TensorTimes {
    std::size_t count = 0;       ///< number of ranks' parts
    DurationNs time_ns = 0;      ///< time of their kernels
    DurationNs transfer_ns = 0;  ///< the known transfer part of time_ns
    DurationNs exposed_ns = 0;   ///< their part of RankRoles::exposed
};

/// Collectives of one kind and size in one group.
struct TensorOperation {
    std::uint32_t group = 0;  ///< index in CollectiveFacts::groups
    Role role = Role::Tensor;
    CollectiveKind kind = CollectiveKind::Unknown;
    std::optional<std::int64_t> bytes;
    TensorTimes times;
    std::optional<TransferBound> bound;  ///< nothing if there is no fit
};

/// A layer of the model, by the names around the launches.
struct TensorLayer {
    std::string name;  ///< "layers.3", "TransformerLayer_3"; empty for everything that no name identifies
    TensorTimes times;
};

/// The communication of a job with divided layers or sequences.
struct TensorFacts {
    std::vector<TensorOperation> operations;  ///< sorted by exposed time, the most first
    std::vector<TensorLayer> layers;          ///< in the order in which they first run
    DurationNs steps_ns = 0;                  ///< the length of the counted steps of all ranks
    bool forward_only = false;                ///< no rank trains: no backward, no optimizer, no DDP

    /// Whether any operation is split over the ranks of a group.
    [[nodiscard]] bool any() const { return !operations.empty(); }
    [[nodiscard]] TensorTimes total() const;
};

/// The layer of a range or module: "layers.3" for "model.layers.3.mlp", "TransformerLayer_3" for "nn.Module:
/// TransformerLayer_3"; empty for names that show no layer.
[[nodiscard]] std::string_view layerOf(std::string_view name);

/// How certain it is that a name from layerOf() is a whole layer: 2 for "layers.3" and "LlamaDecoderLayer_3", 1 for
/// "TransformerBlock_3", which may also be a stack of layers, 0 for parts such as "MLPBlock_3".
[[nodiscard]] int wholeLayer(std::string_view layer);

}  // namespace rankscope
