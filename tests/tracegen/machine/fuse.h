// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::tracegen::machine {

/// The ranks' files in one, as the tools do it that merge them. `fusion` is not None.
[[nodiscard]] TraceFile fuse(const std::vector<TraceFile>& files, Fusion fusion);

}  // namespace rankscope::tracegen::machine
