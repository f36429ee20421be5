// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/exposed_reasons.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace tensor_communication {
namespace {

constexpr std::size_t kMostEvidence = 8;

bool dividesLayers(const RuleContext& context, CollectivePosition collective) {
    const std::optional<Role> role = context.facts.parallelism.roleOf(collective);
    return role == Role::Tensor || role == Role::Sequence;
}

using NamesInGroups = std::set<std::pair<std::uint32_t, std::string>>;

/// Names of collectives, by group, that are used for tensor parallelism only.
NamesInGroups namesOfTensors(const RuleContext& context) {
    NamesInGroups names;
    NamesInGroups others;
    const std::vector<Collective>& all = context.facts.collectives.collectives;
    for (CollectivePosition c{0}; c < all.size(); ++c) {
        (dividesLayers(context, c) ? names : others).emplace(all[c].group, all[c].name);
    }
    for (const auto& name : others) {
        names.erase(name);
    }
    return names;
}

/// The longest exposed transfers, one per collective, on the rank with most of them.
std::vector<Evidence> evidenceOfTransfers(const RuleContext& context, const Price& price) {
    struct Open {
        CollectivePosition collective;
        const CollectiveMember* member = nullptr;
        DurationNs ns = 0;
    };
    std::vector<Open> open;
    const std::vector<Collective>& all = context.facts.collectives.collectives;
    for (CollectivePosition c{0}; c < all.size(); ++c) {
        if (!dividesLayers(context, c) || !all[c].transfer_ns) {
            continue;
        }
        const auto member = std::ranges::find_if(
            all[c].members, [&](const CollectiveMember& m) { return std::ranges::binary_search(price.ranks, m.rank); });
        if (member != all[c].members.end()) {
            const TimeSpan transfer{member->span.end_ns - *all[c].transfer_ns, member->span.end_ns};
            open.push_back({c, &*member, context.facts.ranks[member->rank].exposed_transfer.lengthIn(transfer)});
        }
    }
    std::ranges::stable_sort(open, std::greater(), &Open::ns);
    std::vector<Evidence> evidence;
    for (const Open& one : open) {
        const RankStep* const step = stepAt(context.facts.ranks[one.member->rank], one.member->span.end_ns - 1);
        // A prefill says nothing about the decodes that are priced.
        const bool priced = step != nullptr && step->complete && !step->outlier;
        if (priced && one.ns > 0 && evidence.size() < kMostEvidence) {
            evidence.push_back({one.member->rank, step->index, one.member->slices.front(),
                                "is exposed for " + formatDuration(one.ns)});
        }
    }
    return evidence;
}

std::optional<TransferBound> mostlyBound(const TensorFacts& tensor) {
    DurationNs latency_ns = 0;
    DurationNs bandwidth_ns = 0;
    for (const TensorOperation& operation : tensor.operations) {
        if (operation.bound) {
            (*operation.bound == TransferBound::Latency ? latency_ns : bandwidth_ns) += operation.times.transfer_ns;
        }
    }
    if (latency_ns + bandwidth_ns == 0) {
        return std::nullopt;
    }
    return latency_ns > bandwidth_ns ? TransferBound::Latency : TransferBound::Bandwidth;
}

bool isOfNccl(std::string_view name) {
    return name.find("nccl") != std::string_view::npos || name.find("Nccl") != std::string_view::npos;
}

/// Whether most of the summing in priced steps is done by kernels other than NCCL's and RCCL's: servers have their own
/// for small messages.
bool hasOwnSums(const RuleContext& context) {
    DurationNs own_ns = 0;
    DurationNs all_ns = 0;
    const std::vector<Collective>& all = context.facts.collectives.collectives;
    for (CollectivePosition c{0}; c < all.size(); ++c) {
        if (!dividesLayers(context, c) || !all[c].transfer_ns) {
            continue;
        }
        const CollectiveMember& member = all[c].members.front();
        const RankStep* const step = stepAt(context.facts.ranks[member.rank], member.span.end_ns - 1);
        if (step != nullptr && step->complete && !step->outlier) {
            all_ns += *all[c].transfer_ns;
            own_ns += isOfNccl(context.run.ranks[member.rank]->name(member.slices.front())) ? 0 : *all[c].transfer_ns;
        }
    }
    return 2 * own_ns > all_ns;
}

/// Which library made the tensor-parallel groups, by their descriptions: torch's DeviceMesh says "mesh_tp", Megatron-LM
/// "TENSOR_MODEL_PARALLEL_GROUP". Empty if they say neither.
std::string makerOfGroups(const RuleContext& context) {
    for (const GroupRole& group : context.facts.parallelism.groups) {
        if (group.role == Role::Tensor || group.role == Role::Sequence) {
            if (group.description.starts_with("mesh_")) {
                return "-mesh";
            }
            if (group.description.ends_with("_PARALLEL_GROUP")) {
                return "-megatron";
            }
        }
    }
    return {};
}

std::vector<std::string> conditionsOf(const RuleContext& context, std::optional<TransferBound> bound) {
    const bool latency = bound == TransferBound::Latency;
    if (context.facts.tensor.forward_only) {
        std::vector<std::string> conditions = {"inference"};
        if (hasOwnSums(context)) {
            conditions.emplace_back("inference-own-sums");
        } else if (latency) {
            conditions.emplace_back("inference-latency");
        }
        return conditions;
    }
    const std::string maker = makerOfGroups(context);
    std::vector<std::string> conditions = {"training" + maker};
    if (bound) {
        conditions.emplace_back(latency ? "latency" : maker == "-mesh" ? "bandwidth-mesh" : "bandwidth");
    }
    return conditions;
}

Explanation explain(const RuleContext& context, const Price& price) {
    const Sentences& say = context.sentences;
    const TensorFacts& tensor = context.facts.tensor;
    const TensorTimes total = tensor.total();
    const std::optional<TransferBound> bound = mostlyBound(tensor);
    const auto share = [](DurationNs part, DurationNs whole) {
        return formatPercent(whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0);
    };
    std::string by_fit;
    if (bound) {
        by_fit = say.fill(
            *bound == TransferBound::Latency ? "tensor-communication.latency" : "tensor-communication.bandwidth", {});
    }
    const ExposedReasons reasons = exposedReasons(
        context, [&context](CollectivePosition collective) { return dividesLayers(context, collective); });
    Explanation told{.why = say.fill("tensor-communication.why", {{"share", share(total.time_ns, tensor.steps_ns)},
                                                                  {"exposed", share(total.exposed_ns, total.time_ns)},
                                                                  {"blocked", formatDuration(price.blocked_ns)},
                                                                  {"bound", by_fit},
                                                                  {"replay", replayText(context, price)},
                                                                  {"why", exposedReasonsText(say, reasons)}}),
                     .conditions = conditionsOf(context, bound),
                     .evidence = evidenceOfTransfers(context, price),
                     .at_most = tensor.forward_only ? Confidence::Low : Confidence::High,
                     .doubt = tensor.forward_only ? say.fill("tensor-communication.never-hidden", {}) : std::string()};
    if (reasons.total() > 0) {
        told.cause = reasons.main();
        told.cause_share = reasons.share(reasons.main());
    }
    return told;
}

}  // namespace
}  // namespace tensor_communication

std::vector<Problem> tensorCommunication(const RuleContext& context) {
    using namespace tensor_communication;
    const auto names = std::make_shared<const NamesInGroups>(namesOfTensors(context));
    if (names->empty()) {
        return {};
    }
    RunChange hidden;
    hidden.transfer = [&context](CollectivePosition collective, DurationNs transfer_ns) {
        const Collective& of = context.facts.collectives.collectives[collective];
        return dividesLayers(context, collective) ? transfer_ns - baselinePart(of, transfer_ns) : transfer_ns;
    };
    return {{.id = FindingId::TensorCommunication,
             .owned =
                 [names](const LedgerEntry& entry) {
                     return entry.owner == Owner::ExposedTransfer && !entry.slow_excess &&
                            names->contains({entry.group, entry.label});
                 },
             .change = std::move(hidden),
             .at_most = true,
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
