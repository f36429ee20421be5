// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a job whose work is divided in a grid, from the batch to the optimizer.
#include "tests/tracegen/machine/job_step.h"

#include <algorithm>
#include <array>
#include <string>

#include "tests/tracegen/machine/serving_step.h"
#include "tests/tracegen/machine/training_step.h"
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr std::uint64_t kFirstPlace = 90'000;
enum class Part : std::uint64_t { Start, Input, Messages, Embedding, Output, Gradients, Norm, End };

std::uint64_t placeOf(Part part, int index = 0) {
    constexpr std::uint64_t kApart = 1'000;
    return kFirstPlace + static_cast<std::uint64_t>(part) * kApart + static_cast<std::uint64_t>(index);
}

/// What a stage does beside its layers, where the whole model is on it.
struct End {
    std::string_view operation;
    std::string_view kernel;
    std::string_view node;
    DurationNs ns = 0;
};

End embedding(const JobSpec& job) {
    return {"aten::embedding", kernels::kEmbedding, "EmbeddingBackward0", job.layer_ns / 50};
}
End output(const JobSpec& job) {
    return {"aten::linear", vocabularyOf(Vendor::Cuda, Dialect::Modern).gemm[0], "MmBackward0", job.layer_ns / 4};
}

/// Writes the step of one rank.
class JobStep {
  public:
    JobStep(const Config& config, int rank, int step, StringPool& names, JobCounters& counters)
        : config_(config),
          job_(*config.job),
          rank_(rank),
          step_(step),
          names_(names),
          counters_(counters),
          stage_(machine::placeOf(job_, rank).pipeline),
          factor_(kernelFactorOf(config, rank, step) * stageFactor()) {}

    StepProgram build() {
        StepBuilder b(config_, rank_, step_, names_, factor_);
        if (config_.model.step_marks) {
            const auto mark = b.annotation("ProfilerStep#" + std::to_string(config_.first_step + step_));
            buildMain(b);
        } else {
            buildMain(b);
        }
        b.place(placeOf(Part::End));
        b.work(20'000);
        return {b.take(), std::move(backward_)};
    }

  private:
    [[nodiscard]] double stageFactor() const {
        const auto at = static_cast<std::size_t>(stage_);
        return at < job_.stage_factors.size() ? job_.stage_factors[at] : 1;
    }
    [[nodiscard]] bool hasEnds() const { return job_.pipeline == 1; }
    [[nodiscard]] bool isLoss(const StageAction& action) const {
        return job_.placeOfChunk(stage_, action.chunk) == job_.pipeline * job_.chunks - 1;
    }

    void buildMain(StepBuilder& b) {
        JobBuilder j(b, job_, counters_, state_);
        b.place(placeOf(Part::Start));
        b.work(15'000);
        buildTokens(b);
        {
            const auto zero = b.annotation("Optimizer.zero_grad#AdamW.zero_grad");
            b.work(45'000);
        }
        for (const Slot& slot : slotsOf(job_)) {
            if (const auto& actions = slot.actions[static_cast<std::size_t>(stage_)]; !actions.empty()) {
                std::ranges::for_each(actions, [&j](const StageAction& action) { j.awaitInput(action); });
                runInRange(j, actions);
            }
            passMessages(j, slot);
        }
        b.label({});
        b.place(placeOf(Part::Gradients));
        awaitGradients(j);
        if (job_.clips) {
            clip(j);
        }
        buildOptimizer(b);
    }

    static void buildTokens(StepBuilder& b) {
        b.place(placeOf(Part::Input));
        const auto to = b.operation("aten::to");
        const auto copy = b.operation("aten::copy_");
        b.work(9'000);
        constexpr std::int64_t kBytes = 65'536;
        b.copy("Memcpy HtoD (Pinned -> Device)", kBytes, 23, false);
    }

    void passMessages(JobBuilder& j, const Slot& slot) const {
        std::vector<Message> own;
        for (const Message& message : slot.messages) {
            if (message.from == stage_ || message.to == stage_) {
                own.push_back(message);
            }
        }
        if (!own.empty()) {
            const int index = own.front().micro_batch * job_.chunks + own.front().chunk;
            j.b.place(placeOf(Part::Messages, index * 2 + (own.front().forward ? 1 : 0)));
            j.pass(own);
        }
    }

    // "4F2": a stage of the whole and a micro-batch.
    [[nodiscard]] std::string nameOf(const StageAction& action) const {
        constexpr std::array<std::string_view, 3> kBackward = {"B", "I", "W"};
        return std::to_string(job_.placeOfChunk(stage_, action.chunk)) +
               std::string(action.forward ? "F" : kBackward.at(static_cast<std::size_t>(action.gradient))) +
               std::to_string(action.micro_batch);
    }

    // What PyTorch's own pipelines say of what they run: those of several chunks, or with a split backward, "PP:4F2"
    // and "PP:(0F5;7B1)OVERLAP_F_B"; GPipe the micro-batch alone; one forward one backward nothing.
    [[nodiscard]] std::string rangeOf(const std::vector<StageAction>& actions) const {
        const StageAction& first = actions.front();
        if (job_.framework != Framework::Torchtitan || job_.pipeline == 1) {
            return {};
        }
        if (job_.schedule == Schedule::GPipe) {
            return (first.forward ? "Forward " : "Backward ") + std::to_string(first.micro_batch);
        }
        if (job_.schedule == Schedule::OneForwardOneBackward) {
            return {};
        }
        return actions.size() == 1 ? "PP:" + nameOf(first)
                                   : "PP:(" + nameOf(first) + ";" + nameOf(actions.back()) + ")OVERLAP_F_B";
    }

    void runInRange(JobBuilder& j, const std::vector<StageAction>& actions) {
        const auto run_all = [&] {
            std::ranges::for_each(actions, [&](const StageAction& action) { run(j, action); });
        };
        if (const std::string range = rangeOf(actions); !range.empty()) {
            const auto annotation = j.b.annotation(range);
            run_all();
        } else {
            run_all();
        }
    }

    void run(JobBuilder& j, const StageAction& action) {
        if (action.forward) {
            if (job_.sharing == Sharing::Fsdp1 && job_.sharers() > 1) {
                const auto root = j.b.annotation("FullyShardedDataParallel.forward");
                forward(j, action);
            } else {
                forward(j, action);
            }
            return;
        }
        if (action.gradient == Gradient::Weight && job_.framework == Framework::Megatron) {
            backward(j, action);
            return;
        }
        StepBuilder b(config_, rank_, step_, names_, factor_);
        JobBuilder on_autograd(b, job_, counters_, state_);
        backward(on_autograd, action);
        backward_.push_back(b.take());
        j.b.runBackward(backward_.size() - 1);
    }

    static void label(JobBuilder& j, const StageAction& action, int unit) { j.b.label(labelOf(action, unit)); }

    void forward(JobBuilder& j, const StageAction& action) {
        if (hasEnds()) {
            forwardEnd(j, action, embedding(job_), embeddingUnit(job_));
        }
        for (const ShardUnit& unit : unitsOf(job_, stage_, action.chunk)) {
            label(j, action, unit.id);
            shardBeforeForward(j, unit.id);
            for (const int layer : unit.layers) {
                forwardLayer(j, action, layer);
            }
            shardAfterForward(j, unit.id);
        }
        if (hasEnds()) {
            forwardEnd(j, action, output(job_), outputUnit(job_));
        }
        if (isLoss(action)) {
            const auto loss = j.b.operation("aten::cross_entropy_loss");
            j.b.work(5'000);
            j.b.kernel(kernels::kNllLoss, 9'000);
        }
    }

    void forwardEnd(JobBuilder& j, const StageAction& action, const End& end, int unit) const {
        j.b.place(placeOf(unit == embeddingUnit(job_) ? Part::Embedding : Part::Output, action.micro_batch));
        label(j, action, unit);
        shardBeforeForward(j, unit);
        {
            const auto operation = j.b.operation(end.operation);
            j.b.work(7'000);
            j.b.kernel(end.kernel, end.ns);
        }
        shardAfterForward(j, unit);
    }

    void backward(JobBuilder& j, const StageAction& action) {
        const bool last = action.micro_batch == job_.micro_batches - 1 && action.gradient != Gradient::Input;
        std::vector<ShardUnit> units = unitsOf(job_, stage_, action.chunk);
        if (hasEnds()) {
            units.insert(units.begin(), {embeddingUnit(job_), {}});
            units.push_back({outputUnit(job_), {}});
        }
        for (std::size_t i = units.size(); i-- > 0;) {
            label(j, action, units[i].id);
            shardBeforeBackward(j, units[i].id, i > 0 ? std::optional(units[i - 1].id) : std::nullopt);
            backwardUnit(j, action, units[i]);
            shardAfterBackward(j, units[i].id, last);
            if (last) {
                reduceGradients(j, units[i].id);
            }
        }
        if (last && job_.sharing == Sharing::Fsdp2 && job_.sharers() > 1) {
            const auto root = j.b.annotation("FSDP::root_post_backward_callback");
            awaitGradients(j);
        }
    }

    void backwardUnit(JobBuilder& j, const StageAction& action, const ShardUnit& unit) const {
        if (unit.id == outputUnit(job_)) {
            backwardEnd(j, action, output(job_), unit.id);
        } else if (unit.id == embeddingUnit(job_)) {
            backwardEnd(j, action, embedding(job_), unit.id);
        }
        for (std::size_t i = unit.layers.size(); i-- > 0;) {
            backwardLayer(j, action, unit.layers[i]);
        }
    }

    void backwardEnd(JobBuilder& j, const StageAction& action, const End& end, int unit) const {
        j.b.place(placeOf(unit == embeddingUnit(job_) ? Part::Embedding : Part::Output, 500 + action.micro_batch));
        const auto engine = j.b.operation("autograd::engine::evaluate_function: " + std::string(end.node));
        const auto node = j.b.operation(end.node);
        j.b.work(9'000);
        j.b.kernel(end.kernel, 2 * end.ns);
    }

    // The norm of all gradients of a replica, read back.
    void clip(JobBuilder& j) const {
        j.b.place(placeOf(Part::Norm));
        {
            const auto norm = j.b.operation("aten::_foreach_norm");
            j.b.work(12'000);
            j.b.kernel(kernels::kReduce, 60'000);
        }
        const GroupKind group = hasGroup(job_, GroupKind::Model) ? GroupKind::Model : GroupKind::World;
        JobCollective sum;
        sum.group = group;
        sum.elements = 1;
        sum.type = ElementType::Float;
        if (job_.ranks() > 1) {
            j.await(sum);
        }
        const auto item = j.b.operation("aten::item");
        const auto dense = j.b.operation("aten::_local_scalar_dense");
        j.b.work(4'000);
        j.b.copy("Memcpy DtoH (Device -> Pageable)", 4, 1, true);
    }

    const Config& config_;
    const JobSpec& job_;
    int rank_;
    int step_;
    StringPool& names_;
    JobCounters& counters_;
    int stage_;
    double factor_;
    JobState state_;
    std::vector<Program> backward_;
};

}  // namespace

StepProgram buildJobStep(const Config& config, int rank, int step, StringPool& names, JobCounters& counters) {
    return config.job->serving ? buildServingStep(config, rank, step, names, counters)
                               : JobStep(config, rank, step, names, counters).build();
}

}  // namespace rankscope::tracegen::machine
