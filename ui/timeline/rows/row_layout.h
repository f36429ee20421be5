// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/rows/row_choices.h"
#include "ui/timeline/rows/row_density.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// One header or one track; positions from the top of all rows.
struct LayoutRow {
    RowKind kind = RowKind::Track;
    TrackGroup group = TrackGroup::Threads;
    std::uint32_t run = 0;
    RankPosition rank;  ///< for RowKind::Alike, the shown rank; for Host and Heading, the first of its ranks
    TrackId track;      ///< for RowKind::Track
    Unfolding unfolding = Unfolding::All;
    bool foldable = true;
    bool away = false;                ///< for RowKind::Alike: the shown rank is under another heading
    bool pinned = false;              ///< it is also shown at the top
    bool bands = false;               ///< the bands of the rank's communication are below its rows
    bool lane = false;                ///< for RowKind::Group: folded, it shows the rank's hostLane()
    std::uint16_t rows = 0;           ///< rows of slices shown
    std::uint16_t all_rows = 0;       ///< all rows of slices
    int indent = 0;                   ///< indent levels
    int y = 0;                        ///< logical pixels
    int height = 0;                   ///< logical pixels, with the gap below
    int row_height = 0;               ///< logical pixels of one row of slices, with its gap
    int gap = metrics::kTrackGap;     ///< for RowKind::Track: logical pixels below its rows and bands
    int band = metrics::kBandHeight;  ///< logical pixels of one kind of bands
    std::uint32_t tracks = 0;         ///< for RowKind::Group: the number of tracks in it
    RowKey key;
    std::size_t host = 0;     ///< for RowKind::Host: index in RunIndex::hosts
    std::size_t counter = 0;  ///< for RowKind::Counter and RunCounter: index in CounterIndex::series
    /// For RowKind::Alike and Heading: the ranks that it represents, shown below it if unfolded.
    std::vector<RankPosition> members;
    Role role = Role::Data;             ///< for RowKind::Heading: the dimension by which ranks are grouped
    std::optional<std::int32_t> place;  ///< for RowKind::Heading: its place in the dimension; nothing: unknown
};

/// The position of rows in the view: those down to `sticky` stay at the top, the others scroll below them. All in
/// logical pixels.
struct RowScroll {
    int scroll = 0;
    int sticky = 0;
    [[nodiscard]] int toView(int y) const { return y < sticky ? y : y - scroll; }
    [[nodiscard]] int toRows(int view_y) const { return view_y < sticky ? view_y : view_y + scroll; }
};

/// A position in a row: it stays there when other rows fold or move.
struct RowAnchor {
    RowKey row;
    bool pinned = false;  ///< at the pinned place of a track that is shown twice
    int offset = 0;       ///< logical pixels below the row's upper edge
    friend bool operator==(const RowAnchor&, const RowAnchor&) = default;
};

/// The rows of all runs from top to bottom: pinned rows, then run > heading > rank > streams, threads, others. Depends
/// on the model and on the user's choices, never on the view. Building it costs O(rows + ranks + tracks); it contains
/// no text.
class RowLayout {
  public:
    RowLayout() = default;
    /// `sizes` are the heights of headers and rows in logical pixels for the text size. Rows are lower if needed for up
    /// to eight ranks to fit into the room of `focus`.
    RowLayout(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes = {},
              const RowFocus& focus = {});

    /// All rows by their y, from 0 on and without gaps.
    [[nodiscard]] std::span<const LayoutRow> rows() const { return rows_; }
    /// Height of all rows together, in logical pixels.
    [[nodiscard]] int height() const { return height_; }
    /// The end of the pinned rows that stay at the top of the view, in up to `room` logical pixels.
    [[nodiscard]] int stickyHeight(int room) const;
    /// Index of the first row that extends below `y`; rows().size() after the last. O(log rows).
    [[nodiscard]] std::size_t firstBelow(int y) const;
    /// The row at `y` (logical pixels from the top of all rows), or nullptr. O(log rows).
    [[nodiscard]] const LayoutRow* at(int y) const;
    /// The row of a track, the one at the top if it is pinned; nullptr if it or its group is folded. O(rows of the rank
    /// + pinned rows).
    [[nodiscard]] const LayoutRow* find(std::uint32_t run, RankPosition rank, TrackId track) const;
    /// The header of a rank, or nullptr if its run is folded or it is folded among ranks that are alike. O(1).
    [[nodiscard]] const LayoutRow* findRank(std::uint32_t run, RankPosition rank) const;
    /// The unpinned row with this key, or nullptr. O(rows of the rank).
    [[nodiscard]] const LayoutRow* find(const RowKey& key) const;
    /// The position of `y` in its row; above and below all rows, in the first and the last one.
    [[nodiscard]] RowAnchor anchorAt(int y) const;
    /// The current y of `anchor`; for a folded row, the middle of the header that hides it, or else 0.
    [[nodiscard]] int yOf(const RowAnchor& anchor) const;
    /// The row that represents a slice's track: its own, else the nearest header that hides it; nullptr if that is
    /// hidden too. O(rows of the rank + pinned rows).
    [[nodiscard]] const LayoutRow* visibleProxy(std::uint32_t run, RankPosition rank, TrackId track) const;

    /// Lays out up to `most_ranks` ranks at a density. Called once by the constructor, and for trials.
    void lay(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes, const RowFocus& focus,
             const RowDensity& density, std::size_t most_ranks);

  private:
    friend class LayoutBuilder;
    static constexpr std::size_t kNoRow = SIZE_MAX;
    /// Where in rows_ a rank is.
    struct RankRows {
        std::size_t header = kNoRow;
        std::size_t alike = kNoRow;    // the row that it is folded into
        std::size_t heading = kNoRow;  // the heading that it is under
    };
    struct RunRows {
        std::size_t header = kNoRow;
        std::vector<RankRows> ranks;  // parallel to Run::ranks
    };

    [[nodiscard]] const LayoutRow* rowAt(std::size_t index) const {
        return index < rows_.size() ? &rows_[index] : nullptr;
    }
    /// The rows of the tracks and groups of a rank, which are directly below its header.
    [[nodiscard]] std::span<const LayoutRow> below(std::size_t header) const;

    std::vector<LayoutRow> rows_;
    int height_ = 0;
    std::size_t pinned_ = 0;  // number of pinned rows in rows_: the first ones
    std::vector<RunRows> runs_;
    std::unordered_map<const void*, std::size_t> header_of_;  // by the RankTrace, for ranks whose header is shown
};

/// Folds or unfolds `row`; a deep track goes from folded to some rows to all.
void toggleFold(const LayoutRow& row, RowChoices& choices);
/// Unfolds and shows what hides a rank's header: of ranks that are alike, only this one is taken out.
void unfoldTo(const TimelineModel& model, std::uint32_t run, RankPosition rank, RowChoices& choices);
/// Unfolds and shows what hides `row_of_track` of a track; does not change what the rank in focus shows by default.
void unfoldTo(const TimelineModel& model, std::uint32_t run, RankPosition rank, TrackId track,
              std::uint16_t row_of_track, RowChoices& choices, const RowFocus& focus = {});

}  // namespace rankscope::ui
