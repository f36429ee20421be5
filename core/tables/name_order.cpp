// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/name_order.h"

#include <algorithm>
#include <unordered_map>

namespace rankscope::tables {
namespace {

/// The position of each string of a rank among the sorted names.
std::vector<std::uint32_t> placesOfStrings(const StringPool& strings, const std::vector<std::string_view>& names) {
    std::vector<std::uint32_t> places(strings.size());
    for (std::uint32_t id = 0; id < places.size(); ++id) {
        const auto at = std::ranges::lower_bound(names, strings.view(StringId(id)));
        places[id] = static_cast<std::uint32_t>(at - names.begin());
    }
    return places;
}

/// Calls `visit` with each rank's trace and its tracks, which are consecutive.
template <class Visit>
void eachRank(const SlicePlaces& places, const Visit& visit) {
    const auto& tracks = places.tracks();
    for (std::size_t at = 0; at < tracks.size();) {
        const RankTrace& trace = tracks[at].trace();
        std::size_t end = at;
        while (end < tracks.size() && &tracks[end].trace() == &trace) {
            ++end;
        }
        visit(trace, std::span(tracks).subspan(at, end - at));
        at = end;
    }
}

}  // namespace

NameOrder::NameOrder(const SlicePlaces& places) {
    names_.emplace_back();  // for slices without a name
    // Strings that are not names of slices are included too: they have no slices, and cost little.
    eachRank(places, [&](const RankTrace& trace, auto /*tracks*/) {
        for (std::uint32_t id = 0; id < trace.strings.size(); ++id) {
            names_.push_back(trace.strings.view(StringId(id)));
        }
    });
    std::ranges::sort(names_);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    begin_.assign(names_.size() + 1, 0);
    const auto each_slice = [&](const auto& visit) {
        eachRank(places, [&](const RankTrace& trace, auto tracks) {
            const std::vector<std::uint32_t> place = placesOfStrings(trace.strings, names_);
            for (const SlicePlaces::OfTrack& track : tracks) {
                const std::vector<StringId>& name = track.of().slices.name;
                for (std::size_t i = 0; i < name.size(); ++i) {
                    visit(name[i].valid() ? place[name[i].value] : 0, track.first + i);
                }
            }
        });
    };
    each_slice([&](std::uint32_t name, std::uint64_t /*slice*/) { ++begin_[name + 1]; });
    for (std::size_t name = 0; name < names_.size(); ++name) {
        begin_[name + 1] += begin_[name];
    }
    std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
    slices_.resize(places.slices());
    each_slice(
        [&](std::uint32_t name, std::uint64_t slice) { slices_[next[name]++] = static_cast<std::uint32_t>(slice); });
}

std::pair<std::uint64_t, std::uint64_t> NameOrder::between(std::string_view least, std::string_view most) const {
    const auto first = std::ranges::lower_bound(names_, least);
    const auto last = std::max(first, std::ranges::upper_bound(names_, most));
    return {begin_[static_cast<std::size_t>(first - names_.begin())],
            begin_[static_cast<std::size_t>(last - names_.begin())]};
}

}  // namespace rankscope::tables
