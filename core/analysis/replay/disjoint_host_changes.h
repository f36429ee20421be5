// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/replay/replay.h"

namespace rankscope {

/// The changes of host time that a replay plays: by start, disjoint, and outside the waits for the device.
///
/// Those of a ReplayChange come from several findings, in any order, and may overlap.
///
/// - Of two changes with the same time, as when two findings both shorten one wait, the one that leaves less counts.
/// - Where changes overlap in part, they are cut. In each piece the one counts that leaves the smaller part of the
/// time:
///   one finding may shorten a whole step of a slow host and another a call in it. With both fixed, the call is gone.
/// - DataLoader waits are changes too, if ReplayChange::ready_batches is set.
/// - A wait for the device keeps its length here: the replay computes it. What a change leaves of its time is spread
///   over the parts outside waits, by their length.
///
/// Linear in changes and waits if the changes are few sorted runs, one for each finding, and do not overlap.
[[nodiscard]] std::vector<HostChange> disjointHostChanges(const ReplayModel& model, const ReplayChange& change);

}  // namespace rankscope
