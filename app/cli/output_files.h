// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "core/ingest/load.h"

namespace rankscope::cli {

/// Why the outputs of `request` clash: two of them are the same file, under any names (links, "..", another case of a
/// folder's name). Nothing if all are different files.
[[nodiscard]] std::optional<std::string> outputsThatClash(const Request& request);

/// Whether two paths name the same file, under any names.
[[nodiscard]] bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

/// Why an output of `request` must not be written: it is an input file in `found`, or one of `logs` or `dumps`.
/// Compares files, not names, so links of either kind are seen. Nothing if no output is an input.
[[nodiscard]] std::optional<Error> outputThatIsAnInput(const Request& request, const std::vector<Discovery>& found,
                                                       const std::vector<std::string>& logs,
                                                       const std::vector<std::string>& dumps);

/// Writes a report to the place that the user named, "-" for standard output. False, with the reason on standard error,
/// if that fails.
[[nodiscard]] bool writeOutput(const std::string& path, const std::string& text);

}  // namespace rankscope::cli
