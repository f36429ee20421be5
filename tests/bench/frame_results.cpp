// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/frame_results.h"

#include <QApplication>
#include <cstdio>
#include <map>

#include "tests/bench/reference_frame.h"

namespace rankscope::bench {
namespace {

std::map<std::string, Percentiles>& results() {
    static std::map<std::string, Percentiles> all;
    return all;
}

}  // namespace

std::string sizeName(const QSize& size) {
    return std::to_string(size.width()) + "x" + std::to_string(size.height());
}

void record(benchmark::State& state, const std::string& name, const std::vector<double>& ms) {
    const Percentiles p = percentilesOf(ms);
    results()[name] = p;
    state.counters["p50_ms"] = p.p50;
    state.counters["p99_ms"] = p.p99;
}

void addReference(const QSize& size, int frames) {
    const std::string name = "reference/" + sizeName(size);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [name, size](benchmark::State& state) {
                                     ReferenceFrame reference(size);
                                     std::vector<double> ms;
                                     for (auto _ : state) {
                                         ms.push_back(reference.draw());
                                         state.SetIterationTime(ms.back() / 1e3);
                                     }
                                     record(state, name, ms);
                                 })
        ->UseManualTime()
        ->Iterations(frames)
        ->Unit(benchmark::kMillisecond);
}

void printRatio(const std::string& what, const std::string& over, const std::string& under) {
    const auto a = results().find(over);
    const auto b = results().find(under);
    if (a != results().end() && b != results().end()) {
        std::printf("%-72s %.2f\n", what.c_str(), a->second.p99 / b->second.p99);
    }
}

int runFrames(int argc, char** argv, void (*add)(), void (*print)()) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication app(argc, argv);  // fonts
    add();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::puts("");
    print();
    return 0;
}

}  // namespace rankscope::bench
