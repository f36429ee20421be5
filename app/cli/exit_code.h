// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::cli {

/// What the program says to the shell. Scripts depend on these numbers.
enum ExitCode : int {
    kDone = 0,
    kFindingAtLevel = 1,   ///< a finding at or above --fail-on, a regression above --fail-on-regression; said before
                           ///< kSomeUnreadable
    kWrongUsage = 2,       ///< also an output that cannot be written
    kNothingReadable = 3,  ///< also no two runs to compare
    kSomeUnreadable = 4,
};

}  // namespace rankscope::cli
