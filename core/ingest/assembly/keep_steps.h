// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ingest/kineto/step_filter.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Keeps of a trace that is put together, as one of a digest, only what touches those steps, and the device work that
/// was launched in them: what keepSteps() does while a file is read. Nothing is left where none of them is in it. What
/// its health counts stays that of all steps, and a note says so. Device work whose launch is not recorded is of no
/// step.
void keepSteps(RankTrace& trace, const StepWindow& steps);

}  // namespace rankscope
