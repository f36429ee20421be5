// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "ui/window/opening/companions.h"

namespace rankscope::ui {

/// Follows the reading of files, named by their index; called on the thread that reads.
struct CompanionReports {
    std::function<void(std::size_t file, std::uint64_t done)> progressed;  ///< bytes on disk
    std::function<void(std::size_t file)> loaded;
    std::function<void(std::size_t file, const Error& error)> failed;
};

/// Reads and analyses a snapshot; nullptr if it cannot be read, which is reported.
[[nodiscard]] std::shared_ptr<const OpenSnapshot> readSnapshotFile(const std::string& path, std::size_t file,
                                                                   const CompanionReports& reports);
/// Reads and analyses logs together; nullptr if none of them can be read, or if `stop` ended it.
[[nodiscard]] std::shared_ptr<const ReadLogs> readLogFiles(const std::vector<std::string>& files,
                                                           const CompanionReports& reports,
                                                           const std::stop_token& stop);
/// The same for dumps of one job.
[[nodiscard]] std::shared_ptr<const ReadDumps> readDumpFiles(const std::vector<std::string>& files,
                                                             const CompanionReports& reports,
                                                             const std::stop_token& stop);

}  // namespace rankscope::ui
