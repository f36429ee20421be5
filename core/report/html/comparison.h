// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/model/comparison_summary.h"

namespace rankscope::report {

/// What changed from one run to another as a part of the HTML report: verdict, what else differs, the way from A's mean
/// step to B's as a waterfall, one step of both as pictures, findings, kernels, operators, collectives and ranks.
/// `prefix` is its place in the page.
[[nodiscard]] std::string comparisonHtml(const ComparisonView& view, const std::string& prefix);

}  // namespace rankscope::report
