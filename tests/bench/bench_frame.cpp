// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame of the timeline costs: draw list and picture, at windows from the whole run down to 50 us, against a
// reference frame of plain rectangles and texts that the same raster painter draws (design 8). Also what building the
// index and adding up an area cost.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/device/area_sums.h"
#include "tests/bench/frame_results.h"
#include "tests/bench/reference_frame.h"
#include "tests/bench/shown_window.h"
#include "tests/bench/wide_run.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/selection/step_path.h"
#include "ui/timeline/timeline_scene.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::bench {
namespace {

constexpr std::uint32_t kRanks = 64;
constexpr std::array<std::int64_t, 3> kSlices = {200'000, 2'000'000, 20'000'000};
constexpr int kFrames = 120;

/// The run of `slices`, kept until another one is asked for: the largest takes more than a gigabyte.
std::shared_ptr<const AnalysedRun> runOf(std::int64_t slices) {
    static std::int64_t kept = 0;
    static std::shared_ptr<const AnalysedRun> run;
    if (kept != slices) {
        run.reset();
        run = makeWideRun(kRanks, slices);
        kept = slices;
    }
    return run;
}

/// The same with steps of the run, which have a critical path.
std::shared_ptr<const AnalysedRun> runWithPath(std::int64_t slices) {
    auto run = std::make_shared<AnalysedRun>(*runOf(slices));
    for (RankFacts& rank : run->facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition.emplace();
        }
    }
    const std::size_t steps = run->facts.ranks.front().steps.size();
    for (std::size_t s = 0; s < steps; ++s) {
        RunStep step;
        step.index = static_cast<std::int64_t>(s);
        step.by_rank.assign(run->facts.ranks.size(), RankStepPosition(s));
        run->facts.steps.push_back(std::move(step));
    }
    return run;
}

/// With all that `what` has beside the slices: "counters" of all ranks, or a "path".
ui::TimelineScene sceneOf(std::int64_t slices, const QSize& size, std::string_view what = {}) {
    ui::IndexStore store;
    ui::TimelineScene scene(ui::Theme::darkTheme());
    const bool counters = what == "counters";
    const auto shown = what == "path" ? runWithPath(slices) : runOf(slices);
    scene.setModel(ui::TimelineModel({shown}));
    ui::RowChoices choices = scene.choices();
    for (const auto& rank : runOf(slices)->run->ranks) {
        ui::showCounters(*rank, counters, choices);
    }
    scene.setChoices(std::move(choices));
    store.want(scene.sources());
    store.finish();
    scene.takeIndices(store);
    scene.resize(size, 1.0);
    if (what == "path") {
        // Of the step that the windows begin in.
        const std::size_t steps = shown->facts.steps.size();
        scene.setPath(ui::makeShownPath({shown, {0, RunStepPosition(steps / 3)}}));
        ui::OverlaySet overlays = scene.overlays();
        overlays.set(ui::Overlay::Path, true);
        scene.setOverlays(overlays);
    }
    return scene;
}

/// `what` names the benchmark: "frame", "counters" with the counters of all ranks shown, or "path" with a critical
/// path.
void frame(benchmark::State& state, const char* what, std::int64_t slices, const QSize& size) {
    ui::TimelineScene scene = sceneOf(slices, size, what);
    std::vector<double> all;
    for (auto _ : state) {
        double total = 0;
        for (const DurationNs length : kWindows) {
            const TimeNs start = kWideRunNs / 3;
            scene.changeView().setWindow({start, start + length});
            for (int i = 0; i < kFrames; ++i) {
                scene.changeView().panBy(i % 2 == 0 ? 7 : -5);
                const double began = workedMs();
                benchmark::DoNotOptimize(scene.image().constBits());
                all.push_back(workedMs() - began);
                total += all.back();
            }
        }
        state.SetIterationTime(total / 1e3);
    }
    record(state, std::string(what) + "/" + std::to_string(slices) + "/" + sizeName(size), all);
}

// The same with all that a user has around it: names, ruler and overview, copied to where the screen is filled from.
void shown(benchmark::State& state, std::int64_t slices, const QSize& size) {
    ShownWindow window(size);
    ui::TimelineWidget timeline(ui::Theme::darkTheme(), window.widget());
    timeline.resize(size);
    timeline.setRuns({runOf(slices)});
    timeline.settle();
    window.show();
    std::vector<double> all;
    for (auto _ : state) {
        double total = 0;
        for (const DurationNs length : kWindows) {
            timeline.showWindow({kWideRunNs / 3, kWideRunNs / 3 + length});
            for (int i = 0; i < kFrames; ++i) {
                const TimeSpan before = timeline.viewport().window();
                const DurationNs way = before.length() * (i % 2 == 0 ? 7 : -5) / timeline.viewport().width();
                const double began = workedMs();
                timeline.showWindow({before.start_ns + way, before.end_ns + way});
                window.paintChanges();
                all.push_back(workedMs() - began);
                total += all.back();
            }
        }
        state.SetIterationTime(total / 1e3);
    }
    record(state, "shown/" + std::to_string(slices) + "/" + sizeName(size), all);
}

// One window at a time, to see which one is dear.
void window(benchmark::State& state, std::int64_t slices, const QSize& size, DurationNs length) {
    ui::TimelineScene scene = sceneOf(slices, size);
    scene.changeView().setWindow({kWideRunNs / 3, kWideRunNs / 3 + length});
    std::vector<double> ms;
    std::vector<double> building;
    for (auto _ : state) {
        scene.changeView().panBy(ms.size() % 2 == 0 ? 7 : -5);
        const double began = workedMs();
        benchmark::DoNotOptimize(scene.frame().items.data());
        building.push_back(workedMs() - began);
        benchmark::DoNotOptimize(scene.image().constBits());
        ms.push_back(workedMs() - began);
        state.SetIterationTime(ms.back() / 1e3);
    }
    record(state, "window/" + std::to_string(slices) + "/" + sizeName(size) + "/" + std::to_string(length), ms);
    state.counters["build_ms"] = percentilesOf(std::move(building)).p50;
    state.counters["items"] = static_cast<double>(scene.frame().items.size());
    state.counters["bands"] = static_cast<double>(scene.frame().bands.size());
    state.counters["gaps"] = static_cast<double>(scene.frame().gaps.size());
    state.counters["steps"] = static_cast<double>(scene.frame().steps.size());
    state.counters["slice_rows"] = static_cast<double>(scene.frame().slice_rows.size());
    state.counters["labels"] = static_cast<double>(scene.frame().labels.size());
}

void buildIndex(benchmark::State& state, std::int64_t slices) {
    const auto run = runOf(slices);
    for (auto _ : state) {
        ui::IndexStore store;
        store.want(ui::TimelineModel({run}).sources());
        store.finish();
    }
    state.counters["slices"] =
        benchmark::Counter(static_cast<double>(slices), benchmark::Counter::kIsIterationInvariantRate);
}

void sumAllOfIt(benchmark::State& state, std::int64_t slices) {
    const auto run = runOf(slices);
    Area area{{run->clock.base_ns, run->clock.base_ns + kWideRunNs}, {}};
    for (RankPosition r{0}; r < kRanks; ++r) {
        for (std::uint32_t t = 0; t < 3; ++t) {
            area.tracks.push_back({r, TrackId(t)});
        }
    }
    for (auto _ : state) {
        const auto sums = sumArea(*run->run, run->facts, run->clock, area, {});
        benchmark::DoNotOptimize(sums.ok());
    }
    state.counters["slices"] =
        benchmark::Counter(static_cast<double>(slices), benchmark::Counter::kIsIterationInvariantRate);
}

/// "frame/2000000/1920x1080"
std::string nameOf(const char* what, std::int64_t slices, const std::string& size) {
    std::string name = what;
    name += '/';
    name += std::to_string(slices);
    name += '/';
    return name += size;
}

void printRatios() {
    for (const QSize& size : kSizes) {
        const std::string of = sizeName(size);
        for (const std::int64_t slices : kSlices) {
            for (const char* const what : {"frame", "counters", "path", "shown"}) {
                const std::string name = nameOf(what, slices, of);
                printRatio(name + ": p99 over the reference frame's (at most 1.5)", name, "reference/" + of);
            }
        }
        for (const char* const what : {"frame", "shown"}) {
            const std::string name = nameOf(what, 20'000'000, of);
            printRatio(name + ": p99 over that of 200 k slices (at most 1.5)", name, nameOf(what, 200'000, of));
        }
    }
}

void registerAll() {
    const auto add = [](const std::string& name, auto body, int iterations) {
        benchmark::RegisterBenchmark(name.c_str(), body)
            ->UseManualTime()
            ->Iterations(iterations)
            ->Unit(benchmark::kMillisecond);
    };
    for (const QSize& size : kSizes) {
        addReference(size, 3 * kFrames);
    }
    for (const std::int64_t slices : kSlices) {
        for (const QSize& size : kSizes) {
            for (const char* const what : {"frame", "counters", "path"}) {
                add(
                    what + ("/" + std::to_string(slices)) + "/" + sizeName(size),
                    [=](benchmark::State& s) { frame(s, what, slices, size); }, 1);
            }
            add(
                "shown/" + std::to_string(slices) + "/" + sizeName(size),
                [=](benchmark::State& s) { shown(s, slices, size); }, 1);
            for (const DurationNs length : kWindows) {
                add(
                    "window/" + std::to_string(slices) + "/" + sizeName(size) + "/" + std::to_string(length),
                    [=](benchmark::State& s) { window(s, slices, size, length); }, kFrames);
            }
        }
        benchmark::RegisterBenchmark(("index/" + std::to_string(slices)).c_str(),
                                     [=](benchmark::State& s) { buildIndex(s, slices); })
            ->UseRealTime()
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("area/" + std::to_string(slices)).c_str(),
                                     [=](benchmark::State& s) { sumAllOfIt(s, slices); })
            ->UseRealTime()
            ->Iterations(3)
            ->Unit(benchmark::kMillisecond);
    }
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    return rankscope::bench::runFrames(argc, argv, rankscope::bench::registerAll, rankscope::bench::printRatios);
}
