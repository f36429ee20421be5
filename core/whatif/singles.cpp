// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/singles.h"

#include <algorithm>
#include <utility>

#include "core/base/format.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostChanges = 3;
/// Sets are made of this many single changes, those that save most.
constexpr std::size_t kMostTried = 8;

/// Keeps the shortest forecast.
void keepShorter(std::optional<Forecast>& best, Forecast&& other) {
    if (!best || other.forecast_ns < best->forecast_ns) {
        best = std::move(other);
    }
}

/// All sets of `size` of the first `count` numbers: calls visit(set).
template <class Visit>
void forEachSet(std::size_t count, std::size_t size, std::vector<std::size_t>& set, const Visit& visit) {
    if (set.size() == size) {
        visit(set);
        return;
    }
    for (std::size_t i = set.empty() ? 0 : set.back() + 1; i < count; ++i) {
        set.push_back(i);
        forEachSet(count, size, set, visit);
        set.pop_back();
    }
}

std::string namesOf(const Forecast& forecast) {
    std::string names;
    for (const WhatIfChange& change : forecast.changes) {
        names += (names.empty() ? "" : " + ") + change.text;
    }
    return names;
}

}  // namespace

SingleChanges trySingles(const WhatIfRun& run, const std::stop_token& stop) {
    SingleChanges out;
    for (const WhatIfKind& kind : whatIfKinds()) {
        if (kind.typical.empty() || stop.stop_requested()) {
            continue;
        }
        const Result<WhatIfChange> change = parseWhatIf(kind.typical);
        if (!change.ok()) {
            continue;
        }
        Result<Forecast> forecast = run.forecast(std::span(&change.value(), 1), stop);
        if (forecast.ok()) {
            out.forecasts.push_back(std::move(forecast).value());
        } else if (forecast.failed()) {
            const std::string quoted = "\"" + change.value().text + "\": ";
            std::string reason = forecast.error().cause;
            if (reason.starts_with(quoted)) {
                reason.erase(0, quoted.size());
            }
            out.refused.push_back({change.value().text, std::move(reason)});
        }
    }
    std::ranges::stable_sort(out.forecasts, {}, &Forecast::forecast_ns);
    return out;
}

Result<Forecast> searchChanges(const WhatIfRun& run, DurationNs goal_ns, const std::stop_token& stop) {
    std::vector<Forecast> singles = trySingles(run, stop).forecasts;
    std::erase_if(singles, [](const Forecast& one) { return one.forecast_ns >= one.step_ns; });
    if (singles.size() > kMostTried) {
        singles.resize(kMostTried);
    }
    std::optional<Forecast> best;
    for (std::size_t size = 1; size <= std::min(kMostChanges, singles.size()); ++size) {
        std::vector<std::size_t> set;
        forEachSet(singles.size(), size, set, [&](const std::vector<std::size_t>& chosen) {
            std::vector<WhatIfChange> changes;
            for (const std::size_t i : chosen) {
                changes.push_back(singles[i].changes.front());
            }
            Result<Forecast> forecast = stop.stop_requested() ? Cancelled{} : run.forecast(changes, stop);
            if (forecast.ok()) {
                keepShorter(best, std::move(forecast).value());
            }
        });
        if (best && best->forecast_ns <= goal_ns) {
            return *std::move(best);
        }
    }
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    const std::string goal = formatDuration(goal_ns);
    if (!best) {
        return cannotTell("No change that this run can tell makes a step shorter, so none reaches " + goal + ".");
    }
    return cannotTell("No set of up to three changes reaches " + goal + ". The best is " + namesOf(*best) + " with " +
                      formatDuration(best->forecast_ns) + " a step.");
}

}  // namespace rankscope
