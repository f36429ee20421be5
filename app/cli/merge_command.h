// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

/// What the user asked to merge.
struct MergeRequest {
    std::vector<std::string> paths;  ///< digests, and folders with digests anywhere below
    std::string file;                ///< that they are merged into
};

/// Adds the command `merge` to the program; its options go into `request`.
[[nodiscard]] CLI::App* addMerge(CLI::App& app, MergeRequest& request);

/// Merges digests into one file and says so on standard output. The exit code.
[[nodiscard]] int runMerge(const MergeRequest& request);

}  // namespace rankscope::cli
