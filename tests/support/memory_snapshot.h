// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/support/temp_files.h"

namespace rankscope::test {

/// Writes the snapshot of tests/data/memory_snapshot.py into a folder, with these options of it; returns its path.
[[nodiscard]] std::string writeSnapshot(const TempFolder& folder, const std::string& name,
                                        const std::vector<std::string>& options = {});

}  // namespace rankscope::test
