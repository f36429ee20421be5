// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/job_command.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/job_truth.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::tracegen {
namespace {

struct Options {
    std::string preset;
    std::string fault;
    std::string out;
    std::uint64_t seed = 1;
    std::optional<int> steps;
    std::optional<int> micro_batches;
    std::optional<int> layers;
    std::vector<int> grid;
    bool brief = false;
    bool plain = false;
};

// Without a preset the job that the fault matters in, or a grid.
machine::Config startOf(const Options& o) {
    if (o.preset.empty() && !o.fault.empty()) {
        const machine::PlantedFault planted = machine::parsePlanted(o.fault);
        machine::Config config = machine::healthyConfig(o.seed, planted.fault->least_ranks);
        planted.fault->prepare(config, planted.strength);
        return config;
    }
    return machine::jobConfig(o.preset.empty() ? "grid" : o.preset, o.seed);
}

machine::Config configOf(const Options& o) {
    machine::Config config = startOf(o);
    machine::JobSpec job = *config.job;
    if (o.grid.size() == 3) {
        job.data = o.grid[0];
        job.pipeline = o.grid[1];
        job.tensor = o.grid[2];
        job.expert = job.expert > 1 ? job.data : 1;
        job.layers = job.pipeline * job.chunks * std::max(1, job.layers / (job.pipeline * job.chunks));
    }
    job.micro_batches = o.micro_batches.value_or(job.micro_batches);
    job.layers = o.layers.value_or(job.layers);
    job.brief = job.brief || o.brief;
    if (job.ranks() != config.rankCount()) {
        machine::resizeJob(config, job.ranks());
    }
    config.job = job;
    config.steps = o.steps.value_or(config.steps);
    return config;
}

void writeJob(const Options& o) {
    machine::Config config = configOf(o);
    std::optional<machine::PlantedFault> fault;
    std::optional<machine::TrueRun> without;
    if (!o.fault.empty()) {
        fault = machine::parsePlanted(o.fault);
        without = machine::simulate(config);
        fault->fault->plant(config, fault->strength);
    }
    const machine::TrueRun run = machine::simulate(config);
    const std::filesystem::path folder = o.out;
    std::filesystem::create_directories(folder);
    machine::writeFiles(run, {}, folder, !o.plain);
    const std::filesystem::path named = folder.has_filename() ? folder : folder.parent_path();
    const std::string truth_file = named.string() + ".truth.json";
    std::ofstream truth(truth_file);
    truth << truthOf(run, {}, fault ? &*fault : nullptr, without ? &*without : nullptr).dump(1) << '\n';
    if (!truth.flush()) {
        throw std::runtime_error("cannot write " + truth_file);
    }
}

std::string footer() {
    std::string text = "Jobs:\n";
    for (const machine::JobPreset& preset : machine::allJobPresets()) {
        text += "  " + std::string(preset.name) + ": " + std::string(preset.what) + "\n";
    }
    text += "Faults:\n";
    for (const machine::Fault& fault : machine::allFaults()) {
        if (fault.of_job) {
            text += "  " + std::string(fault.name) + " (" + std::string(fault.findings.front()) +
                    "): " + std::string(fault.what) + "\n";
        }
    }
    return text;
}

}  // namespace

void addJobCommand(CLI::App& app) {
    CLI::App* job = app.add_subcommand("job", "A job whose work is divided: data, pipeline, tensor, experts");
    const auto options = std::make_shared<Options>();
    job->add_option("--preset", options->preset,
                    "One of the jobs below; else the one that the fault matters in, or grid");
    job->add_option("--fault", options->fault, "One of the faults below, or NAME:STRENGTH");
    job->add_option("--out", options->out, "Folder for all ranks, with FOLDER.truth.json beside it")->required();
    job->add_option("--seed", options->seed, "Of all chance")->capture_default_str();
    job->add_option("--steps", options->steps, "Recorded steps");
    job->add_option("--grid", options->grid, "data,pipeline,tensor")->delimiter(',')->expected(3);
    job->add_option("--micro-batches", options->micro_batches, "Of a step");
    job->add_option("--layers", options->layers, "Of the whole model");
    job->add_flag("--brief", options->brief, "Few, large kernels");
    job->add_flag("--plain", options->plain, "Write .json, not .json.gz");
    job->footer(footer());
    job->callback([options] { writeJob(*options); });
}

}  // namespace rankscope::tracegen
