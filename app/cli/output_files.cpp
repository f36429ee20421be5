// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_files.h"

#include <filesystem>
#include <utility>

namespace rankscope::cli {
namespace {

namespace fs = std::filesystem;

struct Output {
    const char* option;
    fs::path path;
};

/// The outputs that are files: standard output is none, nor is a device or a pipe, which nothing written to can harm.
std::vector<Output> filesOf(const Request& request) {
    std::vector<Output> files;
    for (const auto& [option, path] : {std::pair("--json", &request.json), std::pair("--markdown", &request.markdown),
                                       std::pair("--html", &request.html)}) {
        std::error_code error;
        if (!path->empty() && *path != "-" && !fs::is_other(*path, error)) {
            files.push_back({option, *path});
        }
    }
    return files;
}

bool isSame(const fs::path& a, const fs::path& b) {
    std::error_code error;
    if (fs::equivalent(a, b, error)) {
        return true;
    }
    // Files that are not there yet have names only.
    const fs::path at_a = fs::weakly_canonical(fs::absolute(a, error), error);
    const fs::path at_b = fs::weakly_canonical(fs::absolute(b, error), error);
    return !at_a.empty() && at_a == at_b;
}

/// Whether `path` is where the tables that --csv asks for may be written.
bool isTable(const Request& request, const fs::path& path) {
    return !request.csv.empty() && path.extension() == ".csv" &&
           isSame(path.has_parent_path() ? path.parent_path() : ".", request.csv);
}

}  // namespace

std::optional<std::string> outputsThatClash(const Request& request) {
    const std::vector<Output> files = filesOf(request);
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            if (isSame(files[i].path, files[other].path)) {
                return std::string(files[other].option) + " and " + files[i].option +
                       " name the same file: " + files[i].path.string();
            }
        }
        if (isTable(request, files[i].path)) {
            return std::string(files[i].option) + " names a file where --csv writes a table: " + files[i].path.string();
        }
    }
    return std::nullopt;
}

std::optional<Error> outputThatIsAnInput(const Request& request, const std::vector<Discovery>& found) {
    const std::vector<Output> files = filesOf(request);
    for (const Output& output : files) {
        if (!request.name_rules_file.empty() && isSame(output.path, request.name_rules_file)) {
            return Error{output.path.string(),
                         {},
                         std::string("contains the name rules; ") + output.option + " would overwrite it"};
        }
    }
    for (const std::string& snapshot : request.snapshots) {
        for (const Output& output : files) {
            if (isSame(output.path, snapshot)) {
                return Error{output.path.string(),
                             {},
                             std::string("is a memory snapshot to read; ") + output.option + " would overwrite it"};
            }
        }
    }
    for (const Discovery& discovery : found) {
        for (const RunSource& run : discovery.runs) {
            for (const FileSource& input : run.files) {
                for (const Output& output : files) {
                    if (isSame(output.path, input.path)) {
                        return Error{
                            output.path.string(),
                            {},
                            std::string("is the trace ") + input.path + "; " + output.option + " would overwrite it"};
                    }
                }
                if (isTable(request, input.path)) {
                    return Error{request.csv, {}, "contains the trace " + input.path + "; --csv could overwrite it"};
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace rankscope::cli
