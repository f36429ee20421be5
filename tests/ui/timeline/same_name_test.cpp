// SPDX-License-Identifier: GPL-3.0-or-later
// What a slice's name looks like while one of that name is pointed at.
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/slice_colors.h"
#include "ui/timeline/paint/overlay_painter.h"

namespace rankscope::ui {
namespace {

double luminance(QRgb colour) {
    const auto part = [](int value) {
        const double share = value / 255.0;
        return share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(qRed(colour)) + 0.7152 * part(qGreen(colour)) + 0.0722 * part(qBlue(colour));
}

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
            const auto [least, most] = std::minmax({luminance(image.pixel(10, 10)), luminance(image.pixel(20, 10))});
            EXPECT_GE((most + 0.05) / (least + 0.05), 4.5) << theme.dark << ' ' << static_cast<int>(hue);
            EXPECT_NE(image.pixel(20, 10), fill) << "and it is seen which they are";
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
