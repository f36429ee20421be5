// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/ids.h"

namespace rankscope {

/// A column that only some slices of a track have: (slice, value) pairs sorted by slice.
template <class T>
struct SparseColumn {
    std::vector<SliceIndex> slice;
    std::vector<T> value;

    /// The number of slices that have a value.
    [[nodiscard]] std::size_t size() const { return slice.size(); }
    /// The value of slice `i`, or nullptr. O(log n).
    [[nodiscard]] const T* find(SliceIndex i) const {
        const auto at = std::ranges::lower_bound(slice, i);
        return at != slice.end() && *at == i ? &value[static_cast<std::size_t>(at - slice.begin())] : nullptr;
    }
    [[nodiscard]] std::size_t memoryBytes() const {
        return slice.capacity() * sizeof(SliceIndex) + value.capacity() * sizeof(T);
    }
    friend bool operator==(const SparseColumn&, const SparseColumn&) = default;
};

}  // namespace rankscope
