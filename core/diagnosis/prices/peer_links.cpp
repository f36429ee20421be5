// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/peer_links.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/analysis/collectives/collectives.h"
#include "resources/link_speeds.h"

namespace rankscope {

std::string_view linkName(Link link) {
    switch (link) {
        case Link::InsideHost: return "inside-host";
        case Link::AcrossHosts: return "across-hosts";
        case Link::Unknown: return "unknown";
    }
    return {};
}

Link linkOf(const Run& run, const CollectiveGroup& group) {
    std::string_view host;
    for (const RankNumber member : group.ranks) {
        const auto rank = std::ranges::find_if(run.ranks, [&](const auto& one) { return one->rank == member; });
        if (rank == run.ranks.end() || (*rank)->host.empty()) {
            return Link::Unknown;
        }
        if (!host.empty() && host != (*rank)->host) {
            return Link::AcrossHosts;
        }
        host = (*rank)->host;
    }
    return host.empty() ? Link::Unknown : Link::InsideHost;
}

PeerLinks PeerLinks::builtIn() {
    Result<PeerLinks> links = fromJson(resources::link_speeds, "link_speeds.json");
    return links.ok() ? std::move(links).value() : PeerLinks();
}

Result<PeerLinks> PeerLinks::fromJson(std::string_view json, const std::string& path) {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return Error{path, {}, "is not valid JSON"};
    }
    PeerLinks links;
    try {
        for (const nlohmann::json& entry : document.at("peers")) {
            links.entries_.push_back({entry.at("name").get<std::string>(), entry.at("gb_per_s").get<double>(),
                                      entry.at("link").get<std::string>(), entry.at("source").get<std::string>()});
        }
    } catch (const nlohmann::json::exception& error) {
        return Error{path, {}, std::string("is not a table of links: ") + error.what()};
    }
    if (std::ranges::any_of(links.entries_, [](const Entry& e) { return e.gb_per_s <= 0; })) {
        return Error{path, {}, "a link speed must be above 0"};
    }
    return links;
}

const PeerLinks::Entry* PeerLinks::of(std::string_view device_name) const {
    const auto entry = std::ranges::find_if(
        entries_, [&](const Entry& e) { return device_name.find(e.name) != std::string_view::npos; });
    return entry == entries_.end() ? nullptr : &*entry;
}

}  // namespace rankscope
