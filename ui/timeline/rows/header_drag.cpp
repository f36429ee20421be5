// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/header_drag.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ui/timeline/rows/track_lists.h"
#include "ui/timeline/rows/track_menu.h"

namespace rankscope::ui {
namespace {

constexpr int kTrackEdgeReach = 4;  // logical pixels above a track's lower edge

}  // namespace

std::optional<HeaderDrag::Kind> HeaderDrag::kindAt(const RowLayout& layout, int y) {
    const LayoutRow* row = layout.at(y);
    if (row == nullptr || row->kind != RowKind::Track) {
        return {};
    }
    return y >= row->y + row->height - kTrackEdgeReach ? Kind::Resize : Kind::Move;
}

bool HeaderDrag::press(const RowLayout& layout, int y) {
    held_.reset();
    if (const auto kind = kindAt(layout, y)) {
        const LayoutRow& row = *layout.at(y);
        held_ = Held{*kind, row, y, y, false, row.y, {}, false};
    }
    return pressed();
}

void HeaderDrag::moveTo(const TimelineModel& model, const RowLayout& layout, int y) {
    if (!held_) {
        return;
    }
    held_->y = y;
    held_->begun = held_->begun || std::abs(y - held_->pressed_y) > metrics::kDragThreshold;
    if (!held_->begun || held_->kind != Kind::Move) {
        return;
    }
    const LayoutRow* last = nullptr;
    for (const LayoutRow& row : layout.rows()) {
        if (!sameList(model, held_->row, row)) {
            continue;
        }
        if (y < row.y + row.height / 2) {
            held_->line_y = row.y;
            held_->before = row.key;
            held_->at_end = false;
            return;
        }
        last = &row;
    }
    held_->at_end = true;
    held_->line_y = last != nullptr ? last->y + last->height : held_->line_y;
}

bool HeaderDrag::resize(RowChoices& choices) const {
    if (!held_ || !held_->begun || held_->kind != Kind::Resize) {
        return false;
    }
    const int rows = std::max<int>(1, held_->row.rows);
    const int wanted = held_->row.row_height + (held_->y - held_->pressed_y) / rows;
    choices.sizes[held_->row.key] = std::clamp(wanted, kLeastRowHeight, kGreatestRowHeight);
    return true;
}

std::optional<int> HeaderDrag::dropLine() const {
    const bool moved = held_ && held_->begun && held_->kind == Kind::Move;
    return moved ? std::optional(held_->line_y) : std::nullopt;
}

bool HeaderDrag::drop(const TimelineModel& model, RowChoices& choices) {
    const std::optional<Held> dropped = std::exchange(held_, std::nullopt);
    if (!dropped || !dropped->begun) {
        return false;
    }
    const bool stays = !dropped->at_end && dropped->before == dropped->row.key;
    if (dropped->kind != Kind::Move || stays) {
        return true;
    }
    if (dropped->row.pinned) {
        std::erase(choices.pinned, dropped->row.key);
        const auto at = dropped->at_end ? choices.pinned.end() : std::ranges::find(choices.pinned, dropped->before);
        choices.pinned.insert(at, dropped->row.key);
    } else if (const RankView* rank = model.rank(dropped->row.run, dropped->row.rank)) {
        moveTrack(*rank, dropped->row.track, dropped->at_end ? TrackId() : TrackId(dropped->before.id), choices);
    }
    return true;
}

}  // namespace rankscope::ui
