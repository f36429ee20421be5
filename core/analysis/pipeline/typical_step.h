// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// Of the counted steps of a pipeline that with the window of the median length, of two the shorter; 0 if none is.
[[nodiscard]] std::size_t typicalStepOf(const Pipeline& pipeline);

}  // namespace rankscope
