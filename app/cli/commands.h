// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"
#include "app/cli/digest_options.h"

namespace rankscope::cli {

/// Does what was asked and returns the exit code.
[[nodiscard]] int runCommand(Request request);

/// Makes the digests of a request, with a line on standard output for each file as it is done, and on standard error
/// for each that fails. The exit code.
[[nodiscard]] int runDigest(const DigestRequest& request);

/// Serves the Model Context Protocol (https://modelcontextprotocol.io, version 2025-06-18) on standard input and
/// output, a JSON message a line, until the input ends: the tools of Toolbox over the runs of the request, which are
/// read at the first call. A call is cancelled by notifications/cancelled. The exit code.
[[nodiscard]] int runMcp(const McpRequest& request);

}  // namespace rankscope::cli
