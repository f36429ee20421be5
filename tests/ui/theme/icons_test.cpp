// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QFile>
#include <QRegularExpression>

#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

TEST(Icons, ThatTheStyleSheetNamesAreInTheProgram) {
    const QString sheet = Theme::darkTheme().styleSheet();
    static const QRegularExpression url(QStringLiteral(R"(url\((:/icons/[^)]+)\))"));
    int seen = 0;
    for (auto match = url.globalMatch(sheet); match.hasNext(); ++seen) {
        const QString path = match.next().captured(1);
        EXPECT_TRUE(QFile::exists(path)) << path.toStdString();
    }
    EXPECT_GT(seen, 2);
}

TEST(Icons, OfTheWindowAreInTheProgram) {
    (void)Theme::lightTheme();
    for (const char* name : {"rankscope", "search", "close"}) {
        EXPECT_TRUE(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(name)))) << name;
    }
}

}  // namespace
}  // namespace rankscope::ui
