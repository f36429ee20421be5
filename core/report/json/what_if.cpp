// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/what_if.h"

#include "core/report/json/parts.h"

namespace rankscope {
namespace {

using report::Json;

/// Raised with the meaning of a field.
constexpr int kWhatIfSchema = 1;

Json stepPartsJson(const StepParts& parts) {
    return {{"compute_ns", parts.compute_ns},
            {"exposed_comm_ns", parts.exposed_comm_ns},
            {"exposed_copy_ns", parts.exposed_copy_ns},
            {"idle_ns", parts.idle_ns},
            {"added_ns", parts.added_ns}};
}

Json sentencesOf(const Forecast& forecast, std::string_view WhatIfKind::*text) {
    Json out = Json::array();
    for (const WhatIfChange& change : forecast.changes) {
        if (!(change.kind->*text).empty()) {
            out.push_back({{"change", change.text}, {"text", change.kind->*text}});
        }
    }
    return out;
}

Json forecastJson(const Forecast& forecast) {
    Json changes = Json::array();
    for (const WhatIfChange& change : forecast.changes) {
        changes.push_back(change.text);
    }
    Json costs = Json::array();
    for (const ChangeCost& cost : forecast.costs) {
        costs.push_back({{"change", cost.change},
                         {"low_ns", cost.added.low_ns},
                         {"likely_ns", cost.added.likely_ns},
                         {"high_ns", cost.added.high_ns}});
    }
    return {{"changes", std::move(changes)},
            {"step_ns", forecast.step_ns},
            {"forecast_ns", forecast.forecast_ns},
            {"low_ns", forecast.low_ns},
            {"high_ns", forecast.high_ns},
            {"at_most", forecast.at_most},
            {"next_bound", forecastBoundWord(forecast.nextBound())},
            {"parts", stepPartsJson(forecast.after)},
            {"parts_today", stepPartsJson(forecast.before)},
            {"costs", std::move(costs)},
            {"assumes", sentencesOf(forecast, &WhatIfKind::assumes)},
            {"leaves_out", sentencesOf(forecast, &WhatIfKind::leaves_out)},
            {"notes", forecast.notes}};
}

}  // namespace

std::string jsonForecast(const WhatIfRun& run, const Forecast& forecast) {
    Json out = {{"tool", "rankscope"}, {"report", "what-if"}, {"schema", kWhatIfSchema}, {"run", run.run().name}};
    out.update(forecastJson(forecast));
    return report::textOf(out);
}

std::string jsonSingles(const WhatIfRun& run, const SingleChanges& singles) {
    Json forecasts = Json::array();
    for (const Forecast& forecast : singles.forecasts) {
        forecasts.push_back(forecastJson(forecast));
    }
    Json refused = Json::array();
    for (const RefusedChange& change : singles.refused) {
        refused.push_back({{"change", change.text}, {"reason", change.reason}});
    }
    return report::textOf({{"tool", "rankscope"},
                           {"report", "what-if"},
                           {"schema", kWhatIfSchema},
                           {"run", run.run().name},
                           {"step_ns", run.facts().pricedStep()},
                           {"singles", std::move(forecasts)},
                           {"refused", std::move(refused)}});
}

}  // namespace rankscope
