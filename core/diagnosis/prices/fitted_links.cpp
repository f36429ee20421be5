// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/fitted_links.h"

#include <algorithm>

#include "core/analysis/collectives/collective_names.h"

namespace rankscope {
namespace {

/// The name of the device that a rank did most of its work on; empty where the file does not describe it.
std::string_view deviceOf(const AnalysedRun& run, RankPosition position) {
    const std::vector<DeviceProperties>& devices = run.run->ranks[position]->devices;
    const auto device = std::ranges::find(devices, run.facts.ranks[position].device, &DeviceProperties::id);
    return device == devices.end() ? std::string_view() : std::string_view(device->name);
}

/// The algorithm that a kernel of a fit's collectives names.
std::optional<Algorithm> toldAlgorithm(const AnalysedRun& run, const TransferFit& fit) {
    for (const Collective& collective : run.facts.collectives.collectives) {
        if (fit.isOf(collective) && !collective.members.front().slices.empty()) {
            const CollectiveMember& member = collective.members.front();
            return algorithmOfKernel(run.run->ranks[member.rank]->name(member.slices.front()));
        }
    }
    return std::nullopt;
}

class LinkFinder {
  public:
    explicit LinkFinder(const AnalysedRun& run) : run_(run), table_(PeerLinks::builtIn()) {}

    [[nodiscard]] FittedLink find(std::size_t index) const {
        const TransferFit& fit = run_.facts.collectives.fits[index];
        const CollectiveGroup& group = run_.facts.collectives.groups[fit.group];
        FittedLink out;
        out.fit = index;
        out.link = linkOf(*run_.run, group);
        out.ranks = group.ranks.empty() ? static_cast<std::size_t>(std::max(0, group.size)) : group.ranks.size();
        const std::optional<Algorithm> told = toldAlgorithm(run_, fit);
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
        const LinkChoices& said = run_.links;
        if (out.link == Link::Unknown) {
            // Who enters one speed only means all groups by it.
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

    /// The slowest entry of the members' devices; nullptr where one of them has none.
    [[nodiscard]] const PeerLinks::Entry* slowest(const CollectiveGroup& group) const {
        const PeerLinks::Entry* least = nullptr;
        for (RankPosition r{0}; r < run_.run->ranks.size(); ++r) {
            const std::optional<RankNumber>& number = run_.run->ranks[r]->rank;
            if (!number || !std::ranges::binary_search(group.ranks, *number)) {
                continue;
            }
            const PeerLinks::Entry* const entry = table_.of(deviceOf(run_, r));
            if (entry == nullptr) {
                return nullptr;
            }
            least = least == nullptr || entry->gb_per_s < least->gb_per_s ? entry : least;
        }
        return least;
    }

    const AnalysedRun& run_;
    PeerLinks table_;
};

}  // namespace

std::vector<FittedLink> fittedLinks(const AnalysedRun& run) {
    const LinkFinder finder(run);
    std::vector<FittedLink> out;
    for (std::size_t i = 0; i < run.facts.collectives.fits.size(); ++i) {
        out.push_back(finder.find(i));
    }
    return out;
}

}  // namespace rankscope
