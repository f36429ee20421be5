// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/html/svg.h"
#include "core/report/tables/bucket_tables.h"

namespace rankscope::report {
namespace {

/// The steps of all caps as columns with their errors, the best one highlighted, and a line at today's step.
class CapsChart {
  public:
    static constexpr double kWidth = 640;
    static constexpr double kHeight = 220;
    static constexpr double kBottom = kHeight - 36;
    static constexpr double kTop = 24;
    static constexpr double kColumns = kWidth - 92;
    static constexpr double kWidest = 56;

    explicit CapsChart(const BucketForecast& forecast)
        : forecast_(forecast), layout_(kColumns, forecast.caps.size(), kWidest), longest_ns_(forecast.step_ns) {
        for (const BucketCap& cap : forecast.caps) {
            longest_ns_ = std::max(longest_ns_, cap.step_ns + cap.error_ns.value_or(0));
        }
    }

    [[nodiscard]] std::string drawn() const {
        std::string out = svgLine(0, kBottom, kColumns, kBottom, "axis");
        for (std::size_t i = 0; i < forecast_.caps.size(); ++i) {
            out += column(i);
        }
        const double today = y(forecast_.step_ns);
        out += svgLine(0, today, kColumns, today, "median") +
               svgText(kColumns + 10, today - 2, "start", "today", "tick") +
               svgText(kColumns + 10, today + 13, "start", formatDuration(forecast_.step_ns), "value");
        return out + svgText(kColumns / 2, kHeight - 2, "middle", "bucket_cap_mb", "tick");
    }

  private:
    [[nodiscard]] double y(DurationNs ns) const {
        return kBottom -
               static_cast<double>(std::max<DurationNs>(0, ns)) / static_cast<double>(longest_ns_) * (kBottom - kTop);
    }

    [[nodiscard]] std::string column(std::size_t i) const {
        const BucketCap& cap = forecast_.caps[i];
        const bool best = forecast_.best == i;
        const double middle = layout_.middle(i);
        const DurationNs error_ns = cap.error_ns.value_or(0);
        const std::string words = fmt::format("bucket_cap_mb={}: step {}{}, {}{}", cap.mb, formatDuration(cap.step_ns),
                                              cap.error_ns ? " ± " + formatDuration(*cap.error_ns) : "",
                                              formatCounted(cap.buckets, "bucket"), best ? ", advised" : "");
        return element("g", " class=\"part\"",
                       svgTip(words) + svgRect(layout_.left(i), y(cap.step_ns), layout_.width, kBottom - y(cap.step_ns),
                                               best ? " class=\"f-accent\"" : " class=\"column\"")) +
               svgLine(middle, y(cap.step_ns - error_ns), middle, y(cap.step_ns + error_ns), "error") +
               svgText(middle, kBottom + 16, "middle", std::to_string(cap.mb), "tick") + "\n";
    }

    const BucketForecast& forecast_;
    ColumnLayout layout_;
    DurationNs longest_ns_;
};

}  // namespace

Section bucketsSection(const AnalysedRun& run) {
    if (!run.diagnosis.buckets) {
        return {"buckets", "Gradient buckets", {}};
    }
    std::string content = bulletList(bucketLines(run));
    if (!run.diagnosis.buckets->caps.empty()) {
        content +=
            element("div", " class=\"chart\"",
                    svgDrawing(CapsChart::kWidth, CapsChart::kHeight, "Step time by bucket_cap_mb, with today's value",
                               CapsChart(*run.diagnosis.buckets).drawn())) +
            "\n" +
            htmlTable(
                bucketCapsTable(run).only({"bucket_cap_mb", "buckets", "step_ns", "error_ns", "saving_ns", "best"}),
                "Step time by bucket_cap_mb") +
            paragraph(bucketNote(), "note");
    }
    content += folded("Buckets of a step, in order",
                      htmlTable(bucketsTable(run).only({"order", "bytes", "ready_ns", "transfer_ns"}),
                                "Buckets of a step; ready times count from the start of the backward"),
                      false);
    return {"buckets", "Gradient buckets", content};
}

}  // namespace rankscope::report
