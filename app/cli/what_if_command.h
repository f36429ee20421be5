// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_line.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

/// The texts of the options of `what-if`, unchecked.
struct WhatIfTexts {
    std::vector<std::string> changes;
    std::string search;
    std::string digest;
    bool list = false;
};

/// Adds the options of `what-if`, in addition to those that name what to read.
void addWhatIf(CLI::App& command, WhatIfTexts& texts);

/// Reads the changes. Throws CLI::ValidationError if one is not written like a change, or if two exclude each other.
[[nodiscard]] WhatIfRequest readWhatIfRequest(const WhatIfTexts& texts, Request request);

/// Prints the forecast. Returns the exit code.
[[nodiscard]] int runWhatIf(WhatIfRequest request);

}  // namespace rankscope::cli
