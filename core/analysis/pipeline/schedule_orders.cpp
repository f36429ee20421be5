// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/schedule_orders.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace rankscope {
namespace {

/// The k-th forward and backward of a rank.
class Turns {
  public:
    Turns(const PipelineShape& shape, std::int32_t place) : shape_(shape), place_(place) {}

    [[nodiscard]] PassId forward(std::int32_t k) const { return {PassKind::Forward, stage(chunkOf(k)), batchOf(k)}; }
    [[nodiscard]] PassId backward(std::int32_t k) const {
        return {PassKind::Backward, stage(shape_.stages_per_rank - 1 - chunkOf(k)), batchOf(k)};
    }

  private:
    [[nodiscard]] std::int32_t stage(std::int32_t chunk) const { return chunk * shape_.ranks + place_; }
    /// Each chunk takes as many micro-batches in a row as there are ranks.
    [[nodiscard]] std::int32_t chunkOf(std::int32_t k) const { return (k % shape_.stages()) / shape_.ranks; }
    [[nodiscard]] std::int32_t batchOf(std::int32_t k) const {
        return shape_.stages_per_rank == 1 ? k : k / shape_.stages() * shape_.ranks + k % shape_.ranks;
    }

    PipelineShape shape_;
    std::int32_t place_;
};

/// `ahead` forwards, then alternating one forward and one backward, then the remaining backwards.
std::vector<PassId> inTurns(const Turns& turns, std::int32_t passes, std::int32_t ahead) {
    std::vector<PassId> order;
    order.reserve(2 * static_cast<std::size_t>(passes));
    for (std::int32_t k = 0; k < passes + ahead; ++k) {
        if (k < passes) {
            order.push_back(turns.forward(k));
        }
        if (k >= ahead) {
            order.push_back(turns.backward(k - ahead));
        }
    }
    return order;
}

/// Writes the order of a rank that computes gradients of inputs and of weights separately.
class SplitOrder {
  public:
    SplitOrder(const PipelineShape& shape, std::int32_t place)
        : stages_{place, shape.folded ? 2 * shape.ranks - 1 - place : place} {}

    void forward(std::size_t chunk) { order_.push_back({PassKind::Forward, stages_.at(chunk), forwards_.at(chunk)++}); }
    void backward(std::size_t chunk) {
        order_.push_back({PassKind::Backward, stages_.at(chunk), backwards_.at(chunk)++});
    }
    /// A backward whose weights come later.
    void input(std::size_t chunk) {
        left_.push_back({PassKind::WeightGradient, stages_.at(chunk), backwards_.at(chunk)});
        backward(chunk);
    }
    /// The oldest outstanding gradient of weights, if any.
    void weight() { take(left_.begin()); }
    void weight(std::size_t chunk) { take(std::ranges::find(left_, stages_.at(chunk), &PassId::stage)); }
    void weightsLeft() {
        while (!left_.empty()) {
            weight();
        }
    }
    [[nodiscard]] std::int32_t forwards(std::size_t chunk) const { return forwards_.at(chunk); }
    [[nodiscard]] const std::vector<PassId>& order() const { return order_; }

  private:
    void take(std::vector<PassId>::iterator at) {
        if (at != left_.end()) {
            order_.push_back(*at);
            left_.erase(at);
        }
    }

    std::array<std::int32_t, 2> stages_;
    std::array<std::int32_t, 2> forwards_{};
    std::array<std::int32_t, 2> backwards_{};
    std::vector<PassId> left_;
    std::vector<PassId> order_;
};

/// ZB-H1: like 1F1B, and a rank keeps as many gradients of weights for the end as there are ranks before it.
std::vector<PassId> zeroBubble(const PipelineShape& shape, std::int32_t place) {
    SplitOrder order(shape, place);
    const std::int32_t m = shape.micro_batches;
    const std::int32_t ahead = std::min(m, shape.ranks - 1 - place);
    for (std::int32_t k = 0; k < m + ahead; ++k) {
        if (k < m) {
            order.forward(0);
        }
        if (k >= ahead) {
            order.input(0);
        }
        if (k - ahead >= place) {
            order.weight();
        }
    }
    order.weightsLeft();
    return order.order();
}

/// ZB-V, in the order of torch.distributed.pipelining.
std::vector<PassId> zeroBubbleV(const PipelineShape& shape, std::int32_t place) {
    SplitOrder order(shape, place);
    const std::int32_t after = shape.ranks - place;
    const auto both = [&order](std::size_t chunk) {
        order.input(chunk);
        order.weight(chunk);
    };
    for (std::int32_t k = 0; k < 2 * after - 1; ++k) {
        order.forward(0);
    }
    for (std::int32_t k = 0; k < place; ++k) {
        order.forward(1);
        order.forward(0);
    }
    for (std::int32_t k = 0; k < after; ++k) {
        order.forward(1);
        both(1);
    }
    while (order.forwards(1) < shape.micro_batches) {
        if (order.forwards(0) < shape.micro_batches) {
            order.forward(0);
        }
        both(0);
        order.forward(1);
        both(1);
    }
    for (std::int32_t k = 0; k < place; ++k) {
        order.input(0);
        order.input(1);
    }
    for (std::int32_t k = 0; k < after; ++k) {
        both(0);
    }
    for (std::int32_t k = 0; k < place; ++k) {
        order.weight(1);
    }
    order.weightsLeft();
    return order.order();
}

/// The end of DualPipeV: no forwards are left, and from the middle on weights come after all inputs that others wait
/// for.
void drainDualPipeV(SplitOrder& order, std::int32_t place, std::int32_t behind) {
    const std::int32_t last = place + 1;
    const std::int32_t split = last / 2 * 2 + (place % 2 == 1 ? 0 : 1);
    for (std::int32_t k = 0; k < 2 * last; ++k) {
        const std::size_t chunk = k % 2 == 0 ? 1 : 0;
        if (k < split) {
            order.backward(chunk);
        } else {
            order.input(chunk);
        }
    }
    for (std::int32_t k = 0; k < behind; ++k) {
        order.weight();
        order.input(0);
    }
    order.weightsLeft();
}

/// DualPipeV, in the order of torch.distributed.pipelining, which follows DeepSeek's: a forward and a backward that run
/// together are in this order.
std::vector<PassId> dualPipeV(const PipelineShape& shape, std::int32_t place) {
    SplitOrder order(shape, place);
    const std::int32_t behind = shape.ranks - 1 - place;
    for (std::int32_t k = 0; k < 2 * behind; ++k) {
        order.forward(0);
    }
    for (std::int32_t k = 0; k <= place; ++k) {
        order.forward(0);
        order.forward(1);
    }
    for (std::int32_t k = 0; k < behind; ++k) {
        order.input(1);
        order.weight();
        order.forward(1);
    }
    for (std::int32_t k = 0; k < shape.micro_batches - 2 * shape.ranks + place + 1; ++k) {
        order.forward(0);
        order.backward(1);
        order.forward(1);
        order.backward(0);
    }
    for (std::int32_t k = 0; k < behind; ++k) {
        order.backward(1);
        order.forward(1);
        order.backward(0);
    }
    drainDualPipeV(order, place, behind);
    return order.order();
}

/// When the passes simulated so far ended.
class Played {
  public:
    Played(const std::vector<std::vector<PlayedTurn>>& orders, DurationNs hand_over_ns) : hand_over_ns_(hand_over_ns) {
        for (std::size_t rank = 0; rank < orders.size(); ++rank) {
            for (const PlayedTurn& turn : orders[rank]) {
                for (const PassId& pass : turn.passes) {
                    rank_of_[pass.stage] = rank;
                }
            }
        }
    }

    /// When everything that a turn waits for has ended; nothing while it has not.
    [[nodiscard]] std::optional<DurationNs> readyFor(const PlayedTurn& turn, std::size_t rank) const {
        DurationNs ready_ns = 0;
        for (const PassId& pass : turn.passes) {
            const auto own_ns = readyFor(pass, rank);
            if (!own_ns) {
                return std::nullopt;
            }
            ready_ns = std::max(ready_ns, *own_ns);
        }
        return ready_ns;
    }

    [[nodiscard]] DurationNs run(const PlayedTurn& turn, DurationNs start_ns) {
        for (const PassId& pass : turn.passes) {
            ends_[pass] = start_ns + turn.length_ns;
        }
        return start_ns + turn.length_ns;
    }

  private:
    /// Passes that no rank runs count as done at the start.
    [[nodiscard]] std::optional<DurationNs> readyFor(const PassId& pass, std::size_t rank) const {
        DurationNs ready_ns = 0;
        for (const PassId& needed : needs(pass)) {
            const auto runner = rank_of_.find(needed.stage);
            if (runner == rank_of_.end()) {
                continue;
            }
            const auto end = ends_.find(needed);
            if (end == ends_.end()) {
                return std::nullopt;
            }
            ready_ns = std::max(ready_ns, end->second + (runner->second == rank ? 0 : hand_over_ns_));
        }
        return ready_ns;
    }

    [[nodiscard]] static std::vector<PassId> needs(const PassId& pass) {
        switch (pass.kind) {
            case PassKind::Forward: return {{PassKind::Forward, pass.stage - 1, pass.micro_batch}};
            case PassKind::Backward:
                return {{PassKind::Backward, pass.stage + 1, pass.micro_batch},
                        {PassKind::Forward, pass.stage, pass.micro_batch}};
            case PassKind::WeightGradient: return {{PassKind::Backward, pass.stage, pass.micro_batch}};
        }
        return {};
    }

    DurationNs hand_over_ns_;
    std::map<std::int32_t, std::size_t> rank_of_;  // by stage
    std::map<PassId, DurationNs> ends_;
};

}  // namespace

std::optional<std::vector<PassId>> passOrder(Schedule schedule, const PipelineShape& shape, std::int32_t place) {
    const std::int32_t p = shape.ranks;
    const std::int32_t v = shape.stages_per_rank;
    const std::int32_t m = shape.micro_batches;
    if (p < 1 || v < 1 || m < 1 || place < 0 || place >= p) {
        return std::nullopt;
    }
    const Turns turns(shape, place);
    switch (schedule) {
        case Schedule::GPipe: return v == 1 ? std::optional(inTurns(turns, m, m)) : std::nullopt;
        case Schedule::OneFOneB:
            return v == 1 ? std::optional(inTurns(turns, m, std::min(m, p - 1 - place))) : std::nullopt;
        case Schedule::Interleaved:
            if (v < 2 || m % p != 0) {
                return std::nullopt;
            }
            return inTurns(turns, m * v, std::min(m * v, 2 * (p - 1 - place) + (v - 1) * p));
        case Schedule::ZeroBubble:
            if (v == 1) {
                return zeroBubble(shape, place);
            }
            return v == 2 && shape.folded && m >= 2 * p ? std::optional(zeroBubbleV(shape, place)) : std::nullopt;
        case Schedule::DualPipe:
            return v == 2 && shape.folded && m >= 2 * p ? std::optional(dualPipeV(shape, place)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> theoryOf(Schedule schedule, const PipelineShape& shape) {
    const bool fixed =
        schedule == Schedule::GPipe || schedule == Schedule::OneFOneB || schedule == Schedule::Interleaved;
    const std::int64_t work = static_cast<std::int64_t>(shape.stages_per_rank) * shape.micro_batches;
    const std::int64_t fill = shape.ranks - 1;
    return fixed && work > 0 ? std::optional(static_cast<double>(fill) / static_cast<double>(work + fill))
                             : std::nullopt;
}

std::optional<DurationNs> playTurns(const std::vector<std::vector<PlayedTurn>>& orders, DurationNs hand_over_ns) {
    Played played(orders, hand_over_ns);
    std::vector<std::size_t> next(orders.size(), 0);
    std::vector<DurationNs> free_ns(orders.size(), 0);
    bool any = true;
    while (any) {
        any = false;
        for (std::size_t rank = 0; rank < orders.size(); ++rank) {
            while (next[rank] < orders[rank].size()) {
                const PlayedTurn& turn = orders[rank][next[rank]];
                const auto ready_ns = played.readyFor(turn, rank);
                if (!ready_ns) {
                    break;
                }
                free_ns[rank] = played.run(turn, std::max(free_ns[rank], *ready_ns));
                ++next[rank];
                any = true;
            }
        }
    }
    for (std::size_t rank = 0; rank < orders.size(); ++rank) {
        if (next[rank] < orders[rank].size()) {
            return std::nullopt;
        }
    }
    return orders.empty() ? DurationNs{0} : *std::ranges::max_element(free_ns);
}

std::optional<DurationNs> playSchedule(const std::vector<std::vector<PassId>>& orders, const PlayedTimes& times) {
    std::vector<std::vector<PlayedTurn>> turns;
    for (const std::vector<PassId>& order : orders) {
        std::vector<PlayedTurn>& of_rank = turns.emplace_back();
        for (const PassId& pass : order) {
            const auto& of_stage = times.stages[static_cast<std::size_t>(pass.stage)];
            of_rank.push_back({{pass}, of_stage[static_cast<std::size_t>(pass.kind)]});
        }
    }
    return playTurns(turns, times.hand_over_ns);
}

}  // namespace rankscope
