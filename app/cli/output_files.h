// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "core/ingest/load.h"

namespace rankscope::cli {

/// Why the outputs that `request` names cannot all be written: two of them are one file, by whatever names (links,
/// "..", another case of a folder's name). Nothing where all are files of their own.
[[nodiscard]] std::optional<std::string> outputsThatClash(const Request& request);

/// Why an output that `request` names must not be written: it is one of the files in `found`, which are to be read.
/// Compares files, not names: links of either kind are seen. Nothing where all outputs are other files.
[[nodiscard]] std::optional<Error> outputThatIsAnInput(const Request& request, const std::vector<Discovery>& found);

}  // namespace rankscope::cli
