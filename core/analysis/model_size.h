// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace rankscope {

/// What the user enters about the model and about a micro-batch; nothing where it is not entered.
struct ModelSize {
    std::optional<std::int64_t> parameters;   ///< in the whole model
    std::optional<std::int64_t> layers;       ///< in the whole model
    std::optional<std::int64_t> hidden;       ///< width
    std::optional<std::int64_t> sequence;     ///< tokens per sequence
    std::optional<std::int64_t> micro_batch;  ///< sequences per micro-batch on one device
    std::optional<std::int64_t> heads;        ///< attention heads
    friend bool operator==(const ModelSize&, const ModelSize&) = default;
};

}  // namespace rankscope
