// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/complain.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "core/base/utf8.h"

namespace rankscope::cli {

void complain(std::string_view words) {
    std::cerr << "rankscope-cli: " + printable(words) + "\n";
}

void complain(const Error& error) {
    complain(error.text());
}

void refuseOption(const std::string& option, const std::string& why) {
    throw CLI::ValidationError(option, why);
}

}  // namespace rankscope::cli
