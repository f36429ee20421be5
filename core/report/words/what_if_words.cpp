// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/report/what_if.h"

namespace rankscope::report {

std::string forecastAnswer(const Forecast& forecast) {
    if (forecast.changes.empty()) {
        return "A step takes " + formatDuration(forecast.step_ns) + ".";
    }
    const std::string range = formatDuration(forecast.low_ns) + " to " + formatDuration(forecast.high_ns);
    return "A step would take " + formatDuration(forecast.forecast_ns) + " instead of " +
           formatDuration(forecast.step_ns) + " (" + range + ").";
}

std::string boundSentence(const Forecast& forecast) {
    const auto sentence = [](const std::string& what, DurationNs ns) {
        return "Most of it is then " + what + " (" + formatDuration(ns) + ").";
    };
    const StepParts& then = forecast.after;
    switch (forecast.nextBound()) {
        case ForecastBound::Compute: return sentence("compute", then.compute_ns);
        case ForecastBound::Communication: return sentence("exposed communication", then.exposed_comm_ns);
        case ForecastBound::Copies: return sentence("exposed copies", then.exposed_copy_ns);
        case ForecastBound::Idle: break;
    }
    return sentence("the GPU being idle", then.idle_ns);
}

}  // namespace rankscope::report
