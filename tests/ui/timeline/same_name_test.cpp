// SPDX-License-Identifier: GPL-3.0-or-later
// What a slice's name looks like while one of that name is pointed at.
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/ui/theme/contrast.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/paint/overlay_painter.h"

namespace rankscope::ui {
namespace {

TEST(SameName, StaysReadableWhereItIsLitUp) {
    constexpr std::uint32_t kName = 7;
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        for (const Hue hue : {Hue::Compute, Hue::Communication, Hue::Copy, Hue::Operator, Hue::Python}) {
            const QRgb fill = SliceColors::of(theme).middle(hue);
            const QRgb words = SliceColors::textOn(fill);
            QImage image(40, 20, QImage::Format_RGB32);
            image.fill(fill);
            image.setPixel(10, 10, words);
            Frame frame;
            frame.width = 40;
            frame.height = 20;
            FrameItem item;
            item.x1 = 40;
            item.name_hash = kName;
            frame.items.push_back(item);
            FrameSliceRow row;
            row.height = 20;
            row.last = 1;
            frame.slice_rows.push_back(row);
            {
                QPainter painter(&image);
                paintSameName(painter, image.rect(), frame, kName, theme);
            }
            EXPECT_GE(test::contrast(image.pixel(10, 10), image.pixel(20, 10)), 4.5)
                << theme.dark << ' ' << static_cast<int>(hue);
            EXPECT_NE(image.pixel(20, 10), fill) << "and it is seen which they are";
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
