// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/slice_order.h"

#include <algorithm>

namespace rankscope {
namespace {

struct Key {
    TimeNs start_ns;
    TimeNs end_ns;
    SliceIndex row;
};

/// Where the sorted runs begin, with the end behind the last.
template <class Less>
std::vector<std::size_t> runStarts(const std::vector<Key>& keys, const Less& less) {
    std::vector<std::size_t> starts = {0};
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (less(keys[i], keys[i - 1])) {
            starts.push_back(i);
        }
    }
    starts.push_back(keys.size());
    return starts;
}

/// Merges neighbouring runs until one is left.
template <class Less>
void mergeRuns(std::vector<Key>& keys, std::vector<std::size_t> starts, const Less& less) {
    std::vector<Key> merged(starts.size() > 2 ? keys.size() : 0);
    while (starts.size() > 2) {
        std::vector<std::size_t> next = {0};
        const auto at = [&](std::size_t i) { return keys.begin() + static_cast<std::ptrdiff_t>(i); };
        for (std::size_t r = 0; r + 1 < starts.size(); r += 2) {
            const std::size_t middle = starts[r + 1];
            const std::size_t end = r + 2 < starts.size() ? starts[r + 2] : middle;
            std::merge(at(starts[r]), at(middle), at(middle), at(end),
                       merged.begin() + static_cast<std::ptrdiff_t>(starts[r]), less);
            next.push_back(end);
        }
        keys.swap(merged);
        starts = std::move(next);
    }
}

template <class T>
void permute(std::vector<T>& column, const std::vector<SliceIndex>& order) {
    std::vector<T> sorted;
    sorted.reserve(order.size());
    for (const SliceIndex i : order) {
        sorted.push_back(column[i]);
    }
    column = std::move(sorted);
}

}  // namespace

std::vector<SliceIndex> sliceOrder(const SliceTable& slices) {
    std::vector<Key> keys(slices.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = {slices.start_ns[i], slices.end_ns[i], static_cast<SliceIndex>(i)};
    }
    const auto less = [&](const Key& a, const Key& b) {
        if (a.start_ns != b.start_ns) {
            return a.start_ns < b.start_ns;
        }
        if (a.end_ns != b.end_ns) {
            return a.end_ns > b.end_ns;
        }
        return slices.source[a.row] < slices.source[b.row];
    };
    mergeRuns(keys, runStarts(keys, less), less);
    std::vector<SliceIndex> order(keys.size());
    std::ranges::transform(keys, order.begin(), &Key::row);
    return order;
}

void reorder(SliceTable& slices, const std::vector<SliceIndex>& order) {
    if (std::ranges::is_sorted(order)) {
        slices.start_ns.shrink_to_fit();
        slices.end_ns.shrink_to_fit();
        slices.source.shrink_to_fit();
        slices.name.shrink_to_fit();
        slices.category.shrink_to_fit();
        slices.flag.shrink_to_fit();
        return;
    }
    permute(slices.start_ns, order);
    permute(slices.end_ns, order);
    permute(slices.source, order);
    permute(slices.name, order);
    permute(slices.category, order);
    permute(slices.flag, order);
}

}  // namespace rankscope
