// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>

#include <QSize>
#include <array>
#include <string>
#include <vector>

#include "tests/bench/wide_run.h"

/// What all benchmarks of frames share: what they show, at which sizes, and their times over the reference frame's.
namespace rankscope::bench {

/// From the whole run down to 50 us.
constexpr std::array<DurationNs, 8> kWindows = {kWideRunNs, 500'000'000, 100'000'000, 20'000'000,
                                                4'000'000,  1'000'000,   200'000,     50'000};
constexpr std::array<QSize, 2> kSizes = {QSize(1920, 1080), QSize(3840, 2160)};

/// As 1920x1080.
[[nodiscard]] std::string sizeName(const QSize& size);

/// Keeps the p50 and p99 of the milliseconds of frames under `name`, and counts them in `state`.
void record(benchmark::State& state, const std::string& name, const std::vector<double>& ms);

/// Registers the reference frame of one size as "reference/<size>".
void addReference(const QSize& size, int frames);

/// Prints `what` and the p99 of one name over that of another, where both were recorded: the ratios at the end are of
/// one run of the program.
void printRatio(const std::string& what, const std::string& over, const std::string& under);

/// Runs what `add` registers, then `print`. The exit status of the program.
int runFrames(int argc, char** argv, void (*add)(), void (*print)());

}  // namespace rankscope::bench
