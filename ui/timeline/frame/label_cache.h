// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QStaticText>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/canvas.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {

/// Text that has been painted before: blending letters is the main cost of a frame full of names, and all frames have
/// the same few names.
class LabelCache {
  public:
    LabelCache(const Theme& theme, double pixel_ratio);

    /// Paints a label on a uniform colour, of a slice or a step: as a copy of pixels, at whole pixels.
    void paintOnSolid(const FrameLabel& label, const Canvas& canvas);
    /// Text with its letters laid out, for labels on several colours.
    [[nodiscard]] const QStaticText& laidOut(const QString& text);

    /// The font of all labels, in device pixels.
    [[nodiscard]] const QFont& font() const { return font_; }
    /// Widths and heights of text in that font, in device pixels.
    [[nodiscard]] const TextMeasure& measure() const { return measure_; }
    /// From the top of a label's box to the top of its text.
    [[nodiscard]] double topIn(int height) const { return measure_.baselineIn(height) - measure_.ascent(); }

  private:
    struct Look {
        QString text;
        QRgb color = 0;
        QRgb back = 0;
        int height = 0;
        friend bool operator==(const Look&, const Look&) = default;
        friend std::size_t qHash(const Look& look, std::size_t seed) {
            return qHashMulti(seed, look.text, look.color, look.back, look.height);
        }
    };

    QFont font_;
    TextMeasure measure_;
    QHash<QString, QStaticText> texts_;
    QHash<Look, QImage> pictures_;
    qsizetype bytes_ = 0;  // size of pictures_
};

}  // namespace rankscope::ui
