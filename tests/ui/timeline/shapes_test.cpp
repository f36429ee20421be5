// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline saved as shapes looks as it does on the screen.
#include <gtest/gtest.h>

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSet>
#include <QSvgGenerator>
#include <QXmlStreamReader>
#include <algorithm>

#include "tests/ui/timeline/same_picture.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/gap_look.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/paint/tracks_painter.h"
#include "ui/timeline/timeline_scene.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr QSize kShapesSize(900, 400);

TimelineScene sceneOf(std::int64_t steps, const TimeSpan& window, double pixel_ratio) {
    TimelineScene scene =
        test::makeScene({test::makeRun({.ranks = 3, .steps = steps, .kernels_a_step = 10})}, kShapesSize, pixel_ratio);
    scene.changeView().setWindow(window);
    return scene;
}

struct Painted {
    Frame frame;
    QImage pixels;
    QImage shapes;
};

// Both without text, which is smoothed in its own way.
Painted paintBoth(std::int64_t steps, const TimeSpan& window, double pixel_ratio) {
    TimelineScene scene = sceneOf(steps, window, pixel_ratio);
    Painted made{scene.frame(), {}, {}};
    made.frame.labels.clear();
    made.pixels = QImage(made.frame.width, made.frame.height, QImage::Format_RGB32);
    made.shapes = made.pixels;
    TracksPainter(scene.theme(), pixel_ratio).paint(made.frame, scene.layout(), made.pixels);
    made.shapes.setDevicePixelRatio(pixel_ratio);
    QPainter painter(&made.shapes);
    paintShapes(painter, QRect(QPoint(0, 0), kShapesSize), made.frame, scene.layout(), scene.theme());
    return made;
}

TEST(Shapes, LookAsThePixelsDoWhereGapsAreHatched) {
    for (const double ratio : {1.0, 2.0}) {
        const Painted painted = paintBoth(4, {0, test::kStepNs}, ratio);
        ASSERT_TRUE(std::ranges::any_of(painted.frame.gaps, [](const FrameGap& g) { return !GapLook::isNarrow(g); }));
        EXPECT_LE(test::shareThatDiffers(painted.pixels, painted.shapes, 2), 0.001) << ratio;
    }
}

TEST(Shapes, LookAsThePixelsDoWhereGapsAreSolid) {
    const Painted painted = paintBoth(400, {0, 400 * test::kStepNs}, 1.0);
    ASSERT_FALSE(painted.frame.gaps.empty());
    ASSERT_TRUE(std::ranges::all_of(painted.frame.gaps, GapLook::isNarrow));
    EXPECT_LE(test::shareThatDiffers(painted.pixels, painted.shapes, 2), 0.001);
}

TEST(Shapes, AnOverviewIsSavedAsShapesInItsColours) {
    TimelineWidget timeline(Theme::darkTheme());
    timeline.resize(kShapesSize);
    timeline.setRuns({test::makeRun({.ranks = 6, .steps = 10, .late_rank = 4})});
    timeline.settle();
    Overview& overview = timeline.overview();
    QBuffer file;
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    QPainter painter(&svg);
    overview.render(&painter, {}, {}, QWidget::RenderFlags());  // its button is the desktop style's
    painter.end();
    file.open(QIODevice::ReadOnly);
    QXmlStreamReader xml(&file);
    QSet<QString> fills;
    while (!xml.atEnd()) {
        xml.readNext();
        EXPECT_FALSE(xml.isStartElement() && xml.name() == u"image");
        fills.insert(xml.attributes().value(QStringLiteral("fill")).toString());
    }
    EXPECT_FALSE(xml.hasError());
    const QImage cells = overview.grab(overview.cellArea().adjusted(2, 2, -2, -2)).toImage();
    QSet<QString> colors;
    for (int y = 0; y < cells.height(); ++y) {
        for (int x = 0; x < cells.width(); ++x) {
            colors.insert(cells.pixelColor(x, y).name());
        }
    }
    EXPECT_GE(colors.size(), 2) << "steps, and what is between";
    EXPECT_TRUE(fills.contains(colors));
}

TEST(Shapes, LookAsAPictureOfManyColoursDoes) {
    QImage pixels(97, 31, QImage::Format_RGB32);
    for (int y = 0; y < pixels.height(); ++y) {
        for (int x = 0; x < pixels.width(); ++x) {
            pixels.setPixel(x, y, qRgb(x / 5 * 9, y / 4 * 30, x % 7 == 0 ? 200 : 0));
        }
    }
    QImage shapes(pixels.size(), QImage::Format_RGB32);
    QPainter painter(&shapes);
    paintAsShapes(painter, shapes.rect(), pixels);
    painter.end();
    EXPECT_EQ(shapes, pixels);
}

}  // namespace
}  // namespace rankscope::ui
