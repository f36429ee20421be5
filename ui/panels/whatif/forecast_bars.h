// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/whatif/what_if_run.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {

/// A step as the parts of a bar, each with its name and time. They add up to the step.
[[nodiscard]] std::vector<BarPart> barOf(const StepParts& parts, const Theme& theme);

/// The measured step above the forecast one, as bars of parts on one scale. A line below the forecast shows its range.
class ForecastBars : public QWidget, public Spoken {
    Q_OBJECT

  public:
    explicit ForecastBars(const Theme& theme, QWidget* parent = nullptr);

    /// Shows this forecast; one without changes has only the measured bar. Nothing: no bars.
    void setForecast(std::optional<Forecast> forecast);
    /// What is shown, if anything.
    [[nodiscard]] const std::optional<Forecast>& forecast() const { return forecast_; }
    /// Fades the forecast while a newer one is being computed.
    void setOutdated(bool outdated);
    /// Draws in the colours of this theme from now on.
    void setTheme(const Theme& theme);

    /// The places of both bars, and of the range; empty if not shown.
    [[nodiscard]] QRectF measuredPlace() const;
    [[nodiscard]] QRectF forecastPlace() const;
    [[nodiscard]] QRectF rangePlace() const;

    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    /// A part of one of the bars, with its place.
    struct Placed {
        BarPart part;
        QRectF place;
    };
    [[nodiscard]] bool hasChanges() const;
    [[nodiscard]] double barHeight() const;
    [[nodiscard]] QRectF barPlace(int row, DurationNs length_ns) const;
    [[nodiscard]] double widthOf(DurationNs ns) const;
    [[nodiscard]] double nameWidth() const;
    [[nodiscard]] std::vector<Placed> placed() const;
    void paintRange(QPainter& painter) const;

    Theme theme_;
    std::optional<Forecast> forecast_;
    bool outdated_ = false;
};

}  // namespace rankscope::ui
