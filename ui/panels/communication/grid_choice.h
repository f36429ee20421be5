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
    std::optional<Axes> axes;            ///< nothing: the default axes
    std::optional<RankMeasure> measure;  ///< the measure that colours the cells; nothing: a default that suits the run
    std::optional<Role> role;            ///< for RankMeasure::ExposedCommunication: only of groups of this role
    friend bool operator==(const GridChoice&, const GridChoice&) = default;
};

}  // namespace rankscope::ui
