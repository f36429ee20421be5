// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/parallelism/sharded_job.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tests/support/model_builder.h"
#include "tests/unit/parallelism/job.h"

namespace rankscope::test {
namespace {

constexpr double kLatencyUs = 5;
constexpr double kCallUs = 4;
constexpr std::int64_t kElements = 1'000'000;

/// One rank while it is simulated.
struct Machine {
    ModelBuilder model;
    std::uint32_t main = 0;
    std::uint32_t compute = 0;
    std::uint32_t communication = 0;
    double host_us = 0;
    double compute_us = 0;   ///< until then its computation is known
    double comm_us = 0;      ///< and its communication
    double gathered_us = 0;  ///< the last gather
    double copied_us = 0;    ///< the last parameters were copied out
};

class Simulation {
  public:
    explicit Simulation(const ShardedJob& job) : job_(job), ranks_(job.ranks) {
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            Machine& rank = ranks_[r];
            rank.model.rank(static_cast<std::int32_t>(r), static_cast<std::int32_t>(ranks_.size()));
            rank.main = rank.model.thread("main");
            rank.compute = rank.model.stream("7");
            rank.communication = rank.model.stream("20");
            group_.ranks.emplace_back(r);
        }
        group_.name = "0";
        group_.description = "default_pg";
        group_.size = static_cast<std::int32_t>(ranks_.size());
        for (Machine& rank : ranks_) {
            rank.model.group(group_);
        }
    }

    ShardedJob::Made run() {
        double before_us = 0;
        for (int step = 0; step < job_.steps; ++step) {
            before_us = ranks_.front().host_us;
            this->step(step);
        }
        ShardedJob::Made made{.run = {}, .step_us = ranks_.front().host_us - before_us};
        std::vector<std::shared_ptr<const RankTrace>> traces;
        for (Machine& rank : ranks_) {
            traces.push_back(rank.model.build());
        }
        made.run = runOf(std::move(traces));
        return made;
    }

  private:
    [[nodiscard]] bool isFsdp1() const { return job_.gathering == Gathering::AfterLimiter; }
    [[nodiscard]] std::string range(const std::string& fsdp2, const std::string& fsdp1, std::size_t unit) const {
        const std::string name = job_.names_units ? " (layers." + std::to_string(unit) + ")" : "";
        return isFsdp1() ? "FullyShardedDataParallel." + fsdp1 : "FSDP::" + fsdp2 + name;
    }

    void step(int number) {
        std::vector<double> begin_us;
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            begin_us.push_back(ranks_[r].host_us);
            ranks_[r].host_us += 10 + (job_.late_rank == r ? job_.late_us : 0);
        }
        forward();
        backward();
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            Machine& rank = ranks_[r];
            const double done_us = std::max({rank.host_us, rank.compute_us, rank.comm_us}) + 3;
            rank.model.call(rank.main, "cudaDeviceSynchronize", rank.host_us, done_us - rank.host_us);
            rank.host_us = done_us + 5;
            rank.model.step(rank.main, 3 + number, begin_us[r], rank.host_us - begin_us[r]);
        }
    }

    void forward() {
        const std::vector<double> begin_us = hosts();
        for (std::size_t unit = 0; unit < job_.units; ++unit) {
            gather(unit, "pre_forward", "_pre_forward", false);
            copyOut(unit);
            computeOn(job_.compute_us);
        }
        mark("forward", begin_us);
    }

    void backward() {
        const std::vector<double> begin_us = hosts();
        const bool ahead = job_.gathering == Gathering::Ahead;
        for (std::size_t unit = job_.units; unit-- > 0;) {
            if (job_.reshard && (!ahead || unit + 1 == job_.units)) {
                gather(unit, "pre_backward", "_pre_backward_hook", false);
            }
            copyOut(unit);
            if (job_.reshard && ahead && unit > 0) {
                gather(unit - 1, "pre_backward", "_pre_backward_hook", true);
            }
            computeOn(2 * job_.compute_us);
            scatter(unit);
        }
        mark("backward", begin_us);
    }

    [[nodiscard]] std::vector<double> hosts() const {
        std::vector<double> at_us;
        for (const Machine& rank : ranks_) {
            at_us.push_back(rank.host_us);
        }
        return at_us;
    }

    void mark(const std::string& name, const std::vector<double>& begin_us) {
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            ranks_[r].model.slice(ranks_[r].main, Category::UserAnnotation, name, begin_us[r],
                                  ranks_[r].host_us - begin_us[r]);
            ranks_[r].host_us += 2;
        }
    }

    /// A collective of all ranks, each of which may begin at `ready_us` of its own, and launches it in this range.
    void collective(const std::string& name, const std::string& outer, const std::string& inner, double transfer_us,
                    const std::vector<double>& ready_us) {
        std::vector<double> start_us;
        std::vector<double> call_us;
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            const Machine& rank = ranks_[r];
            call_us.push_back(rank.host_us + 2);
            start_us.push_back(std::max({rank.comm_us + 1, call_us[r] + kLatencyUs, ready_us[r] + 1}));
        }
        const double end_us = *std::ranges::max_element(start_us) + transfer_us;
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            Machine& rank = ranks_[r];
            rank.model.slice(rank.main, Category::UserAnnotation, outer, rank.host_us, 10);
            rank.model.slice(rank.main, Category::UserAnnotation, inner, rank.host_us + 1, 8);
            const auto kernel = rank.model.kernel(rank.main, call_us[r], kCallUs, rank.communication,
                                                  "ncclDevKernel_Generic", start_us[r], end_us - start_us[r]);
            rank.model.collective(kernel, name, kElements, group_);
            rank.host_us += 11;
            rank.comm_us = end_us;
        }
    }

    void gather(std::size_t unit, const std::string& fsdp2, const std::string& fsdp1, bool prefetched) {
        std::vector<double> ready_us;
        for (Machine& rank : ranks_) {
            if (job_.gathering == Gathering::AfterLimiter && rank.compute_us > rank.host_us) {
                rank.model.slice(rank.main, Category::UserAnnotation, "FullyShardedDataParallel.rate_limiter",
                                 rank.host_us, rank.compute_us + 6 - rank.host_us);
                rank.model.call(rank.main, "cudaEventSynchronize", rank.host_us + 1,
                                rank.compute_us + 4 - rank.host_us);
                rank.host_us = rank.compute_us + 7;
            }
            ready_us.push_back(job_.gathering == Gathering::Ahead ? rank.copied_us : rank.compute_us);
        }
        const std::string ahead = "FSDP::backward_prefetch for layers." + std::to_string(unit);
        collective("_allgather_base", prefetched ? ahead : range(fsdp2, fsdp1, unit),
                   range("all_gather", "_unshard", unit), job_.gather_us, ready_us);
        for (Machine& rank : ranks_) {
            rank.gathered_us = rank.comm_us;
        }
    }

    void copyOut(std::size_t unit) {
        for (Machine& rank : ranks_) {
            rank.model.slice(rank.main, Category::UserAnnotation, range("all_gather_copy_out", "_post_unshard", unit),
                             rank.host_us, 12);
            rank.model.call(rank.main, "cudaStreamWaitEvent", rank.host_us + 1, 1);
            const double start_us =
                std::max({rank.compute_us + 1, rank.host_us + 3 + kLatencyUs, rank.gathered_us + 1});
            rank.model.kernel(rank.main, rank.host_us + 3, kCallUs, rank.compute, "split_with_sizes_copy", start_us, 5);
            rank.compute_us = start_us + 5;
            rank.copied_us = rank.compute_us;
            rank.host_us += 13;
        }
    }

    void computeOn(double length_us) {
        constexpr int kKernels = 3;
        for (Machine& rank : ranks_) {
            for (int k = 0; k < kKernels; ++k) {
                rank.host_us += job_.host_us / kKernels;
                const double start_us = std::max(rank.compute_us + 1, rank.host_us + kLatencyUs);
                rank.model.kernel(rank.main, rank.host_us, kCallUs, rank.compute, "gemm", start_us,
                                  length_us / kKernels);
                rank.compute_us = start_us + length_us / kKernels;
                rank.host_us += kCallUs + 1;
            }
        }
    }

    void scatter(std::size_t unit) {
        std::vector<double> ready_us;
        for (const Machine& rank : ranks_) {
            ready_us.push_back(rank.compute_us);
        }
        collective("_reduce_scatter_base", range("post_backward_reduce", "_post_backward_hook", unit),
                   range("post_backward_reduce", "_post_backward_reduce", unit), job_.scatter_us, ready_us);
    }

    const ShardedJob& job_;
    std::vector<Machine> ranks_;
    ProcessGroup group_;
};

}  // namespace

ShardedJob::Made ShardedJob::make() const {
    return Simulation(*this).run();
}

}  // namespace rankscope::test
