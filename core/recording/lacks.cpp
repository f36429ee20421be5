// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/lacks.h"

#include <algorithm>
#include <utility>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/diagnosis/frame/advice.h"

namespace rankscope {
namespace {

/// What the traces of a run contain.
struct Recorded {
    std::size_t device_ranks = 0;  ///< ranks with work of a device
    std::size_t operators = 0;
    std::size_t python = 0;
    std::size_t shapes = 0;       ///< products of matrices with shapes
    std::size_t collectives = 0;  ///< kernels with the args of a collective
    std::size_t sized = 0;        ///< of these, with their size
    std::size_t memory = 0;
    std::size_t sensors = 0;
};

Recorded recordedIn(const Run& run) {
    Recorded recorded;
    for (const auto& rank : run.ranks) {
        recorded.device_ranks += rank->hasDeviceWork() ? 1U : 0U;
        recorded.memory += rank->memory.size();
        recorded.sensors += rank->sensors.size();
        for (const Track& track : rank->tracks) {
            for (const Category category : track.slices.category) {
                recorded.operators += category == Category::CpuOp ? 1U : 0U;
                recorded.python += category == Category::PythonFunction ? 1U : 0U;
            }
            recorded.shapes += track.inputs.size();
            recorded.collectives += track.collectives.size();
            recorded.sized += static_cast<std::size_t>(std::ranges::count_if(
                track.collectives.value, [](const CollectiveArgs& args) { return args.in_elements > 0; }));
        }
    }
    return recorded;
}

Answerable answered(std::string question, std::string because) {
    return {std::move(question), true, std::move(because), {}};
}

Answerable lacking(std::string question, std::string because, std::string add) {
    return {std::move(question), false, std::move(because), std::move(add)};
}

Answerable whereTimeGoes(const Run& run, const Recorded& recorded) {
    const std::string question = "Where does the time of a step go?";
    if (recorded.device_ranks < run.ranks.size()) {
        const std::size_t without = run.ranks.size() - recorded.device_ranks;
        return lacking(question, formatCounted(without, "rank") + (without == 1 ? " has" : " have") + " no GPU work",
                       "ProfilerActivity.CUDA in activities (it means ROCm too)");
    }
    if (recorded.operators == 0) {
        return lacking(question, "no CPU activity: causes of idle time are unknown",
                       "ProfilerActivity.CPU in activities");
    }
    return answered(question, "CPU and GPU of " + formatCounted(run.ranks.size(), "rank"));
}

Answerable howFarStepsVary(const RunFacts& facts) {
    constexpr std::size_t kEnough = 4;
    const std::string question = "How much do steps vary?";
    const auto complete =
        static_cast<std::size_t>(std::ranges::count_if(facts.steps, [](const RunStep& step) { return step.complete; }));
    if (complete < kEnough) {
        return lacking(question, formatCounted(complete, "complete step"),
                       "schedule(wait=10, warmup=3, active=6), with profiler.step() after each step");
    }
    return answered(question, formatCounted(complete, "complete step"));
}

Answerable whoIsLate(const Run& run) {
    const std::string question = "Which rank is late?";
    if (run.missing() > 0) {
        const std::size_t all = run.missing() + run.ranks.size();
        return lacking(question,
                       formatCount(run.missing()) + " of " + formatCounted(all, "rank") +
                           (run.missing() == 1 ? " is" : " are") + " not here",
                       "the files of all ranks, of the same steps, in one folder");
    }
    return run.ranks.size() == 1 ? answered(question, "one rank: nobody waits for it")
                                 : answered(question, "all " + formatCounted(run.ranks.size(), "rank"));
}

Answerable howFastTransfersAre(const Recorded& recorded, bool is_nsight) {
    const std::string question = "How fast are transfers?";
    if (recorded.collectives == 0 && !is_nsight) {
        return answered(question, "no collective was recorded");
    }
    if (recorded.sized < recorded.collectives || recorded.collectives == 0) {
        return lacking(question,
                       formatCount(recorded.collectives - recorded.sized) + " of " +
                           formatCounted(recorded.collectives, "collective") + " have no size",
                       is_nsight ? "NVTX of NCCL: nsys profile --trace=cuda,nvtx"
                                 : "record_shapes=True; a log with NCCL_DEBUG=INFO beside the traces");
    }
    return answered(question, formatCounted(recorded.collectives, "collective") + " with their sizes");
}

Answerable answerBy(std::size_t count, std::string question, const std::string& there, std::string none,
                    std::string add) {
    return count > 0 ? answered(std::move(question), formatCounted(count, there))
                     : lacking(std::move(question), std::move(none), std::move(add));
}

}  // namespace

std::vector<Answerable> answersOf(const AnalysedRun& run) {
    const Recorded recorded = recordedIn(*run.run);
    const bool is_nsight = recorderOf(*run.run) == Recorder::NsightSystems;
    return {whereTimeGoes(*run.run, recorded),
            howFarStepsVary(run.facts),
            whoIsLate(*run.run),
            howFastTransfersAre(recorded, is_nsight),
            answerBy(recorded.shapes, "How well is the GPU used?", "matrix product", "no shapes of matrix products",
                     is_nsight ? "torch.autograd.profiler.emit_nvtx(record_shapes=True)" : "record_shapes=True"),
            answerBy(recorded.python, "Which line of Python is slow?", "Python call", "no stacks",
                     is_nsight ? "ranges of NVTX around parts of the step"
                               : "with_stack=True, in a second recording: it slows Python down"),
            answerBy(recorded.memory, "What is memory used for?", "memory event", "no memory events",
                     "profile_memory=True"),
            answerBy(recorded.sensors, "Is a GPU throttled?", "sensor reading",
                     "no readings of clock, power or temperature",
                     is_nsight ? "nsys profile --gpu-metrics-devices=all" : "counters of a monitor in the trace")};
}

std::string answersText(const AnalysedRun& run) {
    std::string missing;
    std::string there;
    for (const Answerable& one : answersOf(run)) {
        if (one.is_answered) {
            there += "  " + one.question + "  " + printable(one.because) + "\n";
        } else {
            missing += "  " + one.question + "  " + printable(one.because) + "\n    add: " + one.add + "\n";
        }
    }
    std::string out = printable(run.run->name) + "\n";
    out += missing.empty() ? "Nothing is missing.\n" : "Cannot be answered:\n" + missing;
    return out + (there.empty() ? "" : "Can be answered:\n" + there);
}

}  // namespace rankscope
