// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/whatif/what_if_run.h"

namespace rankscope::test {

/// A run ready for forecasts, and where it is from.
struct PreparedRun {
    std::string name;
    std::shared_ptr<const WhatIfRun> run;
};

/// The run at this path. Fails the test where there is not one.
[[nodiscard]] std::shared_ptr<const WhatIfRun> prepareAt(const std::filesystem::path& path);
/// All runs at this path that can be loaded and analysed.
[[nodiscard]] std::vector<PreparedRun> prepareAllAt(const std::filesystem::path& path);

/// A run of one rank made by hand: a kernel a step, and no communication.
[[nodiscard]] std::shared_ptr<const WhatIfRun> prepareLoneRank(int steps);

/// The changes of these texts. Fails the test where one cannot be read.
[[nodiscard]] std::vector<WhatIfChange> changesOf(const std::vector<std::string>& texts);
/// The forecast of these changes. Fails the test where the run cannot tell it.
[[nodiscard]] Forecast forecastOf(const WhatIfRun& run, const std::vector<std::string>& texts);
/// Why the run cannot tell it; empty if it can.
[[nodiscard]] std::string refusalOf(const WhatIfRun& run, const std::vector<std::string>& texts);
/// Why a text is no change; empty if it is one.
[[nodiscard]] std::string whyNoChange(const std::string& text);

/// A change of each kind, for a run in which it may apply or be refused.
[[nodiscard]] std::vector<std::string> oneOfEachKind(const WhatIfRun& run);

}  // namespace rankscope::test
