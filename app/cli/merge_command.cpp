// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/merge_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "app/cli/complain.h"
#include "app/exit_code.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/digest/digest_file.h"
#include "core/digest/merge_digests.h"

namespace rankscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    "The file holds what the digests hold, of many ranks, and is read like a folder of them. Merged files can be "
    "merged\n"
    "again, in any order and in as many steps as one likes. A trace whose digest is given twice is taken once.\n"
    "Exit code: 0 done; 2 wrong usage, or the file cannot be written; 3 no digest could be read; 4 done, but some\n"
    "digests could not be read.";

/// The digests below a folder, but for hidden ones, which are not done.
void addFolder(const fs::path& folder, std::vector<std::string>& digests) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with('.') && at->is_directory(error)) {
            at.disable_recursion_pending();
        } else if (!name.starts_with('.') && name.ends_with(kDigestEnding) && at->is_regular_file(error)) {
            digests.push_back(at->path().string());
        }
    }
}

/// All digests that were named, but for the file that they go into.
std::vector<std::string> digestsOf(const MergeRequest& request) {
    std::vector<std::string> digests;
    std::error_code error;
    for (const std::string& path : request.paths) {
        if (fs::is_directory(path, error)) {
            addFolder(path, digests);
        } else {
            digests.push_back(path);
        }
    }
    std::erase_if(digests, [&](const std::string& path) { return fs::equivalent(path, request.file, error); });
    std::ranges::sort(digests);
    return digests;
}

}  // namespace

CLI::App* addMerge(CLI::App& app, MergeRequest& request) {
    CLI::App* const command = app.add_subcommand("merge", "Put digests of many ranks into one file");
    command->add_option("DIGEST", request.paths, "Digests, or folders with digests")->required();
    command->add_option("-o,--output", request.file, "The file for all of them")->type_name("FILE")->required();
    command->footer(kFooter);
    return command;
}

int runMerge(const MergeRequest& request) {
    const std::vector<std::string> digests = digestsOf(request);
    const Result<MergedDigests> merged = mergeDigests(digests, request.file);
    if (!merged.ok()) {
        complain(merged.error());
        return merged.error().path == request.file && !digests.empty() ? kWrongUsage : kNothingReadable;
    }
    std::ranges::for_each(merged.value().refused, [](const Error& error) { complain(error); });
    std::cout << fmt::format("{}: {} of {}, {}\n", printable(request.file), formatCounted(merged.value().ranks, "rank"),
                             formatCounted(merged.value().sources, "trace"), formatBytes(merged.value().bytes));
    return merged.value().refused.empty() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
