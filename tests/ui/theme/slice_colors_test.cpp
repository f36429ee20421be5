// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/slice_colors.h"
#include "tests/ui/theme/contrast.h"

#include <gtest/gtest.h>

namespace rankscope::ui {
namespace {

using test::contrast;

TEST(SliceColors, DigitsInANameDoNotChangeItsShade) {
    EXPECT_EQ(shadeOf("bn_fw_tr_1C11"), shadeOf("bn_fw_tr_2C07"));
    EXPECT_EQ(shadeOf("ProfilerStep#1"), shadeOf("ProfilerStep#1234"));
}

TEST(SliceColors, NamesSpreadOverTheShades) {
    std::array<int, kShadeCount> hits{};
    for (char a = 'a'; a <= 'z'; ++a) {
        for (char b = 'a'; b <= 'z'; ++b) {
            ++hits[shadeOf(std::string("aten::") + a + b)];
        }
    }
    for (const int count : hits) {
        EXPECT_GT(count, 10) << "of 676 names over 16 shades";
    }
}

TEST(SliceColors, TextIsReadableOnEveryShadeOfBothThemes) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const SliceColors colors(theme);
        for (std::size_t h = 0; h < kHueCount; ++h) {
            for (std::size_t s = 0; s < kShadeCount; ++s) {
                const QRgb fill = colors.fill(static_cast<Hue>(h), static_cast<Shade>(s));
                EXPECT_GE(contrast(fill, SliceColors::textOn(fill)), 4.5) << "hue " << h << ", shade " << s;
            }
        }
    }
}

TEST(SliceColors, DeviceWorkStandsOutFromTheTracksMoreThanHostWork) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const SliceColors colors(theme);
        const QRgb track = theme.track.rgb();
        const double device =
            std::min({contrast(track, colors.middle(Hue::Compute)), contrast(track, colors.middle(Hue::Communication)),
                      contrast(track, colors.middle(Hue::Copy))});
        for (const Hue host : {Hue::Operator, Hue::Python, Hue::Runtime, Hue::Annotation, Hue::Neutral}) {
            EXPECT_LT(contrast(track, colors.middle(host)), device);
        }
    }
}

TEST(SliceColors, TheClassDecidesTheHueAndTheCategoryWhereNoneIsKnown) {
    EXPECT_EQ(hueOf(Category::Kernel, WorkClass::Communication), Hue::Communication);
    EXPECT_EQ(hueOf(Category::Kernel, WorkClass::None), Hue::Compute);
    EXPECT_EQ(hueOf(Category::Memcpy, WorkClass::None), Hue::Copy);
    EXPECT_EQ(hueOf(Category::Memset, WorkClass::Compute), Hue::Compute);
    EXPECT_EQ(hueOf(Category::PythonFunction, WorkClass::None), Hue::Python);
}

TEST(SliceColors, MixingGoesFromOneColourToTheOther) {
    const QRgb black = qRgb(0, 0, 0);
    const QRgb white = qRgb(255, 255, 255);
    EXPECT_EQ(mix(black, white, 0), black);
    EXPECT_EQ(mix(black, white, 256), white);
    EXPECT_EQ(mix(black, white, 128), qRgb(127, 127, 127));
}

}  // namespace
}  // namespace rankscope::ui
