// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>
#include <vector>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The longest text that is made of a name in a file, in bytes of UTF-8: files may hold names of megabytes, and to
/// measure and draw such a text takes seconds.
inline constexpr std::size_t kMostNameBytes = 4096;

/// `name` for people, cut to kMostNameBytes with an ellipsis where it is longer. Never splits a letter. O(1) in what is
/// cut off.
[[nodiscard]] QString shownName(std::string_view name);

/// rankLabel() as a QString: "rank 3", or "file 2" of a trace that does not say its rank.
[[nodiscard]] QString rankTitle(const RankTrace& trace, RankPosition position);
/// rankTitle() with the rank's place in the grid of the job, where it is known: "rank 5 · dp 1, pp 2, tp 0".
[[nodiscard]] QString rankInPlace(const RunView& run, RankPosition position);
/// For people: "stream 7", as the file names the thread or stream; at most kMostNameBytes long.
[[nodiscard]] QString trackTitle(const RankTrace& trace, TrackId track);

/// The folders and archives that contain a run's files, each once, to distinguish it from others of the same name.
[[nodiscard]] QStringList foldersOf(const Run& run);

/// What is in the column of names for a row: its title and, behind it and fainter, what is worth knowing of it.
struct RowText {
    QString title;
    QString detail;  ///< place, host and device of a rank, the number of tracks of a group; may be empty
};
/// The text of one row of a layout. It is made when the row is drawn: a layout of thousands of ranks has tens of
/// thousands of rows, of which some dozens are in sight.
[[nodiscard]] RowText rowText(const TimelineModel& model, const LayoutRow& row);

/// All tracks that have slices, whether they are in the layout or folded away, in the order in which they are below
/// one another. O(tracks) of all ranks.
[[nodiscard]] std::vector<NamedTrack> namedTracks(const TimelineModel& model, const RowChoices& choices);

}  // namespace rankscope::ui
