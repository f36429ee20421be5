// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// Prints one line about the exception being handled on standard error, after `program`: that memory or threads ran
/// out, or what went wrong inside the program. Allocates nothing. Returns kInternalError, the exit code. Call it only
/// inside a catch block.
int tellFatalError(const char* program) noexcept;

/// From now on an uncaught exception, on any thread, ends the process with that line and kInternalError instead of
/// aborting it. `program` must live as long as the process.
void endOnUncaughtExceptions(const char* program) noexcept;

}  // namespace rankscope
