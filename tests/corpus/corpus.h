// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/tracegen/config.h"

namespace rankscope::corpus {

/// How a file's JSON is laid out.
enum class Layout {
    AsKineto,  ///< as the profiler writes it
    Minified,  ///< no blanks, and numbers as short as a double allows (".2" for .250), as Python leaves them
    Indented,  ///< a line for each value, as json.dump(indent=4) does
};

/// One run of the corpus: small, and in a dialect of its own.
struct Member {
    std::string name;  ///< of its folder
    tracegen::Config config;
    Layout layout = Layout::AsKineto;
};

/// Runs of our own making in every dialect that the loader reads: old and modern, CUDA and ROCm, CPU only, minified and
/// indented, times of 1 ns, 1 us and 250 ns, with stacks and memory, and some with planted faults.
[[nodiscard]] std::vector<Member> members();

/// Writes each member as FOLDER/<name>/rank<r>.pt.trace.json.gz. Equal at every call.
void writeCorpus(const std::filesystem::path& folder);

}  // namespace rankscope::corpus
