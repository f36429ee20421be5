// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/parallelism/role.h"
#include "core/diagnosis/evidence/rank_measures.h"

namespace rankscope::ui {

/// What the user chose on the map of the grid.
struct GridChoice {
    std::uint32_t run = 0;
    /// The dimensions of the map.
    struct Axes {
        std::optional<Role> across;
        std::optional<Role> down;
        friend bool operator==(const Axes&, const Axes&) = default;
    };
    std::optional<Axes> axes;            ///< nothing: as they are by themselves
    std::optional<RankMeasure> measure;  ///< what colours the cells; nothing: what suits the run
    std::optional<Role> role;            ///< of RankMeasure::ExposedCommunication: of the groups of this role alone
    friend bool operator==(const GridChoice&, const GridChoice&) = default;
};

}  // namespace rankscope::ui
