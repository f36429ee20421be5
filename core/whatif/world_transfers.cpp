// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/world_transfers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/prices/fitted_links.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

/// How the members of a group change.
struct GroupChange {
    std::size_t now = 0;
    std::size_t then = 0;
    Link link = Link::Unknown;
    Link new_link = Link::Unknown;
};

/// The devices that each file of a rank describes, if there are as many as ranks on a host: how many ranks a host has
/// room for. Nothing if a file describes only the devices that its process sees.
std::optional<std::size_t> devicesOfHost(const RuleContext& context, std::size_t ranks) {
    std::size_t devices = 0;
    for (const auto& rank : context.run.ranks) {
        devices = std::max(devices, rank->devices.size());
    }
    return devices >= ranks ? std::optional(devices) : std::nullopt;
}

/// Whether ranks exchange parts of one model's work, as experts and divided tables do.
bool exchangesWork(const Collective& collective) {
    return collective.members.size() > 1 &&
           (collective.kind == CollectiveKind::AllToAll || collective.kind == CollectiveKind::SendReceive);
}

/// Whether a job's ranks differ in their data only.
std::optional<Error> notDataParallel(const RuleContext& context) {
    const JobGrid& grid = context.facts.parallelism.grid;
    for (const GridDimension& dimension : grid.dimensions) {
        if (dimension.size > 1 && dimension.role != Role::Data && dimension.role != Role::Shard) {
            return cannotTell("The job is " + grid.text() + ": only of a data-parallel job it is known what other " +
                              "numbers of ranks do.");
        }
    }
    if (std::ranges::any_of(context.facts.collectives.collectives, exchangesWork)) {
        return cannotTell(
            "Ranks send each other parts of one model's work (all-to-all, or sends and receives): only of a "
            "data-parallel job it is known what other numbers of ranks do.");
    }
    return std::nullopt;
}

class WorldPlan {
  public:
    WorldPlan(const RuleContext& context, std::size_t now, std::size_t then)
        : context_(context),
          facts_(context.facts.collectives),
          links_(fittedLinks(context.run, context.facts, {})),
          now_(now),
          then_(then) {
        if (Result<std::size_t> ranks = ranksOfHost(context); ranks.ok()) {
            per_host_ = ranks.value();
        }
    }

    [[nodiscard]] Result<WorldTransfers> make() {
        if (std::ranges::none_of(links_, [](const FittedLink& link) { return link.model.has_value(); })) {
            return cannotTell(
                "No link is fitted: messages of several sizes are needed to separate latency and bandwidth.");
        }
        WorldTransfers out;
        std::size_t unknown = 0;
        double hops_ns = 0;
        for (const Collective& collective : facts_.collectives) {
            const Result<GroupChange> group = changeOf(collective.group);
            if (group.failed()) {
                return group.error();
            }
            const std::optional<Ratio> ratio = ratioOf(collective, group.value());
            if (!ratio) {
                ++unknown;
            }
            out.ratio.push_back(ratio ? ratio->likely : 1);
            hops_ns += ratio && collective.transfer_ns
                           ? (ratio->likely - ratio->least) * static_cast<double>(*collective.transfer_ns)
                           : 0;
        }
        const auto steps = static_cast<double>(std::max<std::size_t>(1, context_.facts.steps.size()));
        out.hops_ns = static_cast<DurationNs>(std::max(0.0, hops_ns) / steps);
        if (unknown > 0) {
            notes_.push_back(formatCounted(unknown, "collective") + " of " + formatCount(facts_.collectives.size()) +
                             " take as long as today: their bytes, or the cost of their kind, are not known.");
        }
        out.notes = std::move(notes_);
        return out;
    }

  private:
    struct Ratio {
        double likely = 1;
        double least = 1;  ///< with the latency of today
    };

    [[nodiscard]] Result<GroupChange> changeOf(std::uint32_t index) {
        const auto known = groups_.find(index);
        if (known != groups_.end()) {
            return known->second;
        }
        Result<GroupChange> change = newChangeOf(index);
        if (change.ok()) {
            groups_.emplace(index, change.value());
        }
        return change;
    }

    [[nodiscard]] Result<GroupChange> newChangeOf(std::uint32_t index) {
        const CollectiveGroup& group = facts_.groups[index];
        const std::size_t size =
            group.ranks.empty() ? static_cast<std::size_t>(std::max(0, group.size)) : group.ranks.size();
        GroupChange change{.now = size, .then = size, .link = linkOf(context_.run, group)};
        change.new_link = change.link;
        if (size == now_) {
            change.then = then_;
            return withLinks(change);
        }
        const bool inside = change.link == Link::InsideHost && per_host_ == size;
        const bool across = change.link == Link::AcrossHosts && per_host_ && *per_host_ * size == now_;
        if (size < 2 || inside) {
            return change;
        }
        if (across && then_ % *per_host_ == 0 && then_ >= 2 * *per_host_) {
            change.then = then_ / *per_host_;
            return change;
        }
        return cannotTell("Collectives of " + formatCounted(size, "rank") + " out of " + formatCount(now_) +
                          " are in no group that grows with the job.");
    }

    /// Which links join all ranks then.
    [[nodiscard]] Result<GroupChange> withLinks(GroupChange change) {
        if (change.link == Link::Unknown) {
            note("The files do not name the hosts of all ranks: the links of today are taken for all ranks.");
            return change;
        }
        if (change.link == Link::AcrossHosts) {
            change.new_link = then_ <= per_host_.value_or(1) ? Link::InsideHost : Link::AcrossHosts;
        } else if (const std::optional<std::size_t> room = devicesOfHost(context_, now_); room && then_ > *room) {
            change.new_link = Link::AcrossHosts;
        } else if (!room && then_ > now_) {
            note("The files do not tell how many GPUs a host has: the links of today are taken for all ranks.");
        }
        if (change.new_link != change.link && !modelOf(change.new_link)) {
            return cannotTell(change.new_link == Link::AcrossHosts
                                  ? formatCount(then_) + " ranks do not fit on one host of " +
                                        formatCounted(*devicesOfHost(context_, now_), "GPU") +
                                        ", and no link between hosts is fitted."
                                  : formatCount(then_) +
                                        " ranks fit on one host, and no link inside a host is fitted.");
        }
        return change;
    }

    void note(std::string text) {
        if (std::ranges::find(notes_, text) == notes_.end()) {
            notes_.push_back(std::move(text));
        }
    }

    /// The first model of a kind of links.
    [[nodiscard]] const LinkModel* modelOf(Link kind) const {
        const auto found = std::ranges::find_if(
            links_, [kind](const FittedLink& link) { return link.link == kind && link.model.has_value(); });
        return found == links_.end() ? nullptr : &*found->model;
    }

    /// The fitted link of a collective; else one of its group, else one of the same kind of links.
    [[nodiscard]] const FittedLink* linkFor(const Collective& collective, Link kind) const {
        const FittedLink* best = nullptr;
        for (const FittedLink& link : links_) {
            const TransferFit& fit = facts_.fits[link.fit];
            if (!link.model) {
                continue;
            }
            if (fit.isOf(collective)) {
                return &link;
            }
            const bool same_group = fit.group == collective.group;
            if (same_group || (best == nullptr && link.link == kind)) {
                best = &link;
            }
        }
        return best;
    }

    [[nodiscard]] static std::optional<DurationNs> fastest(const LinkModel& model, CollectiveKind kind,
                                                           Algorithm algorithm, std::size_t ranks, std::int64_t bytes) {
        const std::optional<DurationNs> own_ns = model.predict(kind, algorithm, ranks, bytes);
        const std::optional<DurationNs> tree_ns = model.predict(kind, Algorithm::Tree, ranks, bytes);
        return own_ns && tree_ns ? std::optional(std::min(*own_ns, *tree_ns)) : own_ns;
    }

    [[nodiscard]] std::optional<DurationNs> thenOf(const Collective& collective, const GroupChange& group,
                                                   const LinkModel& model, Algorithm algorithm) const {
        if (group.new_link == group.link) {
            return fastest(model, collective.kind, algorithm, group.then, *collective.bytes);
        }
        const LinkModel* const other = modelOf(group.new_link);
        return fastest(*other, collective.kind, defaultAlgorithm(collective.kind), group.then, *collective.bytes);
    }

    [[nodiscard]] std::optional<Ratio> ratioOf(const Collective& collective, const GroupChange& group) const {
        if (group.now == group.then) {
            return Ratio{};
        }
        const FittedLink* const link = linkFor(collective, group.link);
        if (link == nullptr || !collective.bytes) {
            return std::nullopt;
        }
        const bool own = facts_.fits[link->fit].kind == collective.kind;
        const Algorithm algorithm = own ? link->algorithm : defaultAlgorithm(collective.kind);
        const auto now_ns = link->model->predict(collective.kind, algorithm, group.now, *collective.bytes);
        const auto then_ns = thenOf(collective, group, *link->model, algorithm);
        const auto now = costsOf(collective.kind, algorithm, group.now);
        const auto then = costsOf(collective.kind, algorithm, group.then);
        if (!now_ns || !then_ns || *now_ns <= 0 || !now || !then) {
            return std::nullopt;
        }
        const auto before = static_cast<double>(*now_ns);
        const double likely = static_cast<double>(*then_ns) / before;
        if (group.new_link != group.link) {
            return Ratio{likely, likely};
        }
        const double least_ns = now->hops * link->model->hop_ns +
                                then->traffic * static_cast<double>(*collective.bytes) / link->model->gb_per_s;
        return Ratio{likely, std::min(likely, least_ns / before)};
    }

    const RuleContext& context_;
    const CollectiveFacts& facts_;
    std::vector<FittedLink> links_;
    std::size_t now_;
    std::size_t then_;
    std::optional<std::size_t> per_host_;
    std::map<std::uint32_t, GroupChange> groups_;
    std::vector<std::string> notes_;
};

}  // namespace

Result<WorldTransfers> worldTransfers(const RuleContext& context, std::size_t now, std::size_t then) {
    if (const std::optional<Error> refused = notDataParallel(context)) {
        return *refused;
    }
    if (!context.pricer.coupled()) {
        return cannotTell("Transfers and waits for other ranks cannot be separated: not all ranks were recorded.");
    }
    return WorldPlan(context, now, then).make();
}

Result<std::size_t> ranksOfHost(const RuleContext& context) {
    std::map<std::string, std::size_t> ranks;
    for (const auto& rank : context.run.ranks) {
        ++ranks[rank->host];
    }
    if (ranks.empty() || ranks.contains("")) {
        return cannotTell("The files do not name the hosts of all ranks.");
    }
    const auto differs = [&ranks](const auto& host) { return host.second != ranks.begin()->second; };
    if (std::ranges::any_of(ranks, differs)) {
        return cannotTell("The hosts do not have the same number of ranks.");
    }
    return ranks.begin()->second;
}

}  // namespace rankscope
