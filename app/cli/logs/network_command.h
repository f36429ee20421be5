// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_line.h"

namespace rankscope::cli {

/// Reads and shows NCCL's logs alone, as the request says. The exit code.
[[nodiscard]] int runNetwork(const Request& request, const std::vector<std::string>& logs);

/// Says on standard error that the logs beside traces are not part of this report.
void tellOfLogs(const std::vector<std::string>& logs);

}  // namespace rankscope::cli
