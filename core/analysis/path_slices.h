// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/critical_path.h"
#include "core/trace/run.h"

namespace rankscope {

/// Sets the slices of the stretches in which a device works: each stretch is cut where another slice takes over, so
/// that every part has the kernel or copy that ended it, on its stream. Sums do not change. Idle stretches have their
/// slices already. `run` is the run of the facts. O(what is recorded on the device in the time of the path).
void namePathSlices(const Run& run, const RunFacts& facts, CriticalPath& path);

}  // namespace rankscope
