// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace rankscope::test {

/// A small generator whose numbers are the same everywhere.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed * 2654435761U + 1) {}
    std::size_t below(std::size_t limit) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::size_t>(state_ >> 33U) % limit;
    }

  private:
    std::uint64_t state_;
};

}  // namespace rankscope::test
