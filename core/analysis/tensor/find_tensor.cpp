// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tensor/find_tensor.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/parallelism/role_times.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

bool divides(const std::optional<Role>& role) {
    return role == Role::Tensor || role == Role::Sequence;
}

/// One rank's part in a collective, in its counted steps.
struct TimedPart {
    CollectivePosition collective;
    std::string layer;
    TensorTimes times;
};

/// The most certain layer among the names around the launch, the innermost of equals.
std::string layerAround(const RankTrace& rank, const CollectiveMember& member) {
    const SliceRef host = member.launch.valid() ? member.launch : member.op;
    if (!host.valid()) {
        return {};
    }
    const SliceTable& slices = rank.track(host).slices;
    std::string_view best;
    for (SliceIndex i = host.slice; i != kNoSlice; i = slices.parent[i]) {
        const std::string_view layer = slices.name[i].valid() ? layerOf(rank.strings.view(slices.name[i])) : "";
        if (!layer.empty() && (best.empty() || wholeLayer(layer) > wholeLayer(best))) {
            best = layer;
        }
    }
    return std::string(best);
}

bool isSteadyOne(const RankStep& step) {
    return step.complete && !step.outlier;
}

std::vector<TimedPart> timeParts(const RankTrace& trace, const RunFacts& facts, const RankFacts& rank,
                                 const std::vector<OwnPart>& parts) {
    const bool any_steady = std::ranges::any_of(rank.steps, isSteadyOne);
    const auto exposed = exposedByCollective(rank, facts.collectives, parts, trace);
    std::vector<TimedPart> timed;
    for (const OwnPart& own : parts) {
        const Collective& collective = facts.collectives.collectives[own.collective];
        if (!divides(facts.parallelism.roleOf(own.collective))) {
            continue;
        }
        const CollectiveMember& member = collective.members[own.member];
        TimedPart part{own.collective, layerAround(trace, member), {}};
        const auto set = exposed.find(own.collective);
        for (const RankStep& step : rank.steps) {
            if ((any_steady && !isSteadyOne(step)) || !step.span.overlaps(member.span)) {
                continue;
            }
            part.times.count = 1;
            part.times.time_ns = member.span.length();
            part.times.transfer_ns = collective.transfer_ns.value_or(0);
            part.times.exposed_ns += set == exposed.end() ? 0 : set->second.lengthIn(step.span);
        }
        if (part.times.count > 0) {
            timed.push_back(std::move(part));
        }
    }
    return timed;
}

void addTo(TensorTimes& sums, const TensorTimes& times) {
    sums.count += times.count;
    sums.time_ns += times.time_ns;
    sums.transfer_ns += times.transfer_ns;
    sums.exposed_ns += times.exposed_ns;
}

std::optional<TransferBound> boundOf(const CollectiveFacts& facts, const Collective& collective) {
    const TransferFit* const fit = facts.fitOf(collective);
    if (fit == nullptr || !collective.bytes) {
        return std::nullopt;
    }
    return fit->isLatencyBound(*collective.bytes) ? TransferBound::Latency : TransferBound::Bandwidth;
}

class TensorSummer {
  public:
    explicit TensorSummer(const RunFacts& facts) : facts_(facts) {}

    void add(const TimedPart& part) {
        const Collective& collective = facts_.collectives.collectives[part.collective];
        const auto key = std::tuple(collective.group, collective.kind, collective.bytes);
        const auto [at, is_new] = operations_.try_emplace(key, found_.operations.size());
        if (is_new) {
            TensorOperation operation;
            operation.group = collective.group;
            operation.role = *facts_.parallelism.roleOf(part.collective);
            operation.kind = collective.kind;
            operation.bytes = collective.bytes;
            operation.bound = boundOf(facts_.collectives, collective);
            found_.operations.push_back(operation);
        }
        addTo(found_.operations[at->second].times, part.times);
        const auto [layer, new_layer] = layers_.try_emplace(part.layer, found_.layers.size());
        if (new_layer) {
            found_.layers.push_back({part.layer, {}});
        }
        addTo(found_.layers[layer->second].times, part.times);
    }

    TensorFacts take() {
        std::ranges::stable_sort(found_.operations, std::greater(),
                                 [](const TensorOperation& one) { return one.times.exposed_ns; });
        return std::move(found_);
    }

  private:
    const RunFacts& facts_;
    TensorFacts found_;
    std::map<std::tuple<std::uint32_t, CollectiveKind, std::optional<std::int64_t>>, std::size_t> operations_;
    std::map<std::string, std::size_t> layers_;
};

}  // namespace

bool isForwardOnly(const RunFacts& facts) {
    return std::ranges::any_of(facts.ranks, [](const RankFacts& rank) { return rank.device >= 0; }) &&
           std::ranges::none_of(facts.ranks, [](const RankFacts& rank) {
               return rank.phases.told[Phase::Backward] || rank.phases.told[Phase::Optimizer] || rank.ddp.in_use;
           });
}

TensorFacts findTensor(const Run& run, const RunFacts& facts, std::size_t threads) {
    const std::vector<std::optional<Role>>& roles = facts.parallelism.of_collectives;
    if (std::ranges::none_of(roles, divides)) {
        return {};
    }
    const std::vector<std::vector<OwnPart>> parts = partsOfRanks(facts.collectives, run.ranks.size());
    std::vector<std::vector<TimedPart>> timed(parts.size());
    forEachIndex(parts.size(), threads,
                 [&](std::size_t r) { timed[r] = timeParts(*run.ranks[r], facts, facts.ranks[r], parts[r]); });
    TensorSummer summer(facts);
    for (const std::vector<TimedPart>& of_rank : timed) {
        for (const TimedPart& part : of_rank) {
            summer.add(part);
        }
    }
    TensorFacts found = summer.take();
    for (const RankFacts& rank : facts.ranks) {
        const bool any_steady = std::ranges::any_of(rank.steps, isSteadyOne);
        for (const RankStep& step : rank.steps) {
            found.steps_ns += !any_steady || isSteadyOne(step) ? step.span.length() : 0;
        }
    }
    found.forward_only = isForwardOnly(facts) && recordsOperators(run);
    return found;
}

}  // namespace rankscope
