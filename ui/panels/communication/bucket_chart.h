// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/prices/bucket_forecast.h"
#include "ui/charts/run_chart.h"

class QValueAxis;

namespace rankscope::ui {

/// The simulated step with each bucket_cap_mb, with its error; the best is marked, and today's step is a line.
class BucketChart : public RunChart {
    Q_OBJECT

  public:
    explicit BucketChart(const Theme& theme, QWidget* parent = nullptr);

  Q_SIGNALS:
    /// The user wants to see the finding about a size, if there is one.
    void findingAsked();

  protected:
    QString fill() override;
    void refresh() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    [[nodiscard]] const BucketForecast& forecast() const { return *run().diagnosis.buckets; }
    void drawToday(double unit_ns, QValueAxis& across, QValueAxis& up);
    void drawErrors(double unit_ns, QValueAxis& across, QValueAxis& up);
    /// The points of the best size, or of all others.
    void drawSteps(bool best, double unit_ns, QValueAxis& across, QValueAxis& up);
    [[nodiscard]] QString words(const BucketCap& cap) const;
    /// Sets the title of the time axis, or only its unit where the title does not fit.
    void fitTitle();

    QString unit_;                    ///< unit of the time axis
    QGraphicsItem* names_ = nullptr;  ///< the sizes, below the axis
};

}  // namespace rankscope::ui
