// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

// What a job does whose experts are divided among ranks: facts from findExperts() (find_facts.h). See
// docs/definitions/experts.md.

/// What a collective of an expert group does.
enum class ExpertOperation : std::uint8_t {
    Dispatch,  ///< sends tokens to the ranks of their experts
    Combine,   ///< returns the experts' results
    Other,     ///< anything else: counts, and collectives that no name identifies
};
inline constexpr std::size_t kExpertOperations = 3;
[[nodiscard]] std::string_view expertOperationName(ExpertOperation operation);  ///< as in the JSON: "dispatch"

/// The operation that the name of a kernel or range shows; Other if it shows none, and for kernels that only notify.
[[nodiscard]] ExpertOperation expertOperationOf(std::string_view name);

/// Kernels of one operation on one rank, summed over its counted steps.
struct ExpertTimes {
    std::size_t count = 0;
    DurationNs time_ns = 0;
    std::optional<DurationNs> wait_ns;  ///< the part of it that is CollectiveMember::wait_ns; nothing if none is known
    DurationNs exposed_ns = 0;          ///< its part of RankRoles::exposed
    std::optional<std::int64_t> bytes;  ///< sent by the rank itself, if sizes are recorded; nothing if none is
};

/// What one rank does for experts.
struct RankExperts {
    std::vector<ExpertTimes> operations;  ///< by ExpertOperation
    /// Computation between dispatch and combine, in layers that can be compared; nothing if it takes part in none.
    std::optional<DurationNs> compute_ns;
    std::optional<std::size_t> slowest;  ///< the number of these in which it computed longest; nothing if there are
                                         ///< none
};

/// The computation of one rank in a pass of a layer of experts.
struct ExpertPass {
    RankPosition rank;
    DurationNs compute_ns = 0;  ///< between its dispatch and its combine
};

/// One pass of a layer of experts on all ranks of its group: from a dispatch to the combine after it.
struct ExpertLayer {
    std::int64_t step = 0;  ///< RankStep::index
    CollectivePosition dispatch;
    CollectivePosition combine;
    RankPosition slowest;            ///< the rank that computed longest
    DurationNs longest_ns = 0;       ///< its computation between dispatch and combine
    DurationNs mean_ns = 0;          ///< over all ranks
    std::vector<ExpertPass> passes;  ///< one per rank
    /// The mean exposed wait of a rank in the combine that is due to the imbalance: it would be zero if all computed
    /// equally long.
    DurationNs lost_ns = 0;
};

/// What a job with divided experts does.
struct ExpertFacts {
    std::vector<RankExperts> ranks;   ///< parallel to Run::ranks; empty if no group is for experts
    std::vector<ExpertLayer> layers;  ///< layers that can be compared over ranks, by start
    bool by_order = false;            ///< no name shows which collective dispatches and which combines: they alternate

    /// Whether any rank runs experts.
    [[nodiscard]] bool any() const { return !ranks.empty(); }
    /// The longest computation of each layer over the mean of its ranks, over all layers together; nothing without
    /// layers.
    [[nodiscard]] std::optional<double> imbalance() const;
};

}  // namespace rankscope
