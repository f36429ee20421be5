// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"

namespace rankscope {

/// What is wrong with a trace whose slices all have other tools' categories: it may look like a profiler's, but has no
/// operators, launches and kernels to analyse. Nothing if one slice has a category of PyTorch's profiler, in any
/// dialect, or if there are no slices. Reads until it finds one: usually the first slice.
[[nodiscard]] std::optional<std::string> whyForeign(const std::vector<PartialTrace>& parts);

}  // namespace rankscope
