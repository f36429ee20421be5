// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ingest/kineto/step_filter.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Reduces a complete trace, such as one from a digest, to the slices that touch those steps, and the device work
/// launched in them: what the other keepSteps() does while a file is read. Nothing is left if it has none of the steps.
/// Its health still counts all steps, and a note says so. Device work without a recorded launch is in no step.
void keepSteps(RankTrace& trace, const StepWindow& steps);

/// Whether the steps of a trace have no numbers of their own, and are counted from its first one. Linear in the slices
/// of host threads.
[[nodiscard]] bool countsSteps(const RankTrace& trace);

}  // namespace rankscope
