// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/first_frame.h"

#include "tests/bench/in_child.h"

#ifdef RANKSCOPE_BENCH_WINDOW
#include <QGuiApplication>
#include <array>

#include "ui/timeline/timeline_scene.h"
#endif

namespace rankscope::bench {

#ifdef RANKSCOPE_BENCH_WINDOW

double firstFrameSeconds(const std::shared_ptr<const AnalysedRun>& run) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    std::array<char, 6> name = {'b', 'e', 'n', 'c', 'h', '\0'};
    std::array<char*, 2> arguments = {name.data(), nullptr};
    int count = 1;
    const QGuiApplication application(count, arguments.data());
    const double start = processorSeconds();
    ui::IndexStore store;
    ui::TimelineModel model({run});
    store.want(model.sources());
    store.finish();
    model.takeIndices(store);
    ui::TimelineScene scene(ui::Theme::darkTheme());
    scene.setModel(std::move(model));
    scene.resize(QSize(1920, 1080), 1.0);
    const bool drawn = !scene.image().isNull();
    return drawn ? processorSeconds() - start : -1.0;
}

#else

double firstFrameSeconds(const std::shared_ptr<const AnalysedRun>& /*run*/) {
    return -1.0;
}

#endif

}  // namespace rankscope::bench
