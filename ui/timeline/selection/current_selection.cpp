// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/current_selection.h"

namespace rankscope::ui {

bool CurrentSelection::set(const Selection& wanted, const TimelineModel& model) {
    const bool other = wanted != what_;
    what_ = wanted;
    links_ = linksOf(model, wanted);
    turns_ = {};
    markFollowed();
    return other;
}

void CurrentSelection::chooseNextLink(Direction direction) {
    ++turns_[static_cast<std::size_t>(direction)];
    markFollowed();
}

Selection CurrentSelection::alongLink(const TimelineModel& model, Direction direction) const {
    const auto link = followed(direction);
    if (!link) {
        return linkedSlice(model, what_, direction);  // for an operator, the work launched inside it
    }
    return direction == Direction::Forward ? links_[*link].to : links_[*link].from;
}

std::optional<std::size_t> CurrentSelection::followed(Direction direction) const {
    const std::vector<std::size_t> ways = waysFrom(links_, what_, direction);
    return ways.empty() ? std::nullopt : std::optional(ways[turns_[static_cast<std::size_t>(direction)] % ways.size()]);
}

void CurrentSelection::markFollowed() {
    for (Link& link : links_) {
        link.next = false;
    }
    for (const Direction direction : {Direction::Forward, Direction::Back}) {
        if (waysFrom(links_, what_, direction).size() > 1) {
            links_[*followed(direction)].next = true;
        }
    }
}

}  // namespace rankscope::ui
