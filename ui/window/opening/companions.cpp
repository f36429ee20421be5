// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/companions.h"

#include <QCoreApplication>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/ingest/files/named_file.h"
#include "core/ingest/files/run_names.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

constexpr qsizetype kFew = 8;                            // files whose first bytes are read immediately
constexpr std::size_t kFewBytes = std::size_t{1} << 16;  // of a log

QStringList listOf(const std::vector<std::string>& files) {
    QStringList list;
    std::ranges::transform(files, std::back_inserter(list), [](const std::string& file) { return text(file); });
    return list;
}

}  // namespace

QStringList Companions::names() const {
    QStringList names;
    for (const auto& snapshot : snapshots) {
        names << snapshotName(*snapshot);
    }
    const auto several = [&names](const QString& words, std::size_t count) {
        names << plural(words, static_cast<std::uint64_t>(count));
    };
    if (logs != nullptr) {
        const auto count = static_cast<int>(logs->files.size());
        several(QCoreApplication::translate("Companions", "%n NCCL log(s)", nullptr, count), logs->files.size());
    }
    if (dumps != nullptr) {
        const auto count = static_cast<int>(dumps->files.size());
        several(QCoreApplication::translate("Companions", "%n flight recorder dump(s)", nullptr, count),
                dumps->files.size());
    }
    return names;
}

std::vector<QStringList> Companions::files() const {
    std::vector<QStringList> all;
    for (const auto& snapshot : snapshots) {
        all.push_back({text(snapshot->snapshot.path)});
    }
    if (logs != nullptr) {
        all.push_back(listOf(logs->files));
    }
    if (dumps != nullptr) {
        all.push_back(listOf(dumps->files));
    }
    return all;
}

std::optional<CompanionKind> kindOfFewFiles(const QStringList& paths) {
    if (paths.isEmpty() || paths.size() > kFew) {
        return std::nullopt;
    }
    const auto kind_of = [](const QString& path) { return companionKindOf(path.toStdString(), kFewBytes); };
    const std::optional<CompanionKind> kind = kind_of(paths.front());
    const bool all =
        kind && std::all_of(paths.begin() + 1, paths.end(), [&](const QString& path) { return kind_of(path) == kind; });
    return all ? kind : std::nullopt;
}

FoundToOpen findToOpen(std::vector<std::string> paths, bool one_run) {
    FoundToOpen found;
    found.companions = takeNamedCompanions(paths);
    if (!paths.empty()) {
        found.runs = one_run ? discoverRun({}, paths) : discoverRuns(paths);
        takeCompanionsInside(paths, found.runs, found.companions);
    }
    if (one_run) {
        std::ranges::for_each(found.runs.runs, [](RunSource& run) { run.name = nameAroundFolders(run.files); });
    }
    return found;
}

RunSource sourceOf(const std::vector<std::string>& files) {
    RunSource source;
    for (const std::string& path : files) {
        FileSource file = fileNamed(path);
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(file.path, error);
        file.bytes = error ? 0 : static_cast<std::uint64_t>(bytes);
        source.files.push_back(std::move(file));
    }
    return source;
}

}  // namespace rankscope::ui
