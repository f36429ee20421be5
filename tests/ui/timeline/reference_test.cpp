// SPDX-License-Identifier: GPL-3.0-or-later
// Six states of the timeline against pictures that are kept beside this file, without text, so that no font matters.
// RANKSCOPE_NEW_PICTURES=1 writes them anew: look at each before it is kept.
#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <functional>
#include <ostream>

#include "tests/support/places.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/timeline_scene.h"

namespace rankscope::ui {
namespace {

constexpr QSize kReferenceSize(480, 300);
constexpr int kChannel = 6;            // of 255: a colour that is so near is the same
constexpr double kDifferent = 0.0005;  // of the pixels

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
    IndexStore store;
    TimelineModel model({state.run()});
    store.want(model.sources());
    store.finish();
    model.takeIndices(store);
    TimelineScene scene(theme);
    scene.setModel(std::move(model));
    scene.resize(kReferenceSize, state.pixel_ratio);
    scene.changeView().fitAll();
    state.change(scene);
    Frame frame = scene.frame();
    frame.labels.clear();
    QImage image(frame.width, frame.height, QImage::Format_RGB32);
    TracksPainter(theme, state.pixel_ratio).paint(frame, scene.layout(), image);
    return image;
}

double shareThatDiffers(const QImage& a, const QImage& b) {
    std::size_t different = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QColor p = a.pixelColor(x, y);
            const QColor q = b.pixelColor(x, y);
            const int most =
                std::max({std::abs(p.red() - q.red()), std::abs(p.green() - q.green()), std::abs(p.blue() - q.blue())});
            different += most > kChannel ? 1 : 0;
        }
    }
    return static_cast<double>(different) / (a.width() * a.height());
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
    EXPECT_LE(shareThatDiffers(kept, painted), kDifferent) << path.toStdString();
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
