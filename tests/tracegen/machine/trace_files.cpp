// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/trace_files.h"

#include <algorithm>
#include <memory>

#include "tests/tracegen/kineto_writer.h"
#include "tests/tracegen/machine/fuse.h"
#include "tests/tracegen/machine/step_builder.h"
#include "tests/tracegen/output.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr DurationNs kIntervalNs = 50'000'000;
constexpr std::size_t kIntervals = 600;

tracegen::Config writerConfig(const TrueRun& run, const FileSpec& spec) {
    tracegen::Config config;
    config.ranks = run.config.rankCount();
    config.seed = run.config.seed;
    config.time_grid = spec.grid;
    config.product_shapes = run.config.records_shapes;
    for (int rank = 0; rank < config.ranks; ++rank) {
        config.hosts.push_back(run.config.hostOf(rank));
    }
    if (run.config.job) {
        config.groups = groupsOf(*run.config.job);
    }
    return config;
}

bool isLost(const Event& event, TimeSpan window, const FileSpec& spec) {
    const bool head = spec.lost_head_ns > 0 && event.start_ns < window.start_ns + spec.lost_head_ns;
    const bool tail = spec.lost_tail_ns > 0 && event.start_ns > window.end_ns - spec.lost_tail_ns;
    return onDevice(event.kind) && (head || tail);
}

// A rank's events as its file has them.
std::vector<Event> onFileClock(const TrueRun& run, int rank, const FileSpec& spec) {
    std::vector<Event> events = run.events[static_cast<std::size_t>(rank)];
    const TimeSpan window{run.window_start_ns, run.step_ends.back()};
    std::erase_if(events, [&](const Event& event) { return isLost(event, window, spec); });
    const int host = run.config.hostOf(rank);
    const WanderingClock clock(spec.clocks, run.config.seed, host);
    const DurationNs device_ns = deviceOffset(run, spec.clocks, rank);
    for (Event& event : events) {
        const DurationNs off = onDevice(event.kind) ? device_ns : 0;
        event.start_ns = clock.at(event.start_ns) + off;
        event.end_ns = clock.at(event.end_ns) + off;
    }
    return events;
}

std::vector<SensorSample> sensorsOf(const TrueRun& run, int rank, const FileSpec& spec) {
    const WanderingClock clock(spec.clocks, run.config.seed, run.config.hostOf(rank));
    std::vector<TimeSpan> steps;
    std::vector<double> slowdowns;
    TimeNs start_ns = run.window_start_ns;
    for (const TimeNs end_ns : run.step_ends) {
        slowdowns.push_back(
            run.config.ranks[static_cast<std::size_t>(rank)].device.slowdownIn(static_cast<int>(steps.size())));
        steps.push_back({clock.at(start_ns), clock.at(end_ns)});
        start_ns = end_ns;
    }
    return sensorSamples(steps, slowdowns);
}

void writeRank(const TrueRun& run, const tracegen::Config& config, int rank, const FileSpec& spec, Output& output) {
    KinetoWriter writer(config, rank, *run.names, output);
    writer.begin();
    writer.write(onFileClock(run, rank, spec));
    if (run.config.records_sensors) {
        writer.writeSensors(sensorsOf(run, rank, spec));
    }
    writer.end("./" + fileName(rank, false));
}

}  // namespace

WanderingClock::WanderingClock(const ClockSpec& spec, std::uint64_t seed, int host) {
    Dice dice(seed, {static_cast<std::uint64_t>(Key::Clock), static_cast<std::uint64_t>(host)});
    offset_ns_ = dice.between(-spec.offset_ns, spec.offset_ns);
    std::int64_t drift_ppb = dice.between(-spec.drift_ppb, spec.drift_ppb);
    gained_ns_.push_back(0);
    for (std::size_t i = 0; i < kIntervals; ++i) {
        gained_ns_.push_back(gained_ns_.back() + kIntervalNs * drift_ppb / 1'000'000'000);
        drift_ppb += dice.between(-spec.wander_ppb, spec.wander_ppb);
    }
}

TimeNs WanderingClock::at(TimeNs true_ns) const {
    const std::size_t interval = std::min(static_cast<std::size_t>(true_ns / kIntervalNs), gained_ns_.size() - 2);
    const DurationNs inside = true_ns - static_cast<TimeNs>(interval) * kIntervalNs;
    const DurationNs gain = gained_ns_[interval + 1] - gained_ns_[interval];
    return true_ns + offset_ns_ + gained_ns_[interval] + gain * inside / kIntervalNs;
}

DurationNs deviceOffset(const TrueRun& run, const ClockSpec& spec, int rank) {
    Dice dice = diceOf(run.config, Key::Clock, rank, 1);
    return dice.between(-spec.device_ns, spec.device_ns);
}

std::vector<TraceFile> writeFiles(const TrueRun& run, const FileSpec& spec) {
    const tracegen::Config config = writerConfig(run, spec);
    std::vector<TraceFile> files;
    for (int rank = 0; rank < config.ranks; ++rank) {
        StringOutput output;
        writeRank(run, config, rank, spec, output);
        files.push_back({fileName(rank, false), output.text()});
    }
    return spec.fusion == Fusion::None ? files : std::vector<TraceFile>{fuse(files, spec.fusion)};
}

void writeFiles(const TrueRun& run, const FileSpec& spec, const std::filesystem::path& folder, bool gzip) {
    const tracegen::Config config = writerConfig(run, spec);
    for (int rank = 0; rank < config.ranks; ++rank) {
        const std::unique_ptr<Output> output = openOutput(folder / fileName(rank, gzip));
        writeRank(run, config, rank, spec, *output);
        output->close();
    }
}

}  // namespace rankscope::tracegen::machine
