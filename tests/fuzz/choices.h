// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

namespace rankscope::fuzz {

/// Turns a fuzzer's bytes into choices, front to back. At the end every choice is the first.
class Choices {
  public:
    explicit Choices(Input bytes) : bytes_(bytes) {}

    [[nodiscard]] bool done() const { return at_ >= bytes_.size(); }
    std::uint8_t byte() { return done() ? std::uint8_t{0} : bytes_[at_++]; }
    /// 0 to `count` - 1; 0 where there is nothing to choose from.
    std::size_t below(std::size_t count) {
        const std::size_t value = (std::size_t{byte()} << 8U) | byte();
        return count == 0 ? 0 : value % count;
    }
    /// A whole number of either sign: small ones often, and now and then one at the edge of what 64 bits hold.
    std::int64_t number() {
        const std::uint8_t size = byte();
        if (size >= 0xF8) {
            constexpr std::int64_t kEdges[] = {INT64_MAX,     INT64_MIN, INT32_MAX, INT32_MIN,
                                               1'000'000'000, -1,        65'536,    0};
            return kEdges[size - 0xF8];
        }
        std::uint64_t value = 0;
        for (unsigned i = 0; i <= size % 6U; ++i) {
            value = (value << 8U) | byte();
        }
        return (size & 0x80U) != 0 ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
    }

  private:
    Input bytes_;
    std::size_t at_ = 0;
};

}  // namespace rankscope::fuzz
