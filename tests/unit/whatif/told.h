// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/whatif/what_if_run.h"

namespace rankscope::test {

/// A run in which forecasts are made. Throws, which fails the test, if it cannot be analysed.
[[nodiscard]] inline std::shared_ptr<const WhatIfRun> forecastable(const AnalysedRun& run) {
    auto prepared = WhatIfRun::prepare(run);
    if (!prepared.ok()) {
        throw std::runtime_error("the run cannot be analysed");
    }
    return std::move(prepared).value();
}

/// What a run tells of changes: the forecast, or why there is none.
struct Told {
    Forecast forecast;
    std::string why_not;
};

[[nodiscard]] inline Told told(const WhatIfRun& run, const std::string& texts) {
    const Result<std::vector<WhatIfChange>> changes = parseChanges(texts);
    if (changes.failed()) {
        return {{}, changes.error().cause};
    }
    Result<Forecast> forecast = run.forecast(changes.value());
    return forecast.ok() ? Told{std::move(forecast).value(), {}} : Told{{}, forecast.error().cause};
}

/// The forecast of changes. Throws, which fails the test, if there is none.
[[nodiscard]] inline Forecast forecastFor(const WhatIfRun& run, const std::string& texts) {
    const Told all = told(run, texts);
    if (!all.why_not.empty()) {
        throw std::runtime_error(all.why_not);
    }
    return all.forecast;
}

}  // namespace rankscope::test
