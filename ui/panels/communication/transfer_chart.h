// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>

#include "core/analysis/collectives/collectives.h"
#include "core/diagnosis/prices/fitted_links.h"
#include "ui/charts/run_chart.h"

class QLogValueAxis;

namespace rankscope::ui {

class ByteLabels;

/// Transfers of one kind of collective in one group, measured against predicted: time by size on logarithmic axes, with
/// the fitted line, and the predictions for ring and tree.
class TransferChart : public RunChart {
    Q_OBJECT

  public:
    explicit TransferChart(const Theme& theme, QWidget* parent = nullptr);

    /// Draws this fit, by its index in CollectiveFacts::fits, with ring and tree predicted for `times` as many ranks as
    /// the group has.
    void setFit(std::size_t fit, std::size_t times);

  protected:
    QString fill() override;

  private:
    [[nodiscard]] const TransferFit& fit() const { return run().facts.collectives.fits[fit_]; }
    /// The legend shows `name`, the tooltip of the line `about`.
    void drawLine(const QString& name, const QString& about, const QColor& colour, Qt::PenStyle style,
                  QLogValueAxis& across, QLogValueAxis& up, const std::function<double(double bytes)>& ns);
    void drawPredictions(QLogValueAxis& across, QLogValueAxis& up);
    void drawSizes(SizeMark mark, QLogValueAxis& across, QLogValueAxis& up);
    [[nodiscard]] static QString words(const TransferSize& size);
    /// Shows the longest transfer of this size.
    void activate(const TransferSize& size);

    ByteLabels* labels_ = nullptr;  // owned by the chart
    std::size_t fit_ = 0;
    std::size_t times_ = 1;
    double unit_ns_ = 1;    // unit of the time axis
    double byte_unit_ = 1;  // unit of the size axis
};

/// The mark of a size in words: "over a fifth slower than the line".
[[nodiscard]] QString sizeMarkTitle(SizeMark mark);

}  // namespace rankscope::ui
