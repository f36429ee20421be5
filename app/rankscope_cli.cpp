// SPDX-License-Identifier: GPL-3.0-or-later
#include <variant>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"

// An exception that nobody expected ends the program with its message, by std::terminate.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
    const auto parsed = rankscope::cli::parseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) {
        return *code;
    }
    return rankscope::cli::runCommand(std::get<rankscope::cli::Request>(parsed));
}
