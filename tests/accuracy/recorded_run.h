// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/trace/run.h"

namespace rankscope::accuracy {

/// The run of these files or folders. Throws std::runtime_error where a path is missing or cannot be read.
[[nodiscard]] std::shared_ptr<const Run> loadRecording(const std::vector<std::filesystem::path>& paths);

}  // namespace rankscope::accuracy
