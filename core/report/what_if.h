// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/report/reports.h"
#include "core/whatif/singles.h"

/// What is said about forecasts: the words, and the reports made of them.
namespace rankscope {

/// What `rankscope-cli what-if` prints about a forecast: the step then and now with its range, the parts, what each
/// change assumes and leaves out.
[[nodiscard]] std::string whatIfScreen(const WhatIfRun& run, const Forecast& forecast, const ScreenStyle& style);
/// All single changes of a run, largest first, and which it cannot tell; with `is_full` why.
[[nodiscard]] std::string singlesScreen(const WhatIfRun& run, const SingleChanges& singles, const ScreenStyle& style,
                                        bool is_full);
/// The kinds of changes, with their meanings.
[[nodiscard]] std::string kindsScreen(const ScreenStyle& style);

/// The same as JSON text in UTF-8, in the form of resources/what_if.schema.json.
[[nodiscard]] std::string jsonForecast(const WhatIfRun& run, const Forecast& forecast);
[[nodiscard]] std::string jsonSingles(const WhatIfRun& run, const SingleChanges& singles);

namespace report {

/// "a step takes 32.0 ms instead of 49.1 ms (29.5 ms to 35.1 ms)": the answer of a forecast.
[[nodiscard]] std::string forecastAnswer(const Forecast& forecast);
/// "compute", "waits and transfers", ...: what bounds the step then, in a sentence.
[[nodiscard]] std::string boundSentence(const Forecast& forecast);

}  // namespace report
}  // namespace rankscope
