// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace rankscope::test {

/// A Kineto trace of one rank with steps 1 to 4 of 100 ms: the host waits `wait_ms` in the DataLoader, then launches a
/// kernel that fills the rest of the step.
[[nodiscard]] std::string traceText(int rank, int wait_ms);

}  // namespace rankscope::test
