// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a file are shown as they stand, whatever tags they hold.
#include "ui/theme/plain_text.h"

#include <gtest/gtest.h>

#include <QStringList>
#include <QTextDocument>

namespace rankscope::ui {
namespace {

const QString kImage = QStringLiteral("<img src=\"file:///etc/passwd\">");

/// What a tooltip shows of the text that it is given.
QString shownOf(const QString& tip) {
    if (!Qt::mightBeRichText(tip)) {
        return tip;
    }
    QTextDocument document;
    document.setHtml(tip);
    return document.toPlainText();
}

TEST(PlainText, ATooltipShowsTagsAsWrittenAndLoadsNothing) {
    for (const QString& words : {kImage, QStringLiteral("void f<float>(int)"), QStringLiteral("<b>bold</b> & more"),
                                 QStringLiteral("two\nlines"), QStringLiteral("gemm")}) {
        const QString tip = plainTip(words);
        EXPECT_EQ(shownOf(tip), words) << words.toStdString();
        EXPECT_FALSE(tip.contains(QStringLiteral("<img")));
    }
}

TEST(PlainText, ATooltipOfAMegabyteIsCutAndSaysSo) {
    const QString tip = plainTip(QString(1'000'000, QLatin1Char('k')));
    EXPECT_LT(tip.size(), kLongestTip + 100);
    EXPECT_TRUE(tip.contains(QStringLiteral("1,000,000")));
}

TEST(PlainText, ALongLineOfATooltipIsBrokenWhereItsWordsEnd) {
    const QString words = QStringLiteral("twelve words ").repeated(40) + QString(300, QLatin1Char('k'));
    const QString tip = plainTip(QStringLiteral("short\n") + words);
    QStringList lines = tip.split(QLatin1Char('\n'));
    EXPECT_EQ(lines.takeFirst(), QStringLiteral("short"));
    EXPECT_EQ(lines.join(QLatin1Char(' ')), words) << "nothing is lost";
    EXPECT_EQ(lines.takeLast().size(), 300) << "a word is never broken";
    ASSERT_GT(lines.size(), 4);
    for (const QString& line : lines) {
        EXPECT_LE(line.size(), kWidestTip) << line.toStdString();
    }
}

TEST(PlainText, ACutNeverPartsTheTwoHalvesOfACharacter) {
    const QString half_way =
        QString(kLongestTip - 1, QLatin1Char('k')) + QStringLiteral("\U0001F600") + QString(9, u'k');
    const QString tip = plainTip(half_way);
    EXPECT_TRUE(tip.isValidUtf16());
}

TEST(PlainText, ACellShowsWhatFitsAndAnEllipsis) {
    EXPECT_EQ(cellWords(QStringLiteral("gemm")), QStringLiteral("gemm"));
    const QString cell = cellWords(QString(1'000'000, QLatin1Char('k')));
    EXPECT_EQ(cell.size(), kLongestCell);
    EXPECT_TRUE(cell.endsWith(QChar(0x2026)));
}

TEST(PlainText, ALabelShowsTagsAsWritten) {
    const std::unique_ptr<QLabel> label(plainLabel(kImage));
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
    EXPECT_EQ(label->text(), kImage);
}

}  // namespace
}  // namespace rankscope::ui
