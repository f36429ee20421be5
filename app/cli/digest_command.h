// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/digest_options.h"

namespace rankscope::cli {

/// Makes the digests of a request, with a line on standard output for each file as it is done, and on standard error
/// for each that fails. The exit code.
[[nodiscard]] int runDigest(const DigestRequest& request);

}  // namespace rankscope::cli
