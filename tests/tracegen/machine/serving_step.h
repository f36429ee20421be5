// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/tracegen/machine/job_builder.h"

namespace rankscope::tracegen::machine {

/// The program of one iteration of a server on one rank, numbered from the window's first; config.job serves.
[[nodiscard]] StepProgram buildServingStep(const Config& config, int rank, int step, StringPool& names,
                                           JobCounters& counters);

}  // namespace rankscope::tracegen::machine
