// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// Prints one line about the exception that is being handled on standard error, behind `program`: that memory or
/// threads ran out, or what went wrong inside the program. Allocates nothing. Returns kInternalError, the exit code.
/// Call it inside a catch block only.
int tellFatalError(const char* program) noexcept;

/// From now on an uncaught exception, on any thread, ends the process with that line and kInternalError
/// where it would have been aborted. `program` must live as long as the process.
void endOnUncaughtExceptions(const char* program) noexcept;

}  // namespace rankscope
