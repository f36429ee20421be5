// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/slice_order.h"

#include <algorithm>

#include "core/base/sort_runs.h"

namespace rankscope {
namespace {

struct Key {
    TimeNs start_ns;
    TimeNs end_ns;
    SliceIndex row;
};

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

std::vector<SliceIndex> sliceOrder(const SliceTable& slices, const std::stop_token& stop) {
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
    sortRuns(keys, less, [&] { return stop.stop_requested(); });
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
