// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the timeline as a user sees it. With RANKSCOPE_PICTURES=<folder> the pictures are kept, for people to look
// at.
#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <QPixmap>
#include <set>

#include "core/ingest/load.h"
#include "tests/support/real_traces.h"
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

std::shared_ptr<const AnalysedRun> loadReal(const std::string& folder) {
    const Discovery found = discoverRuns({(test::realTraces() / folder).string()});
    if (found.runs.empty()) {
        return nullptr;
    }
    LoadObserver quiet;
    Result<Run> run = loadRun(found.runs.front(), {}, quiet, {});
    if (!run.ok()) {
        return nullptr;
    }
    auto analysed = analyseRun(std::make_shared<const Run>(std::move(run).value()), {}, {}, {});
    return analysed.ok() ? std::make_shared<const AnalysedRun>(std::move(analysed).value()) : nullptr;
}

// A gap of the first rank that is in the middle of the run, where there is one.
Selection aGapOf(const AnalysedRun& run) {
    const auto& steps = run.facts.ranks.front().steps;
    for (RankStepPosition s(steps.size() / 2); s < steps.size(); ++s) {
        for (std::uint32_t g = 0; g < steps[s].gaps.size(); ++g) {
            if (steps[s].gaps[g].span.length() >= 100'000) {
                return GapSelection{0, RankPosition(0), s, g};
            }
        }
    }
    return {};
}

TEST(TimelinePicture, ShowsRealTraces) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const std::string folder : {"resnet50_workers/ZeroWorkers", "resnet_ddp_4ranks_rocm"}) {
        const auto run = loadReal(folder);
        ASSERT_NE(run, nullptr) << folder;
        const QString name = QString::fromStdString(folder).section(QLatin1Char('/'), -1);
        for (const bool dark : {true, false}) {
            const Theme theme = dark ? Theme::darkTheme() : Theme::lightTheme();
            TimelineWidget timeline(theme);
            timeline.setStyleSheet(theme.styleSheet());
            timeline.setRuns({run});
            const QString mode = QString::fromLatin1(dark ? "dark" : "light");
            const QImage all = pictureOf(timeline, dark ? QSize(1280, 720) : QSize(2560, 1440));
            keep(all, name + QLatin1Char('_') + mode);
            EXPECT_GT(colorsIn(all), 20U);
            timeline.reveal(aGapOf(*run));
            const QImage gap = pictureOf(timeline, QSize(1280, 720));
            keep(gap, name + QLatin1Char('_') + mode + QStringLiteral("_gap"));
            EXPECT_NE(gap, all);
            timeline.fitSelection();
            keep(pictureOf(timeline, QSize(1280, 720)), name + QLatin1Char('_') + mode + QStringLiteral("_fit"));
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
