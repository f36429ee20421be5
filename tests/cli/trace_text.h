// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/support/temp_files.h"

namespace rankscope::test {

/// A Kineto trace of one rank with steps 1 to 4 of 100 ms: the host waits `wait_ms` in the DataLoader, then launches a
/// kernel that fills the rest of the step.
[[nodiscard]] std::string traceText(int rank, int wait_ms);
/// The same of rank 0, with steps of these lengths in microseconds from step 1 on, and no wait.
[[nodiscard]] std::string recordingText(const std::vector<int>& steps_us);
/// Writes such traces of the first `ranks` ranks, "rank0.json" and on, that wait for nothing, into `name` of a folder;
/// returns where they are.
[[nodiscard]] std::string writeJob(const TempFolder& folder, const std::string& name, int ranks);

}  // namespace rankscope::test
