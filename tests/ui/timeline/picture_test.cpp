// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the timeline as a user sees it. With RANKSCOPE_PICTURES=<folder> the pictures are kept, for people to look
// at.
#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <QPixmap>
#include <set>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("RANKSCOPE_PICTURES");
    if (!folder.isEmpty()) {
        image.save(QDir(folder).filePath(name + QStringLiteral(".png")));
    }
}

QImage pictureOf(TimelineWidget& timeline, const QSize& size) {
    timeline.resize(size);
    timeline.settle();
    return timeline.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

std::size_t colorsIn(const QImage& image) {
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); ++y) {
        const QRgb* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        colors.insert(line, line + image.width());
    }
    return colors.size();
}

TEST(TimelinePicture, ShowsSlicesGapsAndNamesInDarkAndLight) {
    for (const bool dark : {true, false}) {
        const Theme theme = dark ? Theme::darkTheme() : Theme::lightTheme();
        for (const QSize size : {QSize(1280, 720), QSize(2560, 1440)}) {
            TimelineWidget timeline(theme);
            timeline.setRuns({test::makeRun({}), test::makeRun({.ranks = 1, .name = "FourWorkers"})});
            const QImage image = pictureOf(timeline, size);
            keep(image, QStringLiteral("synthetic_%1_%2").arg(dark ? "dark" : "light").arg(size.width()));
            EXPECT_EQ(image.size(), size);
            EXPECT_GT(colorsIn(image), 20U);
            EXPECT_FALSE(timeline.frame().gaps.empty());
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
