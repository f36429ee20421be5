// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/row_layout.h"

#include <algorithm>

#include "core/analysis/parallelism/grid_places.h"
#include "ui/timeline/rows/layout_builder.h"
#include "ui/timeline/rows/rank_arrangement.h"

namespace rankscope::ui {

namespace {

constexpr std::size_t kFewRanks = 2;
constexpr std::size_t kRanksToFit = 8;

/// The loosest density at which the first ranks fit into the height: each density makes them lower than the one before.
RowDensity fittingDensity(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes,
                          const RowFocus& focus) {
    const auto fits = [&](std::size_t level) {
        RowLayout trial;
        trial.lay(model, choices, sizes, focus, densityAt(level, sizes), kRanksToFit);
        return trial.height() <= focus.room;
    };
    std::size_t first = 0;
    std::size_t last = densityCount();
    while (first < last) {
        const std::size_t middle = (first + last) / 2;
        if (fits(middle)) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return densityAt(first < densityCount() ? first : readableDensity(), sizes);
}

}  // namespace

RowLayout::RowLayout(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes,
                     const RowFocus& focus) {
    const bool fit = focus.one_rank && focus.room > 0;
    const std::uint16_t some = model.rankCount() <= kFewRanks ? kSomeRows : kFewerRows;
    lay(model, choices, sizes, focus, fit ? fittingDensity(model, choices, sizes, focus) : looseDensity(sizes, some),
        SIZE_MAX);
}

void RowLayout::lay(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes, const RowFocus& focus,
                    const RowDensity& density, std::size_t most_ranks) {
    LayoutBuilder(model, choices, sizes, focus, density, *this).build(most_ranks);
}

int RowLayout::stickyHeight(int room) const {
    int height = 0;
    for (const LayoutRow& row : rows_) {
        if (!row.pinned || row.y + row.height > room) {
            break;
        }
        height = row.y + row.height;
    }
    return height;
}

std::size_t RowLayout::firstBelow(int y) const {
    const auto at = std::ranges::partition_point(rows_, [y](const LayoutRow& r) { return r.y + r.height <= y; });
    return static_cast<std::size_t>(at - rows_.begin());
}

const LayoutRow* RowLayout::at(int y) const {
    const std::size_t i = y < 0 ? rows_.size() : firstBelow(y);
    return i < rows_.size() ? &rows_[i] : nullptr;
}

std::span<const LayoutRow> RowLayout::below(std::size_t header) const {
    const LayoutRow& rank = rows_[header];
    std::size_t last = header + 1;
    const auto belongs = [](RowKind kind) {
        return kind == RowKind::Track || kind == RowKind::Group || kind == RowKind::Counter;
    };
    while (last < rows_.size() && rows_[last].run == rank.run && rows_[last].rank == rank.rank &&
           belongs(rows_[last].kind)) {
        ++last;
    }
    return std::span(rows_).subspan(header + 1, last - header - 1);
}

const LayoutRow* RowLayout::find(std::uint32_t run, RankPosition rank, TrackId track) const {
    const auto wanted = [&](const LayoutRow& r) {
        return r.kind == RowKind::Track && r.run == run && r.rank == rank && r.track == track;
    };
    const LayoutRow* header = findRank(run, rank);
    const auto own = header != nullptr ? below(static_cast<std::size_t>(header - rows_.data())) : rows().first(0);
    for (const std::span<const LayoutRow> part : {rows().first(pinned_), own}) {
        if (const auto at = std::ranges::find_if(part, wanted); at != part.end()) {
            return &*at;
        }
    }
    return nullptr;
}

const LayoutRow* RowLayout::findRank(std::uint32_t run, RankPosition rank) const {
    return run < runs_.size() && rank < runs_[run].ranks.size() ? rowAt(runs_[run].ranks[rank].header) : nullptr;
}

const LayoutRow* RowLayout::find(const RowKey& key) const {
    if (key.kind == RowKind::Run) {
        return key.id < runs_.size() ? rowAt(runs_[key.id].header) : nullptr;
    }
    if (key.kind == RowKind::Alike || key.kind == RowKind::Host || key.kind == RowKind::RunCounter ||
        key.kind == RowKind::Heading) {
        const auto at = std::ranges::find_if(rows_, [&](const LayoutRow& r) { return r.key == key; });
        return at != rows_.end() ? &*at : nullptr;
    }
    const auto header = header_of_.find(key.owner);
    if (header == header_of_.end()) {
        return nullptr;
    }
    if (key.kind == RowKind::Rank) {
        return &rows_[header->second];
    }
    const auto own = below(header->second);
    const auto at = std::ranges::find(own, key, &LayoutRow::key);
    return at != own.end() ? &*at : nullptr;
}

const LayoutRow* RowLayout::visibleProxy(std::uint32_t run, RankPosition rank, TrackId track) const {
    if (const LayoutRow* own = find(run, rank, track)) {
        return own;
    }
    if (const LayoutRow* header = findRank(run, rank)) {
        return header;
    }
    if (run >= runs_.size() || rank >= runs_[run].ranks.size()) {
        return nullptr;
    }
    const RankRows& rows = runs_[run].ranks[rank];
    for (const LayoutRow* header : {rowAt(runs_[run].header), rowAt(rows.heading)}) {
        if (header != nullptr && header->unfolding == Unfolding::Folded) {
            return header;
        }
    }
    return rowAt(rows.alike);
}

RowAnchor RowLayout::anchorAt(int y) const {
    const LayoutRow* row = at(std::clamp(y, 0, std::max(0, height_ - 1)));
    return row != nullptr ? RowAnchor{row->key, row->pinned, y - row->y} : RowAnchor();
}

int RowLayout::yOf(const RowAnchor& anchor) const {
    const auto pinned = rows().first(anchor.pinned ? pinned_ : 0);
    const auto at = std::ranges::find(pinned, anchor.row, &LayoutRow::key);
    const LayoutRow* row = at != pinned.end() ? &*at : anchor.pinned ? nullptr : find(anchor.row);
    if (row != nullptr) {
        return row->y + std::clamp(anchor.offset, 0, row->height - 1);
    }
    if (const LayoutRow* unpinned = find(anchor.row)) {
        return unpinned->y;
    }
    const LayoutRow* header = find(RowKey{anchor.row.owner, RowKind::Rank, 0});
    return header != nullptr ? header->y + header->height / 2 : 0;
}

void toggleFold(const LayoutRow& row, RowChoices& choices) {
    if (!row.foldable) {
        return;
    }
    Unfolding next = row.unfolding == Unfolding::Folded ? Unfolding::All : Unfolding::Folded;
    if (row.kind == RowKind::Track && row.unfolding != Unfolding::All && row.rows < row.all_rows) {
        next = row.unfolding == Unfolding::Folded && row.all_rows > kSomeRows ? Unfolding::Some : Unfolding::All;
    }
    choices.folds[row.key] = next;
}

void unfoldTo(const TimelineModel& model, std::uint32_t run, RankPosition rank, RowChoices& choices) {
    const RankView* view = model.rank(run, rank);
    if (view == nullptr) {
        return;
    }
    const RowKey header = keyOf(*view->trace);
    choices.folds[{nullptr, RowKind::Run, run}] = Unfolding::All;
    choices.folds[header] = Unfolding::All;
    choices.hidden.erase(header);
    if (choices.grouped_by) {
        const JobGrid& grid = model.runs()[run].run->facts.parallelism.grid;
        const RowKey heading = keyOfHeading(run, *choices.grouped_by, placeIn(grid, *choices.grouped_by, rank));
        choices.folds.erase(heading);  // a heading is unfolded automatically
        choices.hidden.erase(heading);
    }
    const RunView& of = model.runs()[run];
    // While it is unknown which ranks are similar, this may become one of them.
    const bool may_fold =
        choices.fold_alike && of.ranks.size() >= kFoldAlikeFrom && !tellsOrder(of.index.get(), of.ranks.size());
    if (may_fold || RowLayout(model, choices).findRank(run, rank) == nullptr) {
        choices.taken_out.insert(header);
    }
}

void unfoldTo(const TimelineModel& model, std::uint32_t run, RankPosition rank, TrackId track,
              std::uint16_t row_of_track, RowChoices& choices, const RowFocus& focus) {
    const RankView* view = model.rank(run, rank);
    if (view == nullptr || track.value >= view->trace->tracks.size()) {
        return;
    }
    const RowKey key = keyOf(*view->trace, track);
    const auto rows_shown = [&] {
        const RowLayout layout(model, choices, {}, {focus.one_rank, focus.rank, 0});
        const LayoutRow* row = layout.find(run, rank, track);
        return row == nullptr ? 0 : int{row->rows};
    };
    if (std::ranges::find(choices.pinned, key) == choices.pinned.end()) {
        unfoldTo(model, run, rank, choices);
        const TrackListKey list = listOf(*view->trace, track);
        const bool by_itself = focus.one_rank && focus.rank == view->trace.get() &&
                               view->trace->tracks[track.value].kind == TrackKind::CpuThread;
        if (by_itself) {
            choices.folds.erase(list);  // with the focus it is unfolded automatically, and it folds without
        } else {
            choices.folds[list] = Unfolding::All;
        }
        choices.hidden.erase(list);
        choices.hidden.erase(key);
        if (by_itself && rows_shown() == 0) {
            choices.folds[{view->trace.get(), RowKind::Group, static_cast<std::uint32_t>(TrackGroup::Quiet)}] =
                Unfolding::All;
        }
    }
    if (rows_shown() <= row_of_track) {
        choices.folds[key] = Unfolding::All;
    }
}

}  // namespace rankscope::ui
