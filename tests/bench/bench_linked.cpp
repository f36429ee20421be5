// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame of two linked timelines costs, both together on one screen: one is panned and zoomed, the other follows,
// and what has changed of both is painted, names and rulers included; against the reference frame of the whole screen
// (design 8). Two runs of 8 ranks.
#include <benchmark/benchmark.h>

#include <array>

#include "tests/bench/frame_results.h"
#include "tests/bench/reference_frame.h"
#include "tests/bench/shown_window.h"
#include "tests/bench/wide_run.h"
#include "ui/compare/compared_runs.h"
#include "ui/compare/linked_timelines.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::bench {
namespace {

constexpr std::uint32_t kRanks = 8;
constexpr std::array<std::int64_t, 2> kSlices = {100'000, 1'000'000};
constexpr int kFrames = 60;

/// Two timelines, left and right, each of a run of its own.
class Pair {
  public:
    Pair(std::int64_t slices, const QSize& screen)
        : window_(screen),
          a_(ui::Theme::darkTheme(), window_.widget()),
          b_(ui::Theme::darkTheme(), window_.widget()),
          linked_(a_, b_) {
        const auto run_a = makeWideRun(kRanks, slices);
        const auto run_b = makeWideRun(kRanks, slices);
        const auto both = {std::pair(&a_, run_a), std::pair(&b_, run_b)};
        for (const auto& [timeline, run] : both) {
            timeline->setOverviewVisible(false);
            timeline->resize(screen.width() / 2, screen.height());
            timeline->setRuns({run});
            timeline->settle();
        }
        b_.move(screen.width() / 2, 0);
        window_.show();
        std::vector<StepPair> steps = pairRunSteps(*run_a, *run_b, Counterparts(*run_a, *run_b));
        const auto typical = typicalPair(*run_a, *run_b, steps);
        linked_.setSteps(std::move(steps), typical);
    }

    void show(DurationNs length) { a_.showWindow({kWideRunNs / 3, kWideRunNs / 3 + length}); }

    /// Pans the first by so many pixels and paints both; milliseconds worked.
    double pan(int pixels) {
        const ui::Viewport& view = a_.viewport();
        const TimeSpan window = view.window();
        const DurationNs way = window.length() * pixels / view.width();
        const double start = workedMs();
        a_.showWindow({window.start_ns + way, window.end_ns + way});
        window_.paintChanges();
        return workedMs() - start;
    }

  private:
    ShownWindow window_;
    ui::TimelineWidget a_;
    ui::TimelineWidget b_;
    ui::LinkedTimelines linked_;
};

void linkedFrames(benchmark::State& state, std::int64_t slices, const QSize& screen) {
    Pair pair(slices, screen);
    std::vector<double> all;
    for (auto _ : state) {
        double total = 0;
        for (const DurationNs length : kWindows) {
            pair.show(length);
            for (int i = 0; i < kFrames; ++i) {
                all.push_back(pair.pan(i % 2 == 0 ? 7 : -5));
                total += all.back();
            }
        }
        state.SetIterationTime(total / 1e3);
    }
    record(state, "linked/" + std::to_string(slices) + "/" + sizeName(screen), all);
}

void registerAll() {
    const auto add = [](const std::string& name, auto body, int iterations) {
        benchmark::RegisterBenchmark(name.c_str(), body)
            ->UseManualTime()
            ->Iterations(iterations)
            ->Unit(benchmark::kMillisecond);
    };
    for (const QSize& screen : kSizes) {
        addReference(screen, 3 * kFrames);
        for (const std::int64_t slices : kSlices) {
            add(
                "linked/" + std::to_string(slices) + "/" + sizeName(screen),
                [=](benchmark::State& s) { linkedFrames(s, slices, screen); }, 1);
        }
    }
}

void printRatios() {
    for (const QSize& screen : kSizes) {
        for (const std::int64_t slices : kSlices) {
            const std::string name = "linked/" + std::to_string(slices) + "/" + sizeName(screen);
            printRatio(name + ": p99 over the reference frame's (at most 1.5)", name, "reference/" + sizeName(screen));
        }
    }
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    return rankscope::bench::runFrames(argc, argv, rankscope::bench::registerAll, rankscope::bench::printRatios);
}
