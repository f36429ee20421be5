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

constexpr const char* kMergeFooter =
    "The file contains what the digests contain, and is read like a folder of them. Merged files can be merged again,\n"
    "in any order and any number of steps, also into one of them. A trace whose digest is given twice is taken once.\n"
    "Exit code: 0 done; 2 wrong usage, or the file cannot be written; 3 no digest could be read; 4 done, but some\n"
    "digests could not be read.";

/// Adds the digests below a folder, except hidden ones, which are not finished, and the output file.
void addFolder(const fs::path& folder, const std::string& output, std::vector<std::string>& digests) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with('.') && at->is_directory(error)) {
            at.disable_recursion_pending();
        } else if (!name.starts_with('.') && name.ends_with(kDigestEnding) && at->is_regular_file(error) &&
                   !fs::equivalent(at->path(), output, error)) {
            digests.push_back(at->path().string());
        }
    }
}

/// What to merge, and what cannot be merged.
struct Inputs {
    std::vector<std::string> digests;
    std::vector<Error> refused;
};

/// All named digests. A named digest may be the output file: it is read, then replaced.
Inputs inputsOf(const MergeRequest& request) {
    Inputs inputs;
    std::error_code error;
    for (const std::string& path : request.paths) {
        if (!fs::exists(path, error)) {
            inputs.refused.push_back({path, {}, "does not exist"});
        } else if (fs::is_directory(path, error)) {
            const std::size_t before = inputs.digests.size();
            addFolder(path, request.file, inputs.digests);
            if (inputs.digests.size() == before) {
                inputs.refused.push_back({path, {}, "contains no digests"});
            }
        } else {
            inputs.digests.push_back(path);
        }
    }
    std::ranges::sort(inputs.digests);
    return inputs;
}

}  // namespace

CLI::App* addMerge(CLI::App& app, MergeRequest& request) {
    CLI::App* const command = app.add_subcommand("merge", "Merge digests of many ranks into one file");
    command->add_option("DIGEST", request.paths, "Digests, or folders with digests")->required();
    command->add_option("-o,--output", request.file, "File for the merged digest")->type_name("FILE")->required();
    command->footer(kMergeFooter);
    return command;
}

int runMerge(const MergeRequest& request) {
    std::error_code failed;
    const fs::path to(request.file);
    if (!to.has_filename() || fs::is_directory(to, failed)) {
        complain("-o: " + request.file + " is a folder; name a file in it, like " + (to / "all.digest").string());
        return kWrongUsage;
    }
    const Inputs inputs = inputsOf(request);
    std::ranges::for_each(inputs.refused, [](const Error& error) { complain(error); });
    if (inputs.digests.empty()) {
        return kNothingReadable;
    }
    std::error_code error;
    fs::create_directories(fs::path(request.file).parent_path(), error);  // if this fails, the merge fails:
    const Result<MergedDigests> merged = mergeDigests(inputs.digests, request.file);
    if (!merged.ok()) {
        complain(merged.error());
        return merged.error().path == request.file ? kWrongUsage : kNothingReadable;
    }
    std::ranges::for_each(merged.value().refused, [](const Error& refused) { complain(refused); });
    std::cout << fmt::format("{}: {} of {}, {}\n", printable(request.file), formatCounted(merged.value().ranks, "rank"),
                             formatCounted(merged.value().sources, "trace"), formatBytes(merged.value().bytes));
    return merged.value().refused.empty() && inputs.refused.empty() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
