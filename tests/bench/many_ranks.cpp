// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/many_ranks.h"

#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/tracegen/kineto_writer.h"
#include "tests/tracegen/simulate.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::bench {
namespace {

constexpr int kSimulated = 8;

tracegen::Config configOf(int steps) {
    tracegen::Config config;
    config.ranks = kSimulated;
    config.steps = steps;
    config.warmup_steps = 4;
    config.layers = 8;
    return config;
}

std::size_t slicesOf(const tracegen::RunResult& run) {
    return static_cast<std::size_t>(std::ranges::count_if(
        run.events.front(), [](const tracegen::Event& event) { return event.kind != tracegen::EventKind::Memory; }));
}

tracegen::RunResult simulatedWith(int slices_each) {
    const auto of_one_step = static_cast<int>(slicesOf(tracegen::simulate(configOf(1))));
    return tracegen::simulate(configOf(std::max(2, slices_each / std::max(1, of_one_step))));
}

/// The same events with collectives that start later, by up to half of their length: they end when they did.
std::vector<tracegen::Event> perturbed(std::vector<tracegen::Event> events, std::mt19937& chance) {
    for (tracegen::Event& event : events) {
        if (event.kind == tracegen::EventKind::Kernel && event.collective.valid()) {
            const auto most =
                static_cast<std::uint32_t>(std::min<DurationNs>((event.end_ns - event.start_ns) / 2, 1'000'000));
            event.start_ns += static_cast<DurationNs>(chance() % (most + 1));
        }
    }
    return events;
}

void writePacked(const std::filesystem::path& path, const std::string& text, std::vector<char>& buffer) {
    buffer.resize(ZSTD_compressBound(text.size()));
    const std::size_t bytes = ZSTD_compress(buffer.data(), buffer.size(), text.data(), text.size(), 1);
    std::ofstream file(path, std::ios::binary);
    file.write(buffer.data(), static_cast<std::streamsize>(bytes));
    if (ZSTD_isError(bytes) != 0 || !file.flush()) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

}  // namespace

std::int64_t writeManyRanks(const ManyRanks& job, const std::filesystem::path& folder) {
    const tracegen::RunResult simulated = simulatedWith(job.slices_each);
    tracegen::Config config = simulated.config;
    config.ranks = job.ranks;
    if (job.ranks_a_host == 1) {
        config.clocks.resize(static_cast<std::size_t>(job.ranks));  // all exact, and each its own
    }
    std::filesystem::create_directories(folder);
    std::mt19937 chance(5);
    std::vector<char> buffer;
    for (int rank = 0; rank < job.ranks; ++rank) {
        tracegen::StringOutput text;
        tracegen::KinetoWriter writer(config, rank, *simulated.names, text);
        writer.begin();
        writer.write(perturbed(simulated.events[static_cast<std::size_t>(rank % kSimulated)], chance));
        writer.end(tracegen::fileName(rank, false));
        writePacked(folder / ("rank" + std::to_string(rank) + ".pt.trace.json.zst"), text.text(), buffer);
    }
    return static_cast<std::int64_t>(slicesOf(simulated));
}

}  // namespace rankscope::bench
