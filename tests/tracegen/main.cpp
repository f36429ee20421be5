// SPDX-License-Identifier: GPL-3.0-or-later
// tracegen: writes the traces of a simulated training run, and the truth about them.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>

#include "tests/tracegen/config_json.h"
#include "tests/tracegen/job_command.h"
#include "tests/tracegen/write_run.h"

namespace {

using rankscope::tracegen::Config;

struct Options {
    std::string config_file;
    std::string out;
    std::optional<int> ranks;
    std::optional<int> steps;
    std::optional<std::uint64_t> seed;
    std::optional<int> layers;
    std::optional<int> workers;
    std::optional<double> kernel_scale;
    std::string vendor;
    std::string dialect;
    std::string time_grid;
    bool cpu_only = false;
    std::vector<std::string> faults;
    std::vector<std::int64_t> clock_offsets_ns;
    std::vector<double> drifts_ppm;
    bool with_stack = false;
    bool unpinned = false;
    bool plain = false;
    int rank = 0;
};

void describe(CLI::App& app, Options& o) {
    app.add_option("--out", o.out,
                   "Folder for all ranks, with FOLDER.truth.json beside it; or - or a file, for one rank");
    app.add_option("--config", o.config_file, "JSON file; the options below change it");
    app.add_option("--ranks", o.ranks, "1 to 64");
    app.add_option("--steps", o.steps, "Recorded steps");
    app.add_option("--seed", o.seed, "Of all chance");
    app.add_option("--layers", o.layers, "Of the model");
    app.add_option("--workers", o.workers, "num_workers of the DataLoader");
    app.add_option("--kernel-scale", o.kernel_scale, "Factor of all kernel times");
    app.add_option("--vendor", o.vendor, "cuda or rocm");
    app.add_option("--dialect", o.dialect, "modern or old");
    app.add_option("--time-grid", o.time_grid, "dialect, microseconds, or double (250 ns)");
    app.add_flag("--cpu-only", o.cpu_only, "Leave out what the device did");
    app.add_option("--fault", o.faults, "NAME[:ranks=0+2,first=1,last=4,amount=1.5,count=8], may be repeated");
    app.add_option("--clock-offset-ns", o.clock_offsets_ns, "One a rank")->delimiter(',');
    app.add_option("--clock-drift-ppm", o.drifts_ppm, "One a rank")->delimiter(',');
    app.add_flag("--with-stack", o.with_stack, "Record Python frames");
    app.add_flag("--unpinned", o.unpinned, "pin_memory=False in all runs: not a fault with a price");
    app.add_flag("--plain", o.plain, "Write .json, not .json.gz");
    app.add_option("--rank", o.rank, "Which rank, for one file");
    std::string faults = "Faults:\n";
    for (const auto& t : rankscope::tracegen::allFaultTraits()) {
        faults += "  " + std::string(t.name) + " (" + std::string(t.finding) + ")\n";
    }
    app.footer(faults);
}

Config configOf(const Options& o) {
    Config config;
    if (!o.config_file.empty()) {
        std::ifstream file(o.config_file);
        config = rankscope::tracegen::configFromJson(nlohmann::json::parse(file));
    }
    config.ranks = o.ranks.value_or(config.ranks);
    config.steps = o.steps.value_or(config.steps);
    config.seed = o.seed.value_or(config.seed);
    config.layers = o.layers.value_or(config.layers);
    config.loader.workers = o.workers.value_or(config.loader.workers);
    config.kernel_scale = o.kernel_scale.value_or(config.kernel_scale);
    if (!o.vendor.empty()) {
        config.vendor = rankscope::tracegen::vendorFromName(o.vendor);
    }
    if (!o.dialect.empty()) {
        config.dialect = rankscope::tracegen::dialectFromName(o.dialect);
    }
    if (!o.time_grid.empty()) {
        config.time_grid = rankscope::tracegen::timeGridFromName(o.time_grid);
    }
    config.cpu_only = config.cpu_only || o.cpu_only;
    for (const std::string& fault : o.faults) {
        config.faults.push_back(rankscope::tracegen::parseFault(fault));
    }
    config.clocks.resize(std::max({config.clocks.size(), o.clock_offsets_ns.size(), o.drifts_ppm.size()}));
    for (std::size_t i = 0; i < o.clock_offsets_ns.size(); ++i) {
        config.clocks[i].offset_ns = o.clock_offsets_ns[i];
    }
    for (std::size_t i = 0; i < o.drifts_ppm.size(); ++i) {
        config.clocks[i].drift_ppm = o.drifts_ppm[i];
    }
    config.with_stack = config.with_stack || o.with_stack;
    config.loader.pinned = config.loader.pinned && !o.unpinned;
    return config;
}

bool isFile(const std::string& out) {
    return out == "-" || out.ends_with(".json") || out.ends_with(".gz");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        CLI::App app{"Writes Kineto traces of a simulated DDP training run with planted faults"};
        Options options;
        describe(app, options);
        rankscope::tracegen::addJobCommand(app);
        CLI11_PARSE(app, argc, argv);
        if (!app.get_subcommands().empty()) {
            return 0;  // it has done its work
        }
        if (options.out.empty()) {
            throw std::invalid_argument("--out is required");
        }
        const Config config = configOf(options);
        rankscope::tracegen::validate(config);
        if (isFile(options.out)) {
            rankscope::tracegen::writeRank(config, options.rank, options.out);
        } else {
            rankscope::tracegen::writeRun(config, options.out, !options.plain);
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracegen: %s\n", error.what());
        return 2;
    }
}
