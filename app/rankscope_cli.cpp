// SPDX-License-Identifier: GPL-3.0-or-later
#include <variant>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/fatal_error.h"

int main(int argc, char** argv) {
    rankscope::endOnUncaughtExceptions("rankscope-cli");
    try {
        const auto parsed = rankscope::cli::parseCommandLine(argc, argv);
        if (const int* code = std::get_if<int>(&parsed)) {
            return *code;
        }
        return rankscope::cli::runCommand(std::get<rankscope::cli::Request>(parsed));
    } catch (...) {
        return rankscope::tellFatalError("rankscope-cli");
    }
}
