// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"

namespace rankscope {

/// What is wrong with a trace whose slices are all of other tools' categories: it may look like a profiler's, but
/// holds no operators, launches and kernels to tell anything by. Nothing where one slice is of a category of PyTorch's
/// profiler, in any dialect, and where there are no slices. Reads on until it finds one: the first slice, mostly.
[[nodiscard]] std::optional<std::string> whyForeign(const std::vector<PartialTrace>& parts);

}  // namespace rankscope
