// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/bucket_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"

namespace rankscope::report {
namespace {

std::string bucketBytes(std::int64_t bytes) {
    return formatBytes(static_cast<std::uint64_t>(bytes));
}

std::string stepWithError(const BucketCap& cap) {
    return formatDuration(cap.step_ns) + (cap.error_ns ? " ± " + formatDuration(*cap.error_ns) : "");
}

}  // namespace

DataTable bucketsTable(const AnalysedRun& run) {
    DataTable table{"buckets",
                    {{"run", "run", Unit::Name},
                     {"order", "order", Unit::Number},
                     {"bytes", "bytes", Unit::Bytes},
                     {"ready_ns", "ready", Unit::Duration},
                     {"transfer_ns", "transfer", Unit::Duration}},
                    {}};
    if (run.diagnosis.buckets) {
        const std::vector<TypicalBucket>& today = run.diagnosis.buckets->today;
        for (std::size_t i = 0; i < today.size(); ++i) {
            table.rows.push_back(
                {run.run->name, numberCell(i), today[i].bytes, today[i].ready_ns, today[i].transfer_ns});
        }
    }
    return table;
}

DataTable bucketCapsTable(const AnalysedRun& run) {
    DataTable table{"bucket_caps",
                    {{"run", "run", Unit::Name},
                     {"bucket_cap_mb", "bucket_cap_mb", Unit::Number},
                     {"buckets", "buckets", Unit::Count},
                     {"step_ns", "step", Unit::Duration},
                     {"error_ns", "error", Unit::Duration},
                     {"saving_ns", "saving", Unit::SignedDuration},
                     {"best", "advised", Unit::Flag}},
                    {}};
    if (run.diagnosis.buckets) {
        const BucketForecast& forecast = *run.diagnosis.buckets;
        for (std::size_t i = 0; i < forecast.caps.size(); ++i) {
            const BucketCap& cap = forecast.caps[i];
            table.rows.push_back({run.run->name, numberCell(cap.mb), numberCell(cap.buckets), cap.step_ns,
                                  cellOf(cap.error_ns), forecast.step_ns - cap.step_ns, forecast.best == i});
        }
    }
    return table;
}

std::vector<std::string> bucketLines(const AnalysedRun& run) {
    if (!run.diagnosis.buckets) {
        return {};
    }
    const BucketForecast& forecast = *run.diagnosis.buckets;
    DurationNs transfer_ns = 0;
    std::int64_t bytes = 0;
    for (const TypicalBucket& bucket : forecast.today) {
        transfer_ns += bucket.transfer_ns;
        bytes += bucket.bytes;
    }
    std::vector<std::string> lines = {fmt::format("A step sends {} in {}, full ones of {}; their transfers take {}.",
                                                  bucketBytes(bytes), formatCounted(forecast.today.size(), "bucket"),
                                                  bucketBytes(forecast.today_bytes), formatDuration(transfer_ns))};
    if (!forecast.reason.empty()) {
        lines.push_back("The effect of other sizes on the step is not known. " + forecast.reason);
    } else if (forecast.best) {
        const BucketCap& best = forecast.caps[*forecast.best];
        const DurationNs least_ns = std::ranges::min(forecast.caps, {}, &BucketCap::step_ns).step_ns;
        lines.push_back(least_ns < best.step_ns
                            ? fmt::format("bucket_cap_mb={} is enough: {} instead of {}. Other sizes save up to {} "
                                          "more, less than the simulation can resolve.",
                                          best.mb, stepWithError(best), formatDuration(forecast.step_ns),
                                          formatDuration(best.step_ns - least_ns))
                            : fmt::format("The step is shortest with bucket_cap_mb={}: {} instead of {}.", best.mb,
                                          stepWithError(best), formatDuration(forecast.step_ns)));
        if (!best.error_ns) {
            lines.emplace_back("The error is not known from so few steps.");
        } else if (forecast.step_ns - best.step_ns <= *best.error_ns) {
            lines.emplace_back("The saving is within the error: today's size may be as good.");
        }
    } else {
        lines.emplace_back("No other size saves more than the simulation can resolve.");
    }
    return lines;
}

Table bucketCaps(const AnalysedRun& run) {
    Table table;
    table.header = {"bucket_cap_mb", "buckets", "step", "against today", ""};
    if (!run.diagnosis.buckets) {
        return table;
    }
    const BucketForecast& forecast = *run.diagnosis.buckets;
    for (std::size_t i = 0; i < forecast.caps.size(); ++i) {
        const BucketCap& cap = forecast.caps[i];
        table.rows.push_back({std::to_string(cap.mb), formatCount(cap.buckets), stepWithError(cap),
                              cellText(cap.step_ns - forecast.step_ns, Unit::SignedDuration),
                              forecast.best == i ? "advised" : ""});
    }
    return table;
}

std::string bucketNote() {
    return "The step simulated with DDP buckets of each size, with gradients ready evenly through the backward. The "
           "error covers the variation of steps, the simulation, the fit of transfer times, and what the trace does "
           "not show about more buckets.";
}

}  // namespace rankscope::report
