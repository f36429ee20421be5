// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recipe.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace rankscope {
namespace {

constexpr std::array<std::string_view, 8> kFrameworks = {"ddp",       "fsdp",       "megatron", "deepspeed",
                                                         "lightning", "accelerate", "vllm",     "nsys"};
constexpr std::array<std::string_view, 4> kQuestions = {"overlap", "memory", "hang", "input"};

template <class Named, std::size_t N>
std::optional<Named> named(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? std::nullopt : std::optional(static_cast<Named>(at - names.begin()));
}

// {active}, {options} and {before} differ by question; {train} by framework.
constexpr std::string_view kTorch = R"(# In the training script. Each rank writes a file into traces/run.
import torch
import torch.distributed as dist
from torch.profiler import ProfilerActivity, profile, schedule, tensorboard_trace_handler

rank = dist.get_rank() if dist.is_initialized() else 0
{before}with profile(
    activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],  # CUDA means ROCm too
    schedule=schedule(wait=10, warmup=3, active={active}, repeat=1),
    on_trace_ready=tensorboard_trace_handler("traces/run", worker_name=f"rank{rank}", use_gzip=True),
{options}) as profiler:
    for batch in loader:
{train}        profiler.step()  # after each step
)";

constexpr std::string_view kLightning = R"(# In the training script.
from lightning.pytorch import Trainer
from lightning.pytorch.profilers import PyTorchProfiler
from torch.profiler import schedule, tensorboard_trace_handler

{before}profiler = PyTorchProfiler(
    schedule=schedule(wait=10, warmup=3, active={active}, repeat=1),
    on_trace_ready=tensorboard_trace_handler("traces/run"),
    export_to_chrome=False,  # the handler writes the files
{options})
trainer = Trainer(profiler=profiler)
)";

constexpr std::string_view kAccelerate = R"(# In the training script.
from accelerate import Accelerator, ProfileKwargs
from torch.profiler import tensorboard_trace_handler

{before}profiling = ProfileKwargs(
    activities=["cpu", "cuda"],
    schedule_option={"wait": 10, "warmup": 3, "active": {active}, "repeat": 1},
    on_trace_ready=tensorboard_trace_handler("traces/run"),
{options})
accelerator = Accelerator(kwargs_handlers=[profiling])
with accelerator.profile() as profiler:
    for batch in loader:
        train_one_step(batch)
        profiler.step()  # after each step
)";

constexpr std::string_view kMegatron = R"(# Options of the training script. --profile-ranks names all ranks of the job.
--profile --use-pytorch-profiler \
--profile-step-start 10 --profile-step-end {end} \
--profile-ranks 0 1 2 3 4 5 6 7 \
--tensorboard-dir traces/run
)";

constexpr std::string_view kVllm =
    R"(# Older versions take the variable VLLM_TORCH_PROFILER_DIR=traces/run in place of --profiler-config.
vllm serve MODEL --profiler-config \
  '{"profiler": "torch", "torch_profiler_dir": "traces/run", {options}}'
# While requests come in:
curl -X POST http://localhost:8000/start_profile
sleep 2
curl -X POST http://localhost:8000/stop_profile
)";

constexpr std::string_view kNsys = R"(# Around the launcher of each host. %q{HOSTNAME} keeps hosts apart.
nsys profile --trace=cuda,nvtx,osrt,cublas {options}--cuda-graph-trace=node \
  --delay=60 --duration=20 --output=traces/run/%q{HOSTNAME} torchrun train.py
# In the training script, to have names of operators:
#   with torch.autograd.profiler.emit_nvtx(record_shapes=True): train()
nsys export --type sqlite traces/run/*.nsys-rep
)";

constexpr std::string_view kHang =
    R"(# Before the job starts. Each rank writes its last calls when a collective times out.
export TORCH_NCCL_TRACE_BUFFER_SIZE=2000         # newer PyTorch: TORCH_FR_BUFFER_SIZE
export TORCH_NCCL_DUMP_ON_TIMEOUT=1
export TORCH_NCCL_DEBUG_INFO_TEMP_FILE=/shared/dumps/rank_   # newer PyTorch: TORCH_FR_DUMP_TEMP_FILE
)";

constexpr std::string_view kHangCosts = R"(
What it costs: memory for 2,000 calls a rank, and nothing that a step shows.
Then:          rankscope-cli hang /shared/dumps
)";

/// What a question adds to a recording.
struct Addition {
    std::string_view torch = {};   ///< keyword arguments of the profiler, a line each
    std::string_view vllm = {};    ///< keys of --profiler-config
    std::string_view nsys = {};    ///< options, with a space behind each
    std::string_view before = {};  ///< lines before the profiler
    std::string_view after = {};   ///< lines after it
    std::string_view costs = {};   ///< of what is added to shapes, a line each
    int steps = 6;                 ///< to record
};

constexpr std::string_view kShapes = "    record_shapes=True,\n";
/// What shapes cost, which every recipe has.
constexpr std::string_view kShapesCost = "record_shapes    a little CPU time for each operator\n";

const Addition& additionFor(std::optional<RecordingQuestion> question) {
    static const Addition always = {.torch = kShapes, .vllm = R"("torch_profiler_record_shapes": true)"};
    static const Addition overlap = {
        .torch = kShapes,
        .vllm = R"("torch_profiler_record_shapes": true)",
        .after =
            "# Before the job starts: rings, paths and sizes of NCCL's calls.\n"
            "export NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL,GRAPH,NET NCCL_DEBUG_FILE=traces/run/nccl.%h.%p.log\n",
        .costs = "NCCL_DEBUG=INFO  a line a call: leave it off in recordings that are to be compared\n"};
    static const Addition memory = {
        .torch = "    record_shapes=True,\n    profile_memory=True,\n",
        .vllm = R"("torch_profiler_record_shapes": true, "torch_profiler_with_memory": true)",
        .nsys = "--cuda-memory-usage=true ",
        .before =
            "import torch\n"
            "torch.cuda.memory._record_memory_history(max_entries=100000)  # before the model is made\n",
        .after =
            "# In the training script, after the steps:\n"
            "rank = torch.distributed.get_rank() if torch.distributed.is_initialized() else 0\n"
            "torch.cuda.memory._dump_snapshot(f\"traces/run/rank{rank}_memory_snapshot.pickle\")\n",
        .costs =
            "profile_memory   CPU time for each allocation, and larger files\n"
            "memory history   CPU time for each allocation: take prices from a recording without it\n"};
    static const Addition input = {
        .torch = "    record_shapes=True,\n    with_stack=True,\n",
        .vllm = R"("torch_profiler_record_shapes": true, "torch_profiler_with_stack": true)",
        .nsys = "--python-backtrace=cuda ",
        .costs =
            "with_stack       Python is slower, so all gaps of the CPU are longer: take prices from a second\n"
            "                 recording without it\n",
        .steps = 12};
    if (!question) {
        return always;
    }
    switch (*question) {
        case RecordingQuestion::Overlap: return overlap;
        case RecordingQuestion::Memory: return memory;
        case RecordingQuestion::Input: return input;
        case RecordingQuestion::Hang: break;
    }
    return always;
}

void replace(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

std::string_view templateOf(Framework framework) {
    switch (framework) {
        case Framework::Megatron: return kMegatron;
        case Framework::Lightning: return kLightning;
        case Framework::Accelerate: return kAccelerate;
        case Framework::Vllm: return kVllm;
        case Framework::Nsys: return kNsys;
        case Framework::Ddp:
        case Framework::Fsdp:
        case Framework::DeepSpeed: break;
    }
    return kTorch;
}

bool isOptionsOnly(Framework framework) {
    return framework == Framework::Megatron || framework == Framework::Vllm || framework == Framework::Nsys;
}

/// What the options of a framework cost, as far as they are ours to choose.
std::string costsOf(Framework framework, const Addition& addition) {
    switch (framework) {
        case Framework::Megatron:
            return "It records shapes and stacks: Python is slower, so gaps of the CPU are longer.\n";
        case Framework::Nsys:
            return "emit_nvtx        CPU time for each operator: compare two recordings of the same kind\n";
        default: return std::string(kShapesCost) + std::string(addition.costs);
    }
}

}  // namespace

std::span<const std::string_view> frameworkNames() {
    return kFrameworks;
}

std::span<const std::string_view> recordingQuestionNames() {
    return kQuestions;
}

std::optional<Framework> frameworkNamed(std::string_view name) {
    return named<Framework>(kFrameworks, name);
}

std::optional<RecordingQuestion> recordingQuestionNamed(std::string_view name) {
    return named<RecordingQuestion>(kQuestions, name);
}

std::string recipeFor(Framework framework, std::optional<RecordingQuestion> question) {
    if (question == RecordingQuestion::Hang) {
        return std::string(kHang) + std::string(kHangCosts);
    }
    const Addition& addition = additionFor(question);
    constexpr int kFirstStep = 10;
    std::string text(templateOf(framework));
    replace(text, "{options}",
            framework == Framework::Vllm   ? addition.vllm
            : framework == Framework::Nsys ? addition.nsys
                                           : addition.torch);
    replace(text, "{active}", std::to_string(addition.steps));
    replace(text, "{end}", std::to_string(kFirstStep + addition.steps));
    replace(text, "{before}", addition.before);
    replace(text, "{train}",
            framework == Framework::DeepSpeed
                ? "        loss = engine(batch)\n        engine.backward(loss)\n        engine.step()\n"
                : "        train_one_step(batch)\n");
    const bool is_shell = addition.after.find("export ") != std::string_view::npos;
    text += is_shell || !isOptionsOnly(framework) ? addition.after : std::string_view();
    std::string costs = costsOf(framework, addition);
    replace(costs, "\n", "\n  ");
    costs.resize(costs.size() - 2);
    return text + "\nWhat it costs:\n  " + costs + "Then: rankscope-cli analyze traces/run\n";
}

}  // namespace rankscope
