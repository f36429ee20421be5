// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/schedule.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace rankscope::tracegen::machine {
namespace {

// The k-th pass forward or backward of a stage: interleaved, each chunk takes as many micro-batches as there are
// stages, then the next chunk does.
StageAction passOf(const JobSpec& job, bool forward, int k) {
    const int round = job.pipeline * job.chunks;
    const int chunk = job.chunks == 1 ? 0 : k % round / job.pipeline;
    const int micro_batch = job.chunks == 1 ? k : k / round * job.pipeline + k % job.pipeline;
    return {forward, micro_batch, forward ? chunk : job.chunks - 1 - chunk};
}

// How many passes forward a stage makes before its first backward.
int warmupOf(const JobSpec& job, int stage) {
    const int passes = job.micro_batches * job.chunks;
    const int behind = job.pipeline - stage - 1;
    switch (job.schedule) {
        case Schedule::GPipe: return passes;
        case Schedule::OneForwardOneBackward: return std::min(passes, behind);
        case Schedule::Interleaved: break;
    }
    return std::min(passes, 2 * behind + (job.chunks - 1) * job.pipeline);
}

/// Which passes are through.
class Progress {
  public:
    explicit Progress(const JobSpec& job) : job_(job), done_(indexOf(job.pipeline, {false, 0, 0})) {}
    void finish(int stage, const StageAction& action) { done_[indexOf(stage, action)] = true; }
    [[nodiscard]] bool isDone(int stage, const StageAction& action) const { return done_[indexOf(stage, action)]; }

  private:
    [[nodiscard]] std::size_t indexOf(int stage, const StageAction& action) const {
        const int pass = (stage * job_.chunks + action.chunk) * job_.micro_batches + action.micro_batch;
        const int index = 2 * pass + (action.forward ? 1 : 0);
        return static_cast<std::size_t>(index);
    }
    const JobSpec& job_;
    std::vector<bool> done_;
};

bool isReady(const JobSpec& job, const Progress& progress, int stage, const StageAction& action) {
    if (const auto input = inputOf(job, stage, action)) {
        return progress.isDone(input->from, {input->forward, input->micro_batch, input->chunk});
    }
    // The loss: its own forward.
    return action.forward || progress.isDone(stage, {true, action.micro_batch, action.chunk});
}

}  // namespace

std::vector<StageAction> orderOf(const JobSpec& job, int stage) {
    const int passes = job.micro_batches * job.chunks;
    const int warmup = warmupOf(job, stage);
    std::vector<StageAction> order;
    for (int k = 0; k < warmup; ++k) {
        order.push_back(passOf(job, true, k));
    }
    for (int k = warmup; k < passes; ++k) {
        order.push_back(passOf(job, true, k));
        order.push_back(passOf(job, false, k - warmup));
    }
    for (int k = passes - warmup; k < passes; ++k) {
        order.push_back(passOf(job, false, k));
    }
    return order;
}

std::optional<Message> messageOf(const JobSpec& job, int stage, const StageAction& action) {
    const int last = job.pipeline - 1;
    Message message{action.forward, action.micro_batch, action.chunk, stage, 0};
    if (action.forward) {
        message.to = stage < last ? stage + 1 : 0;
        return stage < last || action.chunk < job.chunks - 1 ? std::optional(message) : std::nullopt;
    }
    message.to = stage > 0 ? stage - 1 : last;
    return stage > 0 || action.chunk > 0 ? std::optional(message) : std::nullopt;
}

std::optional<Message> inputOf(const JobSpec& job, int stage, const StageAction& action) {
    const int last = job.pipeline - 1;
    const bool from_edge = stage == (action.forward ? 0 : last);
    const int edge_chunk = action.forward ? action.chunk - 1 : action.chunk + 1;
    if (from_edge && (edge_chunk < 0 || edge_chunk >= job.chunks)) {
        return std::nullopt;
    }
    const int from = from_edge ? (action.forward ? last : 0) : (action.forward ? stage - 1 : stage + 1);
    return Message{action.forward, action.micro_batch, from_edge ? edge_chunk : action.chunk, from, stage};
}

std::vector<Slot> slotsOf(const JobSpec& job) {
    std::vector<std::vector<StageAction>> orders;
    for (int stage = 0; stage < job.pipeline; ++stage) {
        orders.push_back(orderOf(job, stage));
    }
    std::vector<std::size_t> next(orders.size(), 0);
    std::size_t left = orders.size() * orders.front().size();
    Progress progress(job);
    std::vector<Slot> slots;
    while (left > 0) {
        Slot slot;
        slot.actions.resize(orders.size());
        const std::size_t left_before = left;
        for (std::size_t i = 0; i < orders.size(); ++i) {
            const int stage = static_cast<int>(i);
            if (next[i] < orders[i].size() && isReady(job, progress, stage, orders[i][next[i]])) {
                slot.actions[i] = orders[i][next[i]++];
                --left;
                if (const auto message = messageOf(job, stage, *slot.actions[i])) {
                    slot.messages.push_back(*message);
                }
            }
        }
        if (left == left_before) {
            throw std::logic_error("the schedule waits for itself");
        }
        for (std::size_t i = 0; i < orders.size(); ++i) {
            if (slot.actions[i]) {
                progress.finish(static_cast<int>(i), *slot.actions[i]);
            }
        }
        std::ranges::sort(slot.messages, {},
                          [](const Message& message) { return std::tuple(!message.forward, message.from); });
        slots.push_back(std::move(slot));
    }
    return slots;
}

}  // namespace rankscope::tracegen::machine
