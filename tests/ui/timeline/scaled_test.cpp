// SPDX-License-Identifier: GPL-3.0-or-later
// On a desktop that scales by a fraction, where whole logical pixels are none of the screen's: CTest runs these once
// more there.
#include <gtest/gtest.h>

#include <QImage>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

TEST(ScaledDesktop, ATimelineIsPaintedToItsLastPixel) {
    for (const int height : {300, 301, 302, 303, 304}) {
        for (const int offset : {0, 1, 2, 3}) {
            QWidget window;
            window.resize(910, 320);
            TimelineWidget timeline(Theme::darkTheme(), &window);
            timeline.setGeometry(offset, offset, 900, height);
            timeline.setRuns({test::makeRun({.ranks = 4})});
            window.show();
            timeline.settle();
            const double ratio = window.devicePixelRatioF();
            QImage image((QSizeF(window.size()) * ratio).toSize(), QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            image.fill(Qt::magenta);
            window.render(&image, {}, {}, QWidget::DrawChildren);
            const QRgb untouched = QColor(Qt::magenta).rgb();
            const auto is_inside = [ratio](int pixel, int from, int length) {
                const double middle = (pixel + 0.5) / ratio;
                return middle > from && middle <= from + length;
            };
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width() && is_inside(y, offset, height); ++x) {
                    ASSERT_TRUE(!is_inside(x, offset, 900) || image.pixel(x, y) != untouched)
                        << x << ", " << y << ": " << height << " high from " << offset;
                }
            }
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
