// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs whose work is divided in a grid, and what can be wrong with them.
#include "tests/tracegen/machine/job_faults.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace rankscope::tracegen::machine {
namespace {

constexpr int kRanksOfAHost = 8;

void setHosts(Config& config) {
    config.hosts.resize(static_cast<std::size_t>((config.rankCount() + kRanksOfAHost - 1) / kRanksOfAHost));
    const int ranks_a_host = config.rankCount() / static_cast<int>(config.hosts.size());
    for (HostSpec& host : config.hosts) {
        host.cores = 4 * ranks_a_host + config.background.threads;
    }
}

void setJob(Config& config, JobSpec job) {
    config.job = std::move(job);
    config.model.step_marks = true;
    config.model.graphs = false;
    config.habits = {};
    config.steps = std::min(config.steps, 8);
    if (config.job->serving) {
        config.model.step_marks = false;
        config.steps = 30;
    }
    setHosts(config);
}

JobSpec pipelineJob(int pipeline, Schedule schedule, int chunks) {
    JobSpec job;
    job.pipeline = pipeline;
    job.schedule = schedule;
    job.chunks = chunks;
    job.micro_batches = 8;
    job.layers = 2 * pipeline * chunks;
    job.clips = true;
    return job;
}

JobSpec batchedJob() {
    JobSpec job = pipelineJob(4, Schedule::OneForwardOneBackward, 1);
    job.batched = true;
    return job;
}

JobSpec torchPipeline(Schedule schedule, int chunks) {
    JobSpec job = pipelineJob(4, schedule, chunks);
    job.framework = Framework::Torchtitan;
    job.batched = true;
    job.clips = false;
    return job;
}

JobSpec split(JobSpec job, Schedule schedule) {
    job.schedule = schedule;
    job.chunks = isFolded(schedule) ? 2 : 1;
    job.layers = 2 * job.pipeline * job.chunks;
    job.layer_ns = job.layer_ns * 2 / job.chunks;
    return job;
}

JobSpec shardJob(int data, Sharing sharing) {
    JobSpec job;
    job.framework = Framework::Torchtitan;
    job.data = data;
    job.sharing = sharing;
    job.layers = 6;
    job.layer_ns = 3'000'000;
    job.layer_parameters = 40'000'000;
    return job;
}

JobSpec hybridJob(Sharing sharing) {
    JobSpec job = shardJob(4, sharing);
    job.shard = 2;
    return job;
}

JobSpec limitedJob() {
    JobSpec job = shardJob(4, Sharing::Fsdp1);
    job.limit_gathers = true;
    return job;
}

JobSpec tensorJob(int data, int tensor, bool sequence_parallel) {
    JobSpec job;
    job.data = data;
    job.tensor = tensor;
    job.sequence_parallel = sequence_parallel;
    job.micro_batches = 2;
    job.layers = 6;
    job.layer_parameters = 40'000'000;
    job.activations = std::int64_t{4} * 1'048'576;
    return job;
}

JobSpec expertJob(int data, int expert) {
    JobSpec job;
    job.data = data;
    job.expert = expert;
    job.layers = 6;
    job.layer_ns = 3'000'000;
    job.activations = std::int64_t{4} * 1'048'576;
    return job;
}

JobSpec contextJob(Framework framework) {
    JobSpec job = shardJob(4, framework == Framework::Megatron ? Sharing::Replicate : Sharing::Fsdp2);
    job.framework = framework;
    job.context = 2;
    job.activations = std::int64_t{4} * 1'048'576;
    return job;
}

JobSpec gridJob(int data, int pipeline, int tensor) {
    JobSpec job = pipelineJob(pipeline, Schedule::OneForwardOneBackward, 1);
    job.data = data;
    job.tensor = tensor;
    return job;
}

JobSpec shardedGrid() {
    JobSpec job = gridJob(2, 2, 2);
    job.framework = Framework::Torchtitan;
    job.sharing = Sharing::Fsdp2;
    job.sequence_parallel = true;
    job.clips = false;
    return job;
}

JobSpec expertGrid() {
    JobSpec job = gridJob(4, 2, 1);
    job.expert = 2;
    return job;
}

JobSpec servingJob(int data, int tensor, Server server) {
    JobSpec job;
    job.framework = Framework::Torchtitan;
    job.data = data;
    job.tensor = tensor;
    job.layers = 16;
    job.layer_ns = 180'000;
    job.activations = 131'072;
    job.serving = ServingSpec{};
    job.serving->server = server;
    return job;
}

JobSpec largeGrid() {
    JobSpec job = gridJob(8, 16, 8);
    job.micro_batches = 16;
    job.layers = 16;
    job.layer_ns = 4'000'000;
    job.brief = true;
    return job;
}

// ---- the runs that faults are planted in: as many ranks as there are

void fourStages(Config& config, double /*strength*/) {
    JobSpec job = pipelineJob(4, Schedule::OneForwardOneBackward, 1);
    job.data = config.rankCount() / job.pipeline;
    job.brief = true;
    setJob(config, std::move(job));
}

void fourStagesManyBatches(Config& config, double strength) {
    fourStages(config, strength);
    config.job->micro_batches = 16;
    config.job->layer_ns /= 2;
    config.job->activations /= 2;
    config.steps = std::min(config.steps, 6);
}

void fourStagesManyLayers(Config& config, double strength) {
    fourStages(config, strength);
    config.job->layers = 4 * config.job->pipeline;
    config.job->layer_ns /= 2;
}

void shards(Config& config, double /*strength*/) {
    setJob(config, shardJob(config.rankCount(), Sharing::Fsdp2));
}

// Small layers, and so much Python around them that the hosts are not far ahead of their devices.
void shardsNearTheirHosts(Config& config, double strength) {
    constexpr int kMuchPython = 4;
    shards(config, strength);
    config.job->layer_ns /= 3;
    config.job->layer_parameters /= 4;
    for (RankSpec& rank : config.ranks) {
        rank.host_slowdown *= kMuchPython;
    }
}

void experts(Config& config, double /*strength*/) {
    setJob(config, expertJob(config.rankCount(), config.rankCount()));
}

void tensors(Config& config, double /*strength*/) {
    setJob(config, tensorJob(2, config.rankCount() / 2, false));
}

void replicas(Config& config, double /*strength*/) {
    constexpr int kTensor = 2;
    const int pipeline = config.rankCount() >= 8 ? 2 : 1;
    JobSpec job = gridJob(config.rankCount() / kTensor / pipeline, pipeline, kTensor);
    job.layers = 4;
    setJob(config, std::move(job));
}

// ---- the faults

int faultyStage(const Config& config) {
    return static_cast<int>(config.seed % static_cast<std::uint64_t>(config.job->pipeline));
}

int faultyTensorGroup(const Config& config) {
    const int groups = config.rankCount() / config.job->tensor;
    return static_cast<int>(config.seed % static_cast<std::uint64_t>(groups));
}

void slowStage(Config& config, double factor) {
    config.job->stage_factors.assign(static_cast<std::size_t>(config.job->pipeline), 1);
    config.job->stage_factors[static_cast<std::size_t>(faultyStage(config))] = factor;
}

// One stage has layers of the next.
void unevenStages(Config& config, double count) {
    JobSpec& job = *config.job;
    const auto taker = static_cast<std::size_t>(faultyStage(config));
    const auto giver = (taker + 1) % static_cast<std::size_t>(job.pipeline);
    job.stage_layers.assign(static_cast<std::size_t>(job.pipeline), job.layersOfChunk());
    job.stage_layers[taker] += static_cast<int>(count);
    job.stage_layers[giver] -= static_cast<int>(count);
}

// The same batch in fewer pieces.
void fewMicroBatches(Config& config, double count) {
    JobSpec& job = *config.job;
    const double larger = job.micro_batches / count;
    job.layer_ns = std::llround(static_cast<double>(job.layer_ns) * larger);
    job.activations = std::llround(static_cast<double>(job.activations) * larger);
    job.micro_batches = static_cast<int>(count);
}

void largerLayers(Config& config, double millions) {
    shards(config, millions);
    config.job->layer_parameters = std::llround(millions * 1e6);
}

void largeLayers(Config& config, double /*strength*/) {
    constexpr double kMillions = 100;
    largerLayers(config, kMillions);
}

void slowTensorLink(Config& config, double factor) {
    config.job->slow_tensor_group = faultyTensorGroup(config);
    config.job->slow_link = factor;
}

template <class Test>
std::vector<std::int32_t> ranksWhere(const Config& config, const Test& test) {
    std::vector<std::int32_t> ranks;
    for (int rank = 0; rank < config.rankCount(); ++rank) {
        if (test(placeOf(*config.job, rank))) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

std::vector<std::int32_t> ranksOfStage(const Config& config) {
    return ranksWhere(config, [&](const GridPlace& place) { return place.pipeline == faultyStage(config); });
}

std::vector<std::int32_t> hotRanks(const Config& config) {
    return ranksWhere(config, [&](const GridPlace& place) { return place.data % config.job->expert == 0; });
}

std::vector<std::int32_t> ranksOfTensorGroup(const Config& config) {
    std::vector<std::int32_t> ranks;
    for (int member = 0; member < config.job->tensor; ++member) {
        ranks.push_back(faultyTensorGroup(config) * config.job->tensor + member);
    }
    return ranks;
}

Fault expected(Fault fault, std::vector<std::int32_t> (*who)(const Config&) = nullptr) {
    fault.who = who;
    fault.of_job = true;
    return fault;
}

Fault byInterval(Fault fault) {
    fault = expected(std::move(fault));
    fault.by_interval = true;
    return fault;
}

}  // namespace

std::string_view nameOf(Sharing sharing) {
    return sharing == Sharing::Replicate ? "replicate" : sharing == Sharing::Fsdp1 ? "fsdp1" : "fsdp2";
}

std::string_view nameOf(Schedule schedule) {
    switch (schedule) {
        case Schedule::GPipe: return "gpipe";
        case Schedule::OneForwardOneBackward: return "1f1b";
        case Schedule::Interleaved: return "interleaved";
        case Schedule::ZeroBubble: return "zero-bubble";
        case Schedule::ZeroBubbleV: return "zero-bubble-v";
        case Schedule::DualPipeV: return "dualpipe-v";
    }
    return "1f1b";
}

const std::vector<JobPreset>& allJobPresets() {
    static const std::vector<JobPreset> presets = {
        {"fsdp1", "FSDP1 on 4 ranks", 4, shardJob(4, Sharing::Fsdp1)},
        {"fsdp2", "FSDP2 on 4 ranks", 4, shardJob(4, Sharing::Fsdp2)},
        {"tensor", "Megatron's tensor parallelism on 8 ranks", 8, tensorJob(1, 8, false)},
        {"tensor-sequence", "the same with sequence parallelism, in 2 replicas of 4", 8, tensorJob(2, 4, true)},
        {"gpipe", "4 stages, all forwards first", 4, pipelineJob(4, Schedule::GPipe, 1)},
        {"1f1b", "4 stages, one forward, one backward", 4, pipelineJob(4, Schedule::OneForwardOneBackward, 1)},
        {"1f1b-batched", "the same, sent and received in batches", 4, batchedJob()},
        {"interleaved", "4 stages of 2 chunks", 4, pipelineJob(4, Schedule::Interleaved, 2)},
        {"gpipe-torch", "as torch.distributed.pipelining runs it: ranges, and batches", 4,
         torchPipeline(Schedule::GPipe, 1)},
        {"interleaved-torch", "4 stages of 2 chunks, as it runs these", 4, torchPipeline(Schedule::Interleaved, 2)},
        {"zero-bubble", "4 stages of Megatron-LM, gradients of weights apart (ZB-H1)", 4,
         split(pipelineJob(4, Schedule::OneForwardOneBackward, 1), Schedule::ZeroBubble)},
        {"zero-bubble-torch", "the same as torch.distributed.pipelining runs it, with ranges", 4,
         split(torchPipeline(Schedule::OneForwardOneBackward, 1), Schedule::ZeroBubble)},
        {"zero-bubble-v-torch", "its ScheduleZBVZeroBubble: 4 stages of 2 chunks, there and back", 4,
         split(torchPipeline(Schedule::OneForwardOneBackward, 1), Schedule::ZeroBubbleV)},
        {"dualpipe-v-torch", "its ScheduleDualPipeV: 4 stages of 2 chunks, forwards beside backwards", 4,
         split(torchPipeline(Schedule::OneForwardOneBackward, 1), Schedule::DualPipeV)},
        {"hsdp1", "FSDP1 with hybrid shards: 2 replicas of 2 shards", 4, hybridJob(Sharing::Fsdp1)},
        {"hsdp2", "FSDP2 with the same", 4, hybridJob(Sharing::Fsdp2)},
        {"fsdp1-limited", "FSDP1 on 4 ranks with limit_all_gathers", 4, limitedJob()},
        {"context", "Megatron-LM's context parallelism in rings of 2, in 2 replicas", 4,
         contextJob(Framework::Megatron)},
        {"context-torch", "torchtitan's, by gathers of keys and values, with FSDP2 over all 4", 4,
         contextJob(Framework::Torchtitan)},
        {"experts", "experts on 4 ranks", 4, expertJob(4, 4)},
        {"grid", "2 x 2 x 2: data, pipeline, tensor", 8, gridJob(2, 2, 2)},
        {"grid-fsdp2", "the same of torchtitan, data sharded", 8, shardedGrid()},
        {"grid-experts", "4 x 2: data with 2 experts each, pipeline", 8, expertGrid()},
        {"scale", "8 x 16 x 8: 1,024 ranks with few slices each", 1024, largeGrid()},
        {"serving", "vLLM serves with 4 ranks of tensor parallelism: prompts, and decodes as CUDA graphs", 4,
         servingJob(1, 4, Server::Vllm)},
        {"serving-sglang", "the same with sglang's ranges", 4, servingJob(1, 4, Server::Sglang)},
    };
    return presets;
}

Config jobConfig(std::string_view preset, std::uint64_t seed) {
    const auto found = std::ranges::find(allJobPresets(), preset, &JobPreset::name);
    if (found == allJobPresets().end()) {
        throw std::invalid_argument("no job is called '" + std::string(preset) + "'");
    }
    Config config = healthyConfig(seed, found->ranks);
    setJob(config, found->job);
    if (found->job.brief) {
        config.steps = 2;
        config.warmup_steps = 1;
        config.background.threads = 1;
    }
    return config;
}

void resizeJob(Config& config, int ranks) {
    config.ranks.resize(static_cast<std::size_t>(ranks), config.ranks.front());
    setHosts(config);
}

std::vector<Fault> jobFaults() {
    return {
        expected({"slow-stage",
                  "the layers of one stage take longer",
                  {"stage-imbalance"},
                  Hits::Named,
                  {1.1, 1.25, 1.5},
                  4,
                  fourStages,
                  slowStage},
                 ranksOfStage),
        byInterval({"few-micro-batches",
                    "the batch is split into fewer than 16 micro-batches, each larger",
                    {"pipeline-bubble"},
                    Hits::AllRanks,
                    {8, 4, 2},
                    4,
                    fourStagesManyBatches,
                    fewMicroBatches}),
        expected({"late-gathers",
                  "FSDP2: one rank's CPU is slow, and its all-gathers are late",
                  {"shard-gather-late", "straggler-rank", "launch-bound"},
                  Hits::OneRank,
                  {2.4, 3.5, 6},
                  4,
                  shardsNearTheirHosts,
                  [](Config& config, double factor) {
                      config.ranks[static_cast<std::size_t>(faultyRank(config))].host_slowdown *= factor;
                  }}),
        expected({"no-prefetch",
                  "FSDP2: each all-gather waits for the computation before it",
                  {"shard-gather-late", "exposed-communication"},
                  Hits::AllRanks,
                  {40, 80, 120},
                  4,
                  largerLayers,
                  [](Config& config, double) { config.job->prefetch = false; }}),
        expected({"hot-expert",
                  "one expert gets more tokens than the others",
                  {"expert-imbalance", "straggler-rank"},
                  Hits::Named,
                  {1.3, 1.7, 2.2},
                  4,
                  experts,
                  [](Config& config, double factor) { config.job->hot_expert = factor; }},
                 hotRanks),
        expected({"slow-tensor-link",
                  "the links of one tensor group are slow",
                  {"slow-collective"},
                  Hits::Named,
                  {2, 4, 8},
                  4,
                  tensors,
                  slowTensorLink},
                 ranksOfTensorGroup),
        expected({"slow-replica",
                  "one GPU of one replica is slower, in a grid",
                  {"straggler-rank"},
                  Hits::OneRank,
                  {1.1, 1.25, 1.5},
                  4,
                  replicas,
                  [](Config& config, double factor) {
                      config.ranks[static_cast<std::size_t>(faultyRank(config))].device.slowdown = factor;
                  }}),
        expected({"uneven-stages",
                  "one stage has layers of the next",
                  {"stage-imbalance"},
                  Hits::Named,
                  {1, 2, 3},
                  4,
                  fourStagesManyLayers,
                  unevenStages},
                 ranksOfStage),
        expected({"large-units",
                  "FSDP2: several layers are one unit, and nothing hides its all-gather",
                  {"shard-gather-late", "exposed-communication"},
                  Hits::AllRanks,
                  {2, 3, 6},
                  4,
                  largeLayers,
                  [](Config& config, double layers) { config.job->unit_layers = static_cast<int>(layers); }}),
    };
}

PlantedFault parsePlanted(std::string_view text) {
    const std::string_view name = text.substr(0, text.find(':'));
    const std::vector<Fault>& all = allFaults();
    const auto found = std::ranges::find(all, name, &Fault::name);
    if (found == all.end() || !found->of_job) {
        throw std::invalid_argument("no fault of jobs is called '" + std::string(name) + "'");
    }
    PlantedFault planted{&*found, found->strengths.at(1)};
    if (name.size() < text.size()) {
        const std::string_view number = text.substr(name.size() + 1);
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), planted.strength);
        if (error != std::errc() || end != number.data() + number.size()) {
            throw std::invalid_argument("'" + std::string(number) + "' is no strength");
        }
    }
    return planted;
}

std::vector<std::uint32_t> faultyGroups(const Fault& fault, const Config& config) {
    if (fault.name != "slow-tensor-link") {
        return {};
    }
    return {groupOf(*config.job, GroupKind::Tensor, faultyTensorGroup(config) * config.job->tensor)};
}

}  // namespace rankscope::tracegen::machine
