// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace rankscope {

/// What the user says of the model and of what a device works on at once. What is not said is nothing.
struct ModelSize {
    std::optional<std::int64_t> parameters;   ///< of the whole model
    std::optional<std::int64_t> layers;       ///< of the whole model
    std::optional<std::int64_t> hidden;       ///< width
    std::optional<std::int64_t> sequence;     ///< tokens of a sequence
    std::optional<std::int64_t> micro_batch;  ///< sequences of a micro-batch on one device
    std::optional<std::int64_t> heads;        ///< of attention
    friend bool operator==(const ModelSize&, const ModelSize&) = default;
};

}  // namespace rankscope
