// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rankscope {

/// The smallest and the largest of some values.
struct ValueRange {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    [[nodiscard]] ValueRange with(const ValueRange& other) const {
        return {std::min(low, other.low), std::max(high, other.high)};
    }
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// Level-of-detail index of a series of values, such as a number that changes over time: the range of any part of it in
/// O(log values). Uses two numbers per value, plus a seventh.
class StepLod {
  public:
    StepLod() = default;
    /// Indexes `values`. O(values).
    explicit StepLod(std::span<const std::uint64_t> values) {
        std::vector<ValueRange>& finest = levels_.emplace_back();
        finest.reserve(values.size());
        for (const std::uint64_t value : values) {
            finest.push_back({value, value});
        }
        while (levels_.back().size() > 1) {
            levels_.push_back(coarser(levels_.back()));
        }
    }

    /// The number of indexed values.
    [[nodiscard]] std::size_t size() const { return levels_.empty() ? 0 : levels_.front().size(); }

    /// The range of the values [first, last), which must not be empty.
    [[nodiscard]] ValueRange range(std::size_t first, std::size_t last) const {
        assert(first < last && last <= size());
        ValueRange found = levels_.front()[first];
        for (const std::vector<ValueRange>& level : levels_) {
            // Values outside whole groups at either end are taken here; the rest is left to the coarser levels.
            for (; first < last && first % kGroup != 0; ++first) {
                found = found.with(level[first]);
            }
            for (; first < last && last % kGroup != 0; --last) {
                found = found.with(level[last - 1]);
            }
            if (first == last) {
                break;
            }
            first /= kGroup;
            last /= kGroup;
        }
        return found;
    }

  private:
    static constexpr std::size_t kGroup = 8;

    static std::vector<ValueRange> coarser(const std::vector<ValueRange>& level) {
        std::vector<ValueRange> made;
        made.reserve(level.size() / kGroup + 1);
        for (std::size_t i = 0; i < level.size(); ++i) {
            if (i % kGroup == 0) {
                made.push_back(level[i]);
            } else {
                made.back() = made.back().with(level[i]);
            }
        }
        return made;
    }

    std::vector<std::vector<ValueRange>> levels_;  // the finest first
};

}  // namespace rankscope
