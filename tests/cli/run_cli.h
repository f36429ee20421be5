// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace rankscope::test {

/// Runs the real rankscope-cli.
[[nodiscard]] ProcessResult cli(std::vector<std::string> arguments);

}  // namespace rankscope::test
