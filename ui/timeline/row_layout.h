// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/timeline/metrics.h"
#include "ui/timeline/row_choices.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// One header or one track, from the top of all rows.
struct LayoutRow {
    RowKind kind = RowKind::Track;
    TrackGroup group = TrackGroup::Threads;
    std::uint32_t run = 0;
    std::uint32_t rank = 0;  ///< of RowKind::Alike, the rank that is shown
    TrackId track;           ///< of RowKind::Track
    Unfolding unfolding = Unfolding::All;
    bool foldable = true;
    bool pinned = false;         ///< it stands at the top a second time
    bool bands = false;          ///< the bands of the rank's communication stand below its rows
    std::uint16_t rows = 0;      ///< rows of slices that are shown
    std::uint16_t all_rows = 0;  ///< rows of slices that there are
    int indent = 0;              ///< levels
    int y = 0;                   ///< logical pixels
    int height = 0;              ///< logical pixels, the gap below included
    int row_height = 0;          ///< logical pixels of one row of slices, its gap included
    QString title;
    QString detail;
    RowKey key;
    std::vector<std::uint32_t> alike;  ///< of RowKind::Alike: the ranks that it stands for, shown below it if unfolded
};

/// Where rows stand in the view: those down to `sticky` stay at the top, the others scroll below them. All in logical
/// pixels.
struct RowScroll {
    int scroll = 0;
    int sticky = 0;
    [[nodiscard]] int toView(int y) const { return y < sticky ? y : y - scroll; }
    [[nodiscard]] int toRows(int view_y) const { return view_y < sticky ? view_y : view_y + scroll; }
};

/// A place in a row: it stays there when other rows fold or move.
struct RowAnchor {
    RowKey row;
    bool pinned = false;  ///< of the two places of a pinned track
    int offset = 0;       ///< logical pixels below the row's upper edge
    friend bool operator==(const RowAnchor&, const RowAnchor&) = default;
};

/// The rows of all runs from top to bottom: what is pinned, then run > rank > streams, threads, others. Depends on the
/// model and on what the user chose, never on the view.
class RowLayout {
  public:
    RowLayout() = default;
    RowLayout(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes = {});

    [[nodiscard]] std::span<const LayoutRow> rows() const { return rows_; }
    /// Logical pixels of all rows together.
    [[nodiscard]] int height() const { return height_; }
    /// Where the pinned rows end that fit in `room`.
    [[nodiscard]] int stickyHeight(int room) const;
    /// Index of the first row that reaches below `y`; rows().size() behind the last.
    [[nodiscard]] std::size_t firstBelow(int y) const;
    /// The row at `y`, or nullptr.
    [[nodiscard]] const LayoutRow* at(int y) const;
    /// The row of a track, where it is pinned the one at the top; nullptr where it or what holds it is folded away.
    [[nodiscard]] const LayoutRow* find(std::uint32_t run, std::uint32_t rank, TrackId track) const;
    /// The header of a rank, or nullptr where its run is folded or it stands folded among those that are like it.
    [[nodiscard]] const LayoutRow* findRank(std::uint32_t run, std::uint32_t rank) const;
    /// The row with this key that is not pinned, or nullptr.
    [[nodiscard]] const LayoutRow* find(const RowKey& key) const;
    [[nodiscard]] RowAnchor anchorAt(int y) const;
    /// Where `anchor` is now; of a row that is folded away, the middle of the header that hides it, or else 0.
    [[nodiscard]] int yOf(const RowAnchor& anchor) const;
    /// The row that stands for a slice's track: its own, else the nearest header that hides it; nullptr if that is
    /// hidden too.
    [[nodiscard]] const LayoutRow* standIn(std::uint32_t run, std::uint32_t rank, TrackId track) const;

  private:
    friend class LayoutBuilder;
    std::vector<LayoutRow> rows_;
    int height_ = 0;
};

/// Folds or unfolds `row`; a deep track goes from folded over some rows to all.
void toggleFold(const LayoutRow& row, RowChoices& choices);
/// Unfolds whatever hides a rank's header: of ranks that are alike, only it is taken out.
void unfoldTo(const TimelineModel& model, std::uint32_t run, std::uint32_t rank, RowChoices& choices);
/// Unfolds and shows whatever hides `row_of_track` of a track.
void unfoldTo(const TimelineModel& model, std::uint32_t run, std::uint32_t rank, TrackId track,
              std::uint16_t row_of_track, RowChoices& choices);

}  // namespace rankscope::ui
