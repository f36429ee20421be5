// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/tracegen/config.h"

namespace rankscope::accuracy {

/// One run of the matrix.
struct Case {
    std::string name;  ///< "host-sync/2/rocm/4": fault, strength 1 to 3, files, ranks
    tracegen::Config config;
};

/// All of them: each fault at three strengths in CUDA, ROCm and old-dialect files on 2, 4 and 8 ranks, and at the
/// middle strength on 64 and in steps of real size; pairs of faults; a hundred healthy runs. Every rank has a clock of
/// its own, up to 5 ms off and up to 20 ppm fast or slow.
[[nodiscard]] std::vector<Case> matrix();

/// Those of `cases` with one of `filters` in their name; all where there is no filter.
[[nodiscard]] std::vector<Case> filtered(std::vector<Case> cases, const std::vector<std::string>& filters);

}  // namespace rankscope::accuracy
