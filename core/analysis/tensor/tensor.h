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

// What a job communicates whose layers or sequences are divided among ranks: facts that findTensor() makes
// (find_tensor.h). See docs/definitions/tensors.md.

/// What a transfer of a size takes most of its time for, by the transfer fit.
enum class TransferBound : std::uint8_t {
    Latency,    ///< its latency, which is there whatever the size
    Bandwidth,  ///< its bytes
};
[[nodiscard]] std::string_view transferBoundName(TransferBound bound);  ///< as in the JSON: "latency"

/// Sums over the counted steps of all ranks.
struct TensorTimes {
    std::size_t count = 0;       ///< parts of ranks
    DurationNs time_ns = 0;      ///< of their kernels
    DurationNs transfer_ns = 0;  ///< of it, where it can be determined
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
    std::string name;  ///< "layers.3", "TransformerLayer_3"; empty for all that no name identifies
    TensorTimes times;
};

/// What a job with divided layers or sequences communicates.
struct TensorFacts {
    std::vector<TensorOperation> operations;  ///< those with most exposed time first
    std::vector<TensorLayer> layers;          ///< in the order in which they first run
    DurationNs steps_ns = 0;                  ///< the counted steps of all ranks
    bool forward_only = false;                ///< no rank trains: no backward, no optimizer, no DDP

    /// Whether any operation is split over the ranks of a group.
    [[nodiscard]] bool any() const { return !operations.empty(); }
    [[nodiscard]] TensorTimes total() const;
};

/// The layer that a range or a module is of: "layers.3" of "model.layers.3.mlp", "TransformerLayer_3" of "nn.Module:
/// TransformerLayer_3"; empty for names that show no layer.
[[nodiscard]] std::string_view layerOf(std::string_view name);

/// How surely a name of layerOf() is that of a whole layer: 2 of "layers.3" and "LlamaDecoderLayer_3", 1 of
/// "TransformerBlock_3", which may also be a stack of layers, 0 of parts such as "MLPBlock_3".
[[nodiscard]] int wholeLayer(std::string_view layer);

}  // namespace rankscope
