// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/run_cli.h"

namespace rankscope::test {

ProcessResult cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RANKSCOPE_CLI);
    return runProcess(arguments);
}

}  // namespace rankscope::test
