// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"

namespace rankscope {

/// What is wrong with a trace whose slices all have other tools' categories: it may look like a profiler's, but has no
/// operators, launches and kernels to analyse. Nothing if one slice has a category of PyTorch's profiler, in any
/// dialect, or if there are no slices. `kind` says what the file is instead. Reads until it finds one: usually the
/// first slice.
[[nodiscard]] std::optional<std::string> whyForeign(const std::vector<PartialTrace>& parts,
                                                    std::string_view kind = "a Chrome trace of another tool");

}  // namespace rankscope
