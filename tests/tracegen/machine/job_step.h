// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/tracegen/machine/job_builder.h"

namespace rankscope::tracegen::machine {

/// The programs of one rank's step of config.job, numbered from the window's first; warm-up steps are negative.
/// `counters` are those of the rank, over all its steps in order.
[[nodiscard]] StepProgram buildJobStep(const Config& config, int rank, int step, StringPool& names,
                                       JobCounters& counters);

}  // namespace rankscope::tracegen::machine
