// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/row_menu.h"

#include <algorithm>

#include "ui/timeline/words.h"

namespace rankscope::ui {

std::vector<RowMenuEntry> rowMenu(const LayoutRow& row, const RowChoices& choices) {
    std::vector<RowMenuEntry> entries;
    const auto add = [&](const QString& title, std::function<void(RowChoices&)> change) {
        entries.push_back({title, std::move(change), false});
    };
    const RowKey key = row.key;
    if (row.kind == RowKind::Track) {
        const bool pinned = std::ranges::find(choices.pinned, key) != choices.pinned.end();
        add(pinned ? Timeline::tr("&Unpin") : Timeline::tr("&Pin to the Top"),
            [key](RowChoices& c) { togglePin(key, c); });
    }
    if (row.kind == RowKind::Rank) {
        const auto* const rank = static_cast<const RankTrace*>(key.owner);
        const bool shown = showsCounters(*rank, choices);
        add(shown ? Timeline::tr("Hide &Counters") : Timeline::tr("Show &Counters"),
            [rank, shown](RowChoices& c) { showCounters(*rank, !shown, c); });
    }
    if (row.kind == RowKind::Run) {
        const bool shown = showsCounters(row.run, choices);
        add(shown ? Timeline::tr("Hide the Run's &Counters") : Timeline::tr("Show the Run's &Counters"),
            [run = row.run, shown](RowChoices& c) { showCounters(run, !shown, c); });
    }
    if (row.kind != RowKind::Run && row.kind != RowKind::Alike && !row.pinned) {
        add(Timeline::tr("&Hide"), [key](RowChoices& c) { hideRow(key, c); });
    }
    if (choices.taken_out.contains(key)) {
        add(Timeline::tr("&Fold with Ranks Like It"), [key](RowChoices& c) { c.taken_out.erase(key); });
    }
    if (choices.sizes.contains(key)) {
        add(Timeline::tr("Usual Hei&ght"), [key](RowChoices& c) { c.sizes.erase(key); });
    }
    const auto moved = [owner = key.owner](const auto& order) { return order.first.owner == owner; };
    if (key.owner != nullptr && std::ranges::any_of(choices.orders, moved)) {
        add(Timeline::tr("Usual &Order"), [moved](RowChoices& c) { std::erase_if(c.orders, moved); });
    }
    const bool of_rank = row.kind == RowKind::Rank || row.kind == RowKind::Group || row.kind == RowKind::Track ||
                         row.kind == RowKind::Counter;
    const void* owner = of_rank ? key.owner : nullptr;
    if (const auto hidden = static_cast<int>(hiddenCount(owner, choices)); hidden > 0) {
        add(Timeline::tr("&Show Hidden Rows (%1)").arg(hidden), [owner](RowChoices& c) { showHidden(owner, c); });
        entries.back().apart = true;
    }
    return entries;
}

const LayoutRow* rowToFold(const TimelineModel& model, const RowLayout& layout, const Selection& selection) {
    const auto* slice = std::get_if<SliceSelection>(&selection);
    const RankView* rank = slice != nullptr ? model.rank(slice->run, slice->rank) : nullptr;
    if (rank == nullptr) {
        return rankRowToFold(layout, selection);
    }
    const LayoutRow* track = layout.find(slice->run, slice->rank, slice->slice.track);
    const LayoutRow* group = layout.find(listOf(*rank->trace, slice->slice.track));
    const LayoutRow* row = track != nullptr && track->foldable && track->all_rows > 1 ? track : group;
    return row == nullptr || row->kind == RowKind::Rank ? rankRowToFold(layout, selection) : row;
}

const LayoutRow* rowToFold(const RowLayout& layout, const LayoutRow& named) {
    if (named.foldable) {
        return &named;
    }
    const auto rows = layout.rows();
    for (auto at = static_cast<std::size_t>(&named - rows.data()); at-- > 0;) {
        if (rows[at].indent < named.indent && rows[at].foldable && !rows[at].pinned) {
            return &rows[at];
        }
    }
    return nullptr;
}

const LayoutRow* rankRowToFold(const RowLayout& layout, const Selection& selection) {
    const auto rank = rankOf(selection);
    return rank ? layout.visibleProxy(rank->first, rank->second, TrackId()) : nullptr;
}

}  // namespace rankscope::ui
