// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "tests/accuracy/tally.h"

namespace rankscope::accuracy {

/// The tables of a tally, in Markdown.
[[nodiscard]] std::string markdownOf(const Tally& tally);

/// Puts `tables` between the two marks of a page: those of the tables, or of the table of pairs that are compared.
/// Throws std::runtime_error where they are missing.
void writeInto(const std::filesystem::path& page, const std::string& tables, bool pairs = false);

}  // namespace rankscope::accuracy
