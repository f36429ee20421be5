// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// The exit codes of both programs. Scripts depend on these numbers; docs/command-line.md lists them.
enum ExitCode : int {
    kDone = 0,
    kFindingAtLevel = 1,   ///< a finding or a line of the health check at or above --fail-on, a regression above
                           ///< --fail-on-regression; takes precedence over kSomeUnreadable
    kWrongUsage = 2,       ///< also an output that cannot be written
    kNothingReadable = 3,  ///< also no two runs to compare
    kSomeUnreadable = 4,
    kInternalError = 5,  ///< memory or threads ran out, or the program has an internal error
};

}  // namespace rankscope
