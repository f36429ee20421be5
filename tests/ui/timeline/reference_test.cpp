// SPDX-License-Identifier: GPL-3.0-or-later
// Six states of the timeline against pictures that are kept beside this file, without text, so that no font matters.
// RANKSCOPE_NEW_PICTURES=1 writes them anew: look at each before it is kept.
#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <functional>
#include <ostream>

#include "tests/support/places.h"
#include "tests/ui/timeline/same_picture.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/timeline_scene.h"

namespace rankscope::ui {
namespace {

constexpr QSize kReferenceSize(480, 300);

struct State {
    const char* name;
    bool dark = true;
    double pixel_ratio = 1.0;
    std::function<std::shared_ptr<const AnalysedRun>()> run;
    std::function<void(TimelineScene&)> change;
};

/// What stands beside a test's name: without it the test library prints the bytes, which differ from run to run.
void PrintTo(const State& state, std::ostream* out) {
    *out << state.name;
}

std::shared_ptr<const AnalysedRun> fourRanks() {
    return test::makeRun({.ranks = 4, .late_rank = 1});
}

QImage pictureOf(const State& state) {
    const Theme theme = state.dark ? Theme::darkTheme() : Theme::lightTheme();
    TimelineScene scene(theme);
    scene.setModel(TimelineModel({state.run()}));
    test::takeAllIndices(scene);
    scene.resize(kReferenceSize, state.pixel_ratio);
    scene.changeView().fitAll();
    state.change(scene);
    Frame frame = scene.frame();
    frame.labels.clear();
    QImage image(frame.width, frame.height, QImage::Format_RGB32);
    TracksPainter(theme, state.pixel_ratio).paint(frame, scene.layout(), image);
    return image;
}

class ReferencePicture : public testing::TestWithParam<State> {};

TEST_P(ReferencePicture, IsWhatIsPainted) {
    const QImage painted = pictureOf(GetParam());
    const QString path = QDir(QString::fromStdString((test::sourceFolder() / "tests/ui/timeline/pictures").string()))
                             .filePath(QLatin1String(GetParam().name) + QStringLiteral(".png"));
    if (qEnvironmentVariableIsSet("RANKSCOPE_NEW_PICTURES")) {
        ASSERT_TRUE(painted.save(path));
    }
    const QImage kept = QImage(path).convertToFormat(QImage::Format_RGB32);
    ASSERT_EQ(kept.size(), painted.size()) << path.toStdString();
    EXPECT_LE(test::shareThatDiffers(kept, painted, 6), 0.0005) << path.toStdString();
}

void pinAndScroll(TimelineScene& scene) {
    RowChoices choices = scene.choices();
    choices.pinned = {keyOf(*scene.model().rank(0, RankPosition(2))->trace, TrackId(3))};
    choices.sizes[keyOf(*scene.model().rank(0, RankPosition(1))->trace, TrackId(2))] = 40;
    scene.setChoices(std::move(choices));
    scene.setScroll(150);
}

const std::array<State, 6> kStates = {{
    {"all-dark", true, 1.0, fourRanks, [](TimelineScene&) {}},
    {"all-light", false, 1.0, fourRanks, [](TimelineScene&) {}},
    {"step-with-straggler", true, 1.0, fourRanks,
     [](TimelineScene& scene) {
         scene.setScroll(scene.layout().findRank(0, RankPosition(1))->y - 40);
         scene.changeView().setWindow({test::kStepNs, 2 * test::kStepNs});
     }},
    {"dense", true, 1.0, [] { return test::makeDenseRun(6, 50'000); }, [](TimelineScene&) {}},
    {"pinned-and-scrolled", false, 1.0, fourRanks, pinAndScroll},
    {"two-pixels-each", true, 2.0, fourRanks,
     [](TimelineScene& scene) {
         scene.changeView().setWindow({0, test::kStepNs});
     }},
}};

INSTANTIATE_TEST_SUITE_P(States, ReferencePicture, testing::ValuesIn(kStates), [](const auto& state) {
    std::string name = state.param.name;
    std::erase(name, '-');
    return name;
});

}  // namespace
}  // namespace rankscope::ui
