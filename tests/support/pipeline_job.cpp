// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pipeline_job.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>

#include "tests/support/model_builder.h"

namespace rankscope::test {
namespace {

struct PlannedPass {
    std::string name;
    int stage = 0;
    char letter = 'F';
    int micro_batch = 0;
    double start_us = -1;
    double end_us = -1;
};

std::vector<PlannedPass> passesOf(const std::string& order) {
    std::vector<PlannedPass> passes;
    std::istringstream words(order);
    for (std::string word; words >> word;) {
        PlannedPass pass;
        pass.name = word;
        std::istringstream parts(word);
        parts >> pass.stage >> pass.letter >> pass.micro_batch;
        passes.push_back(pass);
    }
    return passes;
}

const StageLengths& lengthsOf(const PipelineJob& job, int stage) {
    return job.stages[std::min(static_cast<std::size_t>(stage), job.stages.size() - 1)];
}

double lengthOf(const PipelineJob& job, const PlannedPass& pass) {
    const StageLengths& lengths = lengthsOf(job, pass.stage);
    return pass.letter == 'F' ? lengths.forward_us : pass.letter == 'W' ? lengths.weight_us : lengths.backward_us;
}

using Plan = std::vector<std::vector<PlannedPass>>;

/// When the input of a pass is there; below zero while that is not known.
double inputAt(const PipelineJob& job, const Plan& plan, std::size_t rank, const PlannedPass& pass) {
    const int step = pass.letter == 'F' ? -1 : pass.letter == 'W' ? 0 : 1;
    for (std::size_t other = 0; other < plan.size(); ++other) {
        for (const PlannedPass& before : plan[other]) {
            const bool same_way =
                pass.letter == 'F' ? before.letter == 'F' : before.letter != 'F' && before.letter != 'W';
            if (same_way && before.stage == pass.stage + step && before.micro_batch == pass.micro_batch) {
                return before.end_us < 0 ? -1 : before.end_us + (other == rank ? 0 : job.hand_over_us);
            }
        }
    }
    return 0;  // the first stage, and the last one's backward, which follows its forward
}

Plan planned(const PipelineJob& job) {
    Plan plan;
    for (const std::string& order : job.orders) {
        plan.push_back(passesOf(order));
    }
    bool any = true;
    while (any) {
        any = false;
        for (std::size_t rank = 0; rank < plan.size(); ++rank) {
            double free_us = 0;
            for (PlannedPass& pass : plan[rank]) {
                const double input_us = inputAt(job, plan, rank, pass);
                if (pass.end_us < 0 && input_us >= 0) {
                    pass.start_us = std::max(free_us, input_us);
                    pass.end_us = pass.start_us + lengthOf(job, pass);
                    any = true;
                }
                if (pass.end_us < 0) {
                    break;
                }
                free_us = pass.end_us;
            }
        }
    }
    return plan;
}

double endOf(const Plan& plan) {
    double end_us = 0;
    for (const auto& rank : plan) {
        end_us = std::max(end_us, rank.back().end_us);
    }
    return end_us;
}

/// Writes the passes of one rank: its host calls each while the one before it runs.
class RankWriter {
  public:
    RankWriter(const PipelineJob& job, const ProcessGroup& group, int rank)
        : job_(job),
          group_(group),
          main_(model_.thread("main")),
          autograd_(model_.thread("autograd")),
          compute_(model_.stream("7")),
          comm_(model_.stream("20")),
          norm_(job.norm_with > 0 ? model_.stream("24") : 0),
          kernels_(job.kernels + (job.more_kernels.empty() ? 0 : job.more_kernels[static_cast<std::size_t>(rank)])),
          layers_(job.layers.empty() ? 0 : job.layers[static_cast<std::size_t>(rank)]) {
        model_.rank(rank, static_cast<std::int32_t>(job.orders.size()) + job.norm_with);
        if (job.norm_with > 0) {
            all_.name = job.norm_apart ? "2" : "0";
            all_.description = job.norm_apart ? "mesh_dp_replicate" : "default_pg";
            all_.size = group.size + job.norm_with;
            for (int member = 0; member < all_.size; ++member) {
                if (!job.norm_apart || member == rank || member == rank + group.size) {
                    all_.ranks.emplace_back(member);
                }
            }
            all_.size = static_cast<std::int32_t>(all_.ranks.size());
            model_.group(all_);
        }
        TraceFile file;
        file.path = "rank" + std::to_string(rank) + ".pt.trace.json";
        model_.file(std::move(file));
        model_.group(group);
    }

    void step(int number, double at_us, const std::vector<PlannedPass>& passes, double length_us) {
        model_.step(main_, number, at_us, length_us + 2 * kEdgeUs);
        double call_us = at_us + 1;
        for (const PlannedPass& pass : passes) {
            add(pass, at_us + kEdgeUs, call_us);
            call_us = at_us + kEdgeUs + pass.start_us + 1;
        }
        if (job_.norm_with > 0) {
            const double end_us = at_us + kEdgeUs + (passes.empty() ? 0 : passes.back().end_us);
            const auto norm = model_.kernel(main_, call_us + 46, 1, norm_, "ncclDevKernel_AllReduce", end_us,
                                            at_us + kEdgeUs + length_us + 5 - end_us);
            model_.collective(norm, "allreduce", 1, all_);
        }
        for (int k = 0; job_.clips && k < job_.kernels; ++k) {
            model_.kernel(main_, call_us + 50 + 4 * k, 1, compute_, "multi_tensor_apply_kernel",
                          at_us + kEdgeUs + length_us + 10 + 2 * k, 1);
        }
    }

    std::shared_ptr<const RankTrace> build() { return model_.build(); }

    static constexpr double kEdgeUs = 100;

  private:
    void add(const PlannedPass& pass, double base_us, double call_us) {
        const double start_us = base_us + pass.start_us;
        exchange("recv", call_us, start_us - call_us - 2);
        if (job_.named) {
            model_.slice(main_, Category::UserAnnotation, "PP:" + pass.name, call_us + 4, 30);
        }
        const bool forward = pass.letter == 'F';
        if (forward && layers_ > 0) {
            model_.python(main_, "nn.Module: Model_0", call_us + 4.5, 29);
        }
        for (int layer = 0; forward && layer < layers_; ++layer) {
            const double at_us = call_us + 20 + layer;
            model_.python(main_, "nn.Module: Layer_" + std::to_string(layer), at_us, 0.9);
            model_.python(main_, "nn.Module: Linear_" + std::to_string(2 * layer), at_us + 0.1, 0.2);
            model_.python(main_, "nn.Module: Linear_" + std::to_string(2 * layer + 1), at_us + 0.4, 0.2);
        }
        const double piece_us = (pass.end_us - pass.start_us) / kernels_;
        for (int k = 0; k < kernels_; ++k) {
            const double at_us = call_us + 5 + 4 * k;
            const std::uint32_t thread = forward ? main_ : autograd_;
            model_.op(thread, forward ? "aten::mm" : "autograd::engine::evaluate_function: MmBackward0", at_us, 3);
            model_.kernel(thread, at_us + 1, 1, compute_, "gemm", start_us + k * piece_us, piece_us);
        }
        exchange("send", call_us + 36, 1);
    }

    void exchange(const char* name, double call_us, double length_us) {
        const auto kernel =
            model_.kernel(main_, call_us, 1, comm_, "ncclDevKernel_SendRecv", call_us + 1, std::max(0.5, length_us));
        if (!job_.bare) {
            model_.collective(kernel, name, 1000, group_);
        }
    }

    const PipelineJob& job_;
    const ProcessGroup& group_;
    ModelBuilder model_;
    std::uint32_t main_;
    std::uint32_t autograd_;
    std::uint32_t compute_;
    std::uint32_t comm_;
    std::uint32_t norm_;
    ProcessGroup all_;  // of those that wait for one another behind the last pass
    int kernels_;
    int layers_;
};

}  // namespace

PlannedStep planOf(const PipelineJob& job) {
    const Plan plan = planned(job);
    PlannedStep step;
    step.window_ns = std::llround(endOf(plan) * 1000);
    for (const auto& rank : plan) {
        double busy_us = 0;
        for (const PlannedPass& pass : rank) {
            busy_us += pass.end_us - pass.start_us;
        }
        step.busy_ns.push_back(std::llround(busy_us * 1000));
    }
    return step;
}

std::shared_ptr<const Run> runOf(const PipelineJob& job, const std::string& group) {
    const Plan plan = planned(job);
    const double length_us = endOf(plan);
    ProcessGroup of_all;
    of_all.name = "1";
    of_all.description = group;
    of_all.size = static_cast<std::int32_t>(plan.size());
    for (std::size_t rank = 0; rank < plan.size(); ++rank) {
        of_all.ranks.emplace_back(rank);
    }
    std::vector<std::shared_ptr<const RankTrace>> traces;
    for (std::size_t rank = 0; rank < plan.size(); ++rank) {
        RankWriter writer(job, of_all, static_cast<int>(rank));
        for (int step = 0; step < job.steps; ++step) {
            writer.step(5 + step, step * (length_us + 3 * RankWriter::kEdgeUs), plan[rank], length_us);
        }
        if (static_cast<int>(rank) != job.missing) {
            traces.push_back(writer.build());
        }
    }
    return runOf(std::move(traces));
}

PipelineJob gpipeJob() {
    return {.orders = {"0F0 0F1 0F2 0F3 0B0 0B1 0B2 0B3", "1F0 1F1 1F2 1F3 1B0 1B1 1B2 1B3",
                       "2F0 2F1 2F2 2F3 2B0 2B1 2B2 2B3"},
            .stages = {{}}};
}

PipelineJob oneFOneBJob() {
    return {.orders = {"0F0 0F1 0F2 0B0 0F3 0B1 0F4 0B2 0B3 0B4", "1F0 1F1 1B0 1F2 1B1 1F3 1B2 1F4 1B3 1B4",
                       "2F0 2B0 2F1 2B1 2F2 2B2 2F3 2B3 2F4 2B4"},
            .stages = {{}}};
}

PipelineJob interleavedJob() {
    return {.orders = {"0F0 0F1 2F0 2F1 0F2 2B0 0F3 2B1 2F2 0B0 2F3 0B1 2B2 2B3 0B2 0B3",
                       "1F0 1F1 3F0 3B0 3F1 3B1 1F2 1B0 1F3 1B1 3F2 3B2 3F3 3B3 1B2 1B3"},
            .stages = {{}}};
}

PipelineJob slowLastStage() {
    PipelineJob job = oneFOneBJob();
    job.stages = {{}, {}, {.forward_us = 150, .backward_us = 300}};
    return job;
}

}  // namespace rankscope::test
