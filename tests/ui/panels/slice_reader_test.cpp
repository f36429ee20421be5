// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/selection/slice_reader.h"

#include <gtest/gtest.h>

namespace rankscope::ui {
namespace {

TEST(SliceReader, SaysWhereTheTraceIsElsewhereWhatFindsItInTheWindowToo) {
    const QString elsewhere = whyUnread({"/scratch/r0.json", {}, "is not here: --map FROM=TO"});
    EXPECT_TRUE(elsewhere.contains(QStringLiteral("--map FROM=TO"))) << elsewhere.toStdString();
    EXPECT_TRUE(elsewhere.contains(QStringLiteral("Locate Folder"))) << elsewhere.toStdString();
    EXPECT_FALSE(whyUnread({"/r0.json", {}, "has changed since it was loaded"}).contains(QStringLiteral("Locate")));
}

}  // namespace
}  // namespace rankscope::ui
