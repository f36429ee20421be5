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

/// One header or one track, from the top of all rows.
struct LayoutRow {
    RowKind kind = RowKind::Track;
    TrackGroup group = TrackGroup::Threads;
    std::uint32_t run = 0;
    RankPosition rank;  ///< of RowKind::Alike, the rank that is shown; of Host and Heading, the first of its ranks
    TrackId track;      ///< of RowKind::Track
    Unfolding unfolding = Unfolding::All;
    bool foldable = true;
    bool away = false;                ///< of RowKind::Alike: the rank that is shown is under another heading
    bool pinned = false;              ///< it is at the top a second time
    bool bands = false;               ///< the bands of the rank's communication are below its rows
    bool lane = false;                ///< of RowKind::Group: folded, it shows the rank's hostLane()
    std::uint16_t rows = 0;           ///< rows of slices that are shown
    std::uint16_t all_rows = 0;       ///< rows of slices that there are
    int indent = 0;                   ///< levels
    int y = 0;                        ///< logical pixels
    int height = 0;                   ///< logical pixels, the gap below included
    int row_height = 0;               ///< logical pixels of one row of slices, its gap included
    int gap = metrics::kTrackGap;     ///< of RowKind::Track: logical pixels below its rows and bands
    int band = metrics::kBandHeight;  ///< logical pixels of one kind of bands
    std::uint32_t tracks = 0;         ///< of RowKind::Group: how many tracks are folded together there
    RowKey key;
    std::size_t host = 0;     ///< of RowKind::Host, in RunIndex::hosts
    std::size_t counter = 0;  ///< of RowKind::Counter and RunCounter, in CounterIndex::series
    /// Of RowKind::Alike and Heading: the ranks that it represents, shown below it if unfolded.
    std::vector<RankPosition> members;
    Role role = Role::Data;             ///< of RowKind::Heading: the dimension by which ranks are grouped
    std::optional<std::int32_t> place;  ///< of RowKind::Heading: where in it; nothing: unknown
};

/// Where rows are in the view: those down to `sticky` stay at the top, the others scroll below them. All in logical
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

/// The rows of all runs from top to bottom: what is pinned, then run > heading > rank > streams, threads, others.
/// Depends on the model and on what the user chose, never on the view. Building it costs O(rows + ranks + tracks); it
/// holds no text.
class RowLayout {
  public:
    RowLayout() = default;
    /// `sizes` are the heights of headers and rows in logical pixels, as the size of the text wants them. Rows are
    /// lower where it takes that for up to eight ranks to fit into the room of `focus`.
    RowLayout(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes = {},
              const RowFocus& focus = {});

    /// All rows by their y, from 0 on and without a space between them.
    [[nodiscard]] std::span<const LayoutRow> rows() const { return rows_; }
    /// Height of all rows together, in logical pixels.
    [[nodiscard]] int height() const { return height_; }
    /// Where the pinned rows end of which at most `room` logical pixels stay at the top of the view.
    [[nodiscard]] int stickyHeight(int room) const;
    /// Index of the first row that reaches below `y`; rows().size() behind the last. O(log rows).
    [[nodiscard]] std::size_t firstBelow(int y) const;
    /// The row at `y` (logical pixels from the top of all rows), or nullptr. O(log rows).
    [[nodiscard]] const LayoutRow* at(int y) const;
    /// The row of a track, where it is pinned the one at the top; nullptr where it or what holds it is folded away.
    /// O(rows of the rank + pinned rows).
    [[nodiscard]] const LayoutRow* find(std::uint32_t run, RankPosition rank, TrackId track) const;
    /// The header of a rank, or nullptr where its run is folded or it is folded among those that are like it. O(1).
    [[nodiscard]] const LayoutRow* findRank(std::uint32_t run, RankPosition rank) const;
    /// The row with this key that is not pinned, or nullptr. O(rows of the rank).
    [[nodiscard]] const LayoutRow* find(const RowKey& key) const;
    /// The place of `y` in the row that it falls into; above and below all rows, in the first and the last one.
    [[nodiscard]] RowAnchor anchorAt(int y) const;
    /// Where `anchor` is now; of a row that is folded away, the middle of the header that hides it, or else 0.
    [[nodiscard]] int yOf(const RowAnchor& anchor) const;
    /// The row that is drawn for a slice's track: its own, else the nearest header that hides it; nullptr if that is
    /// hidden too. O(rows of the rank + pinned rows).
    [[nodiscard]] const LayoutRow* visibleProxy(std::uint32_t run, RankPosition rank, TrackId track) const;

    /// Lays out up to `most_ranks` ranks at a density. Once, by the constructor and for trials.
    void lay(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes, const RowFocus& focus,
             const RowDensity& density, std::size_t most_ranks);

  private:
    friend class LayoutBuilder;
    static constexpr std::size_t kNoRow = SIZE_MAX;
    /// Where in rows_ a rank is.
    struct RankRows {
        std::size_t header = kNoRow;
        std::size_t alike = kNoRow;    // the row that it is folded or unfolded under
        std::size_t heading = kNoRow;  // the heading that it is under
    };
    struct RunRows {
        std::size_t header = kNoRow;
        std::vector<RankRows> ranks;  // as Run::ranks
    };

    [[nodiscard]] const LayoutRow* rowAt(std::size_t index) const {
        return index < rows_.size() ? &rows_[index] : nullptr;
    }
    /// The rows of the tracks and groups of a rank, which are right below its header.
    [[nodiscard]] std::span<const LayoutRow> below(std::size_t header) const;

    std::vector<LayoutRow> rows_;
    int height_ = 0;
    std::size_t pinned_ = 0;  // rows_ that are pinned: the first ones
    std::vector<RunRows> runs_;
    std::unordered_map<const void*, std::size_t> header_of_;  // by the RankTrace, of those whose header is shown
};

/// Folds or unfolds `row`; a deep track goes from folded over some rows to all.
void toggleFold(const LayoutRow& row, RowChoices& choices);
/// Unfolds and shows whatever hides a rank's header: of ranks that are alike, only it is taken out.
void unfoldTo(const TimelineModel& model, std::uint32_t run, RankPosition rank, RowChoices& choices);
/// Unfolds and shows whatever hides `row_of_track` of a track; what the rank in focus shows by itself is not touched.
void unfoldTo(const TimelineModel& model, std::uint32_t run, RankPosition rank, TrackId track,
              std::uint16_t row_of_track, RowChoices& choices, const RowFocus& focus = {});

}  // namespace rankscope::ui
