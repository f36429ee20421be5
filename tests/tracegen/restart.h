// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "tests/tracegen/config.h"

namespace rankscope::tracegen {

/// The same job started once more, as its start number `start`: the same model and faults, and what a restart draws
/// anew for the whole run:
/// - placement: each rank gets another GPU, up to 2 % slower than the best, and links with 85 to 100 % of the
///   bandwidth;
/// - clock: all GPUs run at another frequency, 1 % apart (standard deviation);
/// - neighbours: other processes lengthen the job's host code, by 1 % in the mean and sometimes by more.
/// Other chance in every step, too. A rank with slow kernels of its own keeps those. Equal starts are equal.
[[nodiscard]] Config startedAgain(Config config, std::uint64_t start);

}  // namespace rankscope::tracegen
