// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/track_menu.h"

#include <algorithm>
#include <utility>

#include "ui/timeline/rows/track_lists.h"
#include "ui/timeline/words.h"

namespace rankscope::ui {
namespace {

constexpr int kHeightStep = 6;  // logical pixels

/// The tracks of the list that contains `row`, from top to bottom, and the index of `row` among them.
std::pair<std::vector<const LayoutRow*>, std::size_t> listAround(const TimelineModel& model, const RowLayout& layout,
                                                                 const LayoutRow& row) {
    std::vector<const LayoutRow*> list;
    std::size_t own = 0;
    for (const LayoutRow& other : layout.rows()) {
        if (sameList(model, row, other)) {
            own = other.key == row.key ? list.size() : own;
            list.push_back(&other);
        }
    }
    return {std::move(list), own};
}

/// The choices after `row` is moved before `before`, or to the end of its list if that is null.
RowChoices moved(const TimelineModel& model, const LayoutRow& row, const LayoutRow* before, RowChoices choices) {
    if (row.pinned) {
        std::erase(choices.pinned, row.key);
        const auto at = before == nullptr ? choices.pinned.end() : std::ranges::find(choices.pinned, before->key);
        choices.pinned.insert(at, row.key);
    } else if (const RankView* rank = model.rank(row.run, row.rank)) {
        moveTrack(*rank, row.track, before == nullptr ? TrackId() : before->track, choices);
    }
    return choices;
}

}  // namespace

bool sameList(const TimelineModel& model, const LayoutRow& row, const LayoutRow& other) {
    if (other.kind != RowKind::Track || row.pinned != other.pinned) {
        return false;
    }
    const RankTrace& trace = *model.rank(row.run, row.rank)->trace;
    return row.pinned || (row.key.owner == other.key.owner && listOf(trace, row.track) == listOf(trace, other.track));
}

std::vector<RowMenuEntry> trackMenu(const TimelineModel& model, const RowLayout& layout, const LayoutRow& row,
                                    const RowChoices& choices) {
    std::vector<RowMenuEntry> entries;
    if (row.kind != RowKind::Track) {
        return entries;
    }
    const auto [list, own] = listAround(model, layout, row);
    const auto move = [&](const QString& title, const LayoutRow* before) {
        const RowChoices then = moved(model, row, before, choices);
        entries.push_back({title,
                           [orders = then.orders, pinned = then.pinned](RowChoices& c) {
                               c.orders = orders;
                               c.pinned = pinned;
                           },
                           entries.empty()});
    };
    if (own > 0) {
        move(Timeline::tr("Move &Up"), list[own - 1]);
    }
    if (own + 1 < list.size()) {
        move(Timeline::tr("Move &Down"), own + 2 < list.size() ? list[own + 2] : nullptr);
    }
    const auto resize = [&](const QString& title, int height) {
        const int wanted = std::clamp(height, kLeastRowHeight, kGreatestRowHeight);
        if (wanted != row.row_height) {
            entries.push_back(
                {title, [key = row.key, wanted](RowChoices& c) { c.sizes[key] = wanted; }, entries.empty()});
        }
    };
    resize(Timeline::tr("Make Its Rows H&igher"), row.row_height + kHeightStep);
    resize(Timeline::tr("Make Its Rows &Lower"), row.row_height - kHeightStep);
    return entries;
}

}  // namespace rankscope::ui
