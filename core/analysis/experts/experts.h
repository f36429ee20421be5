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

// What a job does whose experts are divided among ranks: facts that findExperts() makes (find_facts.h). See
// docs/definitions/experts.md.

/// What a collective of an expert group does.
enum class ExpertOperation : std::uint8_t {
    Dispatch,  ///< sends tokens to the ranks of their experts
    Combine,   ///< sends back what the experts made of them
    Other,     ///< anything else: counts, and what no name identifies
};
inline constexpr std::size_t kExpertOperations = 3;
[[nodiscard]] std::string_view expertOperationName(ExpertOperation operation);  ///< as in the JSON: "dispatch"

/// What a name of a kernel or of a range says that it is; Other where it says nothing, and of kernels that only notify.
[[nodiscard]] ExpertOperation expertOperationOf(std::string_view name);

/// Kernels of one operation on one rank, sums over its counted steps.
struct ExpertTimes {
    std::size_t count = 0;
    DurationNs time_ns = 0;
    std::optional<DurationNs> wait_ns;  ///< of it CollectiveMember::wait_ns; nothing if none is known
    DurationNs exposed_ns = 0;          ///< its part of RankRoles::exposed
    std::optional<std::int64_t> bytes;  ///< the rank's own, where its size is recorded; nothing if none is
};

/// One rank's part in experts.
struct RankExperts {
    std::vector<ExpertTimes> operations;  ///< by ExpertOperation
    /// Computation between dispatch and combine, in layers that can be compared; nothing if it takes part in none.
    std::optional<DurationNs> compute_ns;
    std::optional<std::size_t> slowest;  ///< in how many of these it computed longest; nothing if there are none
};

/// What one rank computed in a pass of a layer of experts.
struct ExpertPass {
    RankPosition rank;
    DurationNs compute_ns = 0;  ///< between its dispatch and its combine
};

/// One pass of a layer of experts through all ranks of its group: from a dispatch to the combine after it.
struct ExpertLayer {
    std::int64_t step = 0;  ///< RankStep::index
    CollectivePosition dispatch;
    CollectivePosition combine;
    RankPosition slowest;            ///< who computed longest
    DurationNs longest_ns = 0;       ///< its computation between the two
    DurationNs mean_ns = 0;          ///< of all ranks
    std::vector<ExpertPass> passes;  ///< of all ranks
    /// What the mean rank waits, exposed, in the combine because of that, and would not if all computed alike.
    DurationNs lost_ns = 0;
};

/// What a job with divided experts does.
struct ExpertFacts {
    std::vector<RankExperts> ranks;   ///< as Run::ranks; empty if no group is of experts
    std::vector<ExpertLayer> layers;  ///< that can be compared over ranks, by start
    bool by_order = false;            ///< no name says which collective dispatches and which combines: they take turns

    /// Whether any rank runs experts.
    [[nodiscard]] bool any() const { return !ranks.empty(); }
    /// The longest computation of each layer over the mean of its ranks, all layers together; nothing without layers.
    [[nodiscard]] std::optional<double> imbalance() const;
};

}  // namespace rankscope
