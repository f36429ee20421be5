// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/forecast_mark.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace rankscope {
namespace {

/// The key of RankTrace::metadata that only forecasts have.
constexpr const char* kForecastKey = "rankscope_forecast";
constexpr std::string_view kNote = "This is a forecast, not a recording.";

}  // namespace

void markAsForecast(RankTrace& trace, const std::string& changes) {
    trace.metadata[kForecastKey] = changes;
}

std::string forecastChanges(const Run& run) {
    for (const auto& rank : run.ranks) {
        if (const auto at = rank->metadata.find(kForecastKey); at != rank->metadata.end()) {
            return at->second;
        }
    }
    return {};
}

void noteForecast(Run& run) {
    std::erase_if(run.notes, [](const std::string& note) { return note.starts_with(kNote); });
    if (const std::string changes = forecastChanges(run); !changes.empty()) {
        run.notes.insert(run.notes.begin(),
                         fmt::format("{} Changes: {}. It contains no cost of the changes themselves.", kNote, changes));
    }
}

}  // namespace rankscope
