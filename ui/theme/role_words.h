// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "core/analysis/parallelism/parallelism.h"

namespace rankscope::ui {

/// The role of a process group, or of a dimension of the grid, for people: "pipeline"; "cannot tell" without one.
[[nodiscard]] QString roleTitle(std::optional<Role> role);
/// The same for a group; "in part data" if only a part of what runs in it has a role.
[[nodiscard]] QString roleTitle(const GroupRole& group);
/// The same with a capital letter, for the start of a text: "Pipeline".
[[nodiscard]] QString roleHeading(Role role);
/// A place in the dimension of a role: "pp 2".
[[nodiscard]] QString placeTitle(Role role, std::int32_t place);
/// The place of a rank in each dimension that is known: "dp 1, pp 2, tp 0"; empty if none is.
[[nodiscard]] QString placeTitle(const JobGrid& grid, RankPosition rank);

}  // namespace rankscope::ui
