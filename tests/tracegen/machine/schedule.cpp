// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/schedule.h"

#include <algorithm>
#include <array>
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
        case Schedule::Interleaved: return std::min(passes, 2 * behind + (job.chunks - 1) * job.pipeline);
        default: return std::min(passes, behind);
    }
}

/// Writes the order of a stage whose backward is split.
class SplitOrder {
  public:
    void forward(int chunk) { order_.push_back({true, forwards_[index(chunk)]++, chunk}); }
    void input(int chunk) {
        order_.push_back({false, backwards_[index(chunk)], chunk, Gradient::Input});
        weights_.emplace_back(chunk, backwards_[index(chunk)]++);
    }
    void both(int chunk) { order_.push_back({false, backwards_[index(chunk)]++, chunk}); }
    void together(int forward_chunk, int backward_chunk) {
        forward(forward_chunk);
        both(backward_chunk);
        order_.back().beside = true;
    }
    /// The oldest gradient of weights that is left, if there is one; of one chunk, if that is told.
    void weight(std::optional<int> chunk = std::nullopt) {
        const auto oldest =
            std::ranges::find_if(weights_, [&](const auto& left) { return !chunk || left.first == *chunk; });
        if (oldest != weights_.end()) {
            order_.push_back({false, oldest->second, oldest->first, Gradient::Weight});
            weights_.erase(oldest);
        }
    }
    [[nodiscard]] bool hasWeights() const { return !weights_.empty(); }
    [[nodiscard]] int forwards(int chunk) const { return forwards_[index(chunk)]; }
    /// Without the micro-batches beyond those that there are.
    [[nodiscard]] std::vector<StageAction> take(int micro_batches) {
        std::erase_if(order_, [&](const StageAction& action) { return action.micro_batch >= micro_batches; });
        return std::move(order_);
    }

  private:
    static std::size_t index(int chunk) { return static_cast<std::size_t>(chunk); }

    std::array<int, 2> forwards_{};
    std::array<int, 2> backwards_{};
    std::vector<std::pair<int, int>> weights_;  // chunk and micro-batch, oldest first
    std::vector<StageAction> order_;
};

template <class Do>
void times(int count, const Do& once) {
    for (int i = 0; i < count; ++i) {
        once();
    }
}

// As 1F1B; a stage keeps as many gradients of weights for the end as there are stages before it.
std::vector<StageAction> zeroBubbleOrder(const JobSpec& job, int stage) {
    SplitOrder order;
    const int warmup = warmupOf(job, stage);
    for (int k = 0; k < job.micro_batches + warmup; ++k) {
        if (k < job.micro_batches) {
            order.forward(0);
        }
        if (k >= warmup) {
            order.input(0);
        }
        if (k - warmup >= stage) {
            order.weight();
        }
    }
    while (order.hasWeights()) {
        order.weight();
    }
    return order.take(job.micro_batches);
}

// torch.distributed.pipelining's ScheduleZBVZeroBubble.
std::vector<StageAction> zeroBubbleVOrder(const JobSpec& job, int stage) {
    SplitOrder order;
    const int p = job.pipeline;
    const int batches = std::max(2 * p - 1, job.micro_batches);
    const auto backward = [&order](int chunk) {
        order.input(chunk);
        order.weight(chunk);
    };
    times(2 * (p - stage) - 1, [&] { order.forward(0); });
    times(stage, [&] {
        order.forward(1);
        order.forward(0);
    });
    times(p - stage, [&] {
        order.forward(1);
        backward(1);
    });
    while (order.forwards(1) < order.forwards(0) || order.forwards(0) < batches) {
        if (order.forwards(0) < batches) {
            order.forward(0);
        }
        backward(0);
        order.forward(1);
        backward(1);
    }
    times(stage, [&] {
        order.input(0);
        order.input(1);
    });
    times(p - stage, [&] { backward(0); });
    times(stage, [&] { order.weight(1); });
    while (order.hasWeights()) {
        order.weight();
    }
    return order.take(job.micro_batches);
}

// Its ScheduleDualPipeV, after DeepSeek's DualPipe.
std::vector<StageAction> dualPipeVOrder(const JobSpec& job, int stage) {
    SplitOrder order;
    const int behind = job.pipeline - stage - 1;
    times(2 * behind, [&] { order.forward(0); });
    times(stage + 1, [&] {
        order.forward(0);
        order.forward(1);
    });
    times(behind, [&] {
        order.input(1);
        order.weight();
        order.forward(1);
    });
    for (int i = 0; i < job.micro_batches - 2 * job.pipeline + stage + 1; ++i) {
        if (i == 0 && behind == 0) {
            order.forward(0);
            order.both(1);
        } else {
            order.together(0, 1);
        }
        order.together(1, 0);
    }
    times(behind, [&] {
        order.both(1);
        order.together(1, 0);
    });
    const int last = stage + 1;
    // From here on, counted over both chunks, gradients of weights come later.
    const int split = 2 * (last / 2) + (stage % 2 == 1 ? 0 : 1);
    for (int k = 0; k < 2 * last; ++k) {
        if (k >= split) {
            order.input(1 - k % 2);
        } else {
            order.both(1 - k % 2);
        }
    }
    times(behind, [&] {
        order.weight();
        order.input(0);
    });
    while (order.hasWeights()) {
        order.weight();
    }
    return order.take(job.micro_batches);
}

std::pair<int, int> stageAndChunkOf(const JobSpec& job, int place) {
    if (isFolded(job.schedule)) {
        return place < job.pipeline ? std::pair(place, 0) : std::pair(2 * job.pipeline - 1 - place, 1);
    }
    return {place % job.pipeline, place / job.pipeline};
}

// The place before or after an action on the way of its micro-batch; nothing beyond the ends.
std::optional<std::pair<int, int>> beside(const JobSpec& job, int stage, const StageAction& action, int by) {
    const int place = job.placeOfChunk(stage, action.chunk) + (action.forward ? by : -by);
    const bool there = place >= 0 && place < job.pipeline * job.chunks;
    return there ? std::optional(stageAndChunkOf(job, place)) : std::nullopt;
}

/// Which passes are through.
class Progress {
  public:
    explicit Progress(const JobSpec& job) : job_(job), done_(indexOf(job.pipeline, {false, 0, 0})) {}
    void finish(int stage, const StageAction& action) {
        if (action.forward || action.gradient != Gradient::Weight) {
            done_[indexOf(stage, action)] = true;
        }
    }
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
    const auto needed = neededBy(job, stage, action);
    return !needed || progress.isDone(needed->first, needed->second);
}

// What a stage can do next: one action, or two that run together; nothing while it has to wait.
std::vector<StageAction> nextOf(const JobSpec& job, const Progress& progress, int stage,
                                const std::vector<StageAction>& order, std::size_t at) {
    std::vector<StageAction> next;
    do {
        if (at == order.size() || !isReady(job, progress, stage, order[at])) {
            return {};
        }
        next.push_back(order[at]);
        ++at;
    } while (at < order.size() && order[at].beside);
    return next;
}

}  // namespace

std::vector<StageAction> orderOf(const JobSpec& job, int stage) {
    switch (job.schedule) {
        case Schedule::ZeroBubble: return zeroBubbleOrder(job, stage);
        case Schedule::ZeroBubbleV: return zeroBubbleVOrder(job, stage);
        case Schedule::DualPipeV: return dualPipeVOrder(job, stage);
        default: break;
    }
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

std::optional<std::pair<int, StageAction>> neededBy(const JobSpec& job, int stage, const StageAction& action) {
    const bool weights = !action.forward && action.gradient == Gradient::Weight;
    const auto before = weights ? std::nullopt : beside(job, stage, action, -1);
    if (before) {
        return std::pair(before->first, StageAction{action.forward, action.micro_batch, before->second});
    }
    // The loss: its own forward.
    return action.forward ? std::nullopt
                          : std::optional(std::pair(stage, StageAction{!weights, action.micro_batch, action.chunk}));
}

std::optional<Message> messageOf(const JobSpec& job, int stage, const StageAction& action) {
    const bool weights = !action.forward && action.gradient == Gradient::Weight;
    const auto after = weights ? std::nullopt : beside(job, stage, action, 1);
    if (!after || after->first == stage) {
        return std::nullopt;
    }
    return Message{action.forward, action.micro_batch, action.chunk, stage, after->first};
}

std::optional<Message> inputOf(const JobSpec& job, int stage, const StageAction& action) {
    const auto needed = neededBy(job, stage, action);
    if (!needed || needed->first == stage) {
        return std::nullopt;
    }
    return Message{action.forward, action.micro_batch, needed->second.chunk, needed->first, stage};
}

std::vector<Slot> slotsOf(const JobSpec& job) {
    std::vector<std::vector<StageAction>> orders;
    std::size_t left = 0;
    for (int stage = 0; stage < job.pipeline; ++stage) {
        orders.push_back(orderOf(job, stage));
        left += orders.back().size();
    }
    std::vector<std::size_t> next(orders.size(), 0);
    Progress progress(job);
    std::vector<Slot> slots;
    while (left > 0) {
        Slot slot;
        for (std::size_t i = 0; i < orders.size(); ++i) {
            slot.actions.push_back(nextOf(job, progress, static_cast<int>(i), orders[i], next[i]));
            for (const StageAction& action : slot.actions.back()) {
                if (const auto message = messageOf(job, static_cast<int>(i), action)) {
                    slot.messages.push_back(*message);
                }
            }
        }
        const std::size_t left_before = left;
        for (std::size_t i = 0; i < orders.size(); ++i) {
            next[i] += slot.actions[i].size();
            left -= slot.actions[i].size();
            for (const StageAction& action : slot.actions[i]) {
                progress.finish(static_cast<int>(i), action);
            }
        }
        if (left == left_before) {
            throw std::logic_error("the schedule waits for itself");
        }
        std::ranges::sort(slot.messages, {},
                          [](const Message& message) { return std::tuple(!message.forward, message.from); });
        slots.push_back(std::move(slot));
    }
    return slots;
}

}  // namespace rankscope::tracegen::machine
