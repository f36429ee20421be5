// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/read_companions.h"

#include <algorithm>
#include <utility>

#include "core/companions/read_companions.h"
#include "core/ingest/snapshot/load_snapshot.h"

namespace rankscope::ui {
namespace {

/// Reports each file as failed or loaded.
void tellResults(const std::vector<std::string>& files, const std::vector<Error>& unreadable,
                 const CompanionReports& reports) {
    for (std::size_t file = 0; file < files.size(); ++file) {
        const auto error = std::ranges::find(unreadable, files[file], &Error::path);
        if (error != unreadable.end()) {
            reports.failed(file, *error);
        } else {
            reports.loaded(file);
        }
    }
}

}  // namespace

std::shared_ptr<const OpenSnapshot> readSnapshotFile(const std::string& path, std::size_t file,
                                                     const CompanionReports& reports) {
    reports.progressed(file, 0);
    Result<MemorySnapshot> read = loadSnapshot(path);
    if (!read.ok()) {
        reports.failed(file, read.error());
        return nullptr;
    }
    auto made = std::make_shared<OpenSnapshot>();
    made->snapshot = std::move(read).value();
    made->facts = snapshotFacts(made->snapshot);
    reports.loaded(file);
    return made;
}

std::shared_ptr<const ReadLogs> readLogFiles(const std::vector<std::string>& files, const CompanionReports& reports,
                                             const std::stop_token& stop) {
    const std::shared_ptr<const ReadLogs> read = readLogs(files, {stop, reports.progressed});
    if (stop.stop_requested()) {
        return nullptr;
    }
    tellResults(files, read->unreadable, reports);
    return read->any() ? read : nullptr;
}

std::shared_ptr<const ReadDumps> readDumpFiles(const std::vector<std::string>& files, const CompanionReports& reports,
                                               const std::stop_token& stop) {
    const std::shared_ptr<const ReadDumps> read = readDumps(files, {stop, reports.progressed});
    if (stop.stop_requested()) {
        return nullptr;
    }
    tellResults(files, read->unreadable, reports);
    return read->dumps.empty() ? nullptr : read;
}

}  // namespace rankscope::ui
