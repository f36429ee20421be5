// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::bench {

/// Processor seconds until the timeline's first picture of the run, of 1080 lines: model, index and frame. Once in a
/// process. Less than nothing where the program was built without the window.
[[nodiscard]] double firstFrameSeconds(const std::shared_ptr<const AnalysedRun>& run);

}  // namespace rankscope::bench
