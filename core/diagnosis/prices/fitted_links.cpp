// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/fitted_links.h"

#include <algorithm>

#include "core/analysis/collectives/collective_names.h"

namespace rankscope {
namespace {

/// The device on which a rank did most of its work; empty if the file does not describe it.
std::string_view deviceOf(const Run& run, const RunFacts& facts, RankPosition position) {
    const std::vector<DeviceProperties>& devices = run.ranks[position]->devices;
    const auto device = std::ranges::find(devices, facts.ranks[position].device, &DeviceProperties::id);
    return device == devices.end() ? std::string_view() : std::string_view(device->name);
}

/// The algorithm in the kernel name of a fit's collectives.
std::optional<Algorithm> toldAlgorithm(const Run& run, const RunFacts& facts, const TransferFit& fit) {
    for (const Collective& collective : facts.collectives.collectives) {
        if (fit.isOf(collective) && !collective.members.front().slices.empty()) {
            const CollectiveMember& member = collective.members.front();
            return algorithmOfKernel(run.ranks[member.rank]->name(member.slices.front()));
        }
    }
    return std::nullopt;
}

class LinkFinder {
  public:
    LinkFinder(const Run& run, const RunFacts& facts, const LinkChoices& choices)
        : run_(run), facts_(facts), choices_(choices), table_(PeerLinks::builtIn()) {}

    [[nodiscard]] FittedLink find(std::size_t index) const {
        const TransferFit& fit = facts_.collectives.fits[index];
        const CollectiveGroup& group = facts_.collectives.groups[fit.group];
        FittedLink out;
        out.fit = index;
        out.link = linkOf(run_, group);
        out.ranks = group.ranks.empty() ? static_cast<std::size_t>(std::max(0, group.size)) : group.ranks.size();
        const std::optional<Algorithm> told = toldAlgorithm(run_, facts_, fit);
        out.algorithm_told = told && costsOf(fit.kind, *told, 2);
        out.algorithm = out.algorithm_told ? *told : defaultAlgorithm(fit.kind);
        out.model = LinkModel::of(fit, out.algorithm, out.ranks);
        if (out.ranks > 1 && fit.tellsBandwidth()) {
            out.bus_gb_per_s = fit.gb_per_s * busFactor(fit.kind, out.ranks);
        }
        putSpeed(group, out);
        return out;
    }

  private:
    void putSpeed(const CollectiveGroup& group, FittedLink& out) const {
        const LinkChoices& said = choices_;
        if (out.link == Link::Unknown) {
            // A single speed from the user applies to all groups.
            if (said.inside_gb_per_s.has_value() != said.across_gb_per_s.has_value()) {
                out.link_gb_per_s = said.inside_gb_per_s ? said.inside_gb_per_s : said.across_gb_per_s;
                out.link_source = "entered; the files do not name the hosts";
            }
            return;
        }
        const std::optional<double>& entered =
            out.link == Link::InsideHost ? said.inside_gb_per_s : said.across_gb_per_s;
        if (entered) {
            out.link_gb_per_s = entered;
            out.link_source = "entered";
        } else if (const PeerLinks::Entry* const entry = out.link == Link::InsideHost ? slowest(group) : nullptr) {
            out.link_gb_per_s = entry->gb_per_s;
            out.link_source = entry->link + ", " + entry->source;
        }
    }

    /// The slowest entry of the members' devices; nullptr if a device has no entry.
    [[nodiscard]] const PeerLinks::Entry* slowest(const CollectiveGroup& group) const {
        const PeerLinks::Entry* least = nullptr;
        for (RankPosition r{0}; r < run_.ranks.size(); ++r) {
            const std::optional<RankNumber>& number = run_.ranks[r]->rank;
            if (!number || !std::ranges::binary_search(group.ranks, *number)) {
                continue;
            }
            const PeerLinks::Entry* const entry = table_.of(deviceOf(run_, facts_, r));
            if (entry == nullptr) {
                return nullptr;
            }
            least = least == nullptr || entry->gb_per_s < least->gb_per_s ? entry : least;
        }
        return least;
    }

    const Run& run_;
    const RunFacts& facts_;
    const LinkChoices& choices_;
    PeerLinks table_;
};

}  // namespace

std::vector<FittedLink> fittedLinks(const AnalysedRun& run) {
    return fittedLinks(*run.run, run.facts, run.links);
}

std::vector<FittedLink> fittedLinks(const Run& run, const RunFacts& facts, const LinkChoices& choices) {
    const LinkFinder finder(run, facts, choices);
    std::vector<FittedLink> out;
    for (std::size_t i = 0; i < facts.collectives.fits.size(); ++i) {
        out.push_back(finder.find(i));
    }
    return out;
}

}  // namespace rankscope
