// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/ingest/load.h"

namespace rankscope {

/// Puts folders in front of the names of runs that are called the same and lie in different places, as few as tell them
/// apart: "exp1/traces" and "exp2/traces". Runs that the user named keep their names, and so do those that are `open`;
/// a run that is there twice keeps its name too.
void tellNamesApart(const std::vector<RunSource*>& runs, const std::vector<RunSource>& open = {});

}  // namespace rankscope
