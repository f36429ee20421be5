// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/condense/plan.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/digest/digest_file.h"
#include "core/ingest/files/archive.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

fs::path absolute(const fs::path& path) {
    std::error_code error;
    const fs::path clean = fs::absolute(path, error).lexically_normal();
    return clean.has_filename() ? clean : clean.parent_path();  // "job/" is "job"
}

/// The path of a file relative to its folder or archive.
fs::path below(const FileSource& file, const fs::path& root, bool is_folder) {
    fs::path place = is_folder ? absolute(file.path).lexically_relative(root) : root.filename();
    if (!file.member.empty()) {
        place /= fs::path("/" + file.member).lexically_normal().relative_path();  // no ".." leads out of the folder
    }
    return place;
}

bool isDigestName(const FileSource& file) {
    return file.path.ends_with(kDigestEnding);
}

/// Collects the tasks of paths, each with its place below the output folder.
class Planner {
  public:
    Planner(fs::path folder, bool several) : folder_(std::move(folder)), several_(several) {}

    void add(const std::string& path) {
        std::error_code error;
        const bool is_folder = fs::is_directory(path, error);
        const fs::path root = absolute(path);
        Discovery found = discoverRun(path, {path});  // each file by itself, whatever run it belongs to
        for (RunSource& run : found.runs) {
            for (const std::size_t i : shareTexts(run.files)) {
                FileSource& file = run.files[i];
                if (!isDigestName(file)) {
                    const fs::path place = below(file, root, is_folder);
                    addFile(std::move(file), is_folder && several_ ? root.filename() / place : place);
                } else if (!is_folder) {
                    tasks_.push_back({std::move(file), "", path, "is a digest already"});
                }
            }
        }
        for (const Error& refused : found.refused) {
            tasks_.push_back({{refused.path, ""}, "", refused.path, refused.cause});
        }
    }

    Result<std::vector<DigestTask>> finish() {
        return clash_ ? Result<std::vector<DigestTask>>(*clash_) : std::move(tasks_);
    }

  private:
    void addFile(FileSource file, const fs::path& place) {
        file.path = absolute(file.path).string();
        const std::string label = place.string() + std::string(kDigestEnding);
        const auto [other, is_new] = sources_.try_emplace(label, file.name());
        if (is_new) {
            tasks_.push_back({std::move(file), (folder_ / label).string(), label, ""});
        } else if (other->second != file.name() && !clash_) {
            clash_ = Error{label, std::nullopt, "would be made of " + other->second + " and of " + file.name()};
        }
    }

    fs::path folder_;
    bool several_;
    std::vector<DigestTask> tasks_;
    std::map<std::string, std::string> sources_;
    std::optional<Error> clash_;
};

}  // namespace

Result<std::vector<DigestTask>> planDigests(const std::vector<std::string>& paths, const std::string& folder) {
    Planner planner(folder, paths.size() > 1);
    for (const std::string& path : paths) {
        planner.add(path);
    }
    return planner.finish();
}

}  // namespace rankscope
