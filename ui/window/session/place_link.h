// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "core/base/time.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class Workspace;

/// A place in the traces that can be handed on: what the timeline shows of the time, and what is selected. It holds for
/// the same files only.
struct PlaceLink {
    TimeSpan window;  ///< on the axis: nanoseconds from the run's first instant
    std::optional<SliceSelection> slice;
    friend bool operator==(const PlaceLink&, const PlaceLink&) = default;
};

/// What a workspace shows now.
[[nodiscard]] PlaceLink placeIn(Workspace& workspace);
/// Shows a place: its time, and its slice where the runs have such a one.
void showPlace(const PlaceLink& place, Workspace& workspace);

/// A place as the option --place takes it: "FROM:TO" in nanoseconds, and "@" with the address of a slice.
[[nodiscard]] QString placeText(const PlaceLink& place);
/// The place that a text names; nothing where it names none.
[[nodiscard]] std::optional<PlaceLink> placeOf(const QString& words);
/// The command that opens these runs at a place, for a shell: on the same machine as it is, elsewhere with the
/// paths of the files there. A run that has a folder to itself is named by the folder.
[[nodiscard]] QString commandTo(const PlaceLink& place, const OpenRuns& runs);

}  // namespace rankscope::ui
