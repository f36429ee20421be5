// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <utility>

#include "core/query/table_function.h"
#include "core/tables/stored_rows.h"
#include "core/whatif/singles.h"

namespace rankscope::query {
namespace {

using tables::Type;
using tables::Value;

void addForecast(tables::StoredRows& rows, std::string_view run, const Forecast& forecast) {
    std::string changes;
    for (const WhatIfChange& change : forecast.changes) {
        changes += (changes.empty() ? "" : "; ") + change.text;
    }
    rows.add({rows.keep(std::string(run)), rows.keep(changes), forecast.step_ns, forecast.forecast_ns, forecast.low_ns,
              forecast.high_ns, forecast.step_ns - forecast.forecast_ns, static_cast<std::int64_t>(forecast.at_most),
              Value(forecastBoundWord(forecast.nextBound())), forecast.after.compute_ns, forecast.after.exposed_comm_ns,
              forecast.after.exposed_copy_ns, forecast.after.idle_ns, forecast.after.added_ns});
}

Result<std::unique_ptr<tables::Rows>> forecastsOf(const FunctionContext& context, std::span<const Value> arguments) {
    if (arguments[0].kind != Value::Kind::Text) {
        return Error{{}, {}, "needs changes as a text, like 'loader:ready; link:x2'"};
    }
    const Result<std::vector<WhatIfChange>> changes = parseChanges(arguments[0].text);
    if (changes.failed()) {
        return changes.error();
    }
    auto rows = std::make_unique<tables::StoredRows>(14);
    for (std::size_t i = 0; i < context.runs().size(); ++i) {
        const Result<std::shared_ptr<const WhatIfRun>> run = context.whatIf(i);
        if (!run.ok()) {
            return run.failed() ? run.error() : Error{{}, {}, "was cancelled"};
        }
        const std::string& name = run.value()->run().name;
        if (changes.value().empty()) {
            for (const Forecast& forecast : trySingles(*run.value()).forecasts) {
                addForecast(*rows, name, forecast);
            }
            continue;
        }
        const Result<Forecast> forecast = run.value()->forecast(changes.value());
        if (!forecast.ok()) {
            return forecast.failed() ? forecast.error() : Error{{}, {}, "was cancelled"};
        }
        addForecast(*rows, name, forecast.value());
    }
    return std::unique_ptr<tables::Rows>(std::move(rows));
}

}  // namespace

Result<std::shared_ptr<const WhatIfRun>> FunctionContext::whatIf(std::size_t run) const {
    std::shared_ptr<const WhatIfRun>& known = what_if_[run];
    if (known == nullptr) {
        Result<std::shared_ptr<const WhatIfRun>> prepared = WhatIfRun::prepare(*(*runs_)[run]);
        if (!prepared.ok()) {
            return prepared;
        }
        known = std::move(prepared).value();
    }
    return known;
}

TableFunction whatIfFunction() {
    return {{"what_if(changes)",
             "the forecast step of each run with changes like 'loader:ready; link:x2'; with '' of "
             "each change alone"},
            {{"asked", Type::Text, "changes, divided by semicolons", {}}},
            {{"run", Type::Text, "name of the run", {}},
             {"changes", Type::Text, "the changes", {}},
             {"step_ns", Type::Integer, "the step today", {}},
             {"forecast_ns", Type::Integer, "the step with the changes", {}},
             {"low_ns", Type::Integer, "the lower end of its range", {}},
             {"high_ns", Type::Integer, "the upper end of its range", {}},
             {"saved_ns", Type::Integer, "step_ns - forecast_ns", {}},
             {"at_most", Type::Integer, "1: the saving is an upper bound", {}},
             {"next_bound", Type::Text, "the largest part of the step then", {}},
             {"compute_ns", Type::Integer, "compute then", {}},
             {"exposed_comm_ns", Type::Integer, "exposed communication then, waits included", {}},
             {"exposed_copy_ns", Type::Integer, "exposed copies then", {}},
             {"idle_ns", Type::Integer, "idle time then", {}},
             {"added_ns", Type::Integer, "what the changes cost themselves", {}}},
            forecastsOf};
}

}  // namespace rankscope::query
