// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "tests/tracegen/simulate.h"

namespace rankscope::tracegen {

/// One rank's file of a simulated run, as text.
[[nodiscard]] std::string kinetoText(const RunResult& result, int rank);

/// What a rank's file is called inside the folder of its run.
[[nodiscard]] std::string fileName(int rank, bool gzip);

/// Simulates the run and writes it: every rank's file, and beside the folder `<folder>.truth.json`, so that the folder
/// holds nothing but traces. It is made if it is missing. Holds one step's events at a time.
void writeRun(const Config& config, const std::filesystem::path& folder, bool gzip);

/// The same for one rank alone, to one file or (`-`) to standard output.
void writeRank(const Config& config, int rank, const std::filesystem::path& file);

}  // namespace rankscope::tracegen
