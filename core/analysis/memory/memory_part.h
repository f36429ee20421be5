// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace rankscope {

/// What device memory is used for. See docs/definitions/memory.md.
enum class MemoryPart : std::uint8_t {
    Parameters,
    Gradients,
    OptimizerState,
    Activations,  ///< allocated in the forward and kept for the backward; also the inputs of the step
    Temporary,    ///< allocated and freed inside one phase
    Held,         ///< allocated before the window and kept to its end: parameters, and what stays with them
    Unknown,      ///< cannot be determined
};
inline constexpr std::size_t kMemoryParts = static_cast<std::size_t>(MemoryPart::Unknown) + 1;
[[nodiscard]] std::string_view memoryPartName(MemoryPart part);   ///< as in the JSON: "optimizer-state"
[[nodiscard]] std::string_view memoryPartTitle(MemoryPart part);  ///< for people: "Optimizer state"

/// Bytes by their use.
struct MemoryParts {
    std::array<std::int64_t, kMemoryParts> bytes{};
    [[nodiscard]] std::int64_t& operator[](MemoryPart part) { return bytes[static_cast<std::size_t>(part)]; }
    [[nodiscard]] std::int64_t operator[](MemoryPart part) const { return bytes[static_cast<std::size_t>(part)]; }
    [[nodiscard]] std::int64_t total() const { return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}); }
};

}  // namespace rankscope
