// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/collectives/transfer_costs.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/diagnosis/prices/peer_links.h"

namespace rankscope {

/// A transfer fit, with what it shows of the link between the ranks of its group.
struct FittedLink {
    std::size_t fit = 0;  ///< index in CollectiveFacts::fits
    Link link = Link::Unknown;
    std::size_t ranks = 0;  ///< size of the group; 0 if unknown
    Algorithm algorithm = Algorithm::Ring;
    bool algorithm_told = false;     ///< true: the kernel's name says it; false: the usual one is assumed
    std::optional<LinkModel> model;  ///< nothing if the size of the group, or the cost of the kind, is unknown
    /// The fit's bandwidth times nccl-tests' factor; nothing if latency dominates at all sizes.
    std::optional<double> bus_gb_per_s;
    std::optional<double> link_gb_per_s;  ///< speed of the link; nothing if neither the table nor the user gives it
    std::string link_source;  ///< "NVLink 4, NVIDIA H100 data sheet: ...", "entered"; empty without link_gb_per_s
    [[nodiscard]] std::optional<double> efficiency() const {
        return bus_gb_per_s && link_gb_per_s ? std::optional(*bus_gb_per_s / *link_gb_per_s) : std::nullopt;
    }
};

/// One per fit, in their order. The speed of a link is the user's (AnalysedRun::links). Inside a host it is otherwise
/// that of the slowest device of the group in the table.
[[nodiscard]] std::vector<FittedLink> fittedLinks(const AnalysedRun& run);
/// The same of a run that is still being diagnosed.
[[nodiscard]] std::vector<FittedLink> fittedLinks(const Run& run, const RunFacts& facts, const LinkChoices& choices);

}  // namespace rankscope
