// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/schedule_orders.h"

#include <algorithm>
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

/// `ahead` forwards, then one forward and one backward in turns, then the backwards that are left.
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

/// When passes ended, as far as they have been played.
class Played {
  public:
    Played(const std::vector<std::vector<PassId>>& orders, const PlayedTimes& times) : times_(times) {
        for (std::size_t rank = 0; rank < orders.size(); ++rank) {
            for (const PassId& pass : orders[rank]) {
                rank_of_[pass.stage] = rank;
            }
        }
    }

    /// When what a pass waits for is there; nothing while it has not ended. What no rank runs is there from the start.
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
            ready_ns = std::max(ready_ns, end->second + (runner->second == rank ? 0 : times_.hand_over_ns));
        }
        return ready_ns;
    }

    [[nodiscard]] DurationNs run(const PassId& pass, DurationNs start_ns) {
        const auto& of_stage = times_.stages[static_cast<std::size_t>(pass.stage)];
        const DurationNs end_ns = start_ns + of_stage[static_cast<std::size_t>(pass.kind)];
        ends_[pass] = end_ns;
        return end_ns;
    }

  private:
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

    const PlayedTimes& times_;
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
        default: return std::nullopt;
    }
}

std::optional<double> theoryOf(Schedule schedule, const PipelineShape& shape) {
    const bool fixed =
        schedule == Schedule::GPipe || schedule == Schedule::OneFOneB || schedule == Schedule::Interleaved;
    const std::int64_t work = static_cast<std::int64_t>(shape.stages_per_rank) * shape.micro_batches;
    const std::int64_t fill = shape.ranks - 1;
    return fixed && work > 0 ? std::optional(static_cast<double>(fill) / static_cast<double>(work + fill))
                             : std::nullopt;
}

std::optional<DurationNs> playSchedule(const std::vector<std::vector<PassId>>& orders, const PlayedTimes& times) {
    Played played(orders, times);
    std::vector<std::size_t> next(orders.size(), 0);
    std::vector<DurationNs> free_ns(orders.size(), 0);
    bool any = true;
    while (any) {
        any = false;
        for (std::size_t rank = 0; rank < orders.size(); ++rank) {
            while (next[rank] < orders[rank].size()) {
                const PassId& pass = orders[rank][next[rank]];
                const auto ready_ns = played.readyFor(pass, rank);
                if (!ready_ns) {
                    break;
                }
                free_ns[rank] = played.run(pass, std::max(free_ns[rank], *ready_ns));
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

}  // namespace rankscope
