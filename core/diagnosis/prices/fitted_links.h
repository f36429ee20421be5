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

/// A transfer fit with what it says of the link between the ranks of its group.
struct FittedLink {
    std::size_t fit = 0;  ///< index in CollectiveFacts::fits
    Link link = Link::Unknown;
    std::size_t ranks = 0;  ///< of the group; 0 if unknown
    Algorithm algorithm = Algorithm::Ring;
    bool algorithm_told = false;     ///< by the kernel's name; else it is the usual one
    std::optional<LinkModel> model;  ///< nothing if the size of the group, or what the kind costs, is not known
    /// Of the fit: its bandwidth times nccl-tests' factor; nothing if all sizes are bound by latency.
    std::optional<double> bus_gb_per_s;
    std::optional<double> link_gb_per_s;  ///< what the link can do; nothing if neither table nor user says it
    std::string link_source;              ///< "NVLink 4, NVIDIA H100 data sheet: ...", "entered"; empty with it
    [[nodiscard]] std::optional<double> efficiency() const {
        return bus_gb_per_s && link_gb_per_s ? std::optional(*bus_gb_per_s / *link_gb_per_s) : std::nullopt;
    }
};

/// One for each fit, in their order. What a link can do is what the user says (AnalysedRun::links), else, inside a
/// host, what the table says of the slowest device of the group.
[[nodiscard]] std::vector<FittedLink> fittedLinks(const AnalysedRun& run);

}  // namespace rankscope
