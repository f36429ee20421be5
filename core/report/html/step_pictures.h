// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/model/comparison_summary.h"

namespace rankscope::report {

/// The timelines of one representative step of both runs as two pictures on one scale: a row a rank with its compute,
/// communication and copies, and with its gaps in the colours of their causes. Empty where the runs have no steps that
/// stand against each other.
[[nodiscard]] std::string stepPictures(const ComparisonView& view);

}  // namespace rankscope::report
