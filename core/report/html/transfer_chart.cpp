// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/transfer_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/html/svg.h"

namespace rankscope::report {
namespace {

/// Whole powers of ten around all values, at least one decade.
struct Decades {
    Decades(double least, double most)
        : from(static_cast<int>(std::floor(std::log10(least)))),
          to(std::max(from + 1, static_cast<int>(std::ceil(std::log10(most))))) {}

    /// The position of a value between the two, 0 to 1.
    [[nodiscard]] double at(double value) const { return (std::log10(value) - from) / (to - from); }

    int from;
    int to;
};

class TransferChart {
  public:
    static constexpr double kWidth = 500;
    static constexpr double kHeight = 300;
    static constexpr double kLeft = 64;
    static constexpr double kRight = kWidth - 16;
    static constexpr double kTop = 12;
    static constexpr double kBottom = kHeight - 34;
    static constexpr double kDot = 4;

    explicit TransferChart(const TransferFit& fit)
        : fit_(fit),
          bytes_(static_cast<double>(fit.measured.front().bytes), static_cast<double>(fit.measured.back().bytes)),
          times_(leastTime(fit), mostTime(fit)) {}

    [[nodiscard]] std::string drawn() const { return grid() + line() + dots(); }

  private:
    static double leastTime(const TransferFit& fit) {
        auto least = static_cast<double>(fit.measured.front().fitted_ns);
        for (const TransferSize& size : fit.measured) {
            least = std::min(least, static_cast<double>(size.transfer_ns));
        }
        return std::max(1.0, least);
    }
    static double mostTime(const TransferFit& fit) {
        auto most = static_cast<double>(fit.measured.back().fitted_ns);
        for (const TransferSize& size : fit.measured) {
            most = std::max(most, static_cast<double>(size.transfer_ns));
        }
        return most;
    }

    [[nodiscard]] double x(double bytes) const { return kLeft + bytes_.at(bytes) * (kRight - kLeft); }
    [[nodiscard]] double y(double ns) const { return kBottom - times_.at(ns) * (kBottom - kTop); }

    [[nodiscard]] std::string grid() const {
        std::string out;
        for (int decade = bytes_.from; decade <= bytes_.to; ++decade) {
            const double at = std::pow(10.0, decade);
            out += svgLine(x(at), kTop, x(at), kBottom, "grid") +
                   svgText(x(at), kBottom + 18, "middle", formatBytes(static_cast<std::uint64_t>(at)), "tick");
        }
        for (int decade = times_.from; decade <= times_.to; ++decade) {
            const double at = std::pow(10.0, decade);
            out += svgLine(kLeft, y(at), kRight, y(at), "grid") +
                   svgText(kLeft - 8, y(at) + 4, "end", tickText(std::llround(at)), "tick");
        }
        return out + "\n";
    }

    /// The line is curved on such axes: it is drawn in short pieces.
    [[nodiscard]] std::string line() const {
        constexpr int kPieces = 48;
        const double first = std::log10(static_cast<double>(fit_.measured.front().bytes));
        const double last = std::log10(static_cast<double>(fit_.measured.back().bytes));
        std::string points;
        for (int piece = 0; piece <= kPieces; ++piece) {
            const double bytes = std::pow(10.0, first + (last - first) * piece / kPieces);
            const double ns = static_cast<double>(fit_.latency_ns) + bytes / fit_.gb_per_s;
            points += coordinate(x(bytes)) + "," + coordinate(y(std::max(1.0, ns))) + " ";
        }
        points.pop_back();
        return "<polyline class=\"fitted\"" + attribute("points", points) + "/>\n";
    }

    [[nodiscard]] std::string dots() const {
        std::string out;
        for (const TransferSize& size : fit_.measured) {
            const std::string mark =
                size.mark == SizeMark::OnLine ? std::string() : ", " + std::string(sizeMarkName(size.mark));
            const std::string words =
                fmt::format("{}: measured {}, predicted {}, {}{}", formatBytes(static_cast<std::uint64_t>(size.bytes)),
                            formatDuration(size.transfer_ns), formatDuration(size.fitted_ns),
                            formatCounted(size.samples, "transfer"), mark);
            out += element("circle",
                           attribute("class", "dot " + std::string(sizeMarkName(size.mark))) +
                               attribute("cx", coordinate(x(static_cast<double>(size.bytes)))) +
                               attribute("cy", coordinate(y(static_cast<double>(size.transfer_ns)))) +
                               attribute("r", coordinate(kDot)),
                           svgTip(words)) +
                   "\n";
        }
        return out;
    }

    const TransferFit& fit_;
    Decades bytes_;
    Decades times_;
};

}  // namespace

std::string transferChart(const TransferFit& fit, const std::string& title) {
    return element("figure", " class=\"transfer\"",
                   element("figcaption", "", htmlText(title)) +
                       svgDrawing(TransferChart::kWidth, TransferChart::kHeight,
                                  title + ": transfer time over size, measured and predicted",
                                  TransferChart(fit).drawn())) +
           "\n";
}

}  // namespace rankscope::report
