// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/search/search_results.h"

#include <algorithm>

namespace rankscope::ui {

std::size_t SearchResults::size() const {
    std::size_t all = 0;
    for (const SearchHits& run : runs) {
        all += run.hits.size();
    }
    return all;
}

std::uint64_t SearchResults::total() const {
    std::uint64_t all = 0;
    for (const SearchHits& run : runs) {
        all += run.total;
    }
    return all;
}

SearchResults::Location SearchResults::place(std::size_t index) const {
    std::uint32_t run = 0;
    while (index >= runs[run].hits.size()) {
        index -= runs[run].hits.size();
        ++run;
    }
    return {run, &runs[run].hits[index]};
}

SliceSelection SearchResults::at(std::size_t index) const {
    const Location found = place(index);
    return {found.run, found.hit->rank, found.hit->slice};
}

TimeNs SearchResults::startOf(std::size_t index) const {
    return place(index).hit->start_ns;
}

std::size_t SearchResults::firstFrom(std::uint32_t run, TimeNs time_ns) const {
    std::size_t index = 0;
    for (std::uint32_t r = 0; r < runs.size() && r < run; ++r) {
        index += runs[r].hits.size();
    }
    if (run >= runs.size()) {
        return index;
    }
    const auto& hits = runs[run].hits;
    const auto at = std::ranges::lower_bound(hits, time_ns, {}, &SearchHit::start_ns);
    return index + static_cast<std::size_t>(at - hits.begin());
}

}  // namespace rankscope::ui
