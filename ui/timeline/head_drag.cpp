// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/head_drag.h"

#include <algorithm>
#include <cstdlib>

#include "ui/timeline/track_lists.h"

namespace rankscope::ui {
namespace {

constexpr int kEdgeReach = 4;  // logical pixels above a track's lower edge
constexpr int kLeastRow = 12;  // logical pixels: text no longer fits
constexpr int kGreatestRow = 96;

// Tracks that `row` can be put among.
bool sameList(const TimelineModel& model, const LayoutRow& row, const LayoutRow& other) {
    if (other.kind != RowKind::Track || row.pinned != other.pinned) {
        return false;
    }
    const RankTrace& trace = *model.rank(row.run, row.rank)->trace;
    return row.pinned || (row.key.owner == other.key.owner && listOf(trace, row.track) == listOf(trace, other.track));
}

}  // namespace

std::optional<HeadDrag> headAt(const RowLayout& layout, int y) {
    const LayoutRow* row = layout.at(y);
    if (row == nullptr || row->kind != RowKind::Track) {
        return {};
    }
    HeadDrag drag;
    drag.kind = y >= row->y + row->height - kEdgeReach ? HeadDrag::Kind::Resize : HeadDrag::Kind::Move;
    drag.row = *row;
    drag.pressed_y = y;
    drag.line_y = row->y;
    return drag;
}

void moveHead(const TimelineModel& model, const RowLayout& layout, int y, HeadDrag& drag) {
    drag.begun = drag.begun || std::abs(y - drag.pressed_y) > metrics::kDragThreshold;
    if (!drag.begun || drag.kind != HeadDrag::Kind::Move) {
        return;
    }
    const LayoutRow* last = nullptr;
    for (const LayoutRow& row : layout.rows()) {
        if (!sameList(model, drag.row, row)) {
            continue;
        }
        if (y < row.y + row.height / 2) {
            drag.line_y = row.y;
            drag.before = row.key;
            drag.at_end = false;
            return;
        }
        last = &row;
    }
    drag.at_end = true;
    drag.line_y = last != nullptr ? last->y + last->height : drag.line_y;
}

int resizedTo(const HeadDrag& drag, int y) {
    const int rows = std::max<int>(1, drag.row.rows);
    return std::clamp(drag.row.row_height + (y - drag.pressed_y) / rows, kLeastRow, kGreatestRow);
}

void dropHead(const TimelineModel& model, const HeadDrag& drag, RowChoices& choices) {
    const bool stays = !drag.at_end && drag.before == drag.row.key;
    if (!drag.begun || drag.kind != HeadDrag::Kind::Move || stays) {
        return;
    }
    if (drag.row.pinned) {
        std::erase(choices.pinned, drag.row.key);
        const auto at = drag.at_end ? choices.pinned.end() : std::ranges::find(choices.pinned, drag.before);
        choices.pinned.insert(at, drag.row.key);
        return;
    }
    if (const RankView* rank = model.rank(drag.row.run, drag.row.rank)) {
        moveTrack(*rank, drag.row.track, drag.at_end ? TrackId() : TrackId(drag.before.id), choices);
    }
}

}  // namespace rankscope::ui
