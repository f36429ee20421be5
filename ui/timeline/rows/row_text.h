// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>
#include <vector>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The longest text that is made of a name in a file, in bytes of UTF-8: names may have megabytes, and measuring and
/// drawing such a text takes seconds.
inline constexpr std::size_t kMostNameBytes = 4096;

/// `name` for people, cut to kMostNameBytes with an ellipsis if it is longer. Never splits a character. O(1) in the
/// length of the rest.
[[nodiscard]] QString shownName(std::string_view name);

/// rankLabel() as a QString: "rank 3", or "file 2" for a trace without a rank number.
[[nodiscard]] QString rankTitle(const RankTrace& trace, RankPosition position);
/// rankTitle() with the rank's place in the grid of the job, if it is known: "rank 5 · dp 1, pp 2, tp 0".
[[nodiscard]] QString rankInPlace(const RunView& run, RankPosition position);
/// For people: "stream 7", the name of the thread or stream in the file; at most kMostNameBytes long.
[[nodiscard]] QString trackTitle(const RankTrace& trace, TrackId track);

/// The folders and archives that contain a run's files, each once, to distinguish it from others of the same name.
[[nodiscard]] QStringList foldersOf(const Run& run);

/// The text of a row in the column of names: its title and, after it and fainter, a detail.
struct RowText {
    QString title;
    QString detail;  ///< place, host and device of a rank, the number of tracks of a group; may be empty
};
/// The text of one row of a layout. Made when the row is drawn: a layout of thousands of ranks has tens of thousands of
/// rows, of which a few dozen are visible.
[[nodiscard]] RowText rowText(const TimelineModel& model, const LayoutRow& row);

/// All tracks that have slices, in the layout or folded, in their order from top to bottom. O(tracks) of all ranks.
[[nodiscard]] std::vector<NamedTrack> namedTracks(const TimelineModel& model, const RowChoices& choices);

}  // namespace rankscope::ui
