// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/report/reports.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

/// What a command prints on standard output for people.
struct Printed {
    bool is_full = false;                ///< all sections, in place of one screen
    std::vector<std::string> sections;   ///< these sections alone
    std::optional<std::size_t> finding;  ///< this finding alone, from 1
    ScreenStyle style;
};

/// The texts of these options, before they are checked.
struct PrintedTexts {
    bool is_full = false;
    std::vector<std::string> sections;
    std::string finding;
    std::string color = "auto";
};

/// Adds --full and --color.
void addScreen(CLI::App& command, PrintedTexts& texts);
/// Adds --section and --finding.
void addSections(CLI::App& command, PrintedTexts& texts);

/// Checks the texts. The width is that of the terminal, 100 at most, and 100 where standard output is none. Colours are
/// for terminals where NO_COLOR is not set and TERM is not "dumb", unless --color says otherwise. Throws
/// CLI::ValidationError for what is wrong.
[[nodiscard]] Printed readPrinted(const PrintedTexts& texts);

}  // namespace rankscope::cli
