// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/corpus/corpus.h"

#include <nlohmann/json.hpp>

#include "tests/tracegen/output.h"
#include "tests/tracegen/simulate.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::corpus {
namespace {

using tracegen::Config;
using tracegen::Dialect;
using tracegen::TimeGrid;
using tracegen::Vendor;

Config smallRun(Vendor vendor, Dialect dialect) {
    Config config;
    config.ranks = 2;
    config.steps = 4;
    config.layers = 5;
    config.warmup_steps = 4;
    config.vendor = vendor;
    config.dialect = dialect;
    return config;
}

Config withGrid(TimeGrid grid) {
    Config config = smallRun(Vendor::Cuda, Dialect::Modern);
    config.time_grid = grid;
    return config;
}

Config withFault(const char* fault, int ranks) {
    Config config = smallRun(Vendor::Cuda, Dialect::Modern);
    config.ranks = ranks;
    config.faults = {tracegen::parseFault(fault)};
    return config;
}

Config cpuOnly() {
    Config config = smallRun(Vendor::Cuda, Dialect::Modern);
    config.cpu_only = true;
    return config;
}

Config withAllRecorded() {
    Config config = smallRun(Vendor::Cuda, Dialect::Modern);
    config.with_stack = true;
    config.profile_memory = true;
    config.broadcast_buffers = true;
    config.scaled_parameters = 2;
    return config;
}

Config clocksApart() {
    Config config = smallRun(Vendor::Cuda, Dialect::Modern);
    config.ranks = 3;
    config.clocks = {{0, 0}, {2'000'000, 5}, {-750'000, -8}};
    return config;
}

std::string laidOut(const std::string& text, Layout layout) {
    if (layout == Layout::AsKineto) {
        return text;
    }
    return nlohmann::ordered_json::parse(text).dump(layout == Layout::Indented ? 4 : -1) + "\n";
}

}  // namespace

std::vector<Member> members() {
    return {
        {"modern_cuda", smallRun(Vendor::Cuda, Dialect::Modern)},
        {"old_cuda", smallRun(Vendor::Cuda, Dialect::Old)},
        {"modern_rocm", smallRun(Vendor::Rocm, Dialect::Modern)},
        {"old_rocm", smallRun(Vendor::Rocm, Dialect::Old)},
        {"cpu_only", cpuOnly()},
        {"minified", smallRun(Vendor::Cuda, Dialect::Modern), Layout::Minified},
        {"indented", smallRun(Vendor::Cuda, Dialect::Modern), Layout::Indented},
        {"whole_microseconds", withGrid(TimeGrid::Microseconds)},
        {"through_a_double", withGrid(TimeGrid::Double)},
        {"through_a_double_minified", withGrid(TimeGrid::Double), Layout::Minified},
        {"all_recorded", withAllRecorded()},
        {"clocks_apart", clocksApart()},
        {"no_workers", withFault("dataloader", 1)},
        {"slow_rank", withFault("slow-kernels:ranks=2", 4)},
        {"host_sync", withFault("host-sync", 2)},
    };
}

void writeCorpus(const std::filesystem::path& folder) {
    for (const Member& member : members()) {
        std::filesystem::create_directories(folder / member.name);
        const tracegen::RunResult result = tracegen::simulate(member.config);
        for (int rank = 0; rank < member.config.ranks; ++rank) {
            const auto file = tracegen::openOutput(folder / member.name / tracegen::fileName(rank, true));
            file->write(laidOut(tracegen::kinetoText(result, rank), member.layout));
            file->close();
        }
    }
}

}  // namespace rankscope::corpus
