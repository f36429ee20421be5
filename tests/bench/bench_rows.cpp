// SPDX-License-Identifier: GPL-3.0-or-later
// What the GUI thread does for all ranks of a run and not only for those in sight: taking a model, laying rows out,
// taking over indices, and drawing the links of a collective that all ranks take part in. From 64 to 2,048 ranks;
// printed as the ratio of the time per rank to that of 64 ranks, which is to stay below 1.5.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QPainter>
#include <array>
#include <cstdio>
#include <map>
#include <string>

#include "tests/bench/frame_results.h"
#include "tests/bench/reference_frame.h"
#include "tests/bench/wide_run.h"
#include "ui/timeline/selection/links.h"
#include "ui/timeline/timeline_scene.h"

namespace rankscope::bench {
namespace {

constexpr std::array<std::uint32_t, 3> kRanks = {64, 512, 2'048};
constexpr std::int64_t kSlicesARank = 500;
const QSize kScreen(1'920, 1'080);

std::map<std::string, double>& best() {
    static std::map<std::string, double> ms;
    return ms;
}

/// The run of `ranks`, with one collective of all of them, and its indices.
struct Wide {
    explicit Wide(std::uint32_t ranks) : run(withACollective(ranks)), model({run}) {
        store.want(model.sources());
        store.finish();
        model.takeIndices(store);
    }
    static std::shared_ptr<const AnalysedRun> withACollective(std::uint32_t ranks) {
        auto made = std::make_shared<AnalysedRun>(*makeWideRun(ranks, kSlicesARank * ranks));
        Collective collective;
        for (RankPosition r{0}; r < ranks; ++r) {
            CollectiveMember member;
            member.rank = r;
            member.slices = {{TrackId(2), 3}};
            member.wait_ns = r;
            collective.members.push_back(member);
        }
        made->facts.collectives.collectives = {collective};
        return made;
    }

    std::shared_ptr<const AnalysedRun> run;
    ui::IndexStore store;
    ui::TimelineModel model;
};

const Wide& wideOf(std::uint32_t ranks) {
    static std::map<std::uint32_t, std::unique_ptr<Wide>> made;
    auto& wide = made[ranks];
    if (!wide) {
        wide = std::make_unique<Wide>(ranks);
    }
    return *wide;
}

void timed(benchmark::State& state, const std::string& name, const std::function<void()>& act) {
    double least = 1e9;
    for (auto _ : state) {
        const double began = workedMs();
        act();
        const double ms = workedMs() - began;
        least = std::min(least, ms);
        state.SetIterationTime(ms / 1e3);
    }
    best()[name] = least;
}

void model(benchmark::State& state, std::uint32_t ranks, const std::string& name) {
    const Wide& wide = wideOf(ranks);
    timed(state, name, [&] { benchmark::DoNotOptimize(ui::TimelineModel({wide.run}).rankCount()); });
}

void indices(benchmark::State& state, std::uint32_t ranks, const std::string& name) {
    const Wide& wide = wideOf(ranks);
    ui::TimelineModel taken({wide.run});
    timed(state, name, [&] { benchmark::DoNotOptimize(taken.takeIndices(wide.store)); });
}

void layOut(benchmark::State& state, std::uint32_t ranks, const std::string& name) {
    const Wide& wide = wideOf(ranks);
    timed(state, name, [&] { benchmark::DoNotOptimize(ui::RowLayout(wide.model, {}).height()); });
}

void links(benchmark::State& state, std::uint32_t ranks, const std::string& name) {
    const Wide& wide = wideOf(ranks);
    const ui::RowLayout layout(wide.model, {});
    ui::Viewport viewport;
    viewport.setExtent(wide.model.extent());
    viewport.setWidth(kScreen.width());
    QImage screen(kScreen, QImage::Format_RGB32);
    const auto found = ui::linksOf(wide.model, ui::SliceSelection{0, RankPosition(0), {TrackId(2), 3}});
    timed(state, name, [&] {
        QPainter painter(&screen);
        ui::paintLinks(painter, {screen.rect(), &wide.model, &layout, &viewport, {}}, found, ui::Theme::darkTheme());
    });
    state.counters["links"] = static_cast<double>(found.size());
}

void registerAll() {
    const auto add = [](const std::string& what, auto body) {
        for (const std::uint32_t ranks : kRanks) {
            const std::string name = what + "/" + std::to_string(ranks);
            benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& s) { body(s, ranks, name); })
                ->UseManualTime()
                ->Iterations(20)
                ->Unit(benchmark::kMillisecond);
        }
    };
    add("model", model);
    add("indices", indices);
    add("layout", layOut);
    add("links", links);
}

void printRatios() {
    for (const char* what : {"model", "indices", "layout", "links"}) {
        const auto of = [&](std::uint32_t ranks) { return best()[std::string(what) + "/" + std::to_string(ranks)]; };
        for (const std::uint32_t ranks : {512U, 2'048U}) {
            const double ratio = of(64) > 0 ? of(ranks) / ranks / (of(64) / 64) : 0;
            std::printf("%s of %u ranks: %.3f ms, per rank %.2f of 64 ranks' (at most 1.5)\n", what, ranks, of(ranks),
                        ratio);
        }
    }
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    return rankscope::bench::runFrames(argc, argv, rankscope::bench::registerAll, rankscope::bench::printRatios);
}
