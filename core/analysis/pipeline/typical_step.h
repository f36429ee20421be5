// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// The counted step of a pipeline whose window has the median length, of two the shorter: an index in Pipeline::steps;
/// 0 if there is none.
[[nodiscard]] std::size_t typicalStepOf(const Pipeline& pipeline);

}  // namespace rankscope
