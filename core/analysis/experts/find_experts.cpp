// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/parallelism/role_times.h"
#include "core/analysis/shards/shard_units.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

using ExposedOfRank = std::map<CollectivePosition, IntervalSet>;

ExpertOperation operationAt(const RankTrace& rank, const CollectiveMember& member) {
    const ExpertOperation by_kernel = expertOperationOf(rank.name(member.slices.front()));
    const SliceRef host = member.launch.valid() ? member.launch : member.op;
    if (by_kernel != ExpertOperation::Other || !host.valid()) {
        return by_kernel;
    }
    const SliceTable& slices = rank.track(host).slices;
    for (SliceIndex i = host.slice; i != kNoSlice; i = slices.parent[i]) {
        if (slices.name[i].valid()) {
            const ExpertOperation said = expertOperationOf(rank.strings.view(slices.name[i]));
            if (said != ExpertOperation::Other) {
                return said;
            }
        }
    }
    return ExpertOperation::Other;
}

/// The elements that this rank sent, from the kernel of its member, else from an operator or range around its launch;
/// nothing if none has it.
std::optional<std::int64_t> ownElements(const RankTrace& rank, const CollectiveMember& member) {
    const auto elements = [&](SliceRef ref) -> std::optional<std::int64_t> {
        const CollectiveArgs* const args = rank.track(ref).collectives.find(ref.slice);
        return args != nullptr && args->in_elements >= 0 ? std::optional(args->in_elements) : std::nullopt;
    };
    if (const auto of_kernel = elements(member.slices.front())) {
        return of_kernel;
    }
    const SliceRef inner = member.launch.valid() ? member.launch : member.op;
    for (SliceIndex i = inner.valid() ? inner.slice : kNoSlice; i != kNoSlice; i = rank.track(inner).slices.parent[i]) {
        if (const auto of_range = elements({inner.track, i})) {
            return of_range;
        }
    }
    return std::nullopt;
}

/// The size of a collective is that of its largest member, and the members of an all-to-all differ: each sends as many
/// tokens as it has, to any experts.
std::optional<std::int64_t> ownBytes(const RankTrace& rank, const Collective& collective,
                                     const CollectiveMember& member) {
    if (!collective.bytes || collective.kind == CollectiveKind::AllGather) {
        return collective.bytes;
    }
    if (!collective.messages.empty()) {
        std::int64_t sent = 0;
        for (const CollectiveMessage& message : collective.messages) {
            sent += &collective.members[message.sender] == &member ? message.bytes.value_or(0) : 0;
        }
        return sent;
    }
    const std::optional<std::int64_t> size = elementBytes(collective.dtype);
    const std::optional<std::int64_t> elements = ownElements(rank, member);
    if (!size || !elements) {
        return collective.kind == CollectiveKind::AllToAll ? std::nullopt : collective.bytes;
    }
    return *size * *elements;
}

bool isCountedStep(const RankFacts& rank, std::size_t step) {
    const auto steady = [](const RankStep& s) { return s.complete && !s.outlier; };
    return steady(rank.steps[step]) || std::ranges::none_of(rank.steps, steady);
}

/// A dispatch and the combine after it, on one rank.
struct Pass {
    CollectivePosition dispatch;
    CollectivePosition combine;
    RankStepPosition step;
    DurationNs compute_ns = 0;  ///< between the two
};

constexpr std::int64_t kCounts = 10;  // an exchange that is this many times smaller than the largest has no tokens

class ExpertFinder {
  public:
    ExpertFinder(const Run& run, const RunFacts& facts, std::size_t threads)
        : run_(run), facts_(facts), threads_(threads) {}

    ExpertFacts find() {
        collectOperations();
        tellByOrder();
        if (operations_.empty()) {
            return {};
        }
        found_.ranks.resize(run_.ranks.size());
        passes_.resize(run_.ranks.size());
        exposed_.resize(run_.ranks.size());
        const std::vector<std::vector<OwnPart>> parts = partsOfRanks(facts_.collectives, run_.ranks.size());
        forEachIndex(run_.ranks.size(), threads_, [&](std::size_t r) {
            exposed_[r] = exposedByCollective(facts_.ranks[r], facts_.collectives, parts[r], *run_.ranks[r]);
            timeRank(RankPosition(r), parts[r]);
        });
        compareLayers();
        return std::move(found_);
    }

  private:
    void collectOperations() {
        const std::vector<Collective>& all = facts_.collectives.collectives;
        for (CollectivePosition c{0}; c < all.size(); ++c) {
            if (facts_.parallelism.roleOf(c) == Role::Expert && !all[c].members.empty()) {
                const CollectiveMember& first = all[c].members.front();
                operations_.emplace(c, operationAt(*run_.ranks[first.rank], first));
            }
        }
    }

    /// If no name identifies any all-to-all of a group, those that carry tokens alternate: a layer dispatches, and then
    /// combines, and so does its backward. In a step with an odd number of them the order is unknown.
    void tellByOrder() {
        for (auto& [group, exchanges] : untoldExchanges()) {
            std::int64_t most_bytes = 0;
            for (const CollectivePosition c : exchanges) {
                most_bytes = std::max(most_bytes, facts_.collectives.collectives[c].bytes.value_or(0));
            }
            std::erase_if(exchanges, [&](CollectivePosition c) {  // the numbers of tokens are exchanged before the
                                                                  // tokens
                return facts_.collectives.collectives[c].bytes.value_or(most_bytes) * kCounts < most_bytes;
            });
            std::map<RankStepPosition, std::vector<CollectivePosition>> by_step;
            for (const CollectivePosition c : exchanges) {
                const CollectiveMember& first = facts_.collectives.collectives[c].members.front();
                if (const auto step = stepHolding(facts_.ranks[first.rank], first.span.start_ns)) {
                    by_step[*step].push_back(c);
                }
            }
            for (const auto& [step, turns] : by_step) {
                for (std::size_t i = 0; turns.size() % 2 == 0 && i < turns.size(); ++i) {
                    operations_[turns[i]] = i % 2 == 0 ? ExpertOperation::Dispatch : ExpertOperation::Combine;
                    found_.by_order = true;
                }
            }
        }
    }

    /// The all-to-alls of groups without an identified collective, by their starts.
    [[nodiscard]] std::map<std::uint32_t, std::vector<CollectivePosition>> untoldExchanges() const {
        std::map<std::uint32_t, std::vector<CollectivePosition>> exchanges;
        std::set<std::uint32_t> told;
        for (const auto& [c, operation] : operations_) {
            const Collective& collective = facts_.collectives.collectives[c];
            if (operation != ExpertOperation::Other) {
                told.insert(collective.group);
            } else if (collective.kind == CollectiveKind::AllToAll) {
                exchanges[collective.group].push_back(c);
            }
        }
        std::erase_if(exchanges, [&](const auto& of_group) { return told.contains(of_group.first); });
        return exchanges;
    }

    void timeRank(RankPosition r, const std::vector<OwnPart>& parts) {
        const RankFacts& rank = facts_.ranks[r];
        RankExperts& sums = found_.ranks[r];
        sums.operations.resize(kExpertOperations);
        std::vector<std::pair<const CollectiveMember*, CollectivePosition>> own;
        for (const OwnPart& part : parts) {
            const Collective& collective = facts_.collectives.collectives[part.collective];
            if (operations_.contains(part.collective)) {
                own.emplace_back(&collective.members[part.member], part.collective);
                addTimes(rank, r, collective, *own.back().first, part.collective, sums);
            }
        }
        std::ranges::stable_sort(own, {}, [](const auto& one) { return one.first->span.start_ns; });
        pairUp(rank, own, passes_[r]);
    }

    void addTimes(const RankFacts& rank, RankPosition r, const Collective& collective, const CollectiveMember& member,
                  CollectivePosition position, RankExperts& sums) {
        const std::optional<RankStepPosition> step = stepHolding(rank, member.span.start_ns);
        if (!step || !isCountedStep(rank, *step)) {
            return;
        }
        ExpertTimes& times = sums.operations[static_cast<std::size_t>(operations_.at(position))];
        ++times.count;
        times.time_ns += member.span.length();
        if (member.wait_ns) {  // no known wait is not a wait of zero
            times.wait_ns = times.wait_ns.value_or(0) + *member.wait_ns;
        }
        if (const auto set = exposed_[r].find(position); set != exposed_[r].end()) {
            times.exposed_ns += set->second.lengthIn(rank.steps[*step].span);
        }
        if (const std::optional<std::int64_t> bytes = ownBytes(*run_.ranks[r], collective, member)) {
            times.bytes = times.bytes.value_or(0) + *bytes;
        }
    }

    /// The longest possible wait of a member: if that is unknown, what it takes beyond the shortest member.
    [[nodiscard]] static DurationNs longestWaitOf(const Collective& collective, const CollectiveMember& member) {
        if (member.wait_ns) {
            return *member.wait_ns;
        }
        const auto shortest =
            std::ranges::min_element(collective.members, {}, [](const CollectiveMember& m) { return m.span.length(); });
        return collective.complete ? member.span.length() - shortest->span.length() : 0;
    }

    /// Pairs the last dispatch before a combine with the first combine after it: either may be two kernels.
    void pairUp(const RankFacts& rank, const std::vector<std::pair<const CollectiveMember*, CollectivePosition>>& own,
                std::vector<Pass>& passes) const {
        const CollectiveMember* dispatch = nullptr;
        CollectivePosition of;
        for (const auto& [member, position] : own) {
            const ExpertOperation operation = operations_.at(position);
            if (operation == ExpertOperation::Dispatch) {
                dispatch = member;
                of = position;
            } else if (operation == ExpertOperation::Combine && dispatch != nullptr) {
                const std::optional<RankStepPosition> step = stepHolding(rank, dispatch->span.start_ns);
                if (step) {
                    const TimeSpan between{dispatch->span.end_ns, member->span.start_ns};
                    passes.push_back({of, position, *step, between.empty() ? 0 : rank.compute.lengthIn(between)});
                }
                dispatch = nullptr;
            }
        }
    }

    /// Passes of all ranks of a group are one layer if they are between the same two collectives.
    void compareLayers() {
        std::map<std::pair<CollectivePosition, CollectivePosition>, std::vector<std::pair<RankPosition, const Pass*>>>
            layers;
        for (RankPosition r{0}; r < passes_.size(); ++r) {
            for (const Pass& pass : passes_[r]) {
                layers[{pass.dispatch, pass.combine}].emplace_back(r, &pass);
            }
        }
        for (const auto& [key, passes] : layers) {
            const Collective& combine = facts_.collectives.collectives[key.second];
            if (combine.complete && passes.size() == combine.members.size() && passes.size() > 1) {
                addLayer(key.second, passes);
            }
        }
    }

    void addLayer(CollectivePosition combine, const std::vector<std::pair<RankPosition, const Pass*>>& passes) {
        ExpertLayer layer;
        DurationNs sum_ns = 0;
        DurationNs waited_ns = 0;
        const Collective& collective = facts_.collectives.collectives[combine];
        for (const auto& [r, pass] : passes) {
            sum_ns += pass->compute_ns;
            layer.passes.push_back({r, pass->compute_ns});
            if (pass->compute_ns > layer.longest_ns) {
                layer.longest_ns = pass->compute_ns;
                layer.slowest = r;
            }
            const auto set = exposed_[r].find(combine);
            const DurationNs exposed_ns = set == exposed_[r].end() ? 0 : set->second.length();
            waited_ns += std::min(exposed_ns, longestWaitOf(collective, *collective.memberOf(r)));
        }
        const auto ranks = static_cast<DurationNs>(passes.size());
        layer.dispatch = passes.front().second->dispatch;
        layer.combine = combine;
        layer.step = facts_.ranks[passes.front().first].steps[passes.front().second->step].index;
        layer.mean_ns = sum_ns / ranks;
        layer.lost_ns = std::min(layer.longest_ns - layer.mean_ns, waited_ns / ranks);
        for (const auto& [r, pass] : passes) {
            if (isCountedStep(facts_.ranks[r], pass->step)) {
                RankExperts& sums = found_.ranks[r];
                sums.compute_ns = sums.compute_ns.value_or(0) + pass->compute_ns;
                sums.slowest = sums.slowest.value_or(0) + (r == layer.slowest ? 1U : 0U);
            }
        }
        found_.layers.push_back(layer);
    }

    const Run& run_;
    const RunFacts& facts_;
    std::size_t threads_;
    ExpertFacts found_;
    std::map<CollectivePosition, ExpertOperation> operations_;
    std::vector<ExposedOfRank> exposed_;
    std::vector<std::vector<Pass>> passes_;
};

}  // namespace

ExpertFacts findExperts(const Run& run, const RunFacts& facts, std::size_t threads) {
    return ExpertFinder(run, facts, threads).find();
}

}  // namespace rankscope
