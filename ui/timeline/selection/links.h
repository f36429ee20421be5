// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/navigation/navigation.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"

namespace rankscope::ui {

/// The relation between two linked slices.
enum class LinkKind : std::uint8_t {
    Collective,  ///< members of one collective on two ranks
    Launch,      ///< a host call and the device work that it launched
    Flow,        ///< a forward operator and its backward
    Cause,       ///< the next in the chain that explains a gap
};

struct Link {
    LinkKind kind = LinkKind::Launch;
    SliceSelection from;
    SliceSelection to;
    bool to_is_last = false;  ///< for a collective: `to` arrived last, and the others waited for it
    bool next = false;        ///< of several links from the selection, this one is followed
};

/// The links of the selection. Of a member of a collective, the members of all ranks, in their order, once the model
/// has the run's index; of a host call or device work its launches; of an operator its forward or backward one; of a
/// gap the chain from the first slice that proves its cause over the launch to the work that ended it.
[[nodiscard]] std::vector<Link> linksOf(const TimelineModel& model, const Selection& selection);

/// The links from a slice in a direction: indices in `links`, launches first.
[[nodiscard]] std::vector<std::size_t> waysFrom(const std::vector<Link>& links, const Selection& selection,
                                                Direction direction);

/// Where links are drawn: `tracks` in the widget, and its content.
struct LinkView {
    QRect tracks;
    const TimelineModel* model = nullptr;
    const RowLayout* layout = nullptr;
    const Viewport* viewport = nullptr;
    RowScroll rows;
};

/// Draws them as curves with an arrow head at `to`. An end in a folded row is drawn on the nearest header that hides
/// it; a link within one header is not drawn.
void paintLinks(QPainter& painter, const LinkView& view, const std::vector<Link>& links, const Theme& theme);

}  // namespace rankscope::ui
