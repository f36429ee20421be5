// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/place_history.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kMost = 100;

void push(std::vector<ViewPlace>& places, const ViewPlace& place) {
    if (!places.empty() && places.back() == place) {
        return;
    }
    if (places.size() == kMost) {
        places.erase(places.begin());
    }
    places.push_back(place);
}

std::optional<ViewPlace> step(std::vector<ViewPlace>& from, std::vector<ViewPlace>& to, const ViewPlace& here) {
    // One may stand where one was going to: then there is a place behind it.
    while (!from.empty() && from.back() == here) {
        from.pop_back();
    }
    if (from.empty()) {
        return std::nullopt;
    }
    const ViewPlace place = from.back();
    from.pop_back();
    push(to, here);
    return place;
}

}  // namespace

void PlaceHistory::leave(const ViewPlace& place) {
    ahead_.clear();
    push(behind_, place);
}

std::optional<ViewPlace> PlaceHistory::back(const ViewPlace& here) {
    return step(behind_, ahead_, here);
}

std::optional<ViewPlace> PlaceHistory::forward(const ViewPlace& here) {
    return step(ahead_, behind_, here);
}

void PlaceHistory::carryOver(const TimelineModel& model, const TimelineModel& before) {
    if (model.runs().empty()) {
        clear();
    }
    for (std::vector<ViewPlace>* places : {&behind_, &ahead_}) {
        for (ViewPlace& place : *places) {
            place.selection = model.carriedOver(place.selection, before);
        }
    }
}

void PlaceHistory::clear() {
    behind_.clear();
    ahead_.clear();
}

}  // namespace rankscope::ui
