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
    const std::string_view bound = forecast.nextBound();
    const StepParts& then = forecast.after;
    const DurationNs ns = bound == "compute"         ? then.compute_ns
                          : bound == "communication" ? then.exposed_comm_ns
                          : bound == "copies"        ? then.exposed_copy_ns
                                                     : then.idle_ns;
    const std::string what = bound == "idle"            ? "the GPU being idle"
                             : bound == "communication" ? "exposed communication"
                             : bound == "copies"        ? "exposed copies"
                                                        : "compute";
    return "Most of it is then " + what + " (" + formatDuration(ns) + ").";
}

}  // namespace rankscope::report
