// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

enum class RowKind : std::uint8_t { Run, Rank, Group, Track };
/// What is folded together below the streams of a rank.
enum class TrackGroup : std::uint8_t { Threads, Others };
/// How much of a track is unfolded.
enum class Unfolding : std::uint8_t { Folded, Some, All };

/// What the user folds: it stays folded when runs are set again.
struct FoldKey {
    const void* owner = nullptr;  ///< the RankTrace; none for the header of a run
    RowKind kind = RowKind::Run;
    std::uint32_t id = 0;  ///< of the group or track
    friend auto operator<=>(const FoldKey&, const FoldKey&) = default;
};
using Folds = std::map<FoldKey, Unfolding>;

/// One header or one track, from the top of all rows.
struct LayoutRow {
    RowKind kind = RowKind::Track;
    TrackGroup group = TrackGroup::Threads;
    std::uint32_t run = 0;
    std::uint32_t rank = 0;
    TrackId track;  ///< of RowKind::Track
    Unfolding unfolding = Unfolding::All;
    bool foldable = true;
    bool bands = false;          ///< the bands of the rank's communication stand below its rows
    std::uint16_t rows = 0;      ///< rows of slices that are shown
    std::uint16_t all_rows = 0;  ///< rows of slices that there are
    int indent = 0;              ///< levels
    int y = 0;                   ///< logical pixels
    int height = 0;              ///< logical pixels, the gap below included
    QString title;
    QString detail;
    FoldKey key;
};

/// The rows of all runs from top to bottom: run > rank > streams, threads, others. Depends on the model and on what is
/// folded, never on the view.
class RowLayout {
  public:
    RowLayout() = default;
    RowLayout(const TimelineModel& model, const Folds& folds);

    [[nodiscard]] std::span<const LayoutRow> rows() const { return rows_; }
    /// Logical pixels of all rows together.
    [[nodiscard]] int height() const { return height_; }
    /// Index of the first row that reaches below `y`; rows().size() behind the last.
    [[nodiscard]] std::size_t firstBelow(int y) const;
    /// The row at `y`, or nullptr.
    [[nodiscard]] const LayoutRow* at(int y) const;
    /// The row of a track, or nullptr where it or a group around it is folded away.
    [[nodiscard]] const LayoutRow* find(std::uint32_t run, std::uint32_t rank, TrackId track) const;
    /// The header of a rank, or nullptr where its run is folded.
    [[nodiscard]] const LayoutRow* findRank(std::uint32_t run, std::uint32_t rank) const;

  private:
    friend class LayoutBuilder;
    std::vector<LayoutRow> rows_;
    int height_ = 0;
};

/// Folds or unfolds `row`; a deep track goes from folded over some rows to all.
void toggleFold(const LayoutRow& row, Folds& folds);
/// Unfolds whatever hides `row_of_track` of a track.
void unfoldTo(const TimelineModel& model, std::uint32_t run, std::uint32_t rank, TrackId track,
              std::uint16_t row_of_track, Folds& folds);

}  // namespace rankscope::ui
