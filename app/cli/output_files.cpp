// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_files.h"

#include <filesystem>
#include <utility>

#include "app/cli/complain.h"
#include "core/base/write_file.h"
#include "core/ingest/files/named_file.h"

namespace rankscope::cli {
namespace {

namespace fs = std::filesystem;

struct Output {
    const char* option;
    fs::path path;
};

/// The outputs that are regular files. Standard output, devices and pipes are not: writing cannot harm them.
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

/// Whether --csv may write a table at `path`.
bool isTable(const Request& request, const fs::path& path) {
    return !request.csv.empty() && path.extension() == ".csv" &&
           isSameFile(path.has_parent_path() ? path.parent_path() : ".", request.csv);
}

/// An output that is one of these files, of which `what` says what they are.
std::optional<Error> outputAmong(const std::vector<Output>& outputs, const std::vector<std::string>& files,
                                 const std::string& what) {
    for (const std::string& file : files) {
        for (const Output& output : outputs) {
            if (isSameFile(output.path, fileNamed(file).path)) {
                return Error{output.path.string(), {}, what + output.option + " would overwrite it"};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

bool isSameFile(const fs::path& a, const fs::path& b) {
    std::error_code error;
    if (fs::equivalent(a, b, error)) {
        return true;
    }
    // Files that do not exist yet have only names.
    const fs::path at_a = fs::weakly_canonical(fs::absolute(a, error), error);
    const fs::path at_b = fs::weakly_canonical(fs::absolute(b, error), error);
    return !at_a.empty() && at_a == at_b;
}

std::optional<std::string> outputsThatClash(const Request& request) {
    const std::vector<Output> files = filesOf(request);
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            if (isSameFile(files[i].path, files[other].path)) {
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

std::optional<Error> outputThatIsAnInput(const Request& request, const std::vector<Discovery>& found,
                                         const std::vector<std::string>& logs, const std::vector<std::string>& dumps) {
    const std::vector<Output> files = filesOf(request);
    for (const Output& output : files) {
        if (!request.name_rules_file.empty() && isSameFile(output.path, request.name_rules_file)) {
            return Error{output.path.string(),
                         {},
                         std::string("contains the name rules; ") + output.option + " would overwrite it"};
        }
    }
    for (const auto& [inputs, what] :
         {std::pair(&request.snapshots, "is a memory snapshot to read; "), std::pair(&logs, "is a log to read; "),
          std::pair(&dumps, "is a dump to read; ")}) {
        if (std::optional<Error> error = outputAmong(files, *inputs, what)) {
            return error;
        }
    }
    for (const Discovery& discovery : found) {
        for (const RunSource& run : discovery.runs) {
            for (const FileSource& input : run.files) {
                for (const Output& output : files) {
                    if (isSameFile(output.path, input.path)) {
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

bool writeOutput(const std::string& path, const std::string& text) {
    std::optional<Error> error = writeFileAtomically(path, text);
    if (error) {
        error->path = path == "-" ? "standard output" : path;
        complain(*error);
    }
    return !error;
}

}  // namespace rankscope::cli
