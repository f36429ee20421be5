// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <set>
#include <vector>

#include "core/whatif/what_if_run.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// "47.7 ms → 32.0 ms per step"; without changes today's step only.
[[nodiscard]] QString forecastTitle(const Forecast& forecast);
/// What that saves, its range, and what bounds the step then.
[[nodiscard]] QString forecastAbout(const Forecast& forecast);

/// What can be unfolded about a forecast.
enum class ForecastDetail : std::uint8_t { Assumes, LeavesOut, Costs };

/// A line of links that unfold what the changes assume, what the forecast leaves out, and what the changes cost, with
/// the unfolded parts below: "fold:N" is a ForecastDetail. Empty without changes.
[[nodiscard]] QString forecastDetailsHtml(const Forecast& forecast, const std::set<ForecastDetail>& unfolded,
                                          const Theme& theme);

/// A change that a run cannot tell.
struct RefusedOffer {
    QString title;
    QString reason;
};
/// A link that unfolds the changes that this run cannot tell, and these with their reasons: "fold:refused". Empty
/// without any.
[[nodiscard]] QString refusedHtml(const std::vector<RefusedOffer>& refused, bool unfolded, const Theme& theme);

}  // namespace rankscope::ui
