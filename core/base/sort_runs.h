// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace rankscope {

/// Sorts, stably, what is made of a few runs that are sorted already, as all columns of a trace are: a natural merge
/// sort, which costs one comparison an element where all is in order, and n log(runs) else.
template <class T, class Less>
void sortRuns(std::vector<T>& items, const Less& less) {
    std::vector<std::size_t> starts = {0};
    for (std::size_t i = 1; i < items.size(); ++i) {
        if (less(items[i], items[i - 1])) {
            starts.push_back(i);
        }
    }
    starts.push_back(items.size());
    std::vector<T> merged(starts.size() > 2 ? items.size() : 0);
    const auto at = [](std::vector<T>& v, std::size_t i) { return v.begin() + static_cast<std::ptrdiff_t>(i); };
    while (starts.size() > 2) {
        std::vector<std::size_t> next = {0};
        for (std::size_t r = 0; r + 1 < starts.size(); r += 2) {
            const std::size_t middle = starts[r + 1];
            const std::size_t end = r + 2 < starts.size() ? starts[r + 2] : middle;
            std::merge(at(items, starts[r]), at(items, middle), at(items, middle), at(items, end),
                       at(merged, starts[r]), less);
            next.push_back(end);
        }
        items.swap(merged);
        starts = std::move(next);
    }
}

}  // namespace rankscope
