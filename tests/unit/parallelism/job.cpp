// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/parallelism/job.h"

#include <algorithm>
#include <utility>

#include "tests/support/model_builder.h"

namespace rankscope::test {
namespace {

constexpr double kSlotUs = 20;

}  // namespace

ProcessGroup groupOf(std::string name, std::string description, std::initializer_list<int> ranks) {
    ProcessGroup group;
    group.name = std::move(name);
    group.description = std::move(description);
    group.size = static_cast<std::int32_t>(ranks.size());
    for (const int rank : ranks) {
        group.ranks.emplace_back(rank);
    }
    return group;
}

std::vector<Call> times(std::size_t count, const Call& call) {
    return {count, call};
}

std::vector<Call> together(std::initializer_list<std::vector<Call>> parts) {
    std::vector<Call> all;
    for (const std::vector<Call>& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

namespace {

/// Puts the calls of a rank on its threads and streams, one after the other.
class CallWriter {
  public:
    explicit CallWriter(const Rank& rank)
        : rank_(rank),
          main_(model_.thread("main")),
          autograd_(model_.thread("autograd")),
          compute_(model_.stream("7")),
          comm_(model_.stream("20")) {
        model_.rank(rank.number, rank.world);
        for (const ProcessGroup& group : rank.groups) {
            model_.group(group);
        }
    }

    std::shared_ptr<const RankTrace> write() {
        for (int step = 0; step < rank_.steps; ++step) {
            const double start_us = at_us_;
            model_.kernel(main_, at_us_ + 10, 5, compute_, "gemm", at_us_ + 16, 10);
            at_us_ += 10;
            for (const Call& call : rank_.calls) {
                at_us_ += kSlotUs;
                add(call);
            }
            at_us_ += 2 * kSlotUs;
            if (rank_.marked) {
                model_.step(main_, 5 + step, start_us, at_us_ - start_us);
            }
        }
        return model_.build();
    }

  private:
    void add(const Call& call) {
        const bool backward = call.where == Sent::Gradient || call.where == Sent::Node;
        const std::uint32_t thread = backward ? autograd_ : main_;
        if (call.where == Sent::Forward) {
            const char* const range = rank_.ddp ? "DistributedDataParallel.forward" : "forward";
            model_.slice(main_, Category::UserAnnotation, range, at_us_, 9);
        } else if (backward) {
            const bool gradient = call.where == Sent::Gradient;
            model_.op(autograd_,
                      std::string("autograd::engine::evaluate_function: ") +
                          (gradient ? "torch::autograd::AccumulateGrad" : "MmBackward0"),
                      at_us_, 9);
        }
        if (!call.range.empty()) {
            model_.slice(thread, Category::UserAnnotation, call.range, at_us_ + 1, 7);
        }
        const auto kernel = model_.kernel(thread, at_us_ + 2, 4, comm_, call.kernel, at_us_ + 7, 10);
        if (call.group < rank_.groups.size()) {
            model_.collective(kernel, call.name, call.elements, rank_.groups[call.group]);
        }
    }

    const Rank& rank_;
    ModelBuilder model_;
    std::uint32_t main_;
    std::uint32_t autograd_;
    std::uint32_t compute_;
    std::uint32_t comm_;
    double at_us_ = 0;
};

}  // namespace

std::shared_ptr<const RankTrace> traceOf(const Rank& rank) {
    return CallWriter(rank).write();
}

std::shared_ptr<const Run> jobOf(const std::vector<Rank>& ranks) {
    std::vector<std::shared_ptr<const RankTrace>> traces;
    traces.reserve(ranks.size());
    for (const Rank& rank : ranks) {
        traces.push_back(traceOf(rank));
    }
    return runOf(std::move(traces));
}

}  // namespace rankscope::test
