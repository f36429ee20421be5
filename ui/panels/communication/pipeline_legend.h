// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>
#include <QWidget>
#include <utility>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The legend of a picture of a pipeline: the kinds of passes, and the causes of the bubble, each with its time in the
/// step, the average over the ranks. Wraps into further lines if needed.
class PipelineLegend : public QWidget, public Spoken {
    Q_OBJECT

  public:
    explicit PipelineLegend(const Theme& theme, QWidget* parent = nullptr);

    /// Shows the entries that a step of this pipeline has, by its index in Pipeline::steps; nullptr: none.
    void setStep(const Pipeline* pipeline, std::size_t step);
    void setTheme(const Theme& theme);

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int heightForWidth(int width) const override;
    /// The place of each entry, patch and words, in a legend of this width: the kinds, then the causes.
    [[nodiscard]] std::vector<QRect> places(int width) const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QFont legendFont() const;
    /// Sets the causes of the bubble that occur: `times` are sums over this number of ranks.
    void tellCauses(const PipelineTimes& times, DurationNs ranks);
    /// The title before the causes; empty without a bubble.
    [[nodiscard]] QString meansTitle() const;

    Theme theme_;
    /// A kind of passes, or the passes of later stages, which are paler.
    struct Kind {
        PassKind kind = PassKind::Forward;
        QString title;
        bool later_stage = false;
    };
    std::vector<Kind> kinds_;
    std::vector<std::pair<BubbleCause, QString>> causes_;
};

}  // namespace rankscope::ui
