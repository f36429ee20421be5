// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace rankscope::tracegen {

/// Adds `job` to the program: it writes the traces of a job whose work is divided in a grid, and the truth about them,
/// by the machine that runs on events. Its work is done while the command line is read.
void addJobCommand(CLI::App& app);

}  // namespace rankscope::tracegen
