// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/json/report.h"

namespace rankscope {

/// The report of `rankscope-cli analyze` as one HTML file for people who do not have this program: charts and tables
/// inside, nothing loaded from elsewhere, readable without scripts. The same input gives the same bytes.
[[nodiscard]] std::string htmlReport(const ReportInput& input);

}  // namespace rankscope
