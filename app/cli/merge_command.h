// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

/// The merge that the user asked for.
struct MergeRequest {
    std::vector<std::string> paths;  ///< digests, and folders that contain digests at any depth
    std::string file;                ///< the output file
};

/// Adds the command `merge`; its options go into `request`.
[[nodiscard]] CLI::App* addMerge(CLI::App& app, MergeRequest& request);

/// Merges digests into one file and reports it on standard output. Returns the exit code.
[[nodiscard]] int runMerge(const MergeRequest& request);

}  // namespace rankscope::cli
