// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is told by colour alone: what is different is different in shades of grey, of the same lightness too.
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <set>

#include "core/report/palette.h"
#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/theme/theme.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {
namespace {

constexpr QSize kBar(400, 14);

QImage barOf(const std::vector<BarPart>& parts, const Theme& theme) {
    QImage image(kBar, QImage::Format_RGB32);
    image.fill(theme.surface);
    QPainter painter(&image);
    painter.setFont(theme.ui_font);
    paintStackedBar(painter, image.rect(), parts, theme.surface);
    return image;
}

/// The shades of grey in a part of a picture.
std::set<int> shades(const QImage& image, const QRect& part) {
    std::set<int> found;
    for (int y = part.top(); y <= part.bottom(); ++y) {
        for (int x = part.left(); x <= part.right(); ++x) {
            found.insert(qGray(image.pixel(x, y)));
        }
    }
    return found;
}

TEST(WithoutColour, WasteIsHatchedAndWorkIsNot) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const QColor same(120, 120, 120);
        const QImage bar = barOf({{50, same, {}, false}, {50, same, {}, true}}, theme);
        EXPECT_EQ(shades(bar, QRect(20, 3, 150, 8)).size(), 1U) << "work is plain";
        EXPECT_GE(shades(bar, QRect(220, 3, 150, 8)).size(), 2U) << "waste has stripes";
    }
}

TEST(WithoutColour, ALineIsBetweenTwoParts) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        const QColor same(120, 120, 120);
        const QImage bar = barOf({{50, same, {}, false}, {50, same, {}, false}}, theme);
        EXPECT_EQ(qGray(bar.pixel(199, 7)), qGray(theme.surface.rgb()));
        EXPECT_EQ(qGray(bar.pixel(150, 7)), qGray(same.rgb()));
    }
}

TEST(WithoutColour, APartSaysWhatItIsWhereItsWordsFit) {
    const Theme theme = Theme::darkTheme();
    const QColor same(120, 120, 120);
    const QString words = QStringLiteral("Compute 30 ms");
    const QImage named = barOf({{90, same, words, false}, {10, same, words, false}}, theme);
    const QImage nameless = barOf({{90, same, {}, false}, {10, same, {}, false}}, theme);
    EXPECT_NE(named.copy(20, 0, 300, 14), nameless.copy(20, 0, 300, 14));
    EXPECT_EQ(named.copy(364, 0, 30, 14), nameless.copy(364, 0, 30, 14)) << "no letters where there is no room";
}

TEST(StackedBarText, OfAHighBarIsNoLargerThanThatRoundIt) {
    Theme theme = Theme::darkTheme();
    theme.ui_font.setPixelSize(12);
    const QColor fill(120, 120, 120);
    QImage image(QSize(400, 30), QImage::Format_RGB32);
    image.fill(theme.surface);
    QPainter painter(&image);
    painter.setFont(theme.ui_font);
    paintStackedBar(painter, image.rect(), {{10, fill, QStringLiteral("Compute"), false}}, theme.surface);
    painter.end();
    int inked = 0;  // lines with a part of a letter
    for (int y = 0; y < image.height(); ++y) {
        inked += shades(image, QRect(40, y, 320, 1)).size() > 1 ? 1 : 0;
    }
    EXPECT_GT(inked, 6);
    EXPECT_LE(inked, 15);
}

TEST(CauseColours, AreThoseOfTheChartsAndTheReports) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        for (std::size_t i = 0; i < kCauseCount; ++i) {
            const auto cause = static_cast<Cause>(i);
            const std::string name = "cause-" + std::string(causeName(cause));
            const auto palette = report::palette();
            const auto at = std::ranges::find(palette, std::string_view(name), &report::PaletteColour::name);
            ASSERT_NE(at, palette.end()) << name;
            EXPECT_EQ(causeColour(cause, theme).rgb(), 0xff000000U | (theme.dark ? at->dark : at->light)) << name;
        }
    }
}

/// Where the sign of a finding is painted, as black on white whatever its colour.
QImage signOf(Severity severity, Confidence confidence) {
    const auto run = test::HandMadeRun::make();
    Finding finding;
    finding.title = "A finding";
    finding.severity = severity;
    finding.confidence = confidence;
    Theme theme = Theme::darkTheme();
    theme.severity_high = theme.severity_medium = theme.severity_low = QColor(Qt::white);
    FindingCard card(*run, finding, theme);
    card.resize(300, 80);
    return card.grab(QRect(6, 6, 22, 40)).toImage();
}

TEST(WithoutColour, SeveritiesHaveShapes) {
    const QImage high = signOf(Severity::High, Confidence::High);
    const QImage medium = signOf(Severity::Medium, Confidence::High);
    const QImage low = signOf(Severity::Low, Confidence::High);
    EXPECT_NE(high, medium);
    EXPECT_NE(medium, low);
    EXPECT_NE(high, low);
    EXPECT_NE(low, signOf(Severity::Low, Confidence::Low)) << "an outline where the price cannot be trusted";
    EXPECT_NE(signOf(Severity::High, Confidence::Low), signOf(Severity::Medium, Confidence::Low))
        << "the severity is that of the finding";
}

}  // namespace
}  // namespace rankscope::ui
