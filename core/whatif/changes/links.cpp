// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/prices/fitted_links.h"
#include "core/whatif/change.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

std::optional<Error> noTransfers(const RuleContext& context) {
    if (std::optional<Error> refused = refuseWithoutTransfers(context)) {
        return refused;
    }
    if (context.facts.collectives.fits.empty()) {
        return cannotTell("All messages have about the same size, so latency and bandwidth cannot be separated.");
    }
    return std::nullopt;
}

/// The factor for what a transfer takes beyond its latency, by fit; 1: unchanged.
struct LinkTimes {
    std::vector<double> by_fit;
};

/// How many of the run's collectives a change is about, for its notes.
std::string fittedNote(const RuleContext& context, const LinkTimes& times) {
    std::size_t all = 0;
    std::size_t fitted = 0;
    const CollectiveFacts& facts = context.facts.collectives;
    for (const Collective& collective : facts.collectives) {
        const TransferFit* const fit = facts.fitOf(collective);
        ++all;
        fitted += fit != nullptr && times.by_fit[static_cast<std::size_t>(fit - facts.fits.data())] != 1 ? 1U : 0U;
    }
    return "It changes " + formatCount(fitted) + " of " + formatCounted(all, "collective") + ".";
}

WhatIfEffect effectOf(const RuleContext& context, LinkTimes times) {
    WhatIfEffect effect;
    effect.notes.push_back(fittedNote(context, times));
    effect.transfer = [&facts = context.facts.collectives, times = std::move(times)](CollectivePosition collective,
                                                                                     DurationNs transfer_ns) {
        const TransferFit* const fit = facts.fitOf(facts.collectives[collective]);
        if (fit == nullptr) {
            return transfer_ns;
        }
        const double factor = times.by_fit[static_cast<std::size_t>(fit - facts.fits.data())];
        const DurationNs latency_ns = std::min(fit->latency_ns, transfer_ns);
        return latency_ns +
               static_cast<DurationNs>(std::llround(factor * static_cast<double>(transfer_ns - latency_ns)));
    };
    return effect;
}

/// How far off a step may be because collectives without a fit keep their time: they may take `factor` times as long.
std::function<AddedTime(const PlayedChange&)> ofUnfitted(const RuleContext& context, double factor) {
    const CollectiveFacts& facts = context.facts.collectives;
    const auto has_fit = [&facts](const Collective& one) { return facts.fitOf(one) != nullptr; };
    if (std::ranges::all_of(facts.collectives, has_fit)) {
        return {};
    }
    return [&context, &facts, factor](const PlayedChange& played) {
        RunChange all = played.joint;
        all.transfer = [&facts, factor, of = played.joint.transfer](CollectivePosition position,
                                                                    DurationNs transfer_ns) {
            const DurationNs fitted_ns = of ? of(position, transfer_ns) : transfer_ns;
            return facts.fitOf(facts.collectives[position]) != nullptr
                       ? fitted_ns
                       : static_cast<DurationNs>(std::llround(factor * static_cast<double>(fitted_ns)));
        };
        const DurationNs more_ns = played.saved_ns - context.pricer.saving({}, all);
        return AddedTime{std::min<DurationNs>(0, more_ns), 0, std::max<DurationNs>(0, more_ns)};
    };
}

Result<WhatIfEffect> linksOf(const RuleContext& context, Link kind, double gb_per_s) {
    if (const std::optional<Error> refused = noTransfers(context)) {
        return *refused;
    }
    LinkTimes times{std::vector<double>(context.facts.collectives.fits.size(), 1)};
    bool any = false;
    for (const FittedLink& link : fittedLinks(context.run, context.facts, {})) {
        if (link.link == kind && link.bus_gb_per_s) {
            times.by_fit[link.fit] = *link.bus_gb_per_s / gb_per_s;
            any = true;
        }
    }
    if (!any) {
        return cannotTell(kind == Link::InsideHost
                              ? "No group with a fitted bandwidth is known to be inside one host."
                              : "No group with a fitted bandwidth is known to span several hosts.");
    }
    return effectOf(context, std::move(times));
}

}  // namespace

Result<WhatIfEffect> fasterLinks(const RuleContext& context, const WhatIfValues& values) {
    if (const std::optional<Error> refused = noTransfers(context)) {
        return *refused;
    }
    WhatIfEffect effect =
        effectOf(context, {std::vector<double>(context.facts.collectives.fits.size(), 1 / values.factor)});
    effect.added = ofUnfitted(context, 1 / values.factor);
    return effect;
}

Result<WhatIfEffect> linksInside(const RuleContext& context, const WhatIfValues& values) {
    return linksOf(context, Link::InsideHost, values.number);
}

Result<WhatIfEffect> linksAcross(const RuleContext& context, const WhatIfValues& values) {
    return linksOf(context, Link::AcrossHosts, values.number);
}

Result<WhatIfEffect> otherAlgorithm(const RuleContext& context, const WhatIfValues& values) {
    if (values.name != "ring" && values.name != "tree") {
        return cannotTell("\"" + values.name + "\" is no algorithm of an all-reduce; use ring or tree.");
    }
    if (const std::optional<Error> refused = noTransfers(context)) {
        return *refused;
    }
    const Algorithm wanted = values.name == "ring" ? Algorithm::Ring : Algorithm::Tree;
    const auto links = std::make_shared<const std::vector<FittedLink>>(fittedLinks(context.run, context.facts, {}));
    const bool any = std::ranges::any_of(*links, [&](const FittedLink& link) {
        return link.model && context.facts.collectives.fits[link.fit].kind == CollectiveKind::AllReduce &&
               link.algorithm != wanted;
    });
    if (!any) {
        return cannotTell("No all-reduce with a fitted link runs by another algorithm.");
    }
    WhatIfEffect effect;
    if (std::ranges::none_of(*links, &FittedLink::algorithm_told)) {
        effect.notes.emplace_back("The kernels do not name today's algorithm; a ring is assumed.");
    }
    effect.transfer = [&facts = context.facts.collectives, links, wanted](CollectivePosition position,
                                                                          DurationNs transfer_ns) {
        const Collective& collective = facts.collectives[position];
        const TransferFit* const fit = facts.fitOf(collective);
        if (fit == nullptr || collective.kind != CollectiveKind::AllReduce || !collective.bytes) {
            return transfer_ns;
        }
        const FittedLink& link = (*links)[static_cast<std::size_t>(fit - facts.fits.data())];
        if (!link.model || link.algorithm == wanted) {
            return transfer_ns;
        }
        const auto now_ns = link.model->predict(collective.kind, link.algorithm, link.ranks, *collective.bytes);
        const auto then_ns = link.model->predict(collective.kind, wanted, link.ranks, *collective.bytes);
        if (!now_ns || !then_ns || *now_ns <= 0) {
            return transfer_ns;
        }
        const double ratio = static_cast<double>(*then_ns) / static_cast<double>(*now_ns);
        return static_cast<DurationNs>(std::llround(ratio * static_cast<double>(transfer_ns)));
    };
    return effect;
}

}  // namespace rankscope
