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
    bool is_full = false;                ///< all sections instead of one screen
    std::vector<std::string> sections;   ///< only these sections
    std::optional<std::size_t> finding;  ///< only this finding, from 1
    ScreenStyle style;
};

/// The texts of these options, unchecked.
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

/// Checks the texts. The width is that of the terminal, at most 100, and 100 without a terminal. Unless --color
/// decides, colours are for terminals without NO_COLOR and with TERM other than "dumb". Throws CLI::ValidationError for
/// wrong options.
[[nodiscard]] Printed readPrinted(const PrintedTexts& texts);

}  // namespace rankscope::cli
