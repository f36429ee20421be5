// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"

namespace rankscope::cli {

/// Does what was asked and returns the exit code.
[[nodiscard]] int runCommand(Request request);

}  // namespace rankscope::cli
