// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QGlyphRun>
#include <QRawFont>
#include <QTextLayout>

#include "tests/ui/holds.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

QString sheetAt(double points) {
    Theme theme = Theme::darkTheme();
    theme.ui_font.setPointSizeF(points);
    return theme.styleSheet();
}

TEST(TextSize, AllSizesOfTheStyleSheetGrowWithTheType) {
    EXPECT_TRUE(test::holds(sheetAt(10), {"font-size: 24.0pt"}));
    EXPECT_TRUE(test::holds(sheetAt(15), {"font-size: 36.0pt", "QLabel[role=\"lead\"]"})) << "the rest stays";
    EXPECT_FALSE(sheetAt(15).contains(QStringLiteral("font-size: 24.0pt")));
}

TEST(TextSize, SignsNextToTextGrowWithIt) {
    EXPECT_TRUE(test::holds(sheetAt(10), {"chevron-down.svg); width: 10px; height: 10px"}));
    EXPECT_TRUE(test::holds(sheetAt(20), {"chevron-down.svg); width: 20px; height: 20px", "margin-left: -18px"}))
        << "of a sort mark";
    EXPECT_FALSE(sheetAt(20).contains(QStringLiteral("sp;"))) << "Qt knows no such unit";
}

TEST(TextSize, ThePictureOfAWindowIsTheSameOnAnyDesktop) {
    EXPECT_DOUBLE_EQ(Theme::lightTheme().ui_font.pointSizeF(), 10.0) << "these tests draw off screen";
}

TEST(TextSize, EachRecordedLetterIsDrawnAsWritten) {
    const QString name = QStringLiteral("gemm_128x64->0x7f");  // some fonts have signs of their own for these
    const QFont font = Theme::darkTheme().mono_font;
    QTextLayout layout(name, font);
    layout.beginLayout();
    (void)layout.createLine();
    layout.endLayout();
    QList<quint32> drawn;
    for (const QGlyphRun& run : layout.glyphRuns()) {
        drawn += run.glyphIndexes();
    }
    EXPECT_EQ(drawn, QRawFont::fromFont(font).glyphIndexesForString(name)) << font.family().toStdString();
}

}  // namespace
}  // namespace rankscope::ui
