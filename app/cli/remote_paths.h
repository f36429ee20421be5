// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"

namespace rankscope::cli {

/// Puts in the place of each ssh://host/path that the request names to be read a file of this machine with its digests,
/// which are made there and copied here (core/remote/fetch_digests.h). Says on standard error what it is at where that
/// is a terminal, and why a path could not be fetched. Whether all could be.
[[nodiscard]] bool fetchRemotePaths(Request& request);

}  // namespace rankscope::cli
