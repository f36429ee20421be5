// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "core/base/time.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class Workspace;

/// A place in the traces that can be shared: the visible time and the selection. It is valid only for the same files.
struct PlaceLink {
    TimeSpan window;  ///< on the axis: nanoseconds from the run's first instant
    std::optional<SliceSelection> slice;
    friend bool operator==(const PlaceLink&, const PlaceLink&) = default;
};

/// The current view of a workspace.
[[nodiscard]] PlaceLink placeIn(Workspace& workspace);
/// Shows a place: its time, and its slice if it exists in the runs.
void showPlace(const PlaceLink& place, Workspace& workspace);

/// A place for the option --place: "FROM:TO" in nanoseconds, and "@" with the address of a slice.
[[nodiscard]] QString placeText(const PlaceLink& place);
/// The place in a text; nothing if it has none.
[[nodiscard]] std::optional<PlaceLink> placeOf(const QString& words);
/// The command that opens these runs at a place, for a shell: unchanged on the same machine, elsewhere with the paths
/// of the files there. A run with its own folder is named by the folder.
[[nodiscard]] QString commandTo(const PlaceLink& place, const OpenRuns& runs);

}  // namespace rankscope::ui
