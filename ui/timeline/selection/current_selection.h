// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "ui/timeline/selection/links.h"

namespace rankscope::ui {

/// The selection of a timeline, with the links that start or end there, and which of several links is followed next.
class CurrentSelection {
  public:
    [[nodiscard]] const Selection& what() const { return what_; }
    [[nodiscard]] bool empty() const { return what_.index() == 0; }

    /// Selects `wanted`, which `model` must have (std::monostate clears the selection), and looks up its links. Setting
    /// the same selection again looks them up again, for when the model knows more. Returns whether the selection
    /// changed.
    bool set(const Selection& wanted, const TimelineModel& model);

    /// The links of the selection. Link::next marks the one that is followed next, if there are several.
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    /// Chooses the next of several links in a direction, and wraps around.
    void chooseNextLink(Direction direction);
    /// The slice at the other end of the link that is followed next; without a link, what is launched inside a host
    /// slice. Nothing if there is no target.
    [[nodiscard]] Selection alongLink(const TimelineModel& model, Direction direction) const;

  private:
    /// The link that is followed next in a direction, as an index in links_; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> followed(Direction direction) const;
    void markFollowed();

    Selection what_;
    std::vector<Link> links_;
    std::array<std::size_t, 2> turns_{};  // by Direction: how often the next link was chosen
};

}  // namespace rankscope::ui
