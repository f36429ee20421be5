// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace rankscope {

/// Merges, stably, the sorted runs [first, middle) and [middle, last). Moves only elements that are out of place:
/// `scratch` gets the end of the first run, as far as the second one overlaps it.
template <class It, class T, class Less>
void mergeNeighbours(It first, It middle, It last, std::vector<T>& scratch, const Less& less) {
    first = std::upper_bound(first, middle, *middle, less);
    scratch.assign(std::move_iterator(first), std::move_iterator(middle));
    auto from = scratch.begin();
    while (from != scratch.end()) {
        if (middle != last && less(*middle, *from)) {
            *first++ = std::move(*middle++);
        } else {
            *first++ = std::move(*from++);
        }
    }
}

/// Sorts, stably, a range of a few sorted runs, as all columns of a trace are: a natural merge sort, with one
/// comparison per element if all is in order, and n log(runs) if runs overlap completely. If `stopped()` returns true
/// it ends early, with the items in any order.
template <class T, class Less, class Stopped>
void sortRuns(std::vector<T>& items, const Less& less, const Stopped& stopped) {
    std::vector<std::size_t> starts = {0};
    for (std::size_t i = 1; i < items.size(); ++i) {
        if (less(items[i], items[i - 1])) {
            starts.push_back(i);
        }
    }
    std::vector<T> scratch;
    const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
    while (starts.size() > 1) {
        std::vector<std::size_t> next;
        for (std::size_t r = 0; r < starts.size(); r += 2) {
            if (stopped()) {
                return;
            }
            next.push_back(starts[r]);
            if (r + 1 < starts.size()) {
                const std::size_t end = r + 2 < starts.size() ? starts[r + 2] : items.size();
                mergeNeighbours(at(starts[r]), at(starts[r + 1]), at(end), scratch, less);
            }
        }
        starts = std::move(next);
    }
}

/// The same natural merge sort, also stable, without a way to stop it.
template <class T, class Less>
void sortRuns(std::vector<T>& items, const Less& less) {
    sortRuns(items, less, [] { return false; });
}

}  // namespace rankscope
