// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace rankscope::cli {

/// Prints an error on standard error, in one line after the program's name. Control characters, such as those in file
/// names, are removed.
void complain(std::string_view words);
/// The same for an error: its file, its byte if known, and the cause.
void complain(const Error& error);

/// Throws CLI::ValidationError of this option: the command line is wrong.
[[noreturn]] void refuseOption(const std::string& option, const std::string& why);

}  // namespace rankscope::cli
