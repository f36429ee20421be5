// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/navigation/tooltip.h"
#include "ui/timeline/rows/row_text.h"

namespace rankscope::ui {
namespace {

constexpr int kWidth = 800;
constexpr int kHeight = 300;

QImage painted(const QString& title, const Theme& theme = Theme::darkTheme()) {
    QImage image(kWidth, kHeight, QImage::Format_RGB32);
    image.fill(Qt::black);
    Tip tip;
    tip.title = title;
    tip.swatch = Qt::red;
    tip.lines = {{QStringLiteral("duration"), QStringLiteral("3 ms")}};
    QPainter painter(&image);
    paintTip(painter, tip, QPoint(10, 10), image.rect(), theme);
    return image;
}

/// The rows that anything is painted in.
int heightOf(const QImage& image) {
    int rows = 0;
    for (int y = 0; y < image.height(); ++y) {
        bool any = false;
        for (int x = 0; x < image.width() && !any; ++x) {
            any = image.pixelColor(x, y) != QColor(Qt::black);
        }
        rows += any ? 1 : 0;
    }
    return rows;
}

TEST(Tip, WrapsLongNamesAnywhereIntoThreeLinesAtMost) {
    const int one_line = heightOf(painted(QString(10, u'm')));
    const int two_lines = heightOf(painted(QString(50, u'm')));
    const int three_lines = heightOf(painted(QString(90, u'm')));
    EXPECT_GT(two_lines, one_line);
    EXPECT_EQ(three_lines - two_lines, two_lines - one_line);
    EXPECT_EQ(heightOf(painted(QString(5'000, u'm'))), three_lines);
}

TEST(Tip, ACutNameEndsInDotsAtAnyLength) {
    EXPECT_EQ(painted(QString(5'000, u'm')), painted(QString(1'000, u'm')));
    EXPECT_NE(painted(QString(5'000, u'm')), painted(QString(90, u'm')));
    // The narrowest letters, of which most find room.
    EXPECT_EQ(painted(QString(5'000, u'l')), painted(QString(1'000, u'l')));
}

TEST(Tip, ANameOfAMegabyteIsCutInTheTipAndWholeOnTheClipboard) {
    const TimelineModel model({test::makeRun({.ranks = 1, .first_kernel = std::string(1'000'000, 'm')})});
    const Selection kernel = SliceSelection{0, RankPosition(0), {TrackId(2), 0}};
    for (const std::uint32_t count : {1U, 5U}) {
        const Tip tip = tipFor(model, Hit{kernel, count, nullptr, nullptr, {}}, Theme::darkTheme());
        EXPECT_LE(tip.title.size(), static_cast<qsizetype>(kMostNameBytes) + 1);
        for (const Tip::Line& line : tip.lines) {
            EXPECT_LE(line.value.size(), static_cast<qsizetype>(kMostNameBytes) + 1);
        }
    }
    const QStringList words = wordsOf(model, kernel, Theme::darkTheme());
    ASSERT_GT(words.size(), 3);
    EXPECT_EQ(words.front().size(), 1'000'000);
    EXPECT_TRUE(wordsOf(model, Selection(), Theme::darkTheme()).isEmpty());
}

TEST(Tip, GrowsWithTheText) {
    const QString name = QStringLiteral("gemm");
    const int usual = heightOf(painted(name));
    const int large = heightOf(painted(name, Theme::darkTheme().withTextSize(2)));
    EXPECT_GT(10 * large, 13 * usual);
}

TEST(Tip, StaysInsideItsBounds) {
    const QImage image = painted(QString(5'000, u'm'));
    EXPECT_EQ(image.pixelColor(kWidth - 1, 20), QColor(Qt::black));
    EXPECT_EQ(image.pixelColor(20, kHeight - 1), QColor(Qt::black));
}

}  // namespace
}  // namespace rankscope::ui
