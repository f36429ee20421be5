// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QGlyphRun>
#include <QRawFont>
#include <QTextLayout>

#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

TEST(TextSize, AllSizesOfTheStyleSheetGrowWithTheType) {
    Theme theme = Theme::darkTheme();
    theme.ui_font.setPointSizeF(10);
    EXPECT_TRUE(theme.styleSheet().contains(QStringLiteral("font-size: 24.0pt")));
    theme.ui_font.setPointSizeF(15);
    const QString larger = theme.styleSheet();
    EXPECT_TRUE(larger.contains(QStringLiteral("font-size: 36.0pt")));
    EXPECT_FALSE(larger.contains(QStringLiteral("font-size: 24.0pt")));
    EXPECT_TRUE(larger.contains(QStringLiteral("QLabel[role=\"lead\"]"))) << "the rest stays";
}

TEST(TextSize, SignsBesideTextGrowWithIt) {
    Theme theme = Theme::darkTheme();
    theme.ui_font.setPointSizeF(10);
    EXPECT_TRUE(theme.styleSheet().contains(QStringLiteral("chevron-down.svg); width: 10px; height: 10px")));
    theme.ui_font.setPointSizeF(20);
    const QString larger = theme.styleSheet();
    EXPECT_TRUE(larger.contains(QStringLiteral("chevron-down.svg); width: 20px; height: 20px")));
    EXPECT_TRUE(larger.contains(QStringLiteral("margin-left: -18px"))) << "of a sort mark";
    EXPECT_FALSE(larger.contains(QStringLiteral("sp;"))) << "Qt knows no such unit";
}

TEST(TextSize, ThePictureOfAWindowIsTheSameWhateverTheDesktop) {
    EXPECT_DOUBLE_EQ(Theme::lightTheme().ui_font.pointSizeF(), 10.0) << "these tests draw off screen";
}

TEST(TextSize, EachLetterOfWhatIsRecordedIsDrawnAsItStands) {
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
