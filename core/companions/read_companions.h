// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/companions/companions.h"
#include "core/ingest/files/input_file.h"

namespace rankscope {

/// Reads and analyses logs of NCCL together. Not null; check ReadLogs::any(). After a stop it is incomplete, and not
/// analysed.
[[nodiscard]] std::shared_ptr<const ReadLogs> readLogs(const std::vector<std::string>& files,
                                                       const ReadingOfFiles& reading = {});
/// The same for dumps of the flight recorder of one job.
[[nodiscard]] std::shared_ptr<const ReadDumps> readDumps(const std::vector<std::string>& files,
                                                         const ReadingOfFiles& reading = {});

}  // namespace rankscope
