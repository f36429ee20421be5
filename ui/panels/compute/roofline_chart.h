// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/efficiency/efficiency.h"
#include "ui/charts/run_chart.h"

class QLogValueAxis;
class QScatterSeries;

namespace rankscope::ui {

/// What is counted: operators by the shapes of their inputs, or kernels by name.
enum class Counted : std::uint8_t { Operators, Kernels };

/// A point of the roofline.
struct RooflinePoint {
    double intensity = 0;  ///< FLOPs per byte, above 0
    double tflops = 0;     ///< achieved, 1e12 per second, above 0
    NumberType type = NumberType::Float32;
    DurationNs time_ns = 0;
    std::size_t row = 0;  ///< index in ProductTables::products or ProductTables::kernels
};
/// All rows with a place on it, longest first.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const ProductTables& facts, Counted what);

/// The achieved rates of operators or kernels: FLOPs per byte against FLOPs per second on logarithmic axes, below the
/// roofs of the device by number type and of its memory. Points are larger if more time is spent on them.
class RooflineChart : public RunChart {
    Q_OBJECT

  public:
    explicit RooflineChart(const Theme& theme, QWidget* parent = nullptr);

    /// Draws operators, or kernels.
    void setCounted(Counted what);
    /// Draws the products of this rank below the roofs of its device; nothing: those of all ranks, and the roofs of the
    /// first known device.
    void setRank(std::optional<RankPosition> rank);
    /// The drawn points, longest first, in the order of the keyboard.
    [[nodiscard]] const std::vector<RooflinePoint>& points() const { return points_; }

  protected:
    QString fill() override;
    void refresh() override;

  private:
    /// How large the points are drawn.
    enum class Weight : std::uint8_t { Small, Middle, Large };
    [[nodiscard]] Weight weightOf(const RooflinePoint& point) const;
    [[nodiscard]] const DevicePeak* peak() const;
    [[nodiscard]] const ProductTables& tables() const { return run().facts.efficiency.tablesOf(rank_); }
    /// The number types of the points, in their order.
    [[nodiscard]] std::vector<NumberType> types() const;
    void drawRoofs(const DevicePeak& peak, QLogValueAxis& across, QLogValueAxis& up);
    void drawPoints(NumberType type, Weight weight, QLogValueAxis& across, QLogValueAxis& up);
    void answer(QScatterSeries& series, const std::vector<std::size_t>& points);
    [[nodiscard]] QString words(const RooflinePoint& point) const;
    void activate(const RooflinePoint& point);

    Counted what_ = Counted::Operators;
    std::optional<RankPosition> rank_;
    std::vector<RooflinePoint> points_;
    DurationNs all_ns_ = 0;  // time of all points
};

}  // namespace rankscope::ui
