// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/tracegen/machine/config.h"

namespace rankscope::accuracy {

/// Changes that are really made to a job.
struct MadeChange {
    std::string kind;                  ///< "kernels", "loader:workers"; of two changes "two"
    std::vector<std::string> changes;  ///< as parseWhatIf() reads them
    tracegen::machine::Config after;
};

/// A run on the event-driven machine, and the same run with changes of it really made: with the same random numbers in
/// all that they share.
struct WhatIfJob {
    std::string name;  ///< "launches/3": what bounds it, and a number
    tracegen::machine::Config before;
    std::vector<MadeChange> made;
};

/// All of them: jobs of 1, 4 and 8 ranks bounded by computation, launches, the DataLoader, the network, uneven ranks,
/// waits, copies and heat, each with changes alone and in pairs. No rule was chosen on those of the default seed.
[[nodiscard]] std::vector<WhatIfJob> whatIfJobs(std::uint64_t first_seed = 601'000);

}  // namespace rankscope::accuracy
