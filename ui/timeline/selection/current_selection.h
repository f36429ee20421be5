// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "ui/timeline/selection/links.h"

namespace rankscope::ui {

/// What is selected on a timeline, with the links that start or end there, and which of several links is followed next.
class CurrentSelection {
  public:
    [[nodiscard]] const Selection& what() const { return what_; }
    [[nodiscard]] bool empty() const { return what_.index() == 0; }

    /// Selects `wanted`, which `model` has (std::monostate selects nothing), and looks up its links. To set the same
    /// selection again looks them up anew, for when the model has learned more. Returns whether it is another
    /// selection.
    bool set(const Selection& wanted, const TimelineModel& model);

    /// The links of the selection. Link::next is set on the one that is followed next, where there are several.
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    /// Chooses the next of several links in a direction, round the end.
    void chooseNextLink(Direction direction);
    /// The slice at the other end of the link that is followed next; without a link, what is launched inside a host
    /// slice. Nothing where there is no way on.
    [[nodiscard]] Selection alongLink(const TimelineModel& model, Direction direction) const;

  private:
    /// The link that is followed next in a direction, as index in links_; nothing where there is none.
    [[nodiscard]] std::optional<std::size_t> followed(Direction direction) const;
    void markFollowed();

    Selection what_;
    std::vector<Link> links_;
    std::array<std::size_t, 2> turns_{};  // by Direction: how often the next link was chosen
};

}  // namespace rankscope::ui
