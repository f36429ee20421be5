// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"
#include "app/cli/options/digest_options.h"

namespace rankscope::cli {

/// Runs the request and returns the exit code.
[[nodiscard]] int runCommand(Request request);

/// Makes the digests of a request. Prints a line on standard output per finished file, and one on standard error per
/// failed file. Returns the exit code.
[[nodiscard]] int runDigest(const DigestRequest& request);

/// Serves the Model Context Protocol (https://modelcontextprotocol.io, version 2025-06-18) on standard input and
/// output, one JSON message per line, until the input ends. It offers the tools of Toolbox over the request's runs,
/// which are read at the first call. notifications/cancelled cancels a call. Returns the exit code.
[[nodiscard]] int runMcp(const McpRequest& request);

}  // namespace rankscope::cli
