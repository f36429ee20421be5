// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/companions/pack_companions.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

/// Logs, dumps and snapshots to pack.
struct CompanionsRequest {
    std::string path;     ///< a folder, an archive, or one of them
    std::string archive;  ///< the zip to write
    double most_gb = static_cast<double>(kMostPackedBytes) / 1e9;
};

/// Adds the command `companions`; its options go into `request`.
[[nodiscard]] CLI::App* addCompanions(CLI::App& app, CompanionsRequest& request);

/// Packs them and reports it on standard output, and what is left out on standard error. Returns the exit code.
[[nodiscard]] int runCompanions(const CompanionsRequest& request);

}  // namespace rankscope::cli
