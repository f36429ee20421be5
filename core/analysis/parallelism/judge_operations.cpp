// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/judge_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/device/kernel_names.h"
#include "core/base/format.h"
#include "core/base/utf8.h"

namespace rankscope {
namespace {

/// Fewer all-reduces per step are norms, losses and other sums of partial values. A divided layer needs two in its
/// forward alone.
constexpr std::size_t kSeveral = 4;

/// `alone`: only this ran, so collectives of unknown kind need no "other".
std::string countedKind(std::size_t count, CollectiveKind kind, bool alone = false) {
    if (kind == CollectiveKind::SendReceive) {
        return formatCount(count) + (count == 1 ? " send or receive" : " sends and receives");
    }
    if (kind == CollectiveKind::Unknown) {
        return alone ? formatCounted(count, "operation") + " of unknown kind" : formatCounted(count, "other operation");
    }
    return formatCounted(count, collectiveKindName(kind));
}

/// The name of a kernel, shortened.
std::string shown(std::string_view name) {
    constexpr std::size_t kShown = 60;
    std::string_view word = kernelNameWithoutArguments(name);
    word = word.substr(0, word.find_last_not_of(' ') + 1);
    return validUtf8(word.size() <= kShown ? std::string(word) : std::string(word.substr(0, kShown)) + "...");
}

std::string said(const SaidByNames& names, std::size_t of) {
    return fmt::format("by the names around {} of {}, like \"{}\" ({})", formatCount(names.collectives),
                       formatCounted(of, "collective"), shown(names.example), names.note);
}

class Judge {
  public:
    explicit Judge(const GroupUse& use)
        : use_(use),
          reduces_(use.of(CollectiveKind::AllReduce)),
          gathers_(use.of(CollectiveKind::AllGather)),
          scatters_(use.of(CollectiveKind::ReduceScatter)) {}

    OperationSigns judge() {
        names();
        gathersAndScatters();
        reducesInBackward();
        reducesInForward();
        exchanges();
        std::ranges::stable_sort(signs_.roles, std::greater(), &RoleSign::collectives);
        return std::move(signs_);
    }

  private:
    void add(RoleSign sign) {
        const auto known = std::ranges::find(signs_.roles, sign.role, &RoleSign::role);
        if (known == signs_.roles.end()) {
            signs_.roles.push_back(std::move(sign));
            return;
        }
        known->collectives = std::max(known->collectives, sign.collectives);
        known->weak = known->weak && sign.weak;
        known->named = known->named || sign.named;
        known->evidence += " " + sign.evidence;
    }
    [[nodiscard]] bool namedAs(Role role) const { return use_.roles.contains(role); }

    void names() {
        for (const auto& [role, names] : use_.roles) {
            add({role, names.collectives, true, false,
                 fmt::format("It is {} {}.", roleName(role), said(names, use_.collectives))});
        }
        for (const auto& [what, names] : use_.others) {
            signs_.otherwise += names.collectives;
            signs_.doubts.push_back(
                fmt::format("It is for {}, none of the roles, {}.", what, said(names, use_.collectives)));
        }
    }

    /// Gathers of parameters and scatters of gradients; or, if scatters are in the forward too, sequences that are
    /// divided in addition to tensors.
    void gathersAndScatters() {
        if (gathers_.total() == 0 || scatters_.total() == 0 || !use_.others.empty()) {
            return;
        }
        const std::size_t both = gathers_.total() + scatters_.total();
        const std::string counts = countedKind(gathers_.total(), CollectiveKind::AllGather) + " and " +
                                   countedKind(scatters_.total(), CollectiveKind::ReduceScatter);
        if (scatters_.forward > 0 && scatters_.backward > 0 && gathers_.forward > 0 && gathers_.backward > 0) {
            add({Role::Tensor, both, false, false,
                 counts + " in forward and backward: activations are gathered and scattered again."});
        } else if (scattersOutsideOfBackward()) {
            add({Role::Tensor, both, false, true,
                 fmt::format("{}, {} of the scatters in the backward and about as many outside it (the trace does not "
                             "show the forward): activations are gathered and scattered again.",
                             counts, formatCount(scatters_.backward))});
        } else if (scatters_.forward == 0 && scatters_.backward > 0) {
            add({Role::Shard, both, false, false,
                 fmt::format("{}, {}: parameters are gathered, gradients scattered.", counts,
                             use_.forward_told || use_.scatters_apart == 0 ? "no scatter in the forward"
                                                                           : "most scatters in the backward")});
        } else if (scatters_.forward == 0) {
            add({Role::Shard, both, false, true,
                 counts +
                     ", as sharded parameters and gradients need. The trace does not show their phase of the step."});
        }
    }

    /// If nothing marks the forward: scatters of each layer's forward and backward. Of gradients at most the last one
    /// or two are outside the backward.
    [[nodiscard]] bool scattersOutsideOfBackward() const {
        const std::size_t apart = use_.scatters_apart;
        return !use_.forward_told && scatters_.forward == 0 && gathers_.backward > 0 &&
               2 * std::min(apart, scatters_.backward) >= std::max(apart, scatters_.backward) &&
               apart + scatters_.backward >= kSeveral * use_.steps;
    }

    /// Gradients as DDP sends them; or partial sums that the backward of a layer needs.
    void reducesInBackward() {
        if (use_.by_reducer > 0 && !namedAs(Role::Data)) {
            add({Role::Data, use_.by_reducer, use_.ddp, false,
                 fmt::format("{} of {} sent by the backward between its nodes, like gradients{}.",
                             formatCount(use_.by_reducer), countedKind(reduces_.total(), CollectiveKind::AllReduce),
                             use_.ddp ? ", and DistributedDataParallel is in use" : "")});
        }
        const std::size_t inside = use_.inside_nodes;
        if (use_.by_reducer == 0 && inside > 0 && reduces_.forward == 0 &&
            (use_.forward_told || reduces_.elsewhere == 0)) {
            add({Role::Data, inside, false, false,
                 fmt::format("{} of {} in the backward and none in the forward: sums of gradients.",
                             formatCount(inside), countedKind(reduces_.total(), CollectiveKind::AllReduce))});
        }
        if (use_.ddp && use_.launches == 0 && reduces_.total() > 0) {
            add({Role::Data, reduces_.total(), false, true,
                 fmt::format("{} on ranks that use DistributedDataParallel; what launched them is not recorded.",
                             countedKind(reduces_.total(), CollectiveKind::AllReduce))});
        }
    }

    void reducesInForward() {
        // If nothing marks the forward, sums in no other phase may be in it.
        const std::size_t forward = use_.sums.forward + (use_.forward_told ? 0 : use_.sums.elsewhere);
        const std::size_t inside = use_.inside_nodes;
        if (namedAs(Role::Tensor) || use_.launches == 0 || forward + inside < kSeveral * use_.steps) {
            return;
        }
        if (forward > 0 && inside > 0) {
            add({Role::Tensor, forward + inside, false, false,
                 fmt::format(
                     "{} in the forward and {} inside nodes of the backward, {} per step: partial sums of layers.",
                     countedKind(forward, CollectiveKind::AllReduce), formatCount(inside),
                     formatCount((forward + inside) / use_.steps))});
        } else if (forward > 0 && use_.operators_told && !use_.backward_told && !use_.ddp) {
            add({Role::Tensor, forward, false, false,
                 fmt::format(
                     "{}, {} per step, and no backward: without one, only partial sums of layers are that frequent.",
                     countedSums(forward), formatCount(forward / use_.steps))});
        } else if (forward > 0 && !use_.operators_told && !use_.ddp) {
            signs_.otherwise += forward;
            signs_.doubts.push_back(
                fmt::format("{} may sum gradients or partial sums of layers: the operators that launched them were not "
                            "recorded.",
                            countedSums(forward)));
        }
    }

    /// If not all count, their number and the total, which the table next to it has.
    [[nodiscard]] std::string countedSums(std::size_t sums) const {
        const std::string all = countedKind(reduces_.total(), CollectiveKind::AllReduce);
        return sums == reduces_.total()
                   ? all
                   : fmt::format(
                         "{} of {} (the others sum a few numbers, or their names, launches or phases do not show it)",
                         formatCount(sums), all);
    }

    void exchanges() {
        if (use_.unnamed_exchanges > 0) {
            signs_.otherwise += use_.unnamed_exchanges;
            signs_.doubts.push_back(
                fmt::format("{} may be for experts, sequences or embedding tables: no name shows it.",
                            countedKind(use_.unnamed_exchanges, CollectiveKind::AllToAll)));
        }
        if (use_.bare_exchanges > 0) {
            signs_.otherwise += use_.bare_exchanges;
            signs_.doubts.push_back(fmt::format("{} known only by the kernel, which runs all-to-alls and more.",
                                                countedKind(use_.bare_exchanges, CollectiveKind::SendReceive)));
        }
        const std::size_t sent = use_.of(CollectiveKind::SendReceive).total() - use_.bare_exchanges;
        if (sent > 0 && !namedAs(Role::Pipeline)) {
            add({Role::Pipeline, sent, false, true,
                 countedKind(sent, CollectiveKind::SendReceive) +
                     ", as pipeline stages need. Ring attention sends in the same way."});
        }
    }

    const GroupUse& use_;
    const OperationCount& reduces_;
    const OperationCount& gathers_;
    const OperationCount& scatters_;
    OperationSigns signs_;
};

}  // namespace

OperationSigns judgeOperations(const GroupUse& use) {
    return Judge(use).judge();
}

std::string operationsText(const std::vector<OperationCount>& operations) {
    std::string text;
    for (const OperationCount& count : operations) {
        std::string phases;
        for (const auto& [n, where] : {std::pair(count.forward, "forward"), std::pair(count.backward, "backward")}) {
            phases += n == 0 ? "" : (phases.empty() ? "" : ", ") + fmt::format("{} in {}", formatCount(n), where);
        }
        text += (text.empty() ? "" : ", ") + countedKind(count.total(), count.kind, operations.size() == 1) +
                (phases.empty() ? "" : " (" + phases + ")");
    }
    return text;
}

}  // namespace rankscope
