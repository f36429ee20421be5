// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/base/result.h"

namespace rankscope::cli {

/// Says on standard error, in one line behind the program's name, what went wrong. Control characters in it, as names
/// of files can hold them, reach no terminal.
void complain(std::string_view words);
/// The same of an error: its file, the byte where it is known, and the cause.
void complain(const Error& error);

}  // namespace rankscope::cli
